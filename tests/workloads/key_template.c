#include "workloads/key_template.h"

#include "sim/hash.h"
#include "tests/law_cells.h"
#include "tests/suite.h"
#include "workloads/calendar.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_S INT64_C(1767272399) /* 2026-01-01 12:59:59 */
#define FIELDS 6
#define HOUR_NS (3600 * SIM_NS_PER_S)

static const char *const words[] = {"red", "", "{blue}"};
static const double weights[] = {1, 1, 1};
static const struct field_spec specs[FIELDS] = {
    {.name = "player", .law = FIELD_UNIFORM, .n = 1000},
    {.name = "signed", .law = FIELD_UNIFORM, .n = 41, .first = -20},
    {.name = "word", .law = FIELD_CHOICE, .n = 3, .values = words, .weights = weights},
    {.name = "many", .law = FIELD_UNIFORM, .n = UINT64_C(1) << 40},
    {.name = "most", .law = FIELD_UNIFORM, .n = UINT64_C(1) << 62},
    {.name = "one", .law = FIELD_SEQUENCE, .n = 1, .first = 7},
};

struct compiled {
    struct arena arena;
    struct field *fields;
    struct key_template key_template;
    struct err err;
    bool good;
};

static void compile(struct compiled *compiled, const char *hash_key, const char *range_key) {
    const struct scenario_text hash_text = {hash_key, {"s.yaml", 3, 10}, NULL};
    const struct scenario_text range_text = {range_key, {"s.yaml", 4, 20}, NULL};
    const struct random_name name = {1, 0, "score", ""};
    arena_init(&compiled->arena);
    compiled->err = (struct err){.kind = ERR_NONE};
    compiled->fields =
        ARENA_ARRAY(&compiled->arena, struct field, FIELDS, "fields", &compiled->err);
    for (size_t i = 0; i < FIELDS; i++) {
        ck_assert(
            field_init(&compiled->fields[i], &compiled->arena, &specs[i], &name, &compiled->err));
    }
    compiled->good =
        key_template_compile(&compiled->key_template, &compiled->arena, &hash_text, &range_text,
                             compiled->fields, FIELDS, &name, START_S, &compiled->err);
}

static void open_template(struct compiled *compiled, const char *hash_key, const char *range_key) {
    compile(compiled, hash_key, range_key);
    ck_assert_msg(compiled->good, "%s", compiled->err.text);
}

static void close_template(struct compiled *compiled) {
    arena_fini(&compiled->arena);
}

/* One operation's circumstances. */
struct operation {
    uint64_t values[FIELDS];
    sim_ns time_ns;
    uint64_t sequence;
};

static uint64_t number_of(struct compiled *compiled, const struct operation *operation) {
    const uint64_t *rows[FIELDS];
    uint64_t number = UINT64_MAX;
    for (size_t i = 0; i < FIELDS; i++) {
        rows[i] = &operation->values[i];
    }
    key_template_fill(&compiled->key_template, rows, &operation->time_ns, operation->sequence,
                      &number, 1);
    return number;
}

static void render(struct compiled *compiled, uint64_t number, struct key_template_text *text) {
    ck_assert_msg(key_template_render(&compiled->key_template, number, text, &compiled->err), "%s",
                  compiled->err.text);
}

