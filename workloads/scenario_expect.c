#include "workloads/scenario_parts.h"

#include <math.h>
#include <string.h>

#define VALUE_MAX 1e300

static bool read_scalar_text(struct reader *reader, const struct document_node *row,
                             const char *key, struct scenario_text *text) {
    struct document_node *node = document_get(row, key);
    if (node == NULL) {
        return true;
    }
    text->position = node->position;
    return reader_text(reader, node, &text->text);
}

/* A global index of the row's table, or of the only one. */
static bool check_index(struct scenario_build *build, const struct expect_spec *expect,
                        uint32_t which) {
    const struct scenario *scenario = build->scenario;
    const struct scenario_text *index = &expect->index;
    if (index->text == NULL) {
        return true;
    }
    if (expect->table.text == NULL && scenario->table_count > 1) {
        return scenario_error(build->reader.err, &index->position,
                              "'index' needs 'table': there are %u tables", scenario->table_count);
    }
    const struct table_spec *table = &scenario->tables[which];
    const char *names[GLOBAL_INDEXES_MAX + LOCAL_INDEXES_MAX + 1] = {NULL};
    for (uint32_t i = 0; i < table->index_count; i++) {
        names[i] = table->indexes[i].index_name;
        if (strcmp(names[i], index->text) == 0) {
            return table->indexes[i].is_global ||
                   scenario_error(build->reader.err, &index->position,
                                  "index '%s' is local: its units are those of its table",
                                  index->text);
        }
    }
    const struct reader_keys words = {names, NULL};
    return reader_fail_word(&build->reader, &index->position, "index", index->text, &words);
}

static bool check_workload(struct scenario_build *build, const struct scenario_text *workload) {
    const struct scenario *scenario = build->scenario;
    const char *names[SCENARIO_WORKLOADS_MAX + 1] = {NULL};
    for (uint32_t i = 0; i < scenario->workload_count && workload->text != NULL; i++) {
        names[i] = scenario->workloads[i].name;
        if (strcmp(names[i], workload->text) == 0) {
            return true;
        }
    }
    const struct reader_keys words = {names, NULL};
    return workload->text == NULL || reader_fail_word(&build->reader, &workload->position,
                                                      "workload", workload->text, &words);
}

static bool check_reason(struct scenario_build *build, const struct scenario_text *reason) {
    const char *names[THROTTLE_REASON_COUNT + 1] = {NULL};
    if (reason->text == NULL || throttle_reason_by_name(reason->text) != THROTTLE_REASON_COUNT) {
        return true;
    }
    for (uint32_t i = 0; i < THROTTLE_REASON_COUNT; i++) {
        names[i] = throttle_reason_name((enum throttle_reason)i);
    }
    const struct reader_keys words = {names, NULL};
    return reader_fail_word(&build->reader, &reason->position, "reason", reason->text, &words);
}

static bool read_texts(struct scenario_build *build, const struct document_node *row,
                       struct expect_spec *expect) {
    struct reader *reader = &build->reader;
    struct document_node *metric;
    if (!reader_require(reader, row, "metric", &metric) ||
        !read_scalar_text(reader, row, "metric", &expect->metric) ||
        !read_scalar_text(reader, row, "table", &expect->table) ||
        !read_scalar_text(reader, row, "index", &expect->index) ||
        !read_scalar_text(reader, row, "workload", &expect->workload) ||
        !read_scalar_text(reader, row, "key", &expect->key) ||
        !read_scalar_text(reader, row, "reason", &expect->reason) ||
        !reader_text(reader, document_get(row, "published"), &expect->published)) {
        return false;
    }
    uint32_t table = 0;
    return (expect->table.text == NULL || scenario_table_find(build, &expect->table, &table)) &&
           check_index(build, expect, table) && check_workload(build, &expect->workload) &&
           check_reason(build, &expect->reason);
}

