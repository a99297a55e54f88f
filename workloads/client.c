#include "workloads/client.h"

#include "sim/check.h"
#include "sim/hash.h"
#include "sim/random.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define CELL_BITS 7
#define CELLS (1 << CELL_BITS) /* a halving of the tail */
#define HALVINGS 32
#define TABLE_ENTRIES (HALVINGS * CELLS + 1)
#define WEIGHT_BITS 16
#define SMALL_DRAW_BITS 44 /* a draw below leaves fewer than 33 of the top 53 bits */
/* ~bits of a double from 2^52 to 2^53 by 2^(52 - CELL_BITS), its cell bits 0: entry 0 */
#define ENTRY_OF_ONE ((UINT32_C(4095) - (1023 + 52)) << CELL_BITS)
#define LOWEST_QUANTILE 0x1p-10

/* Entry h * CELLS + c is the quantile with tail 2^-h (1 - c / (2 CELLS)): from 1 down to 2^-32. */
static double entry_tail(uint32_t entry) {
    uint32_t halving = entry >> CELL_BITS;
    uint32_t cell = entry & (CELLS - 1);
    return ldexp(1.0 - (double)cell / (2.0 * CELLS), -(int)halving);
}

static void fill_quantiles(sim_ns *quantiles_ns, const struct client_spec *spec) {
    double log_median = log((double)spec->latency_median_ns);
    double log_p99 = log((double)spec->latency_p99_ns);
    double sigma = (log_p99 - log_median) / gsl_cdf_ugaussian_Pinv(0.99);
    for (uint32_t i = 0; i < TABLE_ENTRIES; i++) {
        double tail = entry_tail(i);
        double z = tail > 1.0 - LOWEST_QUANTILE ? gsl_cdf_ugaussian_Pinv(LOWEST_QUANTILE)
                                                : gsl_cdf_ugaussian_Qinv(tail);
        double ns = exp(log_median + sigma * z);
        quantiles_ns[i] = ns < (double)SIM_NS_MAX ? (sim_ns)(ns + 0.5) : SIM_NS_MAX;
    }
}

static uint64_t stream_of(const char *variable, uint64_t seed, uint64_t replication) {
    const struct random_name name = {
        .seed = seed, .replication = replication, .workload = "", .variable = variable};
    return random_name_hash(&name);
}

bool client_init(struct client *client, struct arena *arena, const struct client_spec *spec,
                 uint64_t seed, uint64_t replication, struct err *err) {
    *client = (struct client){
        .spec = spec,
        .latency_stream = stream_of("client:latency", seed, replication),
        .jitter_stream = stream_of("client:jitter", seed, replication),
        .error_stream = stream_of("client:errors", seed, replication),
        .error_below = (uint64_t)(spec->errors.probability * 0x1p63),
        .lost_reply_below =
            (uint64_t)(spec->errors.probability * spec->errors.lost_replies * 0x1p63),
    };
    SIM_CHECK(spec->throttle_latency_ns >= 0);
    SIM_CHECK(spec->errors.probability >= 0 && spec->errors.probability <= 1);
    SIM_CHECK(spec->errors.lost_replies >= 0 && spec->errors.lost_replies <= 1);
    if (spec->latency_law == LATENCY_CONSTANT) {
        SIM_CHECK(spec->latency_median_ns >= 0);
        return true;
    }
    SIM_CHECK(spec->latency_median_ns >= 1 && spec->latency_median_ns <= spec->latency_p99_ns);
    SIM_CHECK(spec->latency_p99_ns <= SIM_NS_MAX);
    client->latency_quantiles_ns = ARENA_ARRAY(arena, sim_ns, TABLE_ENTRIES, "latencies", err);
    if (client->latency_quantiles_ns == NULL) {
        return false;
    }
    fill_quantiles(client->latency_quantiles_ns, spec);
    return true;
}

/* Where a uniform draw lies in the table: an entry, and how far beyond it in 2^-16 of a cell.
 * draw / 2^64 is the tail; its complement counts up through a halving's cells. */
struct table_place {
    uint32_t entry;
    int64_t weight;
};

static struct table_place table_place_any(uint64_t draw) {
    const uint32_t halving = (uint32_t)__builtin_clzll(draw);
    const uint64_t place = ~(draw << halving) << 1; /* below the tail's leading 1, reversed */
    return (struct table_place){
        .entry = halving * CELLS + (uint32_t)(place >> (64 - CELL_BITS)),
        .weight = (int64_t)((place << CELL_BITS) >> (64 - WEIGHT_BITS)),
    };
}

