#include "workloads/arrivals.h"

#include "sim/check.h"

#include <math.h>

#define NS_PER_S 1e9
#define GAP_BITS 50 /* of the mean gap in fixed point: as exact as the draw */

static bool is_constant(const struct rate_point *points, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        if (points[i].rate_per_s != points[0].rate_per_s) {
            return false;
        }
    }
    return true;
}

static void check_points(const struct rate_point *points, uint32_t count) {
    SIM_CHECK(count >= 1);
    for (uint32_t i = 0; i < count; i++) {
        double rate = points[i].rate_per_s;
        SIM_CHECKF(rate >= 0.0 && rate <= ARRIVALS_RATE_PER_S_MAX, "rate %g", rate);
        SIM_CHECK(points[i].at_ns >= (i > 0 ? points[i - 1].at_ns : 0));
        SIM_CHECK(points[i].at_ns <= SIM_NS_MAX);
    }
}

static void set_poisson_scale(struct arrivals *arrivals, double rate_per_s) {
    double gap_ns = NS_PER_S / rate_per_s;
    int shift = GAP_BITS - ilogb(gap_ns);
    arrivals->shift = shift > 0 ? (uint32_t)shift : 0;
    arrivals->gap_scale = ldexp(gap_ns, (int)arrivals->shift);
}

/* 10^9 / rate as a whole number and a fraction, exactly: a double is odd * 2^exponent. */
static void set_uniform_step(struct arrivals *arrivals, double rate_per_s) {
    int exponent = 0;
    uint64_t odd = (uint64_t)ldexp(frexp(rate_per_s, &exponent), 53);
    int zeros = __builtin_ctzll(odd);
    odd >>= zeros;
    exponent += zeros - 53;
    arrivals->step_ns = SIM_NS_MAX; /* for rates so low that the second arrival is never seen */
    arrivals->step_rest = 0;
    arrivals->step_below = 1;
    if (exponent < -97) {
        return;
    }
    __extension__ unsigned __int128 dividend = 1000000000;
    if (exponent < 0) {
        dividend <<= -exponent;
    } else {
        odd <<= exponent; /* at most the largest rate */
    }
    if (dividend / odd < (uint64_t)SIM_NS_MAX) {
        arrivals->step_ns = (sim_ns)(dividend / odd);
        arrivals->step_rest = (uint64_t)(dividend % odd);
        arrivals->step_below = odd;
    }
}

/* Segment 0 lies before the first point, segment point_count after the last one. */
static void enter_segment(struct arrivals *arrivals, uint32_t index) {
    const struct rate_point *points = arrivals->points;
    struct arrivals_segment *segment = &arrivals->segment;
    arrivals->next_segment = index + 1;
    const struct rate_point *from = &points[index > 0 ? index - 1 : 0];
    segment->begin_ns = index > 0 ? from->at_ns : 0;
    segment->rate_per_s = from->rate_per_s;
    segment->slope_per_s2 = 0.0;
    if (index == arrivals->point_count) {
        segment->end_ns = INT64_MAX;
        segment->mass = from->rate_per_s > 0.0 ? (double)INFINITY : 0.0;
        return;
    }
    segment->end_ns = points[index].at_ns;
    double length_s = (double)(segment->end_ns - segment->begin_ns) / NS_PER_S;
    double rise = points[index].rate_per_s - from->rate_per_s;
    segment->mass = (from->rate_per_s + 0.5 * rise) * length_s;
    if (length_s > 0.0) {
        segment->slope_per_s2 = rise / length_s;
    }
}

void arrivals_start(struct arrivals *arrivals, sim_ns start_ns) {
    SIM_CHECK(start_ns >= 0 && start_ns <= SIM_NS_MAX);
    SIM_CHECK(arrivals->count == 0);
    arrivals->start_ns = start_ns;
    arrivals->time_ns = start_ns;
}

void arrivals_init(struct arrivals *arrivals, const struct workload_spec *workload, sim_ns start_ns,
                   const struct random_name *name) {
    SIM_CHECK(workload->arrivals == ARRIVALS_POISSON || workload->arrivals == ARRIVALS_UNIFORM);
    check_points(workload->points, workload->point_count);
    double rate_per_s = workload->points[0].rate_per_s;
    *arrivals = (struct arrivals){
        .points = workload->points,
        .point_count = workload->point_count,
        .poisson = workload->arrivals == ARRIVALS_POISSON,
        .constant = is_constant(workload->points, workload->point_count),
        .stop_ns = workload->stop_ns >= 0 && workload->stop_ns < SIM_NS_MAX ? workload->stop_ns
                                                                            : SIM_NS_MAX,
    };
    arrivals_start(arrivals, start_ns);
    random_init(&arrivals->stream, name);
    if (workload->bursts.on_ns > 0) {
        struct random_name own = *name;
        own.variable = "bursts";
        SIM_CHECK(arrivals->poisson && arrivals->constant);
        bursts_init(&arrivals->bursts, &workload->bursts, &own);
        arrivals->bursts_stop_ns = arrivals->stop_ns;
        arrivals->stop_ns = SIM_NS_MAX; /* of that clock: no end */
    }
    if (!arrivals->constant) {
        enter_segment(arrivals, 0);
    } else if (rate_per_s == 0.0) {
        arrivals->ended = true;
    } else if (arrivals->poisson) {
        set_poisson_scale(arrivals, rate_per_s);
    } else {
        set_uniform_step(arrivals, rate_per_s);
    }
}

