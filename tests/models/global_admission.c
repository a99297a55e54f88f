#include "models/global_admission.h"

#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#define UNIT NCU_PER_CU
#define ROUTERS_MAX 64

static struct arena arena;
static struct err err;
static struct model_parameters parameters;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    model_parameters_default(&parameters);
}

static void tear_down(void) {
    arena_fini(&arena);
}

static struct global_admission admission_of(int64_t rate_cu_per_s) {
    struct global_admission admission;
    ck_assert(global_admission_init(&admission, &arena, rate_cu_per_s, parameters.burst_initial_s,
                                    &parameters, &err));
    return admission;
}

/* One request; whether it was admitted. */
static bool submit(struct global_admission *admission, sim_ns now_ns, uint32_t router,
                   int64_t cost_ncu) {
    const uint32_t through = global_admission_route(admission, router);
    const bool admitted = global_admission_admits(admission, now_ns, through, cost_ncu);
    if (admitted) {
        global_admission_take(admission, through, cost_ncu);
    }
    return admitted;
}

/* How many requests of cost, one every step from from to below to, are admitted. */
static int64_t admitted_in(struct global_admission *admission, sim_ns from_ns, sim_ns to_ns,
                           sim_ns step_ns, uint32_t router, int64_t cost_ncu) {
    int64_t admitted = 0;
    for (sim_ns now_ns = from_ns; now_ns < to_ns; now_ns += step_ns) {
        admitted += submit(admission, now_ns, router, cost_ncu);
    }
    return admitted;
}

/* Time of the first refusal of such requests. */
static sim_ns first_refusal_ns(struct global_admission *admission, sim_ns step_ns, uint32_t router,
                               int64_t cost_ncu) {
    sim_ns now_ns = 0;
    while (submit(admission, now_ns, router, cost_ncu)) {
        now_ns += step_ns;
    }
    return now_ns;
}

START_TEST(open_loop_traffic_takes_the_routers_in_turn) {
    parameters.routers = 3;
    struct global_admission admission = admission_of(5);
    for (uint32_t i = 0; i < 10; i++) {
        ck_assert_uint_eq(global_admission_route(&admission, ROUTER_ANY), i % 3);
    }
    ck_assert_uint_eq(global_admission_route(&admission, 2), 2);
    ck_assert_uint_eq(global_admission_route(&admission, 4), 1);
    parameters.routers = 0;
    admission = admission_of(5);
    ck_assert_uint_eq(global_admission_route(&admission, ROUTER_ANY), 0);
    ck_assert_uint_eq(global_admission_route(&admission, 4), 0);
}
END_TEST

/* 5 WCU, one keep-alive connection, a put of one unit every 8.5 ms: the first grant is an eighth of
 * 1,500 units. */
START_TEST(a_pinned_client_is_refused_after_its_first_grant_of_an_eighth) {
    struct global_admission admission = admission_of(5);
    const sim_ns step_ns = 8500 * SIM_NS_PER_US;
    ck_assert_int_eq(first_refusal_ns(&admission, step_ns, 0, UNIT), 187 * step_ns);
    ck_assert_uint_eq(admission.routers[0].granted_total_ncu, (uint64_t)(187 * UNIT + UNIT / 2));
    /* and stays refused until it may ask again */
    ck_assert_int_eq(admitted_in(&admission, 188 * step_ns, 5 * SIM_NS_PER_S, step_ns, 0, UNIT), 0);
    ck_assert(submit(&admission, 5 * SIM_NS_PER_S, 0, UNIT));
    /* it used all of 187 units against seven floors of 3.125 */
    ck_assert_int_gt(admission.routers[0].held_ncu, 1100 * UNIT);
}
END_TEST

struct serial_client {
    sim_ns now_ns;
    int64_t refused, gave_up;
};

/* Puts rows one after the other with the retries of the old botocore: 0.05 * 2^i s, 10 attempts. */
static void put_rows(struct global_admission *admission, struct serial_client *client,
                     int64_t rows) {
    for (int64_t row = 0; row < rows; row++) {
        int attempt = 0;
        while (!submit(admission, client->now_ns, 3, UNIT)) {
            client->refused++;
            if (++attempt == 10) {
                client->gave_up++;
                break;
            }
            client->now_ns += (50 * SIM_NS_PER_MS) << (attempt - 1);
        }
        client->now_ns += 8500 * SIM_NS_PER_US;
    }
}

