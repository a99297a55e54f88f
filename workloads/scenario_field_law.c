#include "workloads/scenario_field_law.h"

#include "workloads/mass.h"

#include <math.h>

#define YCSB_EXPONENT_DEFAULT 0.99 /* ZipfianGenerator.ZIPFIAN_CONSTANT */
#define GROWTH_MAX 100.0
#define SPREAD_MAX 1e18
#define MEDIAN_MIN 0.001
#define MEDIAN_MAX 1e14

bool scenario_field_range_read(struct reader *reader, const struct document_node *node,
                               int64_t least, struct field_spec *field) {
    struct document_node *min_node, *max_node;
    int64_t min = 0, max = 0;
    if (!reader_require(reader, node, "min", &min_node) ||
        !reader_require(reader, node, "max", &max_node) ||
        !reader_count(reader, min_node, least, FIELD_FIRST_MAX, &min) ||
        !reader_count(reader, max_node, least, FIELD_FIRST_MAX, &max)) {
        return false;
    }
    if (max < min || max - min >= FIELD_N_MAX) {
        return reader_fail(reader, max_node, "'max' must be 'min' or up to 2^48 - 1 above it");
    }
    field->first = min;
    field->n = (uint64_t)(max - min) + 1;
    return true;
}

/* "n", which is required, and "first". */
static bool read_items(struct reader *reader, const struct document_node *node, int64_t n_min,
                       struct field_spec *field) {
    struct document_node *n_node;
    int64_t n = 0;
    if (!reader_require(reader, node, "n", &n_node) ||
        !reader_count(reader, n_node, n_min, FIELD_N_MAX, &n) ||
        !reader_count(reader, document_get(node, "first"), -FIELD_FIRST_MAX, FIELD_FIRST_MAX,
                      &field->first)) {
        return false;
    }
    field->n = (uint64_t)n;
    return true;
}

/* The value of a key that is required. */
static bool require_number(struct reader *reader, const struct document_node *node, const char *key,
                           double min, double max, double *value) {
    struct document_node *value_node;
    return reader_require(reader, node, key, &value_node) &&
           reader_number(reader, value_node, min, max, value);
}

bool scenario_field_ranked_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field) {
    static const char *const keys[] = {"n", "s", "first", NULL};
    static const struct reader_keys ranked_keys = {keys, NULL};
    return reader_mapping(reader, node, &ranked_keys) && read_items(reader, node, 1, field) &&
           require_number(reader, node, "s", 0, FIELD_EXPONENT_MAX, &field->exponent);
}

bool scenario_field_ycsb_read(struct reader *reader, const struct document_node *node,
                              struct field_spec *field) {
    static const char *const keys[] = {"n", "s", "first", "scrambled", NULL};
    static const struct reader_keys ycsb_keys = {keys, NULL};
    field->exponent = YCSB_EXPONENT_DEFAULT;
    return reader_mapping(reader, node, &ycsb_keys) && read_items(reader, node, 1, field) &&
           reader_number(reader, document_get(node, "s"), 0, MASS_YCSB_EXPONENT_MAX,
                         &field->exponent) &&
           reader_bool(reader, document_get(node, "scrambled"), &field->is_scrambled);
}

bool scenario_field_latest_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field) {
    static const char *const keys[] = {"n", "s", "growth", "first", NULL};
    static const struct reader_keys latest_keys = {keys, NULL};
    double growth = 0;
    if (!reader_mapping(reader, node, &latest_keys) || !read_items(reader, node, 1, field) ||
        !require_number(reader, node, "s", 0, FIELD_EXPONENT_MAX, &field->exponent) ||
        !require_number(reader, node, "growth", 0, GROWTH_MAX, &growth)) {
        return false;
    }
    field->recent = field->n;
    field->growth = (uint64_t)ceil(growth * 0x1p32); /* so that 0.1 is 1 after 10 operations */
    field->n = field->recent + field->growth;
    return true;
}

bool scenario_field_hotset_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field) {
    static const char *const keys[] = {"n", "hot_fraction", "hot_share", "first", NULL};
    static const struct reader_keys hotset_keys = {keys, NULL};
    double fraction = 0, share = 0;
    if (!reader_mapping(reader, node, &hotset_keys) || !read_items(reader, node, 2, field) ||
        !require_number(reader, node, "hot_fraction", 0, 1, &fraction) ||
        !require_number(reader, node, "hot_share", 0, 1, &share)) {
        return false;
    }
    uint64_t hot = (uint64_t)round((double)field->n * fraction);
    if (hot == 0 || hot >= field->n) {
        return reader_fail(reader, document_get(node, "hot_fraction"),
                           "'hot_fraction' makes %s of %lld values hot; some must be, and some not",
                           hot == 0 ? "none" : "all", (long long)field->n);
    }
    struct field_range *ranges =
        ARENA_ARRAY(reader->arena, struct field_range, 2, "hot set", reader->err);
    double *weights = ARENA_ARRAY(reader->arena, double, 2, "hot set", reader->err);
    if (ranges == NULL || weights == NULL) {
        return false;
    }
    ranges[0] = (struct field_range){.begin = 0, .length = hot};
    ranges[1] = (struct field_range){.begin = hot, .length = field->n - hot};
    weights[0] = share;
    weights[1] = 1.0 - share;
    field->ranges = ranges;
    field->range_count = 2;
    field->weights = weights;
    return true;
}

