#include "workloads/scenario_parts.h"

#include "workloads/value.h"

#include <string.h>

#define WORDS_MAX 8

/* The position of word among words separated by blanks, or -1. */
static int64_t choice_of(const char *words, const char *word) {
    size_t length = strlen(word);
    int64_t position = 0;
    for (const char *each = words; *each != '\0'; position++) {
        size_t bytes = strcspn(each, " ");
        if (bytes == length && strncmp(each, word, bytes) == 0) {
            return position;
        }
        each += bytes + (each[bytes] == ' ');
    }
    return -1;
}

/* "a b" as {"a", "b", NULL} in the arena. */
static const char **split_words(struct reader *reader, const char *words) {
    const char **list =
        ARENA_ARRAY(reader->arena, const char *, WORDS_MAX + 1, "words", reader->err);
    size_t count = 0;
    for (const char *each = words; list != NULL && *each != '\0' && count < WORDS_MAX; count++) {
        size_t bytes = strcspn(each, " ");
        list[count] = arena_strndup(reader->arena, each, bytes, reader->err);
        if (list[count] == NULL) {
            return NULL;
        }
        each += bytes + (each[bytes] == ' ');
    }
    return list;
}

static bool read_choice(struct reader *reader, struct document_node *node,
                        const struct parameter_row *row, int64_t *value) {
    const char *text;
    if (!reader_text(reader, node, &text)) {
        return false;
    }
    *value = choice_of(row->words, text);
    if (*value >= 0) {
        return true;
    }
    const struct reader_keys words = {split_words(reader, row->words), NULL};
    return words.known != NULL &&
           reader_fail_word(reader, &node->position, row->name, text, &words);
}

/* A bare number of a DURATION is seconds, as the names of those parameters say. */
static bool read_seconds(struct reader *reader, struct document_node *node,
                         const struct parameter_row *row, int64_t *value) {
    const char *text;
    if (!reader_text(reader, node, &text)) {
        return false;
    }
    enum value_fault fault = value_duration_ns(text, true, value);
    if (fault == VALUE_OK && *value >= row->min && *value <= row->max) {
        return true;
    }
    if (fault != VALUE_OK && fault != VALUE_TOO_LARGE) {
        return reader_fail_expected(reader, node, "a duration such as 5s, or seconds");
    }
    char min[VALUE_TEXT_BYTES], max[VALUE_TEXT_BYTES];
    value_print_duration(row->min, min);
    value_print_duration(row->max, max);
    return reader_fail(reader, node, "'%s' is %s, outside of %s … %s", row->name,
                       reader_shown(reader, text), min, max);
}

/* A fraction, or money: a number with so many decimal places. */
static bool read_decimal(struct reader *reader, struct document_node *node,
                         const struct parameter_row *row, int64_t *value) {
    const bool is_money = row->kind == PARAMETER_MONEY;
    const char *text;
    if (!reader_text(reader, node, &text)) {
        return false;
    }
    enum value_fault fault =
        is_money ? value_billionths(text, value) : value_millionths(text, value);
    if (fault == VALUE_OK && *value >= row->min && *value <= row->max) {
        return true;
    }
    char min[VALUE_TEXT_BYTES], max[VALUE_TEXT_BYTES];
    value_print_parameter(row, row->min, min);
    value_print_parameter(row, row->max, max);
    if (fault != VALUE_OK && fault != VALUE_TOO_LARGE) {
        return reader_fail_expected(reader, node,
                                    is_money
                                        ? "dollars such as 0.625, with at most nine decimal places"
                                        : "a number such as 0.5, with at most six decimal places");
    }
    return reader_fail(reader, node, "'%s' is %s, outside of %s … %s", row->name,
                       reader_shown(reader, text), min, max);
}

static bool read_row(struct reader *reader, struct document_node *node,
                     const struct parameter_row *row, int64_t *value) {
    switch (row->kind) {
    case PARAMETER_CHOICE: return read_choice(reader, node, row, value);
    case PARAMETER_DURATION: return read_seconds(reader, node, row, value);
    case PARAMETER_MONEY:
    case PARAMETER_FRACTION: return read_decimal(reader, node, row, value);
    case PARAMETER_BYTES: return reader_bytes(reader, node, row->min, row->max, value);
    case PARAMETER_COUNT:
    case PARAMETER_RATE: break;
    }
    return reader_count(reader, node, row->min, row->max, value);
}