/* The AWS lab: 500 rows, then 2,000, on a table of 5 WCU. */
START_TEST(the_lab_run_is_throttled_as_measured) {
    struct global_admission admission = admission_of(5);
    struct serial_client client = {0};
    put_rows(&admission, &client, 500);
    client.now_ns += SIM_NS_PER_MIN;
    const sim_ns start_ns = client.now_ns;
    put_rows(&admission, &client, 2000);
    const double seconds = (double)(client.now_ns - start_ns) / 1e9;
    ck_assert_int_eq(client.gave_up, 0);
    ck_assert_msg(seconds >= 70 && seconds <= 200, "2,000 rows in %.1f s", seconds);
    ck_assert_msg(client.refused >= 60 && client.refused <= 300, "%" PRId64 " throttles",
                  client.refused);
}
END_TEST

/* 5 WCU, puts of 400 KB: three empty the table, then it saves 80 s for each. */
START_TEST(large_puts_pass_while_burst_lasts_then_every_80_seconds) {
    static const struct {
        int64_t routers;
        uint32_t router;
        int64_t first_min;
    } cases[] = {{0, 0, 3}, {8, 0, 3}, {8, ROUTER_ANY, 1}, {1, 0, 3}, {64, ROUTER_ANY, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parameters.routers = cases[i].routers;
        struct global_admission admission = admission_of(5);
        const int64_t first =
            admitted_in(&admission, 0, 4 * SIM_NS_PER_S, SIM_NS_PER_S, cases[i].router, 400 * UNIT);
        ck_assert_msg(first >= cases[i].first_min && first <= 3, "case %zu: %" PRId64, i, first);
        const sim_ns hour_ns = 3600 * SIM_NS_PER_S;
        const int64_t later = admitted_in(&admission, 4 * SIM_NS_PER_S, 4 * hour_ns, SIM_NS_PER_S,
                                          cases[i].router, 400 * UNIT);
        /* burst and refill of four hours, all but what the last grants hold */
        const int64_t most = (1500 + 4 * 3600 * 5) / 400;
        ck_assert_msg(first + later <= most && first + later >= most - 3,
                      "case %zu: %" PRId64 " of %" PRId64, i, first + later, most);
        global_admission_audit(&admission, 4 * hour_ns);
    }
}
END_TEST

/* A cost above all that 1 WCU can save passes when the bucket is full and leaves a debt. */
START_TEST(a_put_above_the_burst_passes_when_the_table_is_full) {
    static const struct {
        int64_t routers;
        uint32_t router;
    } cases[] = {{0, 0}, {1, 0}, {8, 0}, {8, ROUTER_ANY}, {64, ROUTER_ANY}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parameters.routers = cases[i].routers;
        struct global_admission admission = admission_of(1);
        ck_assert(submit(&admission, 0, cases[i].router, 400 * UNIT));
        ck_assert_int_eq(global_admission_level_ncu(&admission, 0), -100 * UNIT);
        struct global_admission idle = admission_of(1);
        ck_assert(submit(&idle, 0, cases[i].router, 400 * UNIT));
        ck_assert_int_eq(global_admission_level_ncu(&idle, 60 * SIM_NS_PER_S), -40 * UNIT);
        ck_assert(!submit(&admission, SIM_NS_PER_S, cases[i].router, 400 * UNIT));
        const sim_ns hour_ns = 3600 * SIM_NS_PER_S;
        const int64_t later = admitted_in(&admission, 2 * SIM_NS_PER_S, 8 * hour_ns, SIM_NS_PER_S,
                                          cases[i].router, 400 * UNIT);
        ck_assert_msg(later >= 8 * 3600 / 400 - 3 && later <= 8 * 3600 / 400 + 1,
                      "case %zu: %" PRId64, i, later);
        global_admission_audit(&admission, 8 * hour_ns);
    }
}
END_TEST

/* AWS Knowledge Center: 150 RCU, a demand of 200, a full bucket: 45,000 / 50 = 900 s. */
START_TEST(burst_lasts_900_seconds_as_in_the_worked_example) {
    static const struct { int64_t routers, tolerance_s; } cases[] = {{0, 9}, {8, 27}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        parameters.routers = cases[i].routers;
        struct global_admission admission = admission_of(150);
        const sim_ns until_ns = first_refusal_ns(&admission, SIM_NS_PER_S / 200, ROUTER_ANY, UNIT);
        const int64_t off_ns = llabs(until_ns - 900 * SIM_NS_PER_S);
        ck_assert_msg(off_ns <= cases[i].tolerance_s * SIM_NS_PER_S, "routers %" PRId64 ": %.3f s",
                      cases[i].routers, (double)until_ns / 1e9);
    }
}
END_TEST

START_TEST(an_idle_table_of_one_unit_accepts_about_300_writes) {
    static const sim_ns spans_ns[] = {SIM_NS_PER_S / 2, 3 * SIM_NS_PER_S, 20 * SIM_NS_PER_S};
    for (int64_t routers = 0; routers <= 8; routers += 8) {
        for (size_t i = 0; i < sizeof spans_ns / sizeof spans_ns[0]; i++) {
            parameters.routers = routers;
            struct global_admission admission = admission_of(1);
            const int64_t accepted =
                admitted_in(&admission, 0, spans_ns[i], spans_ns[i] / 1000, ROUTER_ANY, UNIT);
            ck_assert_msg(accepted >= 270 && accepted <= 330, "%" PRId64 " accepted", accepted);
        }
    }
}
END_TEST

START_TEST(saved_capacity_at_the_start_is_bounded_by_the_window) {
    parameters.burst_initial_s = 3600 * SIM_NS_PER_S;
    struct global_admission admission = admission_of(10);
    ck_assert_int_eq(global_admission_level_ncu(&admission, 0), 3000 * UNIT);
    parameters.burst_initial_s = 0;
    admission = admission_of(10);
    ck_assert_int_eq(global_admission_level_ncu(&admission, 0), 0);
    ck_assert(!submit(&admission, 0, 0, UNIT));
}
END_TEST

START_TEST(short_lived_tokens_let_a_router_ask_as_soon_as_they_expire) {
    parameters.routers = 1;
    parameters.gac_refresh = 10 * SIM_NS_PER_S;
    parameters.token_ttl = 2 * SIM_NS_PER_S;
    parameters.burst_initial_s = 0;
    struct global_admission admission = admission_of(5);
    ck_assert(!submit(&admission, 0, 0, UNIT));
    ck_assert(!submit(&admission, 2 * SIM_NS_PER_S - 1, 0, UNIT));
    ck_assert(submit(&admission, 2 * SIM_NS_PER_S, 0, UNIT));
}
END_TEST

START_TEST(tokens_of_an_idle_router_come_back_when_another_asks_after_their_life) {
    parameters.routers = 2;
    parameters.token_ttl = 20 * SIM_NS_PER_S;
    struct global_admission admission = admission_of(1);
    ck_assert(submit(&admission, 0, 0, UNIT)); /* router 0 gets half of 300 and falls silent */
    const int64_t idle_ncu = admission.routers[0].held_ncu;
    ck_assert_int_eq(idle_ncu, 149 * UNIT);
    ck_assert(submit(&admission, 10 * SIM_NS_PER_S, 1, UNIT));
    ck_assert_int_eq(admission.routers[0].held_ncu, idle_ncu);
    /* what has expired is still saved: the level rises by the rate, without a dip at 20 s */
    ck_assert_int_eq(global_admission_level_ncu(&admission, 10 * SIM_NS_PER_S), 299 * UNIT);
    ck_assert_int_eq(global_admission_level_ncu(&admission, 11 * SIM_NS_PER_S), 300 * UNIT);
    ck_assert_int_eq(global_admission_level_ncu(&admission, 20 * SIM_NS_PER_S), 300 * UNIT);
    ck_assert(submit(&admission, 20 * SIM_NS_PER_S, 1, UNIT));
    ck_assert_int_eq(admission.routers[0].held_ncu, 0);
    global_admission_audit(&admission, 20 * SIM_NS_PER_S);
}
END_TEST

/* 2,000 units a second on 500 with a full bucket: every router gets its eighth at each grant. */
START_TEST(a_rise_of_traffic_starves_no_router_while_burst_is_left) {
    struct global_admission admission = admission_of(500);
    for (sim_ns now_ns = 0; now_ns < 90 * SIM_NS_PER_S; now_ns += SIM_NS_PER_S / 2000) {
        ck_assert_msg(submit(&admission, now_ns, ROUTER_ANY, UNIT), "refused at %" PRId64 " ns",
                      now_ns);
    }
}
END_TEST

/* The rules of the header by the book: one growing list of uses, nothing carried over. */
struct oracle {
    int64_t rate, cap, refresh, ttl, interval, routers;
    int64_t pool, pool_at;
    int64_t held[ROUTERS_MAX], granted_at[ROUTERS_MAX], previous_at[ROUTERS_MAX];
    int64_t asks[ROUTERS_MAX];
    struct {
        int64_t at, router, cost;
    } uses[2000];
    size_t use_count;
};

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t oracle_used(const struct oracle *oracle, int64_t r, int64_t from, int64_t until) {
    int64_t used = 0;
    for (size_t i = 0; i < oracle->use_count; i++) {
        const bool within = oracle->uses[i].at >= from && oracle->uses[i].at < until;
        used += within && oracle->uses[i].router == r ? oracle->uses[i].cost : 0;
    }
    return used;
}

/* Units of router r in its last whole interval before now or so far in this one, by the list. */
static int64_t oracle_demand(const struct oracle *oracle, int64_t r, int64_t now) {
    int64_t from = oracle->granted_at[r], used = 0;
    if (now < from + oracle->interval) { /* still running: the one before, if it followed at once */
        used = oracle->asks[r] == 0 ? 0 : oracle_used(oracle, r, from, INT64_MAX);
        from = oracle->previous_at[r];
        if (oracle->asks[r] < 2 || oracle->granted_at[r] >= from + 2 * oracle->interval) {
            from = -1;
        }
    } else if (now >= from + 2 * oracle->interval || oracle->asks[r] == 0) {
        from = -1;
    }
    if (from >= 0) {
        used = most(used, oracle_used(oracle, r, from, from + oracle->interval));
    }
    return most(used, oracle->rate * oracle->refresh / oracle->routers);
}

static void oracle_renew(struct oracle *oracle, int64_t now, int64_t r, int64_t cost) {
    int64_t unexpired = 0, demands = 0;
    for (int64_t i = 0; i < oracle->routers; i++) {
        demands += i == r ? 0 : oracle_demand(oracle, i, now);
        const bool expired = oracle->asks[i] == 0 || now >= oracle->granted_at[i] + oracle->ttl;
        if (oracle->held[i] > 0 && (i == r || expired)) {
            oracle->pool += oracle->held[i];
            oracle->held[i] = 0;
        }
        unexpired += most(oracle->held[i], 0);
    }
    oracle->pool = least(oracle->pool, oracle->cap - unexpired);
    const int64_t paid = least(oracle->pool, most(-oracle->held[r], 0));
    oracle->pool -= paid;
    oracle->held[r] += paid;
    const int64_t demand = most(oracle_demand(oracle, r, now), cost);
    __extension__ const __int128 product = (__int128)(oracle->pool + unexpired) * demand;
    const int64_t share = (int64_t)(product / (demands + demand));
    const int64_t need = least(cost, oracle->cap);
    const bool nothing = need == oracle->cap && oracle->pool < need;
    const int64_t grant = nothing ? 0 : least(oracle->pool, most(share, need));
    oracle->pool -= grant;
    oracle->held[r] += grant;
    oracle->previous_at[r] = oracle->granted_at[r];
    oracle->granted_at[r] = now;
    oracle->asks[r]++;
}

static bool oracle_submit(struct oracle *oracle, int64_t now, int64_t r, int64_t cost) {
    oracle->pool = least(oracle->cap, oracle->pool + oracle->rate * (now - oracle->pool_at));
    oracle->pool_at = now;
    if (oracle->routers == 0) {
        const bool admitted = oracle->pool >= least(cost, oracle->cap);
        oracle->pool -= admitted ? cost : 0;
        return admitted;
    }
    if (oracle->asks[r] == 0 || now >= oracle->granted_at[r] + oracle->interval) {
        oracle_renew(oracle, now, r, cost);
    }
    if (oracle->held[r] < least(cost, oracle->cap)) {
        return false;
    }
    oracle->held[r] -= cost;
    oracle->uses[oracle->use_count].at = now;
    oracle->uses[oracle->use_count].router = r;
    oracle->uses[oracle->use_count++].cost = cost;
    return true;
}

static uint64_t draw(uint64_t seed, uint64_t *count, uint64_t n) {
    return hash_below(hash_draw(seed, (*count)++, 7), n);
}

static void draw_parameters(uint64_t seed, uint64_t *count) {
    static const int64_t routers[] = {0, 1, 2, 3, 8, 64};
    parameters.routers = routers[draw(seed, count, 6)];
    parameters.gac_refresh = (int64_t)(1 + draw(seed, count, 10)) * SIM_NS_PER_S;
    parameters.token_ttl = (int64_t)(1 + draw(seed, count, 20)) * SIM_NS_PER_S;
    parameters.burst_window_s = (int64_t)(1 + draw(seed, count, 300)) * SIM_NS_PER_S;
    parameters.burst_initial_s = (int64_t)draw(seed, count, 301) * SIM_NS_PER_S;
}

/* Random traffic against the oracle, and against a twin that is neither sampled nor audited; the
 * sum of all admitted is at most burst and refill and one debt a router. */
static void replay_against_oracle(uint64_t seed) {
    uint64_t count = 0;
    draw_parameters(seed, &count);
    const int64_t rate = (int64_t)(1 + draw(seed, &count, draw(seed, &count, 2) == 0 ? 5 : 500));
    struct global_admission admission = admission_of(rate), twin = admission_of(rate);
    struct oracle oracle = {
        .rate = rate,
        .cap = rate * parameters.burst_window_s,
        .refresh = parameters.gac_refresh,
        .ttl = parameters.token_ttl,
        .interval = least(parameters.gac_refresh, parameters.token_ttl),
        .routers = parameters.routers,
        .pool = rate * least(parameters.burst_initial_s, parameters.burst_window_s),
    };
    const int64_t initial = oracle.pool;
    const uint64_t gap_ns = UINT64_C(1) << (20 + draw(seed, &count, 14));
    int64_t admitted_ncu = 0, debt_ncu = 0;
    sim_ns now_ns = 0;
    for (int i = 0; i < 500; i++) {
        now_ns += (sim_ns)draw(seed, &count, draw(seed, &count, 50) == 0 ? gap_ns * 64 : gap_ns);
        if (seed % 4 == 0) { /* events on the borders of intervals */
            now_ns -= now_ns % SIM_NS_PER_S;
        }
        const uint32_t router = (uint32_t)draw(seed, &count, draw(seed, &count, 3) == 0 ? 64 : 2);
        const uint64_t cost_max = draw(seed, &count, 10) == 0 ? 800 : 6;
        const int64_t cost = (int64_t)(1 + draw(seed, &count, cost_max)) * UNIT / 2;
        const uint32_t r = global_admission_route(&admission, router);
        const bool expected = oracle_submit(&oracle, now_ns, r, cost);
        REQUIRE(submit(&twin, now_ns, router, cost) == expected, "seed %" PRIu64 " step %d", seed,
                i);
        if (draw(seed, &count, 4) == 0) {
            const int64_t level_ncu = global_admission_level_ncu(&admission, now_ns);
            REQUIRE(level_ncu <= oracle.cap, "seed %" PRIu64 " step %d", seed, i);
        }
        if (draw(seed, &count, 16) == 0) {
            global_admission_audit(&admission, now_ns);
        }
        REQUIRE(submit(&admission, now_ns, router, cost) == expected, "seed %" PRIu64 " step %d",
                seed, i);
        admitted_ncu += expected ? cost : 0;
        debt_ncu = most(debt_ncu, cost - oracle.cap);
        REQUIRE(admitted_ncu <=
                    initial + rate * now_ns + debt_ncu * (int64_t)(1 + admission.router_count),
                "seed %" PRIu64 " step %d", seed, i);
    }
    global_admission_audit(&admission, now_ns);
    global_admission_audit(&twin, now_ns);
}

START_TEST(agrees_with_the_rules_by_the_book_over_random_traffic) {
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        replay_against_oracle(seed);
    }
}
END_TEST