START_TEST(an_item_has_the_texts_that_its_templates_say) {
    static const struct {
        const char *hash_template, *range_template, *hash_key, *range_key;
    } rows[] = {
        {"A", NULL, "A", ""},
        {"P#{player}", NULL, "P#123", ""},
        {"{player}", "{signed}:{word}:{many}", "123", "-15:{blue}:1099511627775"},
        {"{word}-{one}-{seq}", "x{{{player}}}", "{blue}-7-42", "x{123}"},
        {"LB#{hash(player) % 8}", "{player}", "LB#H8", "123"},
        {"LB#{hash(player) % 8}", "S", "LB#H8", "S"},
        {"{hash(player) % 8}.{hash(player) % 1000}.{hash(word) % 8}", NULL, "H8.H1000.W8", ""},
        {"{each 5}", "{player}", "0", "123"},
        {"{now:%Y-%m-%d}#{player}", "{now:%H:%M:%S}", "2026-01-01#123", "13:00:01"},
        {"{now:%Y%%}", NULL, "2026%", ""},
        {"{random % 1}", "{player}{player}", "0", "123123"},
    };
    const struct operation operation = {
        {123, 5, 2, 1099511627775, 9, 0}, 2 * SIM_NS_PER_S + 999999999, 42};
    char h8[8], h1000[8], w8[8];
    snprintf(h8, sizeof h8, "%u", (unsigned)(hash64("123", 3, 0) % 8));
    snprintf(h1000, sizeof h1000, "%u", (unsigned)(hash64("123", 3, 0) % 1000));
    snprintf(w8, sizeof w8, "%u", (unsigned)(hash64("{blue}", 6, 0) % 8));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compiled compiled;
        struct key_template_text text;
        char expected[64] = "";
        open_template(&compiled, rows[i].hash_template, rows[i].range_template);
        render(&compiled, number_of(&compiled, &operation), &text);
        for (const char *at = rows[i].hash_key; *at != '\0'; at++) {
            bool is_short = strncmp(at, "H8", 2) == 0, is_word = strncmp(at, "W8", 2) == 0;
            bool is_long = strncmp(at, "H1000", 5) == 0;
            const char single[2] = {*at, '\0'};
            strcat(expected, is_short ? h8 : is_word ? w8 : is_long ? h1000 : single);
            at += is_short || is_word ? 1 : is_long ? 4 : 0;
        }
        ck_assert_str_eq(text.hash_key, expected);
        ck_assert_str_eq(text.range_key, rows[i].range_key);
        ck_assert_uint_eq(text.hash_key_bytes, strlen(expected));
        ck_assert_uint_eq(text.range_key_bytes, strlen(rows[i].range_key));
        close_template(&compiled);
    }
}
END_TEST

/* What a part shows, worked out by hand. */
struct part_case {
    const char *text;
    uint32_t field;
    uint32_t modulus; /* of a hash; 0: the field itself */
    const char *now;  /* format, or NULL */
    bool is_seq;
};

static const struct part_case part_cases[] = {
    {"{player}", 0, 0, NULL, false},
    {"{signed}", 1, 0, NULL, false},
    {"{word}", 2, 0, NULL, false},
    {"{one}", 5, 0, NULL, false},
    {"{hash(player) % 7}", 0, 7, NULL, false},
    {"{hash(player)%1000}", 0, 1000, NULL, false},
    {"{hash(many) % 16}", 3, 16, NULL, false},
    {"{hash(word) % 3}", 2, 3, NULL, false},
    {"{now:%Y-%m}", 0, 0, "%Y-%m", false},
    {"{now:%d.%H}", 0, 0, "%d.%H", false},
    {"{now:%M}", 0, 0, "%M", false},
};
enum { PART_CASES = sizeof part_cases / sizeof part_cases[0] };

static size_t show(const struct part_case *part, const struct operation *operation, char *text) {
    const struct field_spec *spec = &specs[part->field];
    uint64_t value = operation->values[part->field];
    char shown[64];
    if (part->now != NULL) {
        int64_t epoch_s = START_S + operation->time_ns / SIM_NS_PER_S;
        return calendar_format(epoch_s, part->now, strlen(part->now), text, 64);
    }
    if (spec->law == FIELD_CHOICE) {
        snprintf(shown, sizeof shown, "%s", spec->values[value]);
    } else {
        snprintf(shown, sizeof shown, "%lld", (long long)(spec->first + (int64_t)value));
    }
    if (part->modulus > 0) {
        unsigned long long hash = hash64(shown, strlen(shown), 0);
        return (size_t)sprintf(text, "%llu", hash % part->modulus);
    }
    return (size_t)sprintf(text, "%s", shown);
}

