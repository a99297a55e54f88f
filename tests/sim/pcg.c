#include "sim/pcg.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(PCG_STATE_ALIGNMENT_BYTES) unsigned char state[PCG_STATE_BYTES];

static void seed(uint64_t low, uint64_t stream) {
    const uint64_t seed_words[2] = {low, 0};
    const uint64_t stream_words[2] = {stream, 0};
    pcg_seed(state, seed_words, stream_words);
}

/* The known answer of the PCG library for pcg64(42, 54). */
START_TEST(gives_the_known_answer) {
    uint64_t values[2];
    seed(42, 54);
    pcg_fill(state, values, 2);
    ck_assert_uint_eq(values[0], UINT64_C(0x86b1da1d72062b68));
    ck_assert_uint_eq(values[1], UINT64_C(0x1304aa46c9853d39));
}
END_TEST

/* pcg64 written out: one 128-bit LCG step, then XSL-RR of the state it led to. */
__extension__ struct oracle { unsigned __int128 state, increment; };

static void oracle_step(struct oracle *oracle) {
    __extension__ const unsigned __int128 multiplier =
        ((unsigned __int128)UINT64_C(2549297995355413924) << 64) | UINT64_C(4865540595714422341);
    oracle->state = oracle->state * multiplier + oracle->increment;
}

static void oracle_seed(struct oracle *oracle, const uint64_t seed_words[2],
                        const uint64_t stream_words[2]) {
    oracle->increment = stream_words[1];
    oracle->increment = (oracle->increment << 64 | stream_words[0]) << 1 | 1;
    oracle->state = seed_words[1];
    oracle->state = (oracle->state << 64 | seed_words[0]) + oracle->increment;
    oracle_step(oracle);
}

static uint64_t oracle_next(struct oracle *oracle) {
    oracle_step(oracle);
    uint64_t folded = (uint64_t)(oracle->state >> 64) ^ (uint64_t)oracle->state;
    uint32_t turn = (uint32_t)(oracle->state >> 122);
    return (folded >> turn) | (folded << (-turn & 63));
}

/* Counts around the block, where lanes and the plain rest meet, one after the other on one state.
 * */
START_TEST(fills_as_a_single_generator_would) {
    static const size_t counts[] = {0,   1,   2,   255,  256, 257, 511,
                                    512, 513, 767, 1024, 3,   0,   4096 + 77};
    const uint64_t seed_words[2] = {UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)};
    const uint64_t stream_words[2] = {UINT64_C(0x1111222233334444), UINT64_C(0x5555666677778888)};
    pcg_seed(state, seed_words, stream_words);
    struct oracle oracle;
    oracle_seed(&oracle, seed_words, stream_words);
    static uint64_t values[8192];
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        pcg_fill(state, values, counts[i]);
        for (size_t j = 0; j < counts[i]; j++) {
            ck_assert_uint_eq(values[j], oracle_next(&oracle));
        }
    }
}
END_TEST

START_TEST(streams_of_one_seed_differ) {
    uint64_t a[64];
    uint64_t b[64];
    seed(42, 54);
    pcg_fill(state, a, 64);
    seed(42, 55);
    pcg_fill(state, b, 64);
    for (size_t i = 0; i < 64; i++) {
        ck_assert_uint_ne(a[i], b[i]);
    }
}
END_TEST

START_TEST(state_moves_as_bytes) {
    _Alignas(PCG_STATE_ALIGNMENT_BYTES) unsigned char copy[PCG_STATE_BYTES];
    uint64_t a[300];
    uint64_t b[300];
    seed(7, 1);
    memcpy(copy, state, sizeof copy);
    pcg_fill(state, a, 300);
    pcg_fill(copy, b, 300);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert_mem_eq(state, copy, sizeof copy);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/pcg");
    TCase *tcase = tcase_create("pcg");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, gives_the_known_answer);
    tcase_add_test(tcase, fills_as_a_single_generator_would);
    tcase_add_test(tcase, streams_of_one_seed_differ);
    tcase_add_test(tcase, state_moves_as_bytes);
    return suite_run(suite);
}
