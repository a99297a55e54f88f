#include "workloads/scenario_parts.h"

#include "workloads/field.h"
#include "workloads/key_template.h"
#include "workloads/trace.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* What is compiled for the check alone; its memory is freed with it. */
struct scratch {
    struct arena arena;
    struct field *fields; /* of the scenario */
};

static bool init_fields(struct scenario_build *build, struct scratch *scratch) {
    const struct scenario *scenario = build->scenario;
    struct err *err = build->reader.err;
    scratch->fields =
        ARENA_ARRAY(&scratch->arena, struct field, scenario->field_count, "fields", err);
    for (uint32_t i = 0; i < scenario->field_count && scratch->fields != NULL; i++) {
        const struct field_spec *spec = &scenario->fields[i];
        struct random_name name = {.workload = "check", .variable = spec->name};
        if (!field_init(&scratch->fields[i], &scratch->arena, spec, &name, err)) {
            return false;
        }
    }
    return scratch->fields != NULL;
}

/* Columns by name alone, of a trace whose file is not there: one row of one digit. */
static bool imagine_columns(struct scratch *scratch, const struct trace_spec *spec,
                            struct trace *trace, struct err *err) {
    static const char *const texts[] = {"0"};
    trace->columns =
        ARENA_ARRAY(&scratch->arena, struct trace_column, spec->column_count, "columns", err);
    if (trace->columns == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < spec->column_count; i++) {
        trace->columns[i] = (struct trace_column){.name = spec->columns[i],
                                                  .texts = texts,
                                                  .n = 1,
                                                  .shortest_bytes = 1,
                                                  .longest_bytes = 1};
    }
    trace->column_count = spec->column_count;
    return true;
}

/* The trace's columns. *is_known false: its file is not there and nothing else names them. */
static bool read_columns(struct scenario_build *build, struct scratch *scratch,
                         const struct workload_spec *workload, struct trace *trace,
                         bool *is_known) {
    const struct trace_spec *spec = &workload->trace;
    struct err *err = build->reader.err;
    struct stat status;
    *is_known = true;
    if (spec->file == NULL) {
        return true;
    }
    if (stat(spec->file, &status) != 0 && errno == ENOENT) {
        *is_known = spec->columns != NULL;
        return reader_note(&build->reader, &spec->position,
                           "trace '%s' is not there: its rows were not checked", spec->file) &&
               imagine_columns(scratch, spec, trace, err);
    }
    if (stat(spec->file, &status) == 0 && !S_ISREG(status.st_mode)) {
        /* It is read more than once: here, and by each replication. */
        return scenario_error(err, &spec->position, "trace '%s' is not a regular file", spec->file);
    }
    const char *size_column =
        workload->item_size.law == SIZE_COLUMN ? workload->item_size.column : NULL;
    return trace_read(trace, &scratch->arena, spec, size_column, err);
}

/* Names the --set behind a text in which a fault was found. */
static bool fail_with_origin(const struct scenario_workload_nodes *nodes, struct err *err) {
    const struct document_node *from = nodes->hash_key;
    if (from->set == NULL && nodes->range_key != NULL) {
        from = nodes->range_key;
    }
    if (from->set != NULL && from->position.line != 0) {
        struct err longer = {.kind = ERR_NONE};
        err_set(&longer, err->kind, "%s (from %s)", err->text, from->set);
        *err = longer;
    }
    return false;
}

static bool check_attribute(struct scenario_build *build, struct scratch *scratch,
                            const struct attribute_spec *attribute, const struct field *fields,
                            uint32_t field_count) {
    const struct scenario_text no_range = {.text = NULL};
    struct random_name name = {.workload = "check", .variable = "check"};
    struct key_template compiled;
    if (attribute->template.text == NULL) {
        return true;
    }
    if (!key_template_compile(&compiled, &scratch->arena, &attribute->template, &no_range, fields,
                              field_count, &name, build->scenario->start_epoch_s,
                              build->reader.err)) {
        return false;
    }
    return compiled.members == 1 ||
           scenario_error(build->reader.err, &attribute->position,
                          "{each N} is for 'item': every member of the operation writes the same "
                          "attributes");
}

static bool check_workload(struct scenario_build *build, struct scratch *scratch,
                           const struct workload_spec *workload,
                           const struct scenario_workload_nodes *nodes) {
    const struct scenario *scenario = build->scenario;
    struct err *err = build->reader.err;
    struct trace trace = {.row_count = 0};
    bool is_known;
    if (!read_columns(build, scratch, workload, &trace, &is_known)) {
        return false;
    }
    uint32_t count = scenario->field_count + trace.column_count;
    struct field *fields = ARENA_ARRAY(&scratch->arena, struct field, count, "fields", err);
    if (fields == NULL) {
        return false;
    }
    memcpy(fields, scratch->fields, scenario->field_count * sizeof *fields);
    for (uint32_t i = 0; i < trace.column_count; i++) {
        field_init_column(&fields[scenario->field_count + i], &trace.columns[i]);
    }
    struct random_name name = {.workload = workload->name, .variable = "check"};
    for (uint32_t i = 0; is_known && i < workload->given_count + workload->held_count; i++) {
        if (!check_attribute(build, scratch, &workload->attributes[i], fields, count)) {
            return false;
        }
    }
    struct key_template key_template;
    if (!is_known) {
        return true;
    }
    if (!key_template_compile(&key_template, &scratch->arena, &workload->hash_key,
                              &workload->range_key, fields, count, &name, scenario->start_epoch_s,
                              err)) {
        return fail_with_origin(nodes, err);
    }
    return workload->batch == 0 || key_template.members == 1 ||
           scenario_error(err, &workload->hash_key.position,
                          "a batch has its members by 'batch': {each N} is for other operations");
}

bool scenario_check_templates(struct scenario_build *build) {
    const struct scenario *scenario = build->scenario;
    struct scratch scratch = {.fields = NULL};
    arena_init(&scratch.arena);
    bool checked = init_fields(build, &scratch);
    for (uint32_t i = 0; i < scenario->workload_count && checked; i++) {
        checked =
            check_workload(build, &scratch, &scenario->workloads[i], &build->workload_nodes[i]);
    }
    arena_fini(&scratch.arena);
    return checked;
}