/* Random templates over random operations: what is rendered from the number is what they say. */
START_TEST(random_templates_come_back_from_their_numbers) {
    struct random_stream stream;
    random_init(&stream, &(struct random_name){(uint64_t)_i, 0, "", "templates"});
    for (int round = 0; round < 40; round++) {
        char templates[2][256] = {"h", "r"};
        uint32_t chosen[2][3], counts[2];
        for (int k = 0; k < 2; k++) {
            counts[k] = 1 + (uint32_t)random_below(&stream, 3);
            for (uint32_t p = 0; p < counts[k]; p++) {
                chosen[k][p] = (uint32_t)random_below(&stream, PART_CASES);
                strcat(templates[k], part_cases[chosen[k][p]].text);
                strcat(templates[k], "/");
            }
        }
        struct compiled compiled;
        open_template(&compiled, templates[0], templates[1]);
        struct operation operation = {.time_ns = 0};
        for (int i = 0; i < 30; i++) {
            for (size_t f = 0; f < FIELDS; f++) {
                operation.values[f] = random_below(&stream, specs[f].n);
            }
            operation.time_ns += (sim_ns)random_below(&stream, 40 * 24 * (uint64_t)HOUR_NS);
            uint64_t number = number_of(&compiled, &operation);
            char expected[2][256] = {"h", "r"};
            for (int k = 0; k < 2; k++) {
                size_t length = 1;
                for (uint32_t p = 0; p < counts[k]; p++) {
                    length += show(&part_cases[chosen[k][p]], &operation, expected[k] + length);
                    expected[k][length++] = '/';
                }
                expected[k][length] = '\0';
            }
            struct key_template_text text;
            render(&compiled, number, &text);
            bool is_bounded = compiled.key_template.items_below > 0;
            if (strcmp(text.hash_key, expected[0]) != 0 ||
                strcmp(text.range_key, expected[1]) != 0 ||
                (is_bounded && number >= compiled.key_template.items_below)) {
                ck_abort_msg("seed %d, '%s' '%s': '%s' '%s', expected '%s' '%s'", _i, templates[0],
                             templates[1], text.hash_key, text.range_key, expected[0], expected[1]);
            }
        }
        close_template(&compiled);
    }
}
END_TEST

