/*
 * digest.h - XXH3-128 over what happened, in order: two runs with equal digests did the same.
 *
 * Values are fed as 64-bit little-endian words through a buffer, so the digest does not depend on
 * struct padding, compiler, optimisation or batch sizes.
 */
#ifndef DDBSIM_SIM_DIGEST_H
#define DDBSIM_SIM_DIGEST_H

#include "sim/err.h"
#include "sim/hash.h"

#include <stddef.h>
#include <stdint.h>

#define DIGEST_TEXT_BYTES HASH128_TEXT_BYTES
#define DIGEST_BUFFER_WORDS 512

struct digest {
    void *state; /* XXH3_state_t, aligned by the library */
    uint64_t words[DIGEST_BUFFER_WORDS];
    size_t count;
};

bool digest_init(struct digest *digest, struct err *err) ERR_WARN_UNUSED;
void digest_fini(struct digest *digest);
void digest_flush(struct digest *digest);

static inline void digest_word(struct digest *digest, uint64_t word) {
    if (digest->count == DIGEST_BUFFER_WORDS) {
        digest_flush(digest);
    }
    digest->words[digest->count++] = word;
}

/* As digest_word on each of count words; twice as fast from two words on. */
void digest_words(struct digest *digest, const uint64_t *words, size_t count);

/* Room for count words (at most DIGEST_BUFFER_WORDS) that the caller fills: fed by that. */
static inline uint64_t *digest_room(struct digest *digest, size_t count) {
    if (digest->count + count > DIGEST_BUFFER_WORDS) {
        digest_flush(digest);
    }
    digest->count += count;
    return &digest->words[digest->count - count];
}

/* The digest so far; feeding may go on. */
void digest_text(struct digest *digest, char text[DIGEST_TEXT_BYTES]);

#endif
