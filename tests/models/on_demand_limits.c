#include "models/on_demand_limits.h"

#include "models/request.h"
#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>

static struct model_parameters parameters;
static struct on_demand_limits limits;

static void open_limits(int64_t quota) {
    model_parameters_default(&parameters);
    on_demand_limits_init(&limits, quota, &parameters);
}

static bool admit(sim_ns now_ns, int64_t units) {
    const bool admits = on_demand_limits_refuse(&limits, now_ns, units * NCU_PER_CU, false) == 0;
    if (admits) {
        on_demand_limits_take(&limits, units * NCU_PER_CU);
    }
    return admits;
}

START_TEST(without_limits_nothing_is_asked) {
    open_limits(40000);
    ck_assert(!on_demand_limits_any(&limits));
    on_demand_limits_reach(&limits, 0, 40000);
    ck_assert(!on_demand_limits_any(&limits));
    ck_assert(admit(0, 1000000));
    on_demand_limits_audit(&limits, SIM_NS_PER_S, 12345);
}
END_TEST

START_TEST(a_maximum_holds_after_what_is_saved_of_it) {
    open_limits(0);
    on_demand_limits_set_maximum(&limits, 0, 100, 10 * SIM_NS_PER_S);
    ck_assert(admit(0, 1000));
    ck_assert(!admit(0, 1));
    ck_assert_uint_eq(on_demand_limits_refuse(&limits, 0, NCU_PER_CU, false),
                      ON_DEMAND_ABOVE_MAXIMUM);
    ck_assert(admit(SIM_NS_PER_S, 100));
    ck_assert(!admit(SIM_NS_PER_S, 1));
    /* five minutes later it is full, and no more than that */
    ck_assert(admit(1000 * SIM_NS_PER_S, 30000));
    ck_assert(!admit(1000 * SIM_NS_PER_S, 1));
    on_demand_limits_audit(&limits, 1000 * SIM_NS_PER_S,
                           (uint64_t)(1000 + 100 + 30000) * (uint64_t)NCU_PER_CU);
    on_demand_limits_set_maximum(&limits, 1000 * SIM_NS_PER_S, 0, 0);
    ck_assert(!on_demand_limits_any(&limits));
}
END_TEST

START_TEST(the_quota_is_asked_once_partitions_can_reach_it) {
    open_limits(4000);
    on_demand_limits_reach(&limits, 0, 4000);
    ck_assert(!on_demand_limits_any(&limits));
    on_demand_limits_reach(&limits, SIM_NS_PER_S, 8000);
    ck_assert(on_demand_limits_any(&limits));
    ck_assert(admit(SIM_NS_PER_S, 4000));
    ck_assert_uint_eq(on_demand_limits_refuse(&limits, SIM_NS_PER_S, NCU_PER_CU, false),
                      ON_DEMAND_ABOVE_QUOTA);
    on_demand_limits_reach(&limits, SIM_NS_PER_S, 16000); /* changes nothing */
    ck_assert(!admit(SIM_NS_PER_S, 1));
    on_demand_limits_audit(&limits, SIM_NS_PER_S, UINT64_C(4000) * (uint64_t)NCU_PER_CU);
}
END_TEST

START_TEST(both_refuse_and_both_are_named) {
    open_limits(1000);
    on_demand_limits_set_maximum(&limits, 0, 500, 2 * SIM_NS_PER_S);
    on_demand_limits_reach(&limits, 0, 4000);
    ck_assert(admit(0, 1000));
    ck_assert_uint_eq(on_demand_limits_refuse(&limits, 0, NCU_PER_CU, false),
                      ON_DEMAND_ABOVE_MAXIMUM | ON_DEMAND_ABOVE_QUOTA);
    /* a Query takes what is left and may owe */
    ck_assert_uint_eq(on_demand_limits_refuse(&limits, 1, 100 * NCU_PER_CU, true), 0);
}
END_TEST

/* Over any window no more than rate x window + what was saved + one request's debt. */
START_TEST(no_window_takes_more_than_the_maximum_and_what_it_saves) {
    enum { REQUESTS = 2000, RATE = 50, DEPTH_S = 7 };
    for (uint64_t seed = 1; seed <= 100; seed++) {
        sim_ns now_ns = 0;
        int64_t taken = 0;
        open_limits(0);
        parameters.on_demand_burst = DEPTH_S * SIM_NS_PER_S;
        on_demand_limits_init(&limits, 0, &parameters);
        on_demand_limits_set_maximum(&limits, 0, RATE, 3600 * SIM_NS_PER_S);
        for (uint64_t i = 0; i < REQUESTS; i++) {
            const uint64_t draw = hash_draw(seed, i, 0);
            const int64_t units = (int64_t)(1 + (draw >> 40) % 20);
            now_ns += (sim_ns)(draw % (SIM_NS_PER_S / 10));
            taken += admit(now_ns, units) ? units : 0;
        }
        ck_assert_msg((double)taken <=
                          RATE * ((double)now_ns / (double)SIM_NS_PER_S + DEPTH_S) + 20,
                      "seed %" PRIu64 ": %" PRId64, seed, taken);
        on_demand_limits_audit(&limits, now_ns, (uint64_t)taken * (uint64_t)NCU_PER_CU);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("on_demand_limits");
    TCase *cases = tcase_create("on_demand_limits");
    tcase_add_test(cases, without_limits_nothing_is_asked);
    tcase_add_test(cases, a_maximum_holds_after_what_is_saved_of_it);
    tcase_add_test(cases, the_quota_is_asked_once_partitions_can_reach_it);
    tcase_add_test(cases, both_refuse_and_both_are_named);
    tcase_add_test(cases, no_window_takes_more_than_the_maximum_and_what_it_saves);
    suite_add_tcase(suite, cases);
    return suite_run(suite);
}
