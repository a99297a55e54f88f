#include "workloads/scenario_field_law.h"
#include "workloads/scenario_parts.h"

#include <string.h>

#define SEQUENCE_N_DEFAULT (INT64_C(1) << 32) /* more operations than a run can have */
#define VALUE_BYTES_MAX 2048 /* = the longest partition key value that DynamoDB takes */

static const char *const law_names[] = {
    [FIELD_CONSTANT] = "constant",   [FIELD_UNIFORM] = "uniform",
    [FIELD_ZIPF] = "zipf",           [FIELD_SEQUENCE] = "sequence",
    [FIELD_CHOICE] = "choice",       [FIELD_YCSB_ZIPFIAN] = "ycsb-zipfian",
    [FIELD_SCRAMBLED] = "scrambled", [FIELD_HOTSET] = "hotset",
    [FIELD_LATEST] = "latest",       [FIELD_NORMAL] = "normal",
    [FIELD_LOGNORMAL] = "lognormal", [FIELD_EXPONENTIAL] = "exponential",
    [FIELD_HISTOGRAM] = "histogram", NULL};

static bool read_value(struct reader *reader, struct document_node *node, const char **value) {
    if (!reader_text(reader, node, value)) {
        return false;
    }
    size_t bytes = strlen(*value);
    if (bytes == 0 || bytes > VALUE_BYTES_MAX) {
        return reader_fail_expected(reader, node, "a text of 1 to 2048 bytes");
    }
    return true;
}

static bool read_constant(struct reader *reader, struct document_node *node,
                          struct field_spec *field) {
    const char **values = ARENA_ARRAY(reader->arena, const char *, 1, "field", reader->err);
    if (values == NULL || !read_value(reader, node, &values[0])) {
        return false;
    }
    field->values = values;
    field->n = 1;
    return true;
}

/* {n: N} is 0 … N-1, {min: A, max: B} is A … B. */
static bool read_uniform(struct reader *reader, const struct document_node *node,
                         struct field_spec *field) {
    static const char *const keys[] = {"n", "min", "max", NULL};
    static const struct reader_keys uniform_keys = {keys, NULL};
    if (!reader_mapping(reader, node, &uniform_keys)) {
        return false;
    }
    struct document_node *n_node = document_get(node, "n");
    struct document_node *min_node = document_get(node, "min");
    struct document_node *max_node = document_get(node, "max");
    int64_t n = 0;
    if ((n_node != NULL) == (min_node != NULL || max_node != NULL) ||
        (min_node != NULL) != (max_node != NULL)) {
        return reader_fail(reader, node, "'uniform' needs 'n', or 'min' and 'max'");
    }
    if (n_node != NULL) {
        if (!reader_count(reader, n_node, 1, FIELD_N_MAX, &n)) {
            return false;
        }
        field->n = (uint64_t)n;
        return true;
    }
    return scenario_field_range_read(reader, node, -FIELD_FIRST_MAX, field);
}

static bool read_sequence(struct reader *reader, const struct document_node *node,
                          struct field_spec *field) {
    static const char *const keys[] = {"first", "n", NULL};
    static const struct reader_keys sequence_keys = {keys, NULL};
    int64_t n = SEQUENCE_N_DEFAULT;
    bool is_empty = node->kind == DOCUMENT_SCALAR && node->text == NULL;
    if (!is_empty && (!reader_mapping(reader, node, &sequence_keys) ||
                      !reader_count(reader, document_get(node, "first"), -FIELD_FIRST_MAX,
                                    FIELD_FIRST_MAX, &field->first) ||
                      !reader_count(reader, document_get(node, "n"), 1, FIELD_N_MAX, &n))) {
        return false;
    }
    field->n = (uint64_t)n;
    return true;
}

