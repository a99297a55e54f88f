/*
 * pcg.h - The generator behind random.h: pcg64 (XSL-RR 128/64) of the PCG library, in C.
 *
 * State is opaque bytes, so that C structs hold it by value. Filling runs four copies of the
 * generator a quarter of a block apart, because one copy waits for its own 128-bit multiplication;
 * the values and the state left behind are those of a single generator, which a test compares.
 *
 * Source:  O'Neill, "PCG", HMC-CS-2014-0905; jumping: Brown, "Random Number Generation with
 *          Arbitrary Strides", Trans. ANS 1994.
 * Cost:    about 1 ns a value in blocks of PCG_BLOCK_COUNT, 2 ns a value in the rest.
 */
#ifndef DDBSIM_SIM_PCG_H
#define DDBSIM_SIM_PCG_H

#include <stddef.h>
#include <stdint.h>

#define PCG_STATE_BYTES 32
#define PCG_STATE_ALIGNMENT_BYTES 16
#define PCG_BLOCK_COUNT 256

#ifdef __cplusplus
extern "C" {
#endif

/* Both are 128-bit numbers, low word first; the top bit of stream_words is lost. */
void pcg_seed(unsigned char state[PCG_STATE_BYTES], const uint64_t seed_words[2],
              const uint64_t stream_words[2]);

/* The next count values. state is aligned to PCG_STATE_ALIGNMENT_BYTES. */
void pcg_fill(unsigned char state[PCG_STATE_BYTES], uint64_t *values, size_t count);

#ifdef __cplusplus
}
#endif

#endif
