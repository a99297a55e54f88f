#include "workloads/scenario_parts.h"

#include "workloads/field.h"
#include "workloads/key_template.h"
#include "workloads/trace.h"
#include "workloads/value.h"

#include <errno.h>
#include <inttypes.h>
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

/* What DynamoDB refuses: a text in an attribute that is defined as a number. One value of each
 * template is looked at, as a fault is nearly always in what all of them share. */
static bool check_number(struct err *err, const struct key_attribute *key,
                         const struct scenario_text *template, const char *value) {
    double number;
    return key->name == NULL || key->type != 'N' || value_double(value, &number) != VALUE_SYNTAX ||
           scenario_error(err, &template->position,
                          "'%s' is defined as a number (AttributeType N), and this gives '%.60s'",
                          key->name, value);
}

/* The key attribute of an index that has this name; NULL: no index has it. */
static const struct key_attribute *key_named(const struct table_spec *table, const char *name) {
    const struct key_attribute *key = NULL;
    for (uint32_t i = 0; i < table->index_count && key == NULL; i++) {
        key = spec_index_key(&table->indexes[i], name);
    }
    return key;
}

static bool check_attribute(struct scenario_build *build, struct scratch *scratch,
                            const struct workload_spec *workload,
                            const struct attribute_spec *attribute, const struct field *fields,
                            uint32_t field_count) {
    const struct table_spec *table = &build->scenario->tables[workload->table];
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
    if (compiled.members != 1) {
        return scenario_error(build->reader.err, &attribute->position,
                              "{each N} is for 'item': every member of the operation writes the "
                              "same attributes");
    }
    const struct key_attribute *key = key_named(table, attribute->name);
    struct key_template_text text;
    return key == NULL ||
           (key_template_render(&compiled, 0, &text, build->reader.err) &&
            check_number(build->reader.err, key, &attribute->template, text.hash_key));
}

/* The keys of the item, or of the index that is read. */
static bool check_key_types(struct scenario_build *build, const struct workload_spec *workload,
                            const struct key_template *compiled) {
    const struct table_spec *table = &build->scenario->tables[workload->table];
    const struct index_spec *index =
        workload->index == SCENARIO_NONE ? NULL : &table->indexes[workload->index];
    const struct key_attribute *hash = index == NULL ? &table->hash_key : &index->hash_key;
    struct err *err = build->reader.err;
    struct key_template_text text;
    return key_template_render(compiled, 0, &text, err) &&
           check_number(err, hash, &workload->hash_key, text.hash_key) &&
           (workload->range_key.text == NULL ||
            check_number(err, &table->range_key, &workload->range_key, text.range_key));
}

/* An item is as large as what is given of it, at least. */
static bool check_sizes(struct err *err, const struct workload_spec *workload) {
    const struct size_spec *item = &workload->item_size;
    uint64_t given_bytes = 0, held_bytes = 0;
    for (uint32_t i = 0; i < workload->given_count + workload->held_count; i++) {
        const struct attribute_spec *attribute = &workload->attributes[i];
        uint64_t *bytes = i < workload->given_count ? &given_bytes : &held_bytes;
        if (attribute->is_removed || attribute->template.text != NULL ||
            attribute->size.law == SIZE_COLUMN || item->law == SIZE_COLUMN) {
            continue;
        }
        *bytes += attribute->size.min_bytes;
        if (*bytes > item->max_bytes) {
            return scenario_error(err, &attribute->position,
                                  "with '%s' the attributes have at least %" PRIu64
                                  " bytes, the item itself at most %" PRIu32 " (item_size)",
                                  attribute->name, *bytes, item->max_bytes);
        }
    }
    return true;
}

static bool check_workload(struct scenario_build *build, struct scratch *scratch,
                           const struct workload_spec *workload,
                           const struct scenario_workload_nodes *nodes) {
    const struct scenario *scenario = build->scenario;
    struct err *err = build->reader.err;
    struct trace trace = {.row_count = 0};
    bool is_known;
    if (!check_sizes(err, workload) || !read_columns(build, scratch, workload, &trace, &is_known)) {
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
        if (!check_attribute(build, scratch, workload, &workload->attributes[i], fields, count)) {
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
    if (!check_key_types(build, workload, &key_template)) {
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