START_TEST(used_since_the_audit_is_what_was_taken) {
    for (int64_t routers = 0; routers <= 8; routers += 8) {
        parameters.routers = routers;
        struct global_admission admission = admission_of(100);
        const int64_t admitted =
            admitted_in(&admission, 0, 30 * SIM_NS_PER_S, SIM_NS_PER_S / 50, ROUTER_ANY, UNIT);
        ck_assert_int_gt(admitted, 0);
        ck_assert_uint_eq(global_admission_used_ncu(&admission), (uint64_t)(admitted * UNIT));
        global_admission_audit(&admission, 30 * SIM_NS_PER_S);
        ck_assert_uint_eq(global_admission_used_ncu(&admission), 0);
        ck_assert(submit(&admission, 31 * SIM_NS_PER_S, 0, UNIT));
        ck_assert_uint_eq(global_admission_used_ncu(&admission), (uint64_t)UNIT);
    }
}
END_TEST

START_TEST(aborts_when_the_audit_finds_tokens_from_nowhere) {
    struct global_admission admission = admission_of(5);
    ck_assert(submit(&admission, 0, 0, UNIT));
    admission.routers[0].held_ncu += 1;
    global_admission_audit(&admission, 0);
}
END_TEST

START_TEST(aborts_when_the_audit_finds_a_grant_that_the_pool_did_not_give) {
    struct global_admission admission = admission_of(5);
    ck_assert(submit(&admission, 0, 0, UNIT));
    admission.routers[0].held_ncu += UNIT;
    admission.routers[0].granted_total_ncu += (uint64_t)UNIT;
    global_admission_audit(&admission, 0);
}
END_TEST

