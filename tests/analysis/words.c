#include "analysis/words.h"

#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint64_t count;
    const char *text;
} counts[] = {
    {0, "0"},
    {7, "7"},
    {999, "999"},
    {1000, "1,000"},
    {12345, "12,345"},
    {1234567, "1,234,567"},
    {UINT64_MAX, "18,446,744,073,709,551,615"},
};

START_TEST(groups_counts_by_three) {
    ck_assert_str_eq(words_count(counts[_i].count).text, counts[_i].text);
}
END_TEST

static const struct {
    double rate;
    const char *text;
} rates[] = {
    {0, "0"},        {0.004, "0"},
    {0.25, "0.25"},  {1, "1"},
    {9.994, "9.99"}, {9.996, "10"},
    {23.44, "23.4"}, {99.94, "99.9"},
    {99.96, "100"},  {999.6, "1,000"},
    {2500, "2,500"}, {1e9, "1,000,000,000"},
    {-3, "-3"},      {(double)INFINITY, "inf"},
};

START_TEST(rounds_rates_to_what_a_reader_needs) {
    ck_assert_str_eq(words_rate(rates[_i].rate).text, rates[_i].text);
}
END_TEST

static const struct {
    int64_t ncu;
    const char *text;
} units[] = {
    {0, "0"},
    {500000000, "0.5"},
    {1000000000, "1"},
    {1234500000000, "1,234.5"},
    {49999999, "0"},
    {-49999999, "0"},
    {950000000, "1"}, /* half up */
    {-2500000000, "-2.5"},
    {INT64_MIN, "-9,223,372,036.9"},
};

START_TEST(shows_units_with_at_most_one_digit_behind_the_point) {
    ck_assert_str_eq(words_units(units[_i].ncu).text, units[_i].text);
}
END_TEST

static const struct {
    double share;
    const char *text;
} shares[] = {
    {0, "0 %"},      {0.0004, "<0.1 %"}, {0.001, "0.1 %"},    {0.004, "0.4 %"},
    {0.05, "5 %"},   {0.0994, "9.9 %"},  {0.0999, "10 %"},    {0.25, "25 %"},
    {0.656, "66 %"}, {0.992, "99.2 %"},  {0.9995, ">99.9 %"}, {0.99999, ">99.9 %"},
    {1, "100 %"},    {1.17, "117 %"},    {25, "2,500 %"},
};

START_TEST(says_all_and_nothing_only_when_it_is_so) {
    ck_assert_str_eq(words_percent(shares[_i].share).text, shares[_i].text);
}
END_TEST

static const struct {
    double seconds;
    const char *duration, *clock;
} times[] = {
    {0, "0 s", "0:00:00"},       {0.4, "0.4 s", "0:00:00"},      {90, "90 s", "0:01:30"},
    {119.4, "119 s", "0:01:59"}, {119.6, "2 min", "0:01:59"},    {750, "12 min 30 s", "0:12:30"},
    {7199.7, "2 h", "1:59:59"},  {7500, "2 h 5 min", "2:05:00"}, {360000, "100 h", "100:00:00"},
};

START_TEST(tells_time_in_the_unit_that_fits) {
    ck_assert_str_eq(words_duration(times[_i].seconds).text, times[_i].duration);
    ck_assert_str_eq(words_clock((int64_t)times[_i].seconds).text, times[_i].clock);
}
END_TEST

static const struct {
    uint64_t bytes;
    const char *text;
} sizes[] = {
    {0, "0 B"},          {200, "200 B"},
    {1023, "1,023 B"},   {1024, "1 KB"},
    {1434, "1,434 B"},   {3584, "3.5 KB"},
    {4097, "4,097 B"},   {409600, "400 KB"},
    {1572864, "1.5 MB"}, {UINT64_C(10) << 30, "10 GB"},
};

START_TEST(shows_small_sizes_exactly) {
    ck_assert_str_eq(words_bytes(sizes[_i].bytes).text, sizes[_i].text);
}
END_TEST

START_TEST(a_share_of_nothing_is_nothing) {
    ck_assert_double_eq(words_share(0, 0), 0);
    ck_assert_double_eq(words_share(1, 8), 0.125);
}
END_TEST

START_TEST(cuts_a_phrase_between_characters_and_says_so) {
    for (size_t bytes = 8; bytes < 40; bytes++) {
        char text[40];
        struct phrase phrase;
        phrase_init(&phrase, text, bytes);
        for (int i = 0; i < 20; i++) {
            phrase_add(&phrase, "%s", i % 2 == 0 ? "ü" : "ab");
        }
        ck_assert(phrase.cut);
        ck_assert_uint_lt(strlen(text), bytes);
        ck_assert_str_eq(text + strlen(text) - strlen("…"), "…");
        const size_t kept = strlen(text) - strlen("…");
        ck_assert_int_eq(strncmp(text, "üabüabüabüabüabüabüabüabüabüabüabüab", kept), 0);
        ck_assert(kept == 0 || (unsigned char)text[kept - 1] != 0xc3);
    }
}
END_TEST

START_TEST(keeps_a_phrase_that_fits_exactly) {
    char text[8];
    struct phrase phrase;
    phrase_init(&phrase, text, sizeof text);
    phrase_add(&phrase, "%s", "1234");
    phrase_add(&phrase, "%d", 567);
    ck_assert(!phrase.cut);
    ck_assert_str_eq(text, "1234567");
}
END_TEST

static const struct {
    int64_t nusd;
    const char *text;
} sums[] = {
    {0, "$0.00"},
    {1, "$0.000000001"},
    {3149999, "$0.0031"},
    {9999999, "$0.0099"},
    {10000000, "$0.01"},
    {994999999, "$0.99"},
    {995000000, "$1.00"},
    {INT64_C(854100000000), "$854.10"},
    {INT64_C(1234567891000000), "$1,234,567.89"},
    {INT64_MAX, "$9,223,372,036.85"},
};

START_TEST(tells_money_in_cents_and_below_one_in_what_counts) {
    ck_assert_str_eq(words_usd(sums[_i].nusd).text, sums[_i].text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/words");
    TCase *tcase = tcase_create("words");
    tcase_add_loop_test(tcase, groups_counts_by_three, 0, sizeof counts / sizeof *counts);
    tcase_add_loop_test(tcase, rounds_rates_to_what_a_reader_needs, 0,
                        sizeof rates / sizeof *rates);
    tcase_add_loop_test(tcase, shows_units_with_at_most_one_digit_behind_the_point, 0,
                        sizeof units / sizeof *units);
    tcase_add_loop_test(tcase, says_all_and_nothing_only_when_it_is_so, 0,
                        sizeof shares / sizeof *shares);
    tcase_add_loop_test(tcase, tells_time_in_the_unit_that_fits, 0, sizeof times / sizeof *times);
    tcase_add_loop_test(tcase, shows_small_sizes_exactly, 0, sizeof sizes / sizeof *sizes);
    tcase_add_loop_test(tcase, tells_money_in_cents_and_below_one_in_what_counts, 0,
                        sizeof sums / sizeof *sums);
    tcase_add_test(tcase, a_share_of_nothing_is_nothing);
    tcase_add_test(tcase, cuts_a_phrase_between_characters_and_says_so);
    tcase_add_test(tcase, keeps_a_phrase_that_fits_exactly);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
