#include "analysis/printable.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Length 0: up to the NUL. */
static const struct {
    const char *bytes;
    size_t length;
    const char *text;
} rows[] = {
    {"", 0, ""},
    {"LEADERBOARD#0", 0, "LEADERBOARD#0"},
    {"a\\b", 0, "a\\b"},
    {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa5", 0, "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x94\xa5"},
    {"\xf4\x8f\xbf\xbf", 0, "\xf4\x8f\xbf\xbf"},                   /* U+10FFFF */
    {"a\tb\nc\x7f", 0, "a\\x09b\\x0ac\\x7f"},                      /* C0 and DEL */
    {"a\0b", 3, "a\\x00b"},                                        /* NUL is a byte like others */
    {"\xc2\x85|\xc2\xa0", 0, "\\xc2\\x85|\xc2\xa0"},               /* C1, and the first behind it */
    {"\xff\xfe", 0, "\\xff\\xfe"},                                 /* in no character */
    {"\x80", 0, "\\x80"},                                          /* continuation alone */
    {"\xc0\xaf|\xc1\xbf", 0, "\\xc0\\xaf|\\xc1\\xbf"},             /* overlong, 2 bytes */
    {"\xe0\x9f\xbf", 0, "\\xe0\\x9f\\xbf"},                        /* overlong, 3 bytes */
    {"\xf0\x8f\xbf\xbf", 0, "\\xf0\\x8f\\xbf\\xbf"},               /* overlong, 4 bytes */
    {"\xed\xa0\x80", 0, "\\xed\\xa0\\x80"},                        /* surrogate */
    {"\xed\x9f\xbf|\xee\x80\x80", 0, "\xed\x9f\xbf|\xee\x80\x80"}, /* around the surrogates */
    {"\xf4\x90\x80\x80", 0, "\\xf4\\x90\\x80\\x80"},               /* above U+10FFFF */
    {"\xe2\x82", 0, "\\xe2\\x82"},                                 /* cut */
    {"\xe2\x82"
     "a",
     0,
     "\\xe2\\x82"
     "a"},
};

START_TEST(keeps_utf8_and_escapes_the_rest) {
    size_t length = rows[_i].length == 0 ? strlen(rows[_i].bytes) : rows[_i].length;
    char out[64];
    ck_assert_uint_eq(printable_text(rows[_i].bytes, length, out, sizeof out),
                      strlen(rows[_i].text));
    ck_assert_str_eq(out, rows[_i].text);
}
END_TEST

/* Whatever the room, the result is a prefix of the whole text and printable again unchanged. */
START_TEST(cuts_between_characters) {
    static const unsigned char characters[] = {0xe2, 0x82, 0xac, 0xc3, 0xa9, '-'};
    unsigned char bytes[40];
    for (uint64_t seed = 0; seed < 100; seed++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            uint64_t bits = hash_draw(seed, i, 0);
            bytes[i] = bits % 2 == 0 ? characters[i % 6] : (unsigned char)(bits >> 8);
        }
        char whole[PRINTABLE_BYTES(sizeof bytes)];
        size_t whole_length = printable_text(bytes, sizeof bytes, whole, sizeof whole);
        for (size_t size = 1; size <= sizeof whole; size++) {
            char out[sizeof whole], again[sizeof whole];
            memset(out, '#', sizeof out);
            size_t length = printable_text(bytes, sizeof bytes, out, size);
            ck_assert_uint_lt(length, size);
            ck_assert_uint_eq(length, strlen(out));
            ck_assert_mem_eq(out, whole, length);
            ck_assert(length == whole_length || length + 4 >= size);
            ck_assert_uint_eq(printable_text(out, length, again, sizeof again), length);
            ck_assert_str_eq(again, out);
            ck_assert(size == sizeof out || out[size] == '#');
        }
    }
}
END_TEST

START_TEST(aborts_without_room_for_the_end) {
    char out[1];
    printable_text("a", 1, out, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/printable");
    TCase *tcase = tcase_create("printable");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, keeps_utf8_and_escapes_the_rest, 0,
                        (int)(sizeof rows / sizeof rows[0]));
    tcase_add_test(tcase, cuts_between_characters);
    tcase_add_test_raise_signal(tcase, aborts_without_room_for_the_end, SIGABRT);
    return suite_run(suite);
}
