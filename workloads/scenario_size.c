#include "workloads/scenario_parts.h"

#include "workloads/scenario_field_law.h"
#include "workloads/value.h"

#include <inttypes.h>
#include <string.h>

static const char *const size_laws[] = {"uniform", "normal",    "lognormal", "exponential", "zipf",
                                        "choice",  "histogram", "column",    NULL};

static bool read_item_bytes(struct reader *reader, struct document_node *node, uint32_t *bytes) {
    int64_t size = 0;
    if (!reader_bytes(reader, node, INT64_MIN, INT64_MAX, &size)) {
        return false;
    }
    if (size > ITEM_BYTES_MAX) {
        return reader_fail(reader, node,
                           "an item of %" PRId64 " bytes: DynamoDB takes at most 400 KB (%d bytes)",
                           size, ITEM_BYTES_MAX);
    }
    if (size < 1) {
        return reader_fail(reader, node, "an item has at least 1 byte");
    }
    *bytes = (uint32_t)size;
    return true;
}

/* The same of a node's key. */
static bool read_key_bytes(struct reader *reader, struct document_node *node, uint32_t *bytes) {
    const char *text;
    int64_t size = 0;
    if (!reader_key(reader, node, &text)) {
        return false;
    }
    if (value_bytes(text, &size) != VALUE_OK || size < 1 || size > ITEM_BYTES_MAX) {
        return reader_fail_key(reader, node,
                               "'%s' must be a size of 1B to 400KB, such as 200B or 4KB",
                               reader_shown(reader, text));
    }
    *bytes = (uint32_t)size;
    return true;
}

static bool require_bytes(struct reader *reader, const struct document_node *node, const char *key,
                          uint32_t *bytes) {
    struct document_node *value;
    return reader_require(reader, node, key, &value) && read_item_bytes(reader, value, bytes);
}

/* "min" and "max", which are required. */
static bool read_bounds(struct reader *reader, const struct document_node *node,
                        struct size_spec *size) {
    return require_bytes(reader, node, "min", &size->min_bytes) &&
           require_bytes(reader, node, "max", &size->max_bytes) &&
           (size->min_bytes <= size->max_bytes ||
            reader_fail(reader, document_get(node, "max"), "'max' is below 'min'"));
}

static bool read_normal(struct reader *reader, const struct document_node *node,
                        struct field_spec *spread) {
    uint32_t mean = 0, sd = 0;
    if (!require_bytes(reader, node, "mean", &mean) || !require_bytes(reader, node, "sd", &sd)) {
        return false;
    }
    spread->law = FIELD_NORMAL;
    spread->mean = mean;
    spread->sd = sd;
    return true;
}

static bool read_lognormal(struct reader *reader, const struct document_node *node,
                           struct field_spec *spread) {
    uint32_t median = 0, p99 = 0;
    if (!require_bytes(reader, node, "median", &median) ||
        !require_bytes(reader, node, "p99", &p99)) {
        return false;
    }
    spread->law = FIELD_LOGNORMAL;
    spread->median = median;
    spread->p99 = p99;
    return p99 > median ||
           reader_fail(reader, document_get(node, "p99"), "'p99' must be above 'median'");
}

static bool read_exponential(struct reader *reader, const struct document_node *node,
                             struct field_spec *spread) {
    uint32_t mean = 0;
    spread->law = FIELD_EXPONENTIAL;
    if (!require_bytes(reader, node, "mean", &mean)) {
        return false;
    }
    spread->mean = mean;
    return true;
}

static bool read_zipf(struct reader *reader, const struct document_node *node,
                      struct field_spec *spread) {
    struct document_node *exponent;
    spread->law = FIELD_ZIPF;
    return reader_require(reader, node, "s", &exponent) &&
           reader_number(reader, exponent, 0, FIELD_EXPONENT_MAX, &spread->exponent);
}

/* Laws of a shape between two bounds. */
static const struct shape {
    const char *name;
    const char *keys[5];
    bool (*read)(struct reader *reader, const struct document_node *node,
                 struct field_spec *spread);
} shapes[] = {
    {"uniform", {"min", "max", NULL}, NULL},
    {"normal", {"mean", "sd", "min", "max", NULL}, read_normal},
    {"lognormal", {"median", "p99", "min", "max", NULL}, read_lognormal},
    {"exponential", {"mean", "min", "max", NULL}, read_exponential},
    {"zipf", {"s", "min", "max", NULL}, read_zipf},
};

static bool read_shape(struct reader *reader, const struct document_node *law,
                       const struct shape *shape, struct field_spec *spread,
                       struct size_spec *size) {
    const struct reader_keys keys = {shape->keys, NULL};
    size->law = shape->read == NULL ? SIZE_UNIFORM : SIZE_DRAWN;
    if (!reader_mapping(reader, law, &keys) ||
        (shape->read != NULL && !shape->read(reader, law, spread)) ||
        !read_bounds(reader, law, size)) {
        return false;
    }
    spread->first = size->min_bytes;
    spread->n = (uint64_t)size->max_bytes - size->min_bytes + 1;
    return true;
}

