#define XXH_INLINE_ALL
#include "sim/hash.h"

#include "sim/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

uint64_t hash64(const void *bytes, size_t length, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, length, seed);
}

struct hash128 hash128(const void *bytes, size_t length, uint64_t seed) {
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, length, seed);
    return (struct hash128){.low = hash.low64, .high = hash.high64};
}

void hash128_text(struct hash128 hash, char text[HASH128_TEXT_BYTES]) {
    const int length =
        snprintf(text, HASH128_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
    SIM_CHECK(length == HASH128_TEXT_BYTES - 1);
}
