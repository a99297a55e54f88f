#include "sim/hash.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* The input of xxHash's own sanity check: the top byte of a running product. */
static void fill_sanity(unsigned char *bytes, size_t count) {
    uint64_t generator = UINT64_C(2654435761);
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(generator >> 56);
        generator *= UINT64_C(11400714785074694797);
    }
}

/* Values of xxHash's published sanity check (XXH3_64bits, seed 0 and PRIME64). */
START_TEST(agrees_with_the_published_64_bit_values) {
    const uint64_t prime = UINT64_C(11400714785074694797);
    const struct {
        size_t length;
        uint64_t seed, hash;
    } rows[] = {
        {0, 0, UINT64_C(0x2D06800538D394C2)},   {0, prime, UINT64_C(0xA8A6B918B2F0364A)},
        {1, 0, UINT64_C(0xC44BDFF4074EECDB)},   {1, prime, UINT64_C(0x032BE332DD766EF8)},
        {6, 0, UINT64_C(0x27B56A84CD2D7325)},   {6, prime, UINT64_C(0x84589C116AB59AB9)},
        {12, 0, UINT64_C(0xA713DAF0DFBB77E7)},  {24, 0, UINT64_C(0xA3FE70BF9D3510EB)},
        {48, 0, UINT64_C(0x397DA259ECBA1F11)},  {80, 0, UINT64_C(0xBCDEFBBB2C47C90A)},
        {195, 0, UINT64_C(0xCD94217EE362EC3A)}, {403, 0, UINT64_C(0xCDEB804D65C6DEA4)},
        {512, 0, UINT64_C(0x617E49599013CB6B)}, {2048, 0, UINT64_C(0xDD59E2C3A5F038E0)},
    };
    unsigned char bytes[2048];
    fill_sanity(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg(hash64(bytes, rows[i].length, rows[i].seed) == rows[i].hash,
                      "row %zu: length %zu gives %016llx", i, rows[i].length,
                      (unsigned long long)hash64(bytes, rows[i].length, rows[i].seed));
    }
}
END_TEST

START_TEST(agrees_with_the_published_128_bit_values) {
    const struct {
        size_t length;
        uint64_t low, high;
    } rows[] = {
        {0, UINT64_C(0x6001C324468D497F), UINT64_C(0x99AA06D3014798D8)},
        {1, UINT64_C(0xC44BDFF4074EECDB), UINT64_C(0xA6CD5E9392000F6A)},
        {6, UINT64_C(0x3E7039BDDA43CFC6), UINT64_C(0x082AFE0B8162D12A)},
    };
    unsigned char bytes[8];
    fill_sanity(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hash128 hash = hash128(bytes, rows[i].length, 0);
        ck_assert_uint_eq(hash.low, rows[i].low);
        ck_assert_uint_eq(hash.high, rows[i].high);
    }
}
END_TEST

/* SplitMix64's published first outputs for seed 0 are the mixer at multiples of the golden gamma.
 * */
START_TEST(mixes_as_splitmix64_does) {
    const uint64_t gamma = UINT64_C(0x9e3779b97f4a7c15);
    ck_assert_uint_eq(hash_mix(gamma), UINT64_C(0xe220a8397b1dcdaf));
    ck_assert_uint_eq(hash_mix(gamma * 2), UINT64_C(0x6e789e6aa1b965f4));
    ck_assert_uint_eq(hash_mix(gamma * 3), UINT64_C(0x06c45d188009454f));
    ck_assert_uint_eq(hash_mix(0), 0);
}
END_TEST

/* 100 x 100 x 100 draws in 64 cells each way: chi-square with 63 degrees of freedom, 99.99 % is
 * 119. */
START_TEST(draws_are_uniform_in_every_argument) {
    uint32_t by_top[64] = {0};
    uint32_t by_low[64] = {0};
    for (uint64_t stream = 0; stream < 100; stream++) {
        for (uint64_t a = 0; a < 100; a++) {
            for (uint64_t b = 0; b < 100; b++) {
                uint64_t draw = hash_draw(stream, a, b);
                by_top[hash_below(draw, 64)]++;
                by_low[draw % 64]++;
            }
        }
    }
    double top = 0;
    double low = 0;
    for (size_t i = 0; i < 64; i++) {
        top += ((double)by_top[i] - 15625.0) * ((double)by_top[i] - 15625.0) / 15625.0;
        low += ((double)by_low[i] - 15625.0) * ((double)by_low[i] - 15625.0) / 15625.0;
    }
    ck_assert_double_lt(top, 119.0);
    ck_assert_double_lt(low, 119.0);
    ck_assert_double_gt(top, 25.0); /* 0.01 %: too even is wrong as well */
    ck_assert_double_gt(low, 25.0);
}
END_TEST

static int compare_uint64(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

START_TEST(draws_of_different_arguments_differ) {
    enum { SIDE = 40, COUNT = SIDE * SIDE * SIDE };
    static uint64_t draws[COUNT];
    size_t count = 0;
    for (uint64_t stream = 0; stream < SIDE; stream++) {
        for (uint64_t a = 0; a < SIDE; a++) {
            for (uint64_t b = 0; b < SIDE; b++) {
                draws[count++] = hash_draw(hash_mix(stream), a, b);
            }
        }
    }
    qsort(draws, COUNT, sizeof draws[0], compare_uint64);
    for (size_t i = 1; i < COUNT; i++) {
        if (draws[i - 1] == draws[i]) {
            ck_abort_msg("%016llx comes twice", (unsigned long long)draws[i]);
        }
    }
}
END_TEST

START_TEST(maps_the_whole_range_below_n) {
    static const uint64_t bounds[] = {1, 2, 3, 1000, UINT64_C(1) << 63, UINT64_MAX};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        ck_assert_uint_eq(hash_below(0, bounds[i]), 0);
        ck_assert_uint_eq(hash_below(UINT64_MAX, bounds[i]), bounds[i] - 1);
    }
    ck_assert_uint_eq(hash_below(UINT64_C(1) << 63, 10), 5);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/hash");
    TCase *tcase = tcase_create("hash");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, agrees_with_the_published_64_bit_values);
    tcase_add_test(tcase, agrees_with_the_published_128_bit_values);
    tcase_add_test(tcase, mixes_as_splitmix64_does);
    tcase_add_test(tcase, draws_are_uniform_in_every_argument);
    tcase_add_test(tcase, draws_of_different_arguments_differ);
    tcase_add_test(tcase, maps_the_whole_range_below_n);
    return suite_run(suite);
}
