#include "workloads/scenario.h"

#include "sim/check.h"
#include "workloads/key_template.h"
#include "workloads/scenario_parts.h"
#include "workloads/table_reader.h"
#include "workloads/value.h"

#include <stdio.h>
#include <string.h>

#define REPLICATIONS_MAX 1000000
#define START_DEFAULT_EPOCH_S INT64_C(1767225600) /* 2026-01-01T00:00:00Z */
#define NAME_BYTES_MAX 255

static const char *const top_known[] = {
    "name",   "about",  "source",   "start",   "duration",     "seed",
    "tables", "fields", "workload", "client",  "replications", "parameters",
    "model",  "expect", "quotas",   "actions", "pricing",      NULL};
const struct reader_keys scenario_top_keys = {top_known, NULL};

bool scenario_error(struct err *err, const struct source_position *position, const char *format,
                    ...) {
    char text[ERR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (position->file == NULL) {
        return err_set(err, ERR_INPUT, "%s", text);
    }
    if (position->line == 0) {
        return err_set(err, ERR_INPUT, "%s: %s", position->file, text);
    }
    return err_set(err, ERR_INPUT, "%s:%u:%u: %s", position->file, position->line, position->column,
                   text);
}

/* "folder/hot.yaml" is called hot when it gives no name. */
static const char *stem_of(struct scenario_build *build) {
    const char *path = build->scenario->path;
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t bytes = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);
    return arena_strndup(build->reader.arena, base, bytes, build->reader.err);
}

static bool read_start(struct reader *reader, struct document_node *node, int64_t *start_epoch_s) {
    static const char expected[] = "a time such as 2026-01-01T00:00:00Z";
    const char *text;
    *start_epoch_s = START_DEFAULT_EPOCH_S;
    if (node == NULL) {
        return true;
    }
    if (node->kind != DOCUMENT_SCALAR || node->text == NULL) {
        return reader_fail_expected(reader, node, expected);
    }
    if (!reader_text(reader, node, &text)) {
        return false;
    }
    if (value_epoch_s(text, start_epoch_s) != VALUE_OK) {
        return reader_fail_expected(reader, node, expected);
    }
    return *start_epoch_s <= KEY_START_EPOCH_S_MAX ||
           reader_fail(reader, node, "'start' must be before the year 9970");
}

static bool read_top(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    struct scenario *scenario = build->scenario;
    const struct document_node *root = build->root;
    struct document_node *name = document_get(root, "name");
    int64_t seed = 1, replications = 1;
    scenario->name = stem_of(build);
    scenario->about = scenario->source = "";
    scenario->duration_ns = -1;
    if (scenario->name == NULL || !reader_text(reader, name, &scenario->name) ||
        !reader_text(reader, document_get(root, "about"), &scenario->about) ||
        !reader_text(reader, document_get(root, "source"), &scenario->source) ||
        !read_start(reader, document_get(root, "start"), &scenario->start_epoch_s) ||
        !reader_duration(reader, document_get(root, "duration"), 1, SIM_NS_MAX,
                         &scenario->duration_ns) ||
        !reader_count(reader, document_get(root, "seed"), 0, INT64_MAX, &seed) ||
        !reader_count(reader, document_get(root, "replications"), 1, REPLICATIONS_MAX,
                      &replications)) {
        return false;
    }
    reader->start_epoch_s = scenario->start_epoch_s;
    reader->duration_ns = scenario->duration_ns;
    size_t name_bytes = strlen(scenario->name);
    if (name != NULL && (name_bytes == 0 || name_bytes > NAME_BYTES_MAX ||
                         strpbrk(scenario->name, "\t\r\n") != NULL)) {
        return reader_fail_expected(reader, name, "one line of 1 to 255 bytes");
    }
    scenario->seed = (uint64_t)seed;
    scenario->replications = (uint32_t)replications;
    return true;
}

static bool tables_section(struct scenario_build *build, struct document_node **section) {
    struct reader *reader = &build->reader;
    if (!reader_require(reader, build->root, "tables", section) ||
        !reader_sequence(reader, *section)) {
        return false;
    }
    if ((*section)->child_count == 0 || (*section)->child_count > SCENARIO_TABLES_MAX) {
        return reader_fail(reader, *section, "'tables' has 1 … %d tables", SCENARIO_TABLES_MAX);
    }
    return true;
}

static bool expand_tables(struct scenario_build *build) {
    struct document_node *section;
    if (!tables_section(build, &section)) {
        return false;
    }
    for (struct document_node *node = section->first; node != NULL; node = node->next) {
        if (node->kind == DOCUMENT_MAPPING &&
            !table_reader_expand(&build->reader, build->folder, node)) {
            return false;
        }
    }
    return true;
}