/* [a, b] with equal weights, {a: 3, b: 1} with those. */
static bool read_choice(struct reader *reader, const struct document_node *node,
                        struct field_spec *field) {
    bool weighted = node->kind == DOCUMENT_MAPPING;
    if (node->kind == DOCUMENT_SCALAR) {
        return reader_fail_expected(reader, node, "a list of values or a mapping of their weights");
    }
    if (node->child_count == 0) {
        return reader_fail(reader, node, "'choice' has no values");
    }
    if (!reader_asks(reader, node, weighted ? READER_MAPPING : READER_LIST, NULL)) {
        return false;
    }
    const char **values =
        ARENA_ARRAY(reader->arena, const char *, node->child_count, "choice", reader->err);
    double *weights = ARENA_ARRAY(reader->arena, double, node->child_count, "choice", reader->err);
    if (values == NULL || weights == NULL) {
        return false;
    }
    double sum = 0;
    uint32_t count = 0;
    for (struct document_node *each = node->first; each != NULL; each = each->next, count++) {
        weights[count] = 1;
        bool read = weighted ? reader_key(reader, each, &values[count]) &&
                                   reader_number(reader, each, 0, FIELD_WEIGHT_MAX, &weights[count])
                             : read_value(reader, each, &values[count]);
        if (!read) {
            return false;
        }
        if (weighted && strlen(values[count]) > VALUE_BYTES_MAX) {
            return reader_fail_key(reader, each, "a value longer than %d bytes", VALUE_BYTES_MAX);
        }
        sum += weights[count];
    }
    if (sum <= 0) {
        return reader_fail(reader, node, "all weights of 'choice' are 0");
    }
    field->values = values;
    field->weights = weights;
    field->n = count;
    return true;
}

static bool read_law(struct reader *reader, struct document_node *law, struct field_spec *field) {
    static const struct reader_keys laws = {law_names, NULL};
    uint32_t which = 0;
    while (law_names[which] != NULL && strcmp(law_names[which], law->key) != 0) {
        which++;
    }
    field->law = (enum field_law)which;
    switch (which) {
    case FIELD_CONSTANT: return read_constant(reader, law, field);
    case FIELD_UNIFORM: return read_uniform(reader, law, field);
    case FIELD_SEQUENCE: return read_sequence(reader, law, field);
    case FIELD_CHOICE: return read_choice(reader, law, field);
    case FIELD_ZIPF:
    case FIELD_SCRAMBLED: return scenario_field_ranked_read(reader, law, field);
    case FIELD_YCSB_ZIPFIAN: return scenario_field_ycsb_read(reader, law, field);
    case FIELD_HOTSET: return scenario_field_hotset_read(reader, law, field);
    case FIELD_LATEST: return scenario_field_latest_read(reader, law, field);
    case FIELD_NORMAL: return scenario_field_normal_read(reader, law, field);
    case FIELD_LOGNORMAL: return scenario_field_lognormal_read(reader, law, field);
    case FIELD_EXPONENTIAL: return scenario_field_exponential_read(reader, law, field);
    case FIELD_HISTOGRAM: return scenario_field_histogram_read(reader, law, field);
    default: return reader_fail_word(reader, &law->key_position, "field law", law->key, &laws);
    }
}

/* Words that mean something else inside of {…}. */
static bool is_reserved(const char *name) {
    static const char *const words[] = {"hash", "random", "each", "now", "seq"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_field(struct reader *reader, struct document_node *node,
                       struct field_spec *field) {
    field->name = node->key;
    field->position = node->key_position;
    if (!reader_is_name(node->key, false) || is_reserved(node->key)) {
        return reader_fail_key(
            reader, node,
            "a field's name is letters, digits and '_', at most 64, and not hash, "
            "random, each, now or seq; got '%s'",
            reader_shown(reader, node->key));
    }
    static const char law_expected[] = "one law such as {zipf: {n: 1000, s: 0.99}}";
    if (node->kind != DOCUMENT_MAPPING || node->child_count == 0) {
        return reader_fail_expected(reader, node, law_expected);
    }
    if (!reader_mapping(reader, node, NULL) ||
        !reader_asks(reader, node, READER_MAPPING, law_names) ||
        !read_law(reader, node->first, field)) {
        return false;
    }
    if (node->child_count > 1) {
        return reader_fail_key(reader, node->first->next,
                               "a field has one law; '%s' has '%s' and '%s'", node->key,
                               node->first->key, reader_shown(reader, node->first->next->key));
    }
    return true;
}

bool scenario_fields_read(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    const struct document_node *section = document_get(build->root, "fields");
    if (section == NULL) {
        return true;
    }
    if (!reader_mapping(reader, section, NULL)) {
        return false;
    }
    if (section->child_count > SCENARIO_FIELDS_MAX) {
        return reader_fail(reader, section, "more than %d fields", SCENARIO_FIELDS_MAX);
    }
    struct field_spec *fields =
        ARENA_ARRAY(reader->arena, struct field_spec, section->child_count, "fields", reader->err);
    if (fields == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (struct document_node *node = section->first; node != NULL; node = node->next) {
        if (!read_field(reader, node, &fields[count++])) {
            return false;
        }
    }
    build->scenario->fields = fields;
    build->scenario->field_count = count;
    return true;
}