static size_t fill_constant_poisson(struct arrivals *arrivals, sim_ns *times_ns, size_t count) {
    const double scale = arrivals->gap_scale;
    const uint32_t shift = arrivals->shift;
    const uint64_t mask = (UINT64_C(1) << shift) - 1;
    uint64_t fraction = arrivals->fraction;
    sim_ns time_ns = arrivals->time_ns;
    size_t done = 0;
    while (done < count) {
        double gap = random_exponential(&arrivals->stream) * scale;
        fraction += (uint64_t)(int64_t)(gap < 0x1p60 ? gap : 0x1p60);
        time_ns += (sim_ns)(fraction >> shift);
        fraction &= mask;
        if (time_ns >= arrivals->stop_ns) {
            arrivals->ended = true;
            break;
        }
        times_ns[done++] = time_ns;
    }
    arrivals->fraction = fraction;
    arrivals->time_ns = time_ns;
    return done;
}

static size_t fill_constant_uniform(struct arrivals *arrivals, sim_ns *times_ns, size_t count) {
    size_t done = 0;
    while (done < count) {
        if (arrivals->time_ns >= arrivals->stop_ns) {
            arrivals->ended = true;
            break;
        }
        times_ns[done++] = arrivals->time_ns;
        arrivals->time_ns += arrivals->step_ns;
        arrivals->rest += arrivals->step_rest;
        if (arrivals->rest >= arrivals->step_below) {
            arrivals->rest -= arrivals->step_below;
            arrivals->time_ns++;
        }
    }
    return done;
}

/* Mass of the next arrival in its segment, which is entered; false when there is none. */
static bool next_mass(struct arrivals *arrivals, double *mass) {
    double wanted = 0.0;
    if (arrivals->poisson) {
        double gap = random_exponential(&arrivals->stream);
        wanted = arrivals->mass + gap;
    } else {
        wanted = (double)arrivals->count - arrivals->mass;
    }
    while (wanted >= arrivals->segment.mass) {
        if (arrivals->next_segment > arrivals->point_count) {
            return false;
        }
        wanted -= arrivals->segment.mass;
        arrivals->mass += arrivals->poisson ? 0.0 : arrivals->segment.mass;
        enter_segment(arrivals, arrivals->next_segment);
    }
    arrivals->mass = arrivals->poisson ? wanted : arrivals->mass;
    *mass = wanted > 0.0 ? wanted : 0.0;
    return true;
}

/* Time within the segment at which its rate has made mass, in the form that cancels nothing. */
static double invert_ns(const struct arrivals_segment *segment, double mass) {
    double rate = segment->rate_per_s;
    double square = rate * rate + 2.0 * segment->slope_per_s2 * mass;
    double sum = rate + sqrt(square > 0.0 ? square : 0.0);
    return mass > 0.0 ? 2.0 * mass / sum * NS_PER_S : 0.0;
}

static size_t fill_schedule(struct arrivals *arrivals, sim_ns *times_ns, size_t count) {
    size_t done = 0;
    while (done < count) {
        double mass = 0.0;
        if (!next_mass(arrivals, &mass)) {
            arrivals->ended = true;
            break;
        }
        const struct arrivals_segment *segment = &arrivals->segment;
        double within_ns = invert_ns(segment, mass);
        sim_ns offset_ns = within_ns < (double)SIM_NS_MAX ? (sim_ns)within_ns : SIM_NS_MAX;
        sim_ns length_ns = segment->end_ns - segment->begin_ns;
        offset_ns = offset_ns < length_ns ? offset_ns : length_ns;
        sim_ns time_ns = arrivals->start_ns + segment->begin_ns + offset_ns;
        time_ns = time_ns > arrivals->time_ns ? time_ns : arrivals->time_ns; /* rounding */
        if (time_ns >= arrivals->stop_ns) {
            arrivals->ended = true;
            break;
        }
        arrivals->time_ns = time_ns;
        arrivals->count++;
        times_ns[done++] = time_ns;
    }
    return done;
}

static size_t fill_bursty(struct arrivals *arrivals, sim_ns *times_ns, size_t count) {
    const sim_ns start_ns = arrivals->start_ns;
    const size_t filled = fill_constant_poisson(arrivals, times_ns, count);
    for (size_t i = 0; i < filled; i++) {
        times_ns[i] -= start_ns;
    }
    bursts_map(&arrivals->bursts, times_ns, filled);
    for (size_t i = 0; i < filled; i++) {
        times_ns[i] += start_ns;
        if (times_ns[i] >= arrivals->bursts_stop_ns) {
            arrivals->ended = true;
            return i;
        }
    }
    return filled;
}

size_t arrivals_fill(struct arrivals *arrivals, sim_ns *times_ns, size_t count) {
    if (arrivals->ended) {
        return 0;
    }
    if (!arrivals->constant) {
        return fill_schedule(arrivals, times_ns, count);
    }
    if (arrivals->bursts_stop_ns > 0) {
        return fill_bursty(arrivals, times_ns, count);
    }
    size_t done = arrivals->poisson ? fill_constant_poisson(arrivals, times_ns, count)
                                    : fill_constant_uniform(arrivals, times_ns, count);
    arrivals->count += done;
    return done;
}