/* Two rows of which the first is at most the second. */
static bool check_order(struct reader *reader, const struct document_node *section,
                        const char *least, int64_t least_value, const char *most,
                        int64_t most_value) {
    if (least_value <= most_value) {
        return true;
    }
    const struct document_node *node = document_get(section, least);
    char least_text[VALUE_TEXT_BYTES], most_text[VALUE_TEXT_BYTES];
    value_print_duration(least_value, least_text);
    value_print_duration(most_value, most_text);
    return reader_fail(reader, node != NULL ? node : document_get(section, most),
                       "'%s' is %s, above '%s', which is %s", least, least_text, most, most_text);
}

/* What rows have to do with each other. */
static bool settle(struct reader *reader, const struct document_node *section,
                   struct model_parameters *model) {
    /* the formula of those years; max alone agrees with the mode switches of today */
    if (model->era != ERA_GAC && document_get(section, "partition_formula") == NULL) {
        model->partition_formula = PARTITION_FORMULA_SUM;
    }
    return check_order(reader, section, "adaptive_delay_min", model->adaptive_delay_min,
                       "adaptive_delay_max", model->adaptive_delay_max) &&
           check_order(reader, section, "update_table_median", model->update_table_median,
                       "update_table_p99", model->update_table_p99) &&
           check_order(reader, section, "as_alarm_delay_min", model->as_alarm_delay_min,
                       "as_alarm_delay_max", model->as_alarm_delay_max) &&
           check_order(reader, section, "split_duration_min", model->split_duration_min,
                       "split_duration_max", model->split_duration_max);
}

/* A parameter that the era does not look at is worth a word: its value changes nothing. */
static bool note_era(struct reader *reader, const struct document_node *section,
                     enum model_era era) {
    static const struct {
        const char *name;
        enum model_era era;
    } owned[] = {
        {"routers", ERA_GAC},
        {"gac_refresh", ERA_GAC},
        {"token_ttl", ERA_GAC},
        {"split_for_heat", ERA_GAC},
        {"heat_threshold", ERA_GAC},
        {"heat_window", ERA_GAC},
        {"heat_sample", ERA_GAC},
        {"single_item_share", ERA_GAC},
        {"sequential_share", ERA_GAC},
        {"adaptive_delay_min", ERA_ADAPTIVE},
        {"adaptive_delay_max", ERA_ADAPTIVE},
        {"adaptive_period", ERA_ADAPTIVE},
        {"adaptive_gain", ERA_ADAPTIVE},
    };
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) {
        const struct document_node *node = document_get(section, owned[i].name);
        if (node != NULL && owned[i].era != era &&
            !reader_note(reader, &node->key_position, "'%s' belongs to era %s, it has no effect",
                         owned[i].name, owned[i].era == ERA_GAC ? "gac" : "adaptive")) {
            return false;
        }
    }
    return true;
}

bool scenario_rows_read(struct reader *reader, const struct document_node *section,
                        const struct parameter_row *rows, size_t row_count, void *into,
                        uint64_t *given) {
    const char **names =
        ARENA_ARRAY(reader->arena, const char *, row_count + 1, "words", reader->err);
    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < row_count; i++) {
        names[i] = rows[i].name;
    }
    const struct reader_keys keys = {names, NULL};
    if (!reader_mapping(reader, section, &keys)) {
        return false;
    }
    for (size_t i = 0; i < row_count; i++) {
        struct document_node *node = document_get(section, rows[i].name);
        int64_t value = 0;
        if (node == NULL) {
            continue;
        }
        if (!read_row(reader, node, &rows[i], &value)) {
            return false;
        }
        parameter_set(into, &rows[i], value);
        *given |= UINT64_C(1) << i;
    }
    return true;
}

bool scenario_model_read(struct scenario_build *build) {
    struct reader *reader = &build->reader;
    struct scenario *scenario = build->scenario;
    model_parameters_default(&scenario->model);
    const struct document_node *section = document_get(build->root, "model");
    if (section == NULL) {
        return true;
    }
    size_t row_count;
    const struct parameter_row *rows = model_parameter_rows(&row_count);
    return scenario_rows_read(reader, section, rows, row_count, &scenario->model,
                              &scenario->model_set) &&
           settle(reader, section, &scenario->model) &&
           note_era(reader, section, (enum model_era)scenario->model.era);
}

bool scenario_pricing_read(struct scenario_build *build) {
    struct scenario *scenario = build->scenario;
    pricing_default(&scenario->pricing);
    const struct document_node *section = document_get(build->root, "pricing");
    if (section == NULL) {
        return true;
    }
    size_t row_count;
    const struct parameter_row *rows = pricing_rows(&row_count);
    if (!scenario_rows_read(&build->reader, section, rows, row_count, &scenario->pricing,
                            &scenario->pricing_set)) {
        return false;
    }
    pricing_apply_list(&scenario->pricing, scenario->pricing_set);
    return true;
}
