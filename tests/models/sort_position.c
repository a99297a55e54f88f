#include "models/sort_position.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sort_text text_of(const char *text) {
    return (struct sort_text){text, strlen(text)};
}

static uint64_t place(const char *reference, const char *text) {
    return sort_position_of_text(text_of(reference), text_of(text));
}

static uint64_t number(const char *text) {
    return sort_position_of_number(text_of(text));
}

START_TEST(texts_that_differ_soon_after_the_reference_have_places_in_their_order) {
    static const char *const sorted[] = {
        "ORDER",
        "ORDER#",
        "ORDER#0",
        "ORDER#00017",
        "ORDER#00018",
        "ORDER#0002",
        "ORDER#1",
        "ORDER#2026-01-01T00:00:00.000Z",
        "ORDER#2026-01-01T00:00:00.001Z",
        "ORDER#2026-01-01T00:00:59.999Z",
        "ORDER#2026-01-01T23:00:00.000Z",
        "ORDER#a",
        "ORDERS",
        "PROFILE",
        "Q",
        "\xc3\xa9",
    };
    const size_t count = sizeof sorted / sizeof sorted[0];
    for (size_t i = 1; i < count; i++) {
        ck_assert_msg(place("ORDER#2026-01-01T00:00:00.000Z", sorted[i - 1]) <
                          place("ORDER#2026-01-01T00:00:00.000Z", sorted[i]),
                      "'%s' and '%s'", sorted[i - 1], sorted[i]);
    }
}
END_TEST

static void draw_text(uint64_t seed, uint64_t i, char *text, size_t text_bytes) {
    static const char *const alphabets[] = {"01", "0123456789", "abcZ09#-", "\x01\x7f\x80\xff"};
    const char *alphabet = alphabets[seed % 4];
    const size_t length = 1 + hash_draw(seed, i, 0) % (text_bytes - 1);
    for (size_t at = 0; at < length; at++) {
        text[at] = alphabet[hash_draw(seed, i, at + 1) % strlen(alphabet)];
    }
    text[length] = '\0';
}

START_TEST(no_text_is_placed_before_a_smaller_one) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        char reference[100];
        draw_text(seed, 0, reference, seed % 3 == 0 ? sizeof reference : 4);
        for (uint64_t i = 1; i < 500; i++) {
            char a[100], b[100];
            draw_text(seed, 2 * i, a, i % 2 == 0 ? 3 : sizeof a);
            draw_text(seed, 2 * i + 1, b, i % 3 == 0 ? 3 : sizeof b);
            if (i % 5 == 0) {
                memcpy(b, a, 1); /* one more in common */
            }
            const int order = strcmp(a, b);
            const uint64_t at_a = place(reference, a), at_b = place(reference, b);
            REQUIRE(order == 0  ? at_a == at_b
                    : order < 0 ? at_a <= at_b
                                : at_a >= at_b,
                    "seed %" PRIu64 ": '%s' and '%s' beside '%s'", seed, a, b, reference);
        }
    }
}
END_TEST

START_TEST(eight_digits_and_uuids_are_told_apart) {
    for (uint64_t i = 0; i < 2000; i++) {
        char a[64], b[64];
        (void)snprintf(a, sizeof a, "EVENT#%08" PRIu64, i);
        (void)snprintf(b, sizeof b, "EVENT#%08" PRIu64, i + 1);
        REQUIRE(place("EVENT#00000500", a) < place("EVENT#00000500", b), "%s", a);
        (void)snprintf(a, sizeof a, "%05" PRIx64 "-4bf2-11ee-8c99", 40 * i);
        (void)snprintf(b, sizeof b, "%05" PRIx64 "-4bf2-11ee-8c99", 40 * i + 1);
        REQUIRE(place("7f3d2-4bf2", a) < place("7f3d2-4bf2", b), "%s", a);
    }
}
END_TEST

START_TEST(numbers_are_placed_by_value) {
    static const char *const sorted[] = {"-1e300",
                                         "-12345678901234567890",
                                         "-1000",
                                         "-999.5",
                                         "-2",
                                         "-1.5",
                                         "-1",
                                         "-0.5",
                                         "-1e-200",
                                         "0",
                                         "1e-200",
                                         "0.0005",
                                         "0.5",
                                         "1",
                                         "1.5",
                                         "2",
                                         "9",
                                         "10",
                                         "10.00000000000001",
                                         "99",
                                         "999.5",
                                         "1000",
                                         "1700000000",
                                         "1700000001",
                                         "12345678901234567890",
                                         "1e300"};
    const size_t count = sizeof sorted / sizeof sorted[0];
    for (size_t i = 1; i < count; i++) {
        ck_assert_msg(number(sorted[i - 1]) < number(sorted[i]), "'%s' and '%s'", sorted[i - 1],
                      sorted[i]);
    }
    ck_assert_uint_eq(number("0"), number("-0.00"));
    ck_assert_uint_eq(number("1"), number("+01.0"));
    ck_assert_uint_eq(number("100"), number("1e2"));
    ck_assert_uint_eq(number("0.01"), number("1E-2"));
    ck_assert_uint_eq(number(""), number("0"));
    ck_assert_uint_eq(number("x"), number("0"));
}
END_TEST

START_TEST(random_numbers_agree_with_strtod) {
    for (uint64_t i = 0; i < 20000; i++) {
        char a[64], b[64];
        (void)snprintf(a, sizeof a, "%s%" PRIu64 ".%03" PRIu64, i % 2 == 0 ? "-" : "",
                       hash_draw(1, i, 0) >> (34 + i % 30), hash_draw(1, i, 1) % 1000);
        (void)snprintf(b, sizeof b, "%s%" PRIu64 ".%03" PRIu64, i % 3 == 0 ? "-" : "",
                       hash_draw(1, i, 2) >> (34 + i % 29), hash_draw(1, i, 3) % 1000);
        const double x = strtod(a, NULL), y = strtod(b, NULL);
        REQUIRE((x < y) == (number(a) < number(b)) && (x > y) == (number(a) > number(b)),
                "%s and %s", a, b);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/sort_position");
    TCase *tcase = tcase_create("sort_position");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, texts_that_differ_soon_after_the_reference_have_places_in_their_order);
    tcase_add_test(tcase, no_text_is_placed_before_a_smaller_one);
    tcase_add_test(tcase, eight_digits_and_uuids_are_told_apart);
    tcase_add_test(tcase, numbers_are_placed_by_value);
    tcase_add_test(tcase, random_numbers_agree_with_strtod);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
