#include "workloads/permutation.h"

#include "sim/check.h"

void permutation_init(struct permutation *permutation, uint64_t n) {
    SIM_CHECK(n >= 1 && n <= UINT64_C(1) << 63);
    uint32_t bits = 1;
    while (UINT64_C(1) << bits < n) {
        bits++;
    }
    *permutation =
        (struct permutation){.n = n, .mask = (UINT64_C(1) << bits) - 1, .shift = (bits + 1) / 2};
}

/* Each line maps 0 … mask onto itself. The constants: 2^64 over the golden ratio, and those of
 * Stafford's mixer (sim/hash.h); only that they are odd matters for the order being one. */
static uint64_t mix(uint64_t x, uint64_t mask, uint32_t shift) {
    x = (x + UINT64_C(0x9e3779b97f4a7c15)) & mask;
    x ^= x >> shift;
    x = x * UINT64_C(0xbf58476d1ce4e5b9) & mask;
    x ^= x >> shift;
    x = x * UINT64_C(0x94d049bb133111eb) & mask;
    x ^= x >> shift;
    x = x * UINT64_C(0x9e3779b97f4a7c15) & mask;
    return x ^ (x >> shift);
}

void permutation_apply(const struct permutation *permutation, uint64_t *numbers, size_t count) {
    const struct permutation p = *permutation;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = numbers[i];
        do {
            number = mix(number, p.mask, p.shift);
        } while (number >= p.n);
        numbers[i] = number;
    }
}