START_TEST(items_are_counted_when_they_are_few) {
    static const struct {
        const char *hash_template, *range_template;
        uint64_t items_below;
    } rows[] = {
        {"A", NULL, 1},
        {"{player}", NULL, 1000},
        {"{player}", "{signed}", 41000},
        {"{player}", "{player}", 1000},           /* one source, one digit */
        {"{hash(player) % 8}", "{player}", 1000}, /* the hash follows from the field */
        {"{player}", "{hash(player) % 8}", 1000},
        {"{hash(player) % 8}", NULL, 8},
        {"{hash(player) % 8}", "{hash(player) % 8}", 8},
        {"{hash(player) % 8}", "{hash(player) % 4}", 32},
        {"{random % 8}", "{random % 8}", 64}, /* each its own draw */
        {"{player}#{random % 1000}", "{each 33}", 33000000},
        {"{player}#{random % 1000}", "{each 34}", 0}, /* more than a direct table */
        {"{many}", NULL, 0},
        {"{now:%Y}", NULL, 21}, /* units of the longest run */
        {"{seq}", NULL, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compiled compiled;
        open_template(&compiled, rows[i].hash_template, rows[i].range_template);
        ck_assert_msg(compiled.key_template.items_below == rows[i].items_below, "'%s' '%s': %llu",
                      rows[i].hash_template, rows[i].range_template,
                      (unsigned long long)compiled.key_template.items_below);
        close_template(&compiled);
    }
}
END_TEST

START_TEST(members_are_a_stride_apart) {
    struct compiled compiled;
    const struct operation operation = {.values = {17}};
    open_template(&compiled, "LB#{each 12}", "{player}");
    ck_assert_uint_eq(compiled.key_template.members, 12);
    uint64_t first = number_of(&compiled, &operation);
    for (uint32_t member = 0; member < 12; member++) {
        struct key_template_text text;
        char expected[16];
        snprintf(expected, sizeof expected, "LB#%u", member);
        render(&compiled, first + member * compiled.key_template.member_stride, &text);
        ck_assert_str_eq(text.hash_key, expected);
        ck_assert_str_eq(text.range_key, "17");
    }
    close_template(&compiled);
    open_template(&compiled, "{player}", NULL);
    ck_assert_uint_eq(compiled.key_template.members, 1);
    close_template(&compiled);
}
END_TEST

START_TEST(sequences_count_on) {
    struct compiled compiled;
    const uint64_t *rows[FIELDS] = {NULL};
    sim_ns times_ns[3] = {0};
    uint64_t numbers[3];
    open_template(&compiled, "{seq}", NULL);
    key_template_fill(&compiled.key_template, rows, times_ns, KEY_SEQUENCES_MAX - 3, numbers, 3);
    struct key_template_text text;
    render(&compiled, numbers[2], &text);
    ck_assert_str_eq(text.hash_key, "1099511627775");
    close_template(&compiled);
}
END_TEST

/* The start lies at 12:59:59, within its minute, hour, day: each changes one second later. */
START_TEST(units_of_time_change_at_their_own_borders) {
    struct compiled compiled;
    struct key_template_text text;
    struct operation operation = {.time_ns = SIM_NS_PER_S - 1};
    open_template(&compiled, "{now:%Y-%m-%dT%H}", NULL);
    render(&compiled, number_of(&compiled, &operation), &text);
    ck_assert_str_eq(text.hash_key, "2026-01-01T12");
    operation.time_ns = SIM_NS_PER_S;
    render(&compiled, number_of(&compiled, &operation), &text);
    ck_assert_str_eq(text.hash_key, "2026-01-01T13");
    ck_assert_uint_eq(number_of(&compiled, &operation), 1);
    operation.time_ns = 0; /* back, as the times of two calls may be */
    ck_assert_uint_eq(number_of(&compiled, &operation), 0);
    operation.time_ns = KEY_NOW_NS_MAX - 1;
    render(&compiled, number_of(&compiled, &operation), &text);
    ck_assert_str_eq(text.hash_key, "2046-01-16T12");
    close_template(&compiled);
}
END_TEST

START_TEST(random_suffixes_are_even_and_independent) {
    struct compiled compiled;
    const uint64_t *rows[FIELDS] = {NULL};
    sim_ns times_ns[500] = {0};
    uint64_t numbers[500], seen[64] = {0};
    open_template(&compiled, "{random % 8}", "{random % 8}");
    for (int done = 0; done < LAW_DRAWS; done += 500) {
        key_template_fill(&compiled.key_template, rows, times_ns, 0, numbers, 500);
        for (size_t i = 0; i < 500; i++) {
            seen[numbers[i] % 64]++;
        }
    }
    double statistic = 0.0;
    for (size_t i = 0; i < 64; i++) {
        double surplus = (double)seen[i] - LAW_DRAWS / 64.0;
        statistic += surplus * surplus / (LAW_DRAWS / 64.0);
    }
    ck_assert_double_gt(gsl_cdf_chisq_Q(statistic, 63), 1e-3);
    close_template(&compiled);
}
END_TEST

START_TEST(numbers_do_not_depend_on_how_they_are_split) {
    enum { TOTAL = 4000 };
    struct random_stream stream;
    random_init(&stream, &(struct random_name){(uint64_t)_i, 0, "", "splits"});
    uint64_t player[TOTAL], expected[TOTAL], numbers[TOTAL];
    sim_ns times_ns[TOTAL];
    for (int i = 0; i < TOTAL; i++) {
        player[i] = random_below(&stream, 1000);
        times_ns[i] = i * 10 * SIM_NS_PER_S;
    }
    struct compiled whole, split;
    open_template(&whole, "{hash(player) % 9}#{random % 5}", "{now:%H}#{each 3}");
    open_template(&split, "{hash(player) % 9}#{random % 5}", "{now:%H}#{each 3}");
    const uint64_t *rows[FIELDS] = {player};
    key_template_fill(&whole.key_template, rows, times_ns, 0, expected, TOTAL);
    for (size_t done = 0; done < TOTAL;) {
        size_t count = (size_t)random_below(&stream, 600);
        count = count < TOTAL - done ? count : TOTAL - done;
        rows[0] = player + done;
        key_template_fill(&split.key_template, rows, times_ns + done, done, numbers + done, count);
        done += count;
    }
    ck_assert_msg(memcmp(expected, numbers, sizeof expected) == 0, "seed %d", _i);
    close_template(&whole);
    close_template(&split);
}
END_TEST

START_TEST(knows_which_fields_it_needs) {
    struct compiled compiled;
    open_template(&compiled, "{hash(player) % 4}", "{word}{one}");
    static const bool used[FIELDS] = {true, false, true, false, false, true};
    for (uint32_t i = 0; i < FIELDS; i++) {
        ck_assert_int_eq(key_template_uses(&compiled.key_template, i), used[i]);
    }
    close_template(&compiled);
}
END_TEST

START_TEST(a_fault_is_pointed_at) {
    char long_text[2100], long_range[1100] = "";
    memset(long_text, 'x', 2048);
    strcpy(long_text + 2048, "{player}");
    memset(long_range, 'x', 1025);
    const struct {
        const char *hash_template, *range_template, *message;
    } rows[] = {
        {"{playr}", NULL, "s.yaml:3:11: unknown field 'playr'; did you mean 'player'?"},
        {"A", "{playr}", "s.yaml:4:21: unknown field 'playr'; did you mean 'player'?"},
        {"a{each 2}{each 3}", NULL, "s.yaml:3:19: a second {each N}; an item takes one"},
        {"{each 2}", "b{each 2}", "s.yaml:4:21: a second {each N}; an item takes one"},
        {"{most}", "{player}",
         "s.yaml:3:10: too many combinations of values in one item's keys, "
         "more than 2^62; use fewer parts or fields of fewer values"},
        {"{seq}", "{now:%S}",
         "s.yaml:3:10: too many combinations of values in one item's keys, "
         "more than 2^62; use fewer parts or fields of fewer values"},
        {"", NULL, "s.yaml:3:10: an empty partition key"},
        {"A", "", "s.yaml:4:20: an empty sort key"},
        {"{word}", NULL, "s.yaml:3:10: a partition key that is empty for some rows"},
        {long_text, NULL,
         "s.yaml:3:2058: a partition key of 2051 bytes, DynamoDB takes at most "
         "2048"},
        {"A", long_range, "s.yaml:4:20: a sort key of 1025 bytes, DynamoDB takes at most 1024"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct compiled compiled;
        compile(&compiled, rows[i].hash_template, rows[i].range_template);
        ck_assert_msg(!compiled.good, "row %zu was taken", i);
        ck_assert_str_eq(compiled.err.text, rows[i].message);
        close_template(&compiled);
    }
}
END_TEST

/* Lengths that only some combinations have are found when one of them is rendered. */
START_TEST(a_combination_that_is_empty_or_too_long_is_refused) {
    char range[1100];
    memset(range, 'x', 1016);
    strcpy(range + 1016, "{word}{player}{player}");
    struct compiled compiled;
    struct key_template_text text;
    struct operation operation = {.values = {1, 0, 1}};
    open_template(&compiled, "{word}{word}", range);
    ck_assert(!key_template_render(&compiled.key_template, number_of(&compiled, &operation), &text,
                                   &compiled.err));
    ck_assert_str_eq(compiled.err.text,
                     "s.yaml:3:10: a partition key of 0 bytes, DynamoDB takes from 1 to 2048");
    compiled.err = (struct err){.kind = ERR_NONE};
    operation.values[0] = 999;
    operation.values[2] = 0;
    ck_assert(!key_template_render(&compiled.key_template, number_of(&compiled, &operation), &text,
                                   &compiled.err));
    ck_assert_str_eq(compiled.err.text,
                     "s.yaml:4:20: a sort key of 1025 bytes, DynamoDB takes from 1 to 1024");
    compiled.err = (struct err){.kind = ERR_NONE};
    operation.values[0] = 99;
    render(&compiled, number_of(&compiled, &operation), &text);
    ck_assert_uint_eq(text.range_key_bytes, 1023);
    close_template(&compiled);
}
END_TEST

static void fill_one(const char *hash_key, const struct operation *operation) {
    struct compiled compiled;
    open_template(&compiled, hash_key, NULL);
    number_of(&compiled, operation);
}

START_TEST(aborts_on_a_time_before_the_start) {
    fill_one("{now:%S}", &(struct operation){.time_ns = -1});
}
END_TEST

START_TEST(aborts_on_a_time_beyond_the_longest_run) {
    fill_one("{now:%S}", &(struct operation){.time_ns = KEY_NOW_NS_MAX});
}
END_TEST

START_TEST(aborts_on_a_sequence_beyond_its_digit) {
    fill_one("{seq}", &(struct operation){.sequence = KEY_SEQUENCES_MAX});
}
END_TEST

static void compile_at(int64_t start_epoch_s) {
    const struct scenario_text text = {"A", {"s.yaml", 3, 10}, NULL}, none = {.text = NULL};
    const struct random_name name = {1, 0, "score", ""};
    struct arena arena;
    struct key_template key_template;
    struct err err = {.kind = ERR_NONE};
    arena_init(&arena);
    ck_assert(key_template_compile(&key_template, &arena, &text, &none, NULL, 0, &name,
                                   start_epoch_s, &err));
}

START_TEST(aborts_on_a_start_after_year_9970) {
    compile_at(KEY_START_EPOCH_S_MAX + 1);
}
END_TEST

START_TEST(aborts_on_a_start_before_year_1) {
    compile_at(INT64_C(-62135596801));
}
END_TEST

/* Names of fields of every law are told apart where their texts are numbers. */
START_TEST(knows_which_texts_differ) {
    static const double even[] = {1, 1};
    static const struct field_range halves[] = {{0, 4}, {4, 4}};
    static const struct {
        struct field_spec spec;
        bool is_number;
    } rows[] = {
        {{.law = FIELD_UNIFORM, .n = 8}, true},
        {{.law = FIELD_ZIPF, .n = 8, .exponent = 1}, true},
        {{.law = FIELD_SEQUENCE, .n = 8}, true},
        {{.law = FIELD_SCRAMBLED, .n = 8, .first = -3, .exponent = 1}, true},
        {{.law = FIELD_YCSB_ZIPFIAN, .n = 8, .exponent = 0.9}, true},
        {{.law = FIELD_HOTSET, .n = 8, .ranges = halves, .range_count = 2, .weights = even}, true},
        {{.law = FIELD_LATEST, .n = 8, .recent = 8, .exponent = 1}, true},
        {{.law = FIELD_NORMAL, .n = 8, .mean = 4, .sd = 2}, true},
        {{.law = FIELD_LOGNORMAL, .n = 8, .median = 2, .p99 = 6}, true},
        {{.law = FIELD_EXPONENTIAL, .n = 8, .mean = 2}, true},
        {{.law = FIELD_HISTOGRAM, .n = 8, .ranges = halves, .range_count = 2, .weights = even},
         true},
        {{.law = FIELD_CHOICE, .n = 2, .values = words, .weights = even}, false},
        {{.law = FIELD_CONSTANT, .n = 1, .values = words}, false},
    };
    static const struct random_name name = {1, 0, "score", ""};
    static const struct scenario_text hash_key = {"a{x}#{x}", {"s.yaml", 3, 10}, NULL},
                                      none = {.text = NULL};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct field_spec spec = rows[i].spec;
        struct key_template key_template;
        struct arena arena;
        struct field field;
        struct err err = {.kind = ERR_NONE};
        spec.name = "x";
        arena_init(&arena);
        ck_assert(field_init(&field, &arena, &spec, &name, &err));
        ck_assert(key_template_compile(&key_template, &arena, &hash_key, &none, &field, 1, &name,
                                       START_S, &err));
        ck_assert_msg(key_template_texts_differ(&key_template) == rows[i].is_number, "row %zu", i);
        arena_fini(&arena);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/key_template");
    TCase *tcase = tcase_create("key_template");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, an_item_has_the_texts_that_its_templates_say);
    tcase_add_loop_test(tcase, random_templates_come_back_from_their_numbers, 1, 11);
    tcase_add_test(tcase, items_are_counted_when_they_are_few);
    tcase_add_test(tcase, members_are_a_stride_apart);
    tcase_add_test(tcase, sequences_count_on);
    tcase_add_test(tcase, units_of_time_change_at_their_own_borders);
    tcase_add_test(tcase, random_suffixes_are_even_and_independent);
    tcase_add_loop_test(tcase, numbers_do_not_depend_on_how_they_are_split, 1, 6);
    tcase_add_test(tcase, knows_which_fields_it_needs);
    tcase_add_test(tcase, a_fault_is_pointed_at);
    tcase_add_test(tcase, a_combination_that_is_empty_or_too_long_is_refused);
    tcase_add_test(tcase, knows_which_texts_differ);
    tcase_add_test_raise_signal(tcase, aborts_on_a_time_before_the_start, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_time_beyond_the_longest_run, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_sequence_beyond_its_digit, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_start_after_year_9970, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_start_before_year_1, SIGABRT);
    return suite_run(suite);
}
