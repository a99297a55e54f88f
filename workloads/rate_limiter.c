#include "workloads/rate_limiter.h"

#include "sim/check.h"

#define SMOOTHING 0.8
#define BETA 0.7
#define SCALE 0.4
#define RATE_MIN_PER_S 0.5
#define RATE_ABOVE_MEASURED 2.0
#define HALF_SECOND_NS (SIM_NS_PER_S / 2)
#define NEWTON_STEPS_MAX 200

static double seconds(sim_ns ns) {
    return (double)ns / (double)SIM_NS_PER_S;
}

struct rate_limiter rate_limiter_new(sim_ns now_ns) {
    return (struct rate_limiter){
        .fill_rate_per_s = 1.0, /* as botocore's bucket starts; not asked for until a refusal */
        .capacity = 1.0,
        .filled_at_ns = now_ns,
        .last_refusal_ns = now_ns,
        .last_half_second = now_ns / SIM_NS_PER_S * 2,
    };
}

/* Newton's iteration from above falls until rounding stops it. */
double rate_limiter_cbrt(double x) {
    SIM_CHECK(x >= 0);
    if (x == 0) {
        return 0;
    }
    double root = x > 1 ? x : 1;
    for (int step = 0; step < NEWTON_STEPS_MAX; step++) {
        const double next = (2 * root + x / (root * root)) / 3;
        if (next >= root) {
            break;
        }
        root = next;
    }
    return root;
}

static void fill(struct rate_limiter *limiter, sim_ns now_ns) {
    const double filled =
        limiter->tokens + seconds(now_ns - limiter->filled_at_ns) * limiter->fill_rate_per_s;
    limiter->tokens = filled < limiter->capacity ? filled : limiter->capacity;
    limiter->filled_at_ns = now_ns;
}

static void measure(struct rate_limiter *limiter, sim_ns now_ns) {
    const int64_t half_second = now_ns / HALF_SECOND_NS;
    limiter->count++;
    if (half_second > limiter->last_half_second) {
        const double span_s = (double)(half_second - limiter->last_half_second) / 2;
        const double rate_per_s = (double)limiter->count / span_s;
        limiter->measured_per_s =
            rate_per_s * SMOOTHING + limiter->measured_per_s * (1 - SMOOTHING);
        limiter->count = 0;
        limiter->last_half_second = half_second;
    }
}

double rate_limiter_cubic(const struct rate_limiter *limiter, sim_ns now_ns) {
    const double t = seconds(now_ns - limiter->last_refusal_ns) - limiter->k_s;
    return SCALE * (t * t * t) + limiter->w_max;
}

void rate_limiter_answered(struct rate_limiter *limiter, sim_ns now_ns, bool is_refusal) {
    SIM_CHECK(now_ns >= limiter->filled_at_ns);
    measure(limiter, now_ns);
    double rate_per_s;
    if (is_refusal) {
        const double measured = limiter->measured_per_s;
        limiter->w_max = limiter->is_enabled && limiter->fill_rate_per_s < measured
                             ? limiter->fill_rate_per_s
                             : measured;
        limiter->k_s = rate_limiter_cbrt(limiter->w_max * (1 - BETA) / SCALE);
        limiter->last_refusal_ns = now_ns;
        limiter->is_enabled = true;
        rate_per_s = BETA * limiter->w_max;
    } else {
        rate_per_s = rate_limiter_cubic(limiter, now_ns);
    }
    const double most_per_s = RATE_ABOVE_MEASURED * limiter->measured_per_s;
    rate_per_s = rate_per_s < most_per_s ? rate_per_s : most_per_s;
    fill(limiter, now_ns);
    limiter->fill_rate_per_s = rate_per_s > RATE_MIN_PER_S ? rate_per_s : RATE_MIN_PER_S;
    limiter->capacity = rate_per_s > 1 ? rate_per_s : 1;
    if (limiter->tokens > limiter->capacity) {
        limiter->tokens = limiter->capacity;
    }
}

bool rate_limiter_take(struct rate_limiter *limiter, sim_ns now_ns) {
    if (!limiter->is_enabled) {
        return true;
    }
    SIM_CHECK(now_ns >= limiter->filled_at_ns);
    fill(limiter, now_ns);
    if (limiter->tokens < 1) {
        return false;
    }
    limiter->tokens -= 1;
    return true;
}

sim_ns rate_limiter_next_ns(const struct rate_limiter *limiter, sim_ns now_ns) {
    const double missing = 1 - limiter->tokens;
    const double wait_ns = missing / limiter->fill_rate_per_s * (double)SIM_NS_PER_S;
    const sim_ns at_ns = limiter->filled_at_ns + (wait_ns > 0 ? (sim_ns)wait_ns : 0) + 1;
    return at_ns > now_ns ? at_ns : now_ns + 1;
}