static bool read_size_value(struct reader *reader, struct document_node *node, int64_t *value) {
    uint32_t bytes = 0;
    if (!read_item_bytes(reader, node, &bytes)) {
        return false;
    }
    *value = bytes;
    return true;
}

/* size, or size: weight. */
static bool read_choice_row(struct reader *reader, struct document_node *node, bool is_weighted,
                            struct scenario_field_row *row) {
    uint32_t bytes = 0;
    row->weight = 1;
    if (!(is_weighted ? read_key_bytes(reader, node, &bytes) &&
                            reader_number(reader, node, 0, FIELD_WEIGHT_MAX, &row->weight)
                      : read_item_bytes(reader, node, &bytes))) {
        return false;
    }
    row->min = row->max = bytes;
    return true;
}

/* choice: a list of sizes or their weights; histogram: rows. Both are ranges with weights. */
static bool read_ranges(struct reader *reader, const struct document_node *law,
                        struct field_spec *spread, struct size_spec *size) {
    static const struct scenario_field_values values = {"[size, weight] or [[min, max], weight]",
                                                        read_size_value};
    const bool is_choice = strcmp(law->key, "choice") == 0;
    if (is_choice && law->kind == DOCUMENT_SCALAR) {
        return reader_fail_expected(reader, law, "a list of sizes or a mapping of their weights");
    }
    const bool is_weighted = is_choice && law->kind == DOCUMENT_MAPPING;
    if (!(is_weighted ? reader_mapping(reader, law, NULL) : reader_sequence(reader, law))) {
        return false;
    }
    if (law->child_count == 0) {
        return reader_fail(reader, law, "'%s' has no %s", law->key, is_choice ? "sizes" : "rows");
    }
    struct scenario_field_row *rows = ARENA_ARRAY(reader->arena, struct scenario_field_row,
                                                  law->child_count, "sizes", reader->err);
    uint32_t count = 0;
    for (struct document_node *each = law->first; each != NULL && rows != NULL; each = each->next) {
        struct scenario_field_row *row = &rows[count++];
        if (!(is_choice ? read_choice_row(reader, each, is_weighted, row)
                        : scenario_field_row_read(reader, each, &values, row))) {
            return false;
        }
    }
    spread->law = FIELD_HISTOGRAM;
    if (rows == NULL || !scenario_field_rows_take(reader, law, rows, count, spread)) {
        return false;
    }
    size->min_bytes = (uint32_t)spread->first;
    size->max_bytes = (uint32_t)(size->min_bytes + spread->n - 1);
    return true;
}

static bool read_column(struct reader *reader, struct document_node *law,
                        const struct trace_spec *trace, struct size_spec *size) {
    size->law = SIZE_COLUMN;
    if (trace->file == NULL) {
        return reader_fail_key(reader, law, "'column' needs a 'trace'");
    }
    return reader_text(reader, law, &size->column) &&
           scenario_column_check(reader, law, trace, size->column);
}

/* {LAW: …}, one law. */
static bool read_size_law(struct reader *reader, const struct document_node *node,
                          const struct trace_spec *trace, struct size_spec *size) {
    static const struct reader_keys law_keys = {size_laws, NULL};
    if (!reader_mapping(reader, node, &law_keys)) {
        return false;
    }
    if (node->child_count != 1) {
        return reader_fail(reader, node,
                           "'%s' needs one law: uniform, normal, lognormal, exponential, zipf, "
                           "choice, histogram or column",
                           node->key);
    }
    struct document_node *law = node->first;
    if (strcmp(law->key, "column") == 0) {
        return read_column(reader, law, trace, size);
    }
    struct field_spec *spread = ARENA_NEW(reader->arena, struct field_spec, "size", reader->err);
    if (spread == NULL) {
        return false;
    }
    *spread = (struct field_spec){.name = "size", .position = law->position};
    const struct shape *shape = NULL;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        shape = strcmp(shapes[i].name, law->key) == 0 ? &shapes[i] : shape;
    }
    size->law = SIZE_DRAWN;
    if (!(shape != NULL ? read_shape(reader, law, shape, spread, size)
                        : read_ranges(reader, law, spread, size))) {
        return false;
    }
    size->spread = size->law == SIZE_DRAWN ? spread : NULL;
    return true;
}

bool scenario_size_read(struct reader *reader, struct document_node *node,
                        const struct trace_spec *trace, struct size_spec *size) {
    if (node->kind == DOCUMENT_MAPPING) {
        return reader_asks(reader, node, READER_BYTES, NULL) &&
               read_size_law(reader, node, trace, size);
    }
    if (!reader_asks(reader, node, READER_MAPPING, size_laws)) {
        return false;
    }
    size->law = SIZE_CONSTANT;
    if (!read_item_bytes(reader, node, &size->min_bytes)) {
        return false;
    }
    size->max_bytes = size->min_bytes;
    return true;
}