static bool read_window(struct scenario_build *build, const struct document_node *row,
                        struct expect_spec *expect) {
    static const char *const pers[] = {
        [PER_RUN] = "run", [PER_SECOND] = "second", [PER_MINUTE] = "minute", NULL};
    static const char *const stats[] = {[STAT_SUM] = "sum",
                                        [STAT_MEAN] = "mean",
                                        [STAT_MAX] = "max",
                                        [STAT_LAST] = "last",
                                        [STAT_FIRST_TIME] = "first_time",
                                        NULL};
    static const struct reader_keys per_words = {pers, NULL}, stat_words = {stats, NULL};
    struct reader *reader = &build->reader;
    struct document_node *to = document_get(row, "to"), *stat = document_get(row, "stat");
    uint32_t per = PER_RUN, which = STAT_SUM;
    expect->to_ns = -1;
    if (!reader_duration(reader, document_get(row, "from"), 0, SIM_NS_MAX, &expect->from_ns) ||
        !reader_duration(reader, to, 1, SIM_NS_MAX, &expect->to_ns) ||
        !reader_word(reader, document_get(row, "per"), &per_words, &per) ||
        !reader_word(reader, stat, &stat_words, &which)) {
        return false;
    }
    expect->per = (enum expect_per)per;
    expect->stat = (enum expect_stat)which;
    expect->has_stat = stat != NULL;
    return to == NULL || expect->to_ns > expect->from_ns ||
           reader_fail(reader, to, "'to' must be later than 'from'");
}

static bool read_bound(struct reader *reader, const struct document_node *row, const char *key,
                       bool *has, double *value) {
    struct document_node *node = document_get(row, key);
    *has = node != NULL;
    return reader_number(reader, node, -VALUE_MAX, VALUE_MAX, value);
}

static bool read_bounds(struct scenario_build *build, const struct document_node *row,
                        struct expect_spec *expect) {
    struct reader *reader = &build->reader;
    struct document_node *tolerance = document_get(row, "tolerance");
    struct document_node *share = document_get(row, "share_of_seeds");
    expect->share_of_seeds = 1;
    if (!read_bound(reader, row, "min", &expect->has_min, &expect->min) ||
        !read_bound(reader, row, "max", &expect->has_max, &expect->max) ||
        !read_bound(reader, row, "equals", &expect->has_equals, &expect->equals) ||
        !reader_number(reader, tolerance, 0, 1, &expect->tolerance) ||
        !reader_number(reader, share, 0, 1, &expect->share_of_seeds)) {
        return false;
    }
    if (!expect->has_min && !expect->has_max && !expect->has_equals) {
        return reader_fail(reader, row, "an expectation needs 'min', 'max' or 'equals'");
    }
    if (expect->has_min && expect->has_max && expect->max < expect->min) {
        return reader_fail(reader, document_get(row, "max"), "'max' is below 'min'");
    }
    if (tolerance != NULL && !expect->has_equals) {
        return reader_fail_key(reader, tolerance,
                               "'tolerance' belongs to 'equals', which is missing");
    }
    if (share != NULL && expect->share_of_seeds <= 0) {
        return reader_fail(reader, share, "'share_of_seeds' must be above 0");
    }
    return true;
}

bool scenario_expects_read(struct scenario_build *build) {
    static const char *const keys[] = {
        "metric",    "table", "index",  "workload",  "key",
        "reason",    "from",  "to",     "per",       "stat",
        "min",       "max",   "equals", "tolerance", "share_of_seeds",
        "published", NULL};
    static const struct reader_keys row_keys = {keys, NULL};
    struct reader *reader = &build->reader;
    const struct document_node *section = document_get(build->root, "expect");
    if (section == NULL) {
        return true;
    }
    if (!reader_sequence(reader, section)) {
        return false;
    }
    if (section->child_count > SCENARIO_EXPECTS_MAX) {
        return reader_fail(reader, section, "more than %d expectations", SCENARIO_EXPECTS_MAX);
    }
    struct expect_spec *expects = ARENA_ARRAY(reader->arena, struct expect_spec,
                                              section->child_count, "expectations", reader->err);
    if (expects == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (const struct document_node *row = section->first; row != NULL; row = row->next) {
        struct expect_spec *expect = &expects[count++];
        expect->position = row->position;
        if (!reader_mapping(reader, row, &row_keys) || !read_texts(build, row, expect) ||
            !read_window(build, row, expect) || !read_bounds(build, row, expect)) {
            return false;
        }
    }
    build->scenario->expects = expects;
    build->scenario->expect_count = count;
    return true;
}