/* The same by a double, whose exponent is the leading 1's place: the top 53 bits of a draw are one
 * exactly, and are all that counts unless the draw is tiny. */
static inline struct table_place table_place(uint64_t draw) {
    draw |= UINT64_C(1) << HALVINGS; /* the last halving is the table's end */
    if (__builtin_expect(draw >> SMALL_DRAW_BITS == 0, 0)) {
        return table_place_any(draw);
    }
    const double tail = (double)(int64_t)(draw >> 11);
    uint64_t bits;
    memcpy(&bits, &tail, sizeof bits);
    bits = ~bits;
    return (struct table_place){
        .entry = (uint32_t)(bits >> (52 - CELL_BITS)) - ENTRY_OF_ONE,
        .weight = (int64_t)((bits >> (52 - CELL_BITS - WEIGHT_BITS)) & ((1 << WEIGHT_BITS) - 1)),
    };
}

/* The table at a uniform draw. */
static inline sim_ns quantile_ns(const sim_ns *quantiles_ns, uint64_t draw) {
    const struct table_place place = table_place(draw);
    const sim_ns low_ns = quantiles_ns[place.entry];
    const sim_ns rise_ns = quantiles_ns[place.entry + 1] - low_ns;
    return low_ns + (rise_ns >> WEIGHT_BITS) * place.weight +
           (((rise_ns & ((1 << WEIGHT_BITS) - 1)) * place.weight) >> WEIGHT_BITS);
}

sim_ns client_latency_ns(const struct client *client, uint32_t workload, uint64_t sequence,
                         uint32_t member, uint32_t attempt) {
    if (client->latency_quantiles_ns == NULL) {
        return client->spec->latency_median_ns;
    }
    uint64_t stream = hash_mix(client->latency_stream + workload);
    uint64_t draw = hash_draw(stream, sequence, ((uint64_t)member << 32) | attempt);
    return quantile_ns(client->latency_quantiles_ns, draw);
}

void client_latencies_ns(const struct client *client, uint32_t workload, uint64_t first_sequence,
                         uint32_t count, sim_ns *latencies_ns) {
    const sim_ns *const quantiles_ns = client->latency_quantiles_ns;
    const uint64_t stream = hash_mix(client->latency_stream + workload);
    for (uint32_t i = 0; i < count; i++) {
        latencies_ns[i] = quantiles_ns == NULL
                              ? client->spec->latency_median_ns
                              : quantile_ns(quantiles_ns, hash_draw(stream, first_sequence + i, 0));
    }
}

static uint64_t draw_of(uint64_t stream, const struct client_attempt *attempt) {
    return hash_draw(hash_mix(stream + attempt->workload), attempt->sequence,
                     (uint64_t)attempt->member << 32 | attempt->number);
}

sim_ns client_retry_wait_ns(const struct client *client, const struct client_attempt *attempt,
                            enum retry_failure failure) {
    return retry_policy_wait_ns(&client->spec->retry, failure, attempt->number,
                                draw_of(client->jitter_stream, attempt));
}

enum client_fault client_fault(const struct client *client, const struct client_attempt *attempt,
                               sim_ns now_ns) {
    const struct client_errors *errors = &client->spec->errors;
    if (client->error_below == 0 || now_ns < errors->from_ns ||
        (errors->to_ns >= 0 && now_ns >= errors->to_ns)) {
        return CLIENT_FAULT_NONE;
    }
    const uint64_t draw = draw_of(client->error_stream, attempt) >> 1;
    if (draw >= client->error_below) {
        return CLIENT_FAULT_NONE;
    }
    return draw < client->lost_reply_below ? CLIENT_FAULT_REPLY : CLIENT_FAULT_REQUEST;
}

bool client_has_state(const struct client_spec *spec) {
    const bool fails = spec->errors.probability > 0 || spec->timeout_ns > 0;
    const bool has_quota = spec->retry.quota_capacity > 0 && spec->retry.attempts_max > 1 &&
                           (fails || spec->retry.quota_costs[RETRY_AFTER_THROTTLE] > 0);
    return fails || has_quota || spec->retry.is_adaptive || spec->connections > 0;
}