START_TEST(aborts_on_a_rate_of_zero) {
    admission_of(0);
}
END_TEST

START_TEST(aborts_on_a_router_that_does_not_exist) {
    struct global_admission admission = admission_of(5);
    global_admission_renew(&admission, 0, 8, UNIT);
}
END_TEST

START_TEST(aborts_when_time_goes_back) {
    struct global_admission admission = admission_of(5);
    submit(&admission, 10, 0, UNIT);
    submit(&admission, 9, 1, UNIT);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/global_admission");
    TCase *tcase = tcase_create("global_admission");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 90);
    tcase_add_test(tcase, open_loop_traffic_takes_the_routers_in_turn);
    tcase_add_test(tcase, a_pinned_client_is_refused_after_its_first_grant_of_an_eighth);
    tcase_add_test(tcase, the_lab_run_is_throttled_as_measured);
    tcase_add_test(tcase, large_puts_pass_while_burst_lasts_then_every_80_seconds);
    tcase_add_test(tcase, a_put_above_the_burst_passes_when_the_table_is_full);
    tcase_add_test(tcase, burst_lasts_900_seconds_as_in_the_worked_example);
    tcase_add_test(tcase, an_idle_table_of_one_unit_accepts_about_300_writes);
    tcase_add_test(tcase, saved_capacity_at_the_start_is_bounded_by_the_window);
    tcase_add_test(tcase, a_rise_of_traffic_starves_no_router_while_burst_is_left);
    tcase_add_test(tcase, short_lived_tokens_let_a_router_ask_as_soon_as_they_expire);
    tcase_add_test(tcase, tokens_of_an_idle_router_come_back_when_another_asks_after_their_life);
    tcase_add_test(tcase, agrees_with_the_rules_by_the_book_over_random_traffic);
    tcase_add_test(tcase, used_since_the_audit_is_what_was_taken);
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_tokens_from_nowhere, SIGABRT);
    tcase_add_test_raise_signal(
        tcase, aborts_when_the_audit_finds_a_grant_that_the_pool_did_not_give, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_rate_of_zero, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_a_router_that_does_not_exist, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_time_goes_back, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
