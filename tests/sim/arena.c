#include "sim/arena.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static struct err err;

static void set_up(void) {
    arena_init(&arena);
    err = (struct err){.kind = ERR_NONE};
}

static void tear_down(void) {
    arena_fini(&arena);
}

static bool is_all(const unsigned char *bytes, size_t count, unsigned char value) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

struct block {
    unsigned char *bytes;
    size_t count;
};

/* Sizes from nothing to several chunks. Every block is filled with its own number and read again at
 * the end: two that overlap would show, and so would one that is not zeroed. */
START_TEST(gives_zeroed_aligned_blocks_that_do_not_overlap) {
    enum { BLOCKS = 3000 };
    static struct block blocks[BLOCKS];
    size_t asked_bytes = 0;
    for (uint64_t i = 0; i < BLOCKS; i++) {
        uint64_t draw = hash_draw(1, i, 0);
        size_t bytes = (size_t)(draw % (UINT64_C(1) << (draw >> 32) % 16));
        bytes = i % 500 == 499 ? ARENA_CHUNK_BYTES_MAX + bytes : bytes;
        size_t alignment_bytes = (size_t)1 << (draw >> 48) % 13;
        blocks[i].bytes = arena_alloc(&arena, bytes, alignment_bytes, "block", &err);
        blocks[i].count = bytes;
        ck_assert_ptr_nonnull(blocks[i].bytes);
        ck_assert_uint_eq((uintptr_t)blocks[i].bytes % alignment_bytes, 0);
        ck_assert(is_all(blocks[i].bytes, bytes, 0));
        memset(blocks[i].bytes, (int)(i % 251) + 1, bytes);
        asked_bytes += bytes;
        ck_assert_uint_ge(arena.used_bytes, asked_bytes);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        ck_assert(is_all(blocks[i].bytes, blocks[i].count, (unsigned char)(i % 251 + 1)));
    }
}
END_TEST

START_TEST(counts_bytes_and_padding_exactly) {
    const struct {
        size_t bytes, alignment_bytes, used_bytes;
    } rows[] = {
        {3, 1, 3},
        {8, 8, 16},
        {0, 1, 16},
        {1, 4096, 4097},
        {8, 64, 4168},
        {ARENA_CHUNK_BYTES_MAX, 4096, 4168 + ARENA_CHUNK_BYTES_MAX},
        {8, 8, 4176 + ARENA_CHUNK_BYTES_MAX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *memory = arena_alloc(&arena, rows[i].bytes, rows[i].alignment_bytes, "row", &err);
        ck_assert_ptr_nonnull(memory);
        ck_assert_uint_eq(arena.used_bytes, rows[i].used_bytes);
    }
}
END_TEST

START_TEST(gives_an_address_for_nothing) {
    ck_assert_ptr_nonnull(arena_alloc(&arena, 0, 1, "nothing", &err));
    ck_assert_ptr_nonnull(ARENA_ARRAY(&arena, uint64_t, 0, "nothing", &err));
    ck_assert_uint_eq(arena.used_bytes, 0);
}
END_TEST

START_TEST(goes_on_with_its_chunk_after_a_large_request) {
    unsigned char *before = arena_alloc(&arena, 16, 1, "before", &err);
    ck_assert_ptr_nonnull(arena_alloc(&arena, ARENA_CHUNK_BYTES_MAX, 1, "large", &err));
    unsigned char *after = arena_alloc(&arena, 16, 1, "after", &err);
    ck_assert_ptr_eq(after, before + 16);
}
END_TEST

START_TEST(doubles_chunks_up_to_the_largest) {
    size_t expected = ARENA_CHUNK_BYTES_MIN;
    ck_assert_uint_eq(arena.chunk_bytes, expected);
    while (expected < ARENA_CHUNK_BYTES_MAX) {
        size_t before = arena.chunk_bytes;
        while (arena.chunk_bytes == before) {
            ck_assert_ptr_nonnull(arena_alloc(&arena, 4096, 1, "page", &err));
        }
        expected *= 2;
        ck_assert_uint_eq(arena.chunk_bytes, expected);
    }
    for (size_t i = 0; i < 3 * ARENA_CHUNK_BYTES_MAX / 4096; i++) {
        ck_assert_ptr_nonnull(arena_alloc(&arena, 4096, 1, "page", &err));
    }
    ck_assert_uint_eq(arena.chunk_bytes, ARENA_CHUNK_BYTES_MAX);
}
END_TEST

START_TEST(copies_texts) {
    char text[] = "LEADERBOARD#0";
    char *whole = arena_strdup(&arena, text, &err);
    char *head = arena_strndup(&arena, text, 6, &err);
    char *longer = arena_strndup(&arena, text, 100, &err);
    text[0] = 'X';
    ck_assert_str_eq(whole, "LEADERBOARD#0");
    ck_assert_str_eq(head, "LEADER");
    ck_assert_str_eq(longer, "LEADERBOARD#0");
    ck_assert_str_eq(arena_strdup(&arena, "", &err), "");
}
END_TEST

START_TEST(refuses_what_no_machine_holds) {
    ck_assert_ptr_null(arena_alloc(&arena, SIZE_MAX, 1, "everything", &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_str_eq(err.text, "out of memory (everything)");
    err.kind = ERR_NONE;
    ck_assert_ptr_null(arena_array(&arena, SIZE_MAX / 8 + 2, 8, 8, "a product", &err));
    ck_assert_str_eq(err.text, "out of memory (a product)");
    err.kind = ERR_NONE;
    ck_assert_ptr_null(arena_alloc(&arena, (size_t)1 << 60, 1, "an exbibyte", &err));
    ck_assert_str_eq(err.text, "out of memory (an exbibyte)");
    ck_assert_ptr_nonnull(arena_alloc(&arena, 16, 16, "little", &err));
    ck_assert_uint_eq(arena.used_bytes, 16);
}
END_TEST

static const size_t bad_alignments[] = {0, 3, 24, 8192};

START_TEST(aborts_on_bad_alignment) {
    arena_alloc(&arena, 8, bad_alignments[_i], "bad", &err);
}
END_TEST

START_TEST(aborts_after_fini) {
    arena_fini(&arena);
    arena_alloc(&arena, 8, 8, "late", &err);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sim/arena");
    TCase *tcase = tcase_create("arena");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, gives_zeroed_aligned_blocks_that_do_not_overlap);
    tcase_add_test(tcase, counts_bytes_and_padding_exactly);
    tcase_add_test(tcase, gives_an_address_for_nothing);
    tcase_add_test(tcase, goes_on_with_its_chunk_after_a_large_request);
    tcase_add_test(tcase, doubles_chunks_up_to_the_largest);
    tcase_add_test(tcase, copies_texts);
    tcase_add_test(tcase, refuses_what_no_machine_holds);
    tcase_add_loop_test_raise_signal(tcase, aborts_on_bad_alignment, SIGABRT, 0,
                                     (int)(sizeof bad_alignments / sizeof bad_alignments[0]));
    tcase_add_test_raise_signal(tcase, aborts_after_fini, SIGABRT);
    return suite_run(suite);
}
