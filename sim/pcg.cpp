#include "sim/pcg.h"

#include <cstring>
#include <pcg_random.hpp>
#include <type_traits>

namespace {

using pcg_extras::pcg128_t;

constexpr std::size_t lane_count = 4;
constexpr std::size_t lane_values = PCG_BLOCK_COUNT / lane_count;
static_assert(PCG_BLOCK_COUNT % lane_count == 0, "lanes are of equal length");

// lane_values steps of x -> m x + c in one: x -> m^n x + (1 + m + … + m^(n-1)) c.
struct Jump {
    pcg128_t factor, sum;
};

constexpr Jump lane_jump() {
    Jump jump{1, 0};
    for (std::size_t i = 0; i < lane_values; i++) {
        jump.sum += jump.factor;
        jump.factor *= pcg_detail::default_multiplier<pcg128_t>::multiplier();
    }
    return jump;
}

// pcg64 that can skip lane_values values.
class Lane : public pcg64 {
  public:
    Lane() = default;
    Lane(pcg128_t seed, pcg128_t stream) : pcg64(seed, stream) {
    }

    void skip_lane() {
        constexpr Jump jump = lane_jump(); // named, so that it is worked out when compiling
        state_ = state_ * jump.factor + increment() * jump.sum;
    }
};

static_assert(sizeof(Lane) == PCG_STATE_BYTES, "the state fits the C struct");
static_assert(alignof(Lane) <= PCG_STATE_ALIGNMENT_BYTES, "the state is aligned in the C struct");
static_assert(std::is_trivially_copyable<Lane>::value, "the state may be moved as bytes");

pcg128_t join(const std::uint64_t words[2]) {
    return (pcg128_t(words[1]) << 64) | words[0];
}

// One block; the generator ends where the last lane ends.
void fill_block(Lane &generator, std::uint64_t *values) {
    Lane a = generator;
    Lane b = a;
    b.skip_lane();
    Lane c = b;
    c.skip_lane();
    Lane d = c;
    d.skip_lane();
    for (std::size_t i = 0; i < lane_values; i++) {
        values[i] = a();
        values[lane_values + i] = b();
        values[2 * lane_values + i] = c();
        values[3 * lane_values + i] = d();
    }
    generator = d;
}

} // namespace

extern "C" void pcg_seed(unsigned char state[PCG_STATE_BYTES], const std::uint64_t seed_words[2],
                         const std::uint64_t stream_words[2]) {
    Lane generator(join(seed_words), join(stream_words));
    std::memcpy(state, &generator, sizeof generator);
}

extern "C" void pcg_fill(unsigned char state[PCG_STATE_BYTES], std::uint64_t *values,
                         std::size_t count) {
    Lane generator;
    std::memcpy(&generator, state, sizeof generator);
    while (count >= PCG_BLOCK_COUNT) {
        fill_block(generator, values);
        values += PCG_BLOCK_COUNT;
        count -= PCG_BLOCK_COUNT;
    }
    for (std::size_t i = 0; i < count; i++) {
        values[i] = generator();
    }
    std::memcpy(state, &generator, sizeof generator);
}
