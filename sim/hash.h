/*
 * hash.h - The hashes that ddbsim's results depend on: XXH3 (64 and 128 bits) and a 64-bit mixer.
 *
 * DynamoDB's own placement hash is unpublished; only its uniformity matters (model card keyspace).
 * XXH3 gives equal values on every machine, compiler and vector width, and is fast on short keys.
 * Source: xxHash specification, XXH3; mixer: Stafford's variant 13 of the MurmurHash3 finaliser
 * (as in SplitMix64, Steele, Lea & Flood, OOPSLA 2014).
 */
#ifndef DDBSIM_SIM_HASH_H
#define DDBSIM_SIM_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH3-64 of bytes under a seed. */
uint64_t hash64(const void *bytes, size_t length, uint64_t seed);

struct hash128 {
    uint64_t low, high;
};
struct hash128 hash128(const void *bytes, size_t length, uint64_t seed);

#define HASH128_TEXT_BYTES 33
/* 32 hexadecimal digits, the high half first, and a NUL. */
void hash128_text(struct hash128 hash, char text[HASH128_TEXT_BYTES]);

/* Bijective mixing of 64 bits: every output bit depends on every input bit. */
static inline uint64_t hash_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The value of counter-based random stream `stream` at (a, b): one draw that does not depend on how
 * many others were made. For retry jitter and service latency (operation, member and attempt). */
static inline uint64_t hash_draw(uint64_t stream, uint64_t a, uint64_t b) {
    return hash_mix(hash_mix(stream + a * UINT64_C(0x9e3779b97f4a7c15)) ^
                    (b * UINT64_C(0xd1b54a32d192ed03)));
}

/* Maps a uniform 64-bit value to 0 … n-1 by the high half of the product (bias < n / 2^64). */
static inline uint64_t hash_below(uint64_t value, uint64_t n) {
    return (uint64_t)(__extension__((unsigned __int128)value * n) >> 64);
}

/* A whole number from low to high, both inclusive, low <= high. */
static inline int64_t hash_between(uint64_t value, int64_t low, int64_t high) {
    return low + (int64_t)hash_below(value, (uint64_t)(high - low) + 1);
}

#endif