static bool read_tables(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    struct document_node *section;
    if (!tables_section(build, &section)) {
        return false;
    }
    struct table_spec *tables =
        ARENA_ARRAY(reader->arena, struct table_spec, section->child_count, "tables", reader->err);
    if (tables == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (const struct document_node *node = section->first; node != NULL; node = node->next) {
        if (!table_reader_read(reader, node, &tables[count])) {
            return false;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (strcmp(tables[i].table_name, tables[count].table_name) == 0) {
                return reader_fail(reader, document_get(node, "TableName"),
                                   "two tables are named '%s'", tables[i].table_name);
            }
        }
        count++;
    }
    build->tables = tables;
    build->scenario->tables = tables;
    build->scenario->table_count = count;
    return true;
}

static bool read_sections(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    if (!reader_mapping(reader, build->root, NULL) || !scenario_override_parameters(build) ||
        !scenario_parameters_read(build) || !scenario_override_paths(build, true) ||
        !reader_mapping(reader, build->root, &scenario_top_keys) || !expand_tables(build) ||
        !scenario_override_paths(build, false)) {
        return false;
    }
    return read_top(build) && read_tables(build) && scenario_new_indexes_read(build) &&
           scenario_quotas_read(build) && scenario_model_read(build) &&
           scenario_pricing_read(build) && scenario_states_check(build) &&
           scenario_actions_read(build) && scenario_fields_read(build) &&
           scenario_client_read(build) && scenario_workloads_read(build) &&
           scenario_expects_read(build) && scenario_check_templates(build) &&
           scenario_parameters_note_unused(build);
}

/* "a/b.yaml" is in "a/". */
static const char *folder_of(struct arena *arena, const char *path, struct err *err) {
    const char *slash = strrchr(path, '/');
    return arena_strndup(arena, path, slash == NULL ? 0 : (size_t)(slash - path) + 1, err);
}

static bool read_document(struct scenario *scenario, size_t length,
                          const struct scenario_override *overrides, size_t override_count,
                          struct scenario_questions *questions, struct err *err) {
    struct scenario_build build = {
        .reader = {.arena = &scenario->arena,
                   .err = err,
                   .notes_questions = questions != NULL,
                   .file = scenario->path},
        .scenario = scenario,
        .folder = folder_of(&scenario->arena, scenario->path, err),
        .overrides = overrides,
        .override_count = override_count,
    };
    struct document_source source = {.file = scenario->path,
                                     .text = scenario->text,
                                     .length = length,
                                     .is_json = document_is_json(scenario->path)};
    if (build.folder == NULL || !document_parse(&scenario->arena, &source, &build.root, err) ||
        !read_sections(&build)) {
        SIM_CHECK(err->kind != ERR_NONE);
        return false;
    }
    if (questions != NULL) {
        *questions =
            (struct scenario_questions){.root = build.root, .newest = build.reader.newest_question};
    }
    scenario->notes = reader_notes(&build.reader);
    scenario->note_count = build.reader.note_count;
    scenario->newest_file = build.reader.newest_file;
    return scenario->notes != NULL;
}

static bool read_text(struct scenario *scenario, const char *path, const char *text, size_t length,
                      const struct scenario_override *overrides, size_t override_count,
                      struct scenario_questions *questions, struct err *err) {
    *scenario = (struct scenario){.path = NULL};
    arena_init(&scenario->arena);
    scenario->path = arena_strdup(&scenario->arena, path, err);
    /* With its length: a NUL in it is found by document_parse. */
    char *copy = arena_alloc(&scenario->arena, length + 1, 1, "scenario text", err);
    if (scenario->path == NULL || copy == NULL) {
        return false;
    }
    memcpy(copy, text, length);
    scenario->text = copy;
    return read_document(scenario, length, overrides, override_count, questions, err);
}

bool scenario_read_text(struct scenario *scenario, const char *path, const char *text,
                        size_t length, const struct scenario_override *overrides,
                        size_t override_count, struct err *err) {
    return read_text(scenario, path, text, length, overrides, override_count, NULL, err);
}

bool scenario_read_asked(struct scenario *scenario, const char *path, const char *text,
                         size_t length, struct scenario_questions *questions, struct err *err) {
    return read_text(scenario, path, text, length, NULL, 0, questions, err);
}

bool scenario_read(struct scenario *scenario, const char *path,
                   const struct scenario_override *overrides, size_t override_count,
                   struct err *err) {
    size_t length;
    *scenario = (struct scenario){.path = NULL};
    arena_init(&scenario->arena);
    scenario->path = arena_strdup(&scenario->arena, path, err);
    if (scenario->path == NULL ||
        !document_load(&scenario->arena, path, &scenario->text, &length, err)) {
        return false;
    }
    return read_document(scenario, length, overrides, override_count, NULL, err);
}

void scenario_fini(struct scenario *scenario) {
    arena_fini(&scenario->arena);
    *scenario = (struct scenario){.path = NULL};
}