bool scenario_field_normal_read(struct reader *reader, const struct document_node *node,
                                struct field_spec *field) {
    static const char *const keys[] = {"mean", "sd", "min", "max", NULL};
    static const struct reader_keys normal_keys = {keys, NULL};
    return reader_mapping(reader, node, &normal_keys) &&
           require_number(reader, node, "mean", -SPREAD_MAX, SPREAD_MAX, &field->mean) &&
           require_number(reader, node, "sd", MASS_SPREAD_MIN, SPREAD_MAX, &field->sd) &&
           scenario_field_range_read(reader, node, -FIELD_FIRST_MAX, field);
}

bool scenario_field_lognormal_read(struct reader *reader, const struct document_node *node,
                                   struct field_spec *field) {
    static const char *const keys[] = {"median", "p99", "min", "max", NULL};
    static const struct reader_keys lognormal_keys = {keys, NULL};
    if (!reader_mapping(reader, node, &lognormal_keys) ||
        !require_number(reader, node, "median", MEDIAN_MIN, MEDIAN_MAX, &field->median) ||
        !require_number(reader, node, "p99", MEDIAN_MIN, SPREAD_MAX, &field->p99)) {
        return false;
    }
    if (field->p99 <= field->median) {
        return reader_fail(reader, document_get(node, "p99"), "'p99' must be above 'median'");
    }
    return scenario_field_range_read(reader, node, 0, field);
}

bool scenario_field_exponential_read(struct reader *reader, const struct document_node *node,
                                     struct field_spec *field) {
    static const char *const keys[] = {"mean", "min", "max", NULL};
    static const struct reader_keys exponential_keys = {keys, NULL};
    return reader_mapping(reader, node, &exponential_keys) &&
           require_number(reader, node, "mean", MASS_SPREAD_MIN, SPREAD_MAX, &field->mean) &&
           scenario_field_range_read(reader, node, -FIELD_FIRST_MAX, field);
}

bool scenario_field_row_read(struct reader *reader, struct document_node *node,
                             const struct scenario_field_values *values,
                             struct scenario_field_row *row) {
    if (node->kind != DOCUMENT_SEQUENCE || node->child_count != 2) {
        return reader_fail_expected(reader, node, values->expected);
    }
    struct document_node *first = node->first, *last = first;
    if (first->kind == DOCUMENT_SEQUENCE) {
        if (first->child_count != 2) {
            return reader_fail_expected(reader, first, "[min, max]");
        }
        last = first->last;
        first = first->first;
    }
    if (!values->read(reader, first, &row->min) || !values->read(reader, last, &row->max) ||
        !reader_number(reader, node->last, 0, FIELD_WEIGHT_MAX, &row->weight)) {
        return false;
    }
    return row->min <= row->max ||
           reader_fail(reader, last, "the end of a range, %lld, lies before its begin, %lld",
                       (long long)row->max, (long long)row->min);
}

/* first and n from the least and the largest value. */
static bool take_bounds(struct reader *reader, const struct document_node *law,
                        const struct scenario_field_row *rows, uint32_t count,
                        struct field_spec *field) {
    int64_t min = INT64_MAX, max = INT64_MIN;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        min = rows[i].min < min ? rows[i].min : min;
        max = rows[i].max > max ? rows[i].max : max;
        sum += rows[i].weight;
    }
    if (sum <= 0) {
        return reader_fail(reader, law, "all weights of '%s' are 0", law->key);
    }
    if (max - min >= FIELD_N_MAX) {
        return reader_fail(reader, law, "the values of '%s' are 2^48 or more apart", law->key);
    }
    field->first = min;
    field->n = (uint64_t)(max - min) + 1;
    return true;
}

bool scenario_field_rows_take(struct reader *reader, const struct document_node *law,
                              const struct scenario_field_row *rows, uint32_t count,
                              struct field_spec *field) {
    struct arena *arena = reader->arena;
    struct field_range *ranges =
        ARENA_ARRAY(arena, struct field_range, count, law->key, reader->err);
    double *weights = ARENA_ARRAY(arena, double, count, law->key, reader->err);
    if (ranges == NULL || weights == NULL || !take_bounds(reader, law, rows, count, field)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        ranges[i] = (struct field_range){.begin = (uint64_t)(rows[i].min - field->first),
                                         .length = (uint64_t)(rows[i].max - rows[i].min) + 1};
        weights[i] = rows[i].weight;
    }
    field->ranges = ranges;
    field->range_count = count;
    field->weights = weights;
    return true;
}

static bool read_value(struct reader *reader, struct document_node *node, int64_t *value) {
    return reader_count(reader, node, -FIELD_FIRST_MAX, FIELD_FIRST_MAX, value);
}

bool scenario_field_histogram_read(struct reader *reader, const struct document_node *node,
                                   struct field_spec *field) {
    static const struct scenario_field_values values = {"[value, weight] or [[min, max], weight]",
                                                        read_value};
    if (!reader_sequence(reader, node)) {
        return false;
    }
    if (node->child_count == 0) {
        return reader_fail(reader, node, "'histogram' has no rows");
    }
    struct scenario_field_row *rows = ARENA_ARRAY(reader->arena, struct scenario_field_row,
                                                  node->child_count, "histogram", reader->err);
    uint32_t count = 0;
    for (struct document_node *each = node->first; each != NULL && rows != NULL;
         each = each->next) {
        if (!scenario_field_row_read(reader, each, &values, &rows[count++])) {
            return false;
        }
    }
    return rows != NULL && scenario_field_rows_take(reader, node, rows, count, field);
}
