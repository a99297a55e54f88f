#define XXH_INLINE_ALL
#include "sim/hash.h"

#include <xxhash.h>

uint64_t hash64(const void *bytes, size_t length, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, length, seed);
}

struct hash128 hash128(const void *bytes, size_t length, uint64_t seed) {
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, length, seed);
    return (struct hash128){.low = hash.low64, .high = hash.high64};
}
