#include "sim/digest.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct digest digest;
static struct err err;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert(digest_init(&digest, &err));
}

static void tear_down(void) {
    digest_fini(&digest);
}

/* The one-shot hash of the same words laid out by hand as little-endian bytes. */
static void expect_text(const uint64_t *words, size_t count, char text[DIGEST_TEXT_BYTES]) {
    static unsigned char bytes[8 * 4096];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < 8; j++) {
            bytes[8 * i + j] = (unsigned char)(words[i] >> (8 * j));
        }
    }
    struct hash128 hash = hash128(bytes, 8 * count, 0);
    snprintf(text, DIGEST_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
}

/* The canonical digest of no input is published with xxHash. */
START_TEST(digest_of_nothing_is_the_published_one) {
    char text[DIGEST_TEXT_BYTES];
    digest_text(&digest, text);
    ck_assert_str_eq(text, "99aa06d3014798d86001c324468d497f");
}
END_TEST

/* Lengths around the buffer; the text is asked for in between, which must not disturb it. */
START_TEST(equals_the_hash_of_all_words) {
    static const size_t counts[] = {1, 2, 30, 511, 512, 513, 1024, 1025, 4000};
    static uint64_t words[4096];
    for (size_t i = 0; i < 4096; i++) {
        words[i] = hash_mix(i + 1);
    }
    size_t fed = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        while (fed < counts[i]) {
            digest_word(&digest, words[fed++]);
        }
        char text[DIGEST_TEXT_BYTES];
        char expected[DIGEST_TEXT_BYTES];
        digest_text(&digest, text);
        expect_text(words, counts[i], expected);
        ck_assert_str_eq(text, expected);
    }
}
END_TEST

START_TEST(many_words_at_once_are_the_same_as_one_by_one) {
    static const size_t counts[] = {0, 1, 511, 2, 512, 513, 0, 1500, 3};
    uint64_t words[2000];
    char text[DIGEST_TEXT_BYTES], expected[DIGEST_TEXT_BYTES];
    for (size_t i = 0; i < 2000; i++) {
        words[i] = hash_mix(i);
    }
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (size_t j = 0; j < counts[i]; j++) {
            digest_word(&digest, words[j]);
        }
    }
    digest_text(&digest, expected);
    tear_down();
    set_up();
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        digest_words(&digest, words, counts[i]);
    }
    digest_text(&digest, text);
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(room_that_is_filled_is_the_same_as_words_one_by_one) {
    static const size_t counts[] = {0, 1, 510, 1, 0, 1, 512, 3, 511, 507, 7, 512};
    static uint64_t words[4096];
    size_t fed = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint64_t *room = digest_room(&digest, counts[i]);
        for (size_t j = 0; j < counts[i]; j++) {
            words[fed] = hash_mix(fed + 1);
            room[j] = words[fed++];
        }
        ck_assert_uint_le(digest.count, DIGEST_BUFFER_WORDS);
    }
    char text[DIGEST_TEXT_BYTES];
    char expected[DIGEST_TEXT_BYTES];
    digest_text(&digest, text);
    expect_text(words, fed, expected);
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(depends_on_order_and_on_every_word) {
    struct digest other;
    ck_assert(digest_init(&other, &err));
    char a[DIGEST_TEXT_BYTES];
    char b[DIGEST_TEXT_BYTES];
    digest_word(&digest, 1);
    digest_word(&digest, 2);
    digest_word(&other, 2);
    digest_word(&other, 1);
    digest_text(&digest, a);
    digest_text(&other, b);
    ck_assert_str_ne(a, b);
    digest_word(&digest, 0);
    digest_text(&digest, b);
    ck_assert_str_ne(a, b);
    digest_fini(&other);
}
END_TEST

START_TEST(aborts_after_fini) {
    digest_fini(&digest);
    digest_flush(&digest);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/digest");
    TCase *tcase = tcase_create("digest");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, digest_of_nothing_is_the_published_one);
    tcase_add_test(tcase, equals_the_hash_of_all_words);
    tcase_add_test(tcase, many_words_at_once_are_the_same_as_one_by_one);
    tcase_add_test(tcase, room_that_is_filled_is_the_same_as_words_one_by_one);
    tcase_add_test(tcase, depends_on_order_and_on_every_word);
    tcase_add_test_raise_signal(tcase, aborts_after_fini, SIGABRT);
    return suite_run(suite);
}
