#include "workloads/trace_values.h"

#include "sim/random.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse(const char *text, sim_ns unit_ns, int64_t *ns) {
    struct trace_time time = {.ns = 0};
    bool good = trace_parse_time(text, strlen(text), unit_ns, &time);
    *ns = (int64_t)time.ns;
    return good;
}

START_TEST(times_are_read_exactly) {
    static const struct {
        const char *text;
        sim_ns unit_ns;
        int64_t ns;
    } rows[] = {
        {"0", 1000000000, 0},
        {"12", 1000000000, 12000000000},
        {"0.1", 1000000000, 100000000},
        {"1700000000.123456789", 1000000000, 1700000000123456789},
        {"+1.5", 1000000000, 1500000000},
        {"-1.5", 1000000000, -1500000000},
        {".5", 1000000000, 500000000},
        {"5.", 1000000000, 5000000000},
        {"000000000000000000000000007", 1000, 7000},
        {"0.0000000019", 1000000000, 1},
        {"-0.0000000019", 1000000000, -2},
        {"0.9999999999999999999999999", 1000000000, 999999999},
        {"-0.0000000010000000000000000000001", 1000000000, -2},
        {"-0.000000001", 1000000000, -1},
        {"0.333333333333333333", 86400000000000, 28799999999999},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ns = -1;
        ck_assert_msg(parse(rows[i].text, rows[i].unit_ns, &ns), "'%s'", rows[i].text);
        ck_assert_msg(ns == rows[i].ns, "'%s': %lld", rows[i].text, (long long)ns);
    }
}
END_TEST

START_TEST(what_is_no_decimal_number_is_refused) {
    static const char *const texts[] = {
        "",      ".",     "-",   "+.",  "1e5", "0x10", "1,5", " 1",
        "1 ",    "1.2.3", "--1", "nan", "inf", "1-",   "١",   "12345678901234567890",
        "1_000", "- 1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t ns = 0;
        ck_assert_msg(!parse(texts[i], 1000, &ns), "'%s'", texts[i]);
    }
}
END_TEST

/* File times count from 1601 in units of 100 ns: beyond 64 bits of nanoseconds. */
START_TEST(times_beyond_64_bits_keep_their_differences) {
    struct trace_time a, b;
    ck_assert(trace_parse_time("128166372003061629", 18, 100, &a));
    ck_assert(trace_parse_time("128166372013061630", 18, 100, &b));
    ck_assert_int_eq((int64_t)(b.ns - a.ns), 1000000100);
    ck_assert(trace_parse_time("9999999999999999999", 19, SIM_NS_MAX, &b));
    ck_assert(b.ns > INT64_MAX);
}
END_TEST

START_TEST(random_times_come_back) {
    struct random_stream stream;
    random_init(&stream, &(struct random_name){(uint64_t)_i, 0, "", "times"});
    for (int i = 0; i < 20000; i++) {
        int64_t expected = (int64_t)random_below(&stream, UINT64_C(1) << 62);
        expected >>= random_below(&stream, 62);
        char text[64];
        snprintf(text, sizeof text, "%lld.%09lld", (long long)(expected / 1000000000),
                 (long long)(expected % 1000000000));
        int64_t ns = -1;
        if (!parse(text, 1000000000, &ns) || ns != expected) {
            ck_abort_msg("seed %d: '%s' gave %lld", _i, text, (long long)ns);
        }
    }
}
END_TEST

START_TEST(an_array_keeps_what_was_pushed) {
    struct arena arena;
    struct err err = {.kind = ERR_NONE};
    struct trace_array array = {.element_bytes = sizeof(uint32_t)};
    arena_init(&arena);
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t element = i * 3;
        ck_assert(trace_array_push(&array, &element, &err));
    }
    const uint32_t *sealed = trace_array_seal(&array, &arena, &err);
    trace_array_fini(&array);
    for (uint32_t i = 0; i < 10000; i++) {
        ck_assert_uint_eq(sealed[i], i * 3);
    }
    arena_fini(&arena);
}
END_TEST

static void add(struct interned_column *column, struct arena *arena, const char *text) {
    struct err err = {.kind = ERR_NONE};
    ck_assert(interned_column_add(column, arena, text, strlen(text), &err));
}

START_TEST(equal_texts_have_one_number_in_order_of_first_use) {
    static const char *const texts[] = {"b", "a", "", "b", "ab", "", "a", "b"};
    static const uint32_t numbers[] = {0, 1, 2, 0, 3, 2, 1, 0};
    struct arena arena;
    struct err err = {.kind = ERR_NONE};
    struct interned_column column;
    struct trace_column sealed = {.name = "c"};
    arena_init(&arena);
    ck_assert(interned_column_init(&column, &err));
    for (size_t i = 0; i < 8; i++) {
        add(&column, &arena, texts[i]);
    }
    ck_assert(interned_column_seal(&column, &arena, &sealed, &err));
    interned_column_fini(&column);
    ck_assert_uint_eq(sealed.n, 4);
    ck_assert_uint_eq(sealed.shortest_bytes, 0);
    ck_assert_uint_eq(sealed.longest_bytes, 2);
    for (size_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(sealed.numbers[i], numbers[i]);
        ck_assert_str_eq(sealed.texts[sealed.numbers[i]], texts[i]);
    }
    arena_fini(&arena);
}
END_TEST

/* Two texts of one hash: the place of "y" is taken by a text that is put there by hand. */
START_TEST(texts_of_equal_hashes_stay_apart) {
    struct arena arena;
    struct err err = {.kind = ERR_NONE};
    struct interned_column column;
    struct trace_column sealed = {.name = "c"};
    arena_init(&arena);
    ck_assert(interned_column_init(&column, &err));
    add(&column, &arena, "x");
    ck_assert(id_map_insert(&column.ids, hash64("y", 1, 0), 0, &err));
    add(&column, &arena, "y");
    add(&column, &arena, "y");
    add(&column, &arena, "x");
    ck_assert(interned_column_seal(&column, &arena, &sealed, &err));
    interned_column_fini(&column);
    ck_assert_uint_eq(sealed.n, 2);
    ck_assert_str_eq(sealed.texts[sealed.numbers[0]], "x");
    ck_assert_str_eq(sealed.texts[sealed.numbers[1]], "y");
    ck_assert_uint_eq(sealed.numbers[1], sealed.numbers[2]);
    ck_assert_uint_eq(sealed.numbers[0], sealed.numbers[3]);
    arena_fini(&arena);
}
END_TEST

START_TEST(aborts_on_sealing_a_column_without_rows) {
    struct arena arena;
    struct err err = {.kind = ERR_NONE};
    struct interned_column column;
    struct trace_column sealed = {.name = "c"};
    arena_init(&arena);
    ck_assert(interned_column_init(&column, &err));
    ck_assert(interned_column_seal(&column, &arena, &sealed, &err));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/trace_values");
    TCase *tcase = tcase_create("trace_values");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, times_are_read_exactly);
    tcase_add_test(tcase, what_is_no_decimal_number_is_refused);
    tcase_add_test(tcase, times_beyond_64_bits_keep_their_differences);
    tcase_add_loop_test(tcase, random_times_come_back, 1, 4);
    tcase_add_test(tcase, an_array_keeps_what_was_pushed);
    tcase_add_test(tcase, equal_texts_have_one_number_in_order_of_first_use);
    tcase_add_test(tcase, texts_of_equal_hashes_stay_apart);
    tcase_add_test_raise_signal(tcase, aborts_on_sealing_a_column_without_rows, SIGABRT);
    return suite_run(suite);
}
