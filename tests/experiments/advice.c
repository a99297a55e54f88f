#include "experiments/advice.h"

#include "sim/random.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct arena arena;
static struct err err;
static struct vary vary;
static struct advice advice;
static struct goal goal;

static void set_up(void) {
    arena_init(&arena);
    err = (struct err){ERR_NONE, ""};
    ck_assert(goal_read(&goal, "throttled<=0", &err));
}

static void tear_down(void) {
    arena_fini(&arena);
}

static void candidates(const char *text, bool largest) {
    ck_assert_msg(vary_read(&vary, text, &arena, &err), "%s", err.text);
    ck_assert_msg(advice_candidates(&vary, largest, &arena, &err), "%s", err.text);
}

static void begin(const char *text, bool largest, uint32_t replications) {
    candidates(text, largest);
    const struct advice_config config = {
        .goals = &goal,
        .goal_count = 1,
        .replications = replications,
        .largest = largest,
        .share = 0.95,
        .confidence = 0.95,
    };
    ck_assert_msg(advice_init(&advice, &config, &vary, &arena, &err), "%s", err.text);
}

static enum advice_step give(uint32_t row, uint32_t replication, bool met) {
    struct experiment_result result = {.point = row, .replication = replication};
    result.metrics[METRIC_THROTTLED] = met ? 0 : 1;
    result.metrics[METRIC_COST_USD_PER_MONTH] = 10.0 + row;
    (void)snprintf(result.digest, sizeof result.digest, "%u.%u", row, replication);
    return advice_take(&advice, row, &result);
}

/* Gives results until nothing more is asked for; the goal is met in a layout when its number, one
 * spread over [0, 1), is below shares[row]. */
static uint64_t run(const double *shares) {
    uint64_t runs = 0;
    for (uint32_t row = 0; row < advice.row_count; row++) {
        for (uint32_t i = 0; i < advice.config.replications; i++) {
            const double place = fmod(i * 0.618033988749895, 1);
            const enum advice_step step = give(row, i, place < shares[row]);
            runs++;
            if (step == ADVICE_DONE) {
                return runs;
            }
            if (step == ADVICE_STOP_POINT) {
                break;
            }
        }
    }
    return runs;
}

static const struct {
    const char *text;
    bool largest;
    uint32_t count;
    const char *first, *second, *last;
} spans[] = {
    {"n=1:20", false, 20, "1", "2", "20"},
    {"n=1:20", true, 20, "20", "19", "1"},
    {"n=8,2,16", false, 3, "2", "8", "16"},
    {"n=0.5:2:0.5", false, 4, "0.5", "1", "2"},
    {"n=0:199", false, 200, "0", "1", "199"},
    {"n=95:1205", false, 99, "95", "96", "1205"},
    {"n=1000:1000000", true, 271, "1000000", "990000", "1000"},
};

START_TEST(candidates_come_in_order_and_are_round_when_there_are_many) {
    candidates(spans[_i].text, spans[_i].largest);
    ck_assert_uint_eq(vary.count, spans[_i].count);
    ck_assert_str_eq(vary.values[0], spans[_i].first);
    ck_assert_str_eq(vary.values[1], spans[_i].second);
    ck_assert_str_eq(vary.values[vary.count - 1], spans[_i].last);
}
END_TEST

START_TEST(candidates_are_numbers) {
    static const char *const refused[] = {"n=a,b", "n=0.5:2", "n=-3:4"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ck_assert(vary_read(&vary, refused[i], &arena, &err));
        ck_assert_msg(!advice_candidates(&vary, false, &arena, &err), "%s", refused[i]);
        ck_assert_int_eq(err.kind, ERR_INPUT);
    }
}
END_TEST

/* The tail of the binomial law, summed. */
static double tail_of(uint32_t count, uint32_t misses, double share) {
    double sum = 0;
    for (uint32_t i = 0; i <= misses; i++) {
        sum += exp(lgamma(count + 1.0) - lgamma(i + 1.0) - lgamma(count - i + 1.0) +
                   i * log(1 - share) + (count - i) * log(share));
    }
    return sum;
}

START_TEST(so_many_misses_are_allowed_that_a_worse_share_is_excluded) {
    ck_assert_int_eq(advice_misses_max(58, 0.95, 0.95), -1);
    ck_assert_int_eq(advice_misses_max(59, 0.95, 0.95), 0);
    ck_assert_int_eq(advice_misses_max(92, 0.95, 0.95), 0);
    ck_assert_int_eq(advice_misses_max(93, 0.95, 0.95), 1);
    ck_assert_uint_eq(advice_runs_min(0.95, 0.95), 59);
    ck_assert_uint_eq(advice_runs_min(0.5, 0.95), 5);
    for (uint32_t count = 59; count <= 2000; count += 97) {
        const int64_t most = advice_misses_max(count, 0.95, 0.95);
        ck_assert(tail_of(count, (uint32_t)most, 0.95) <= 0.05);
        ck_assert(tail_of(count, (uint32_t)most + 1, 0.95) > 0.05);
    }
}
END_TEST

START_TEST(too_few_replications_are_refused_with_the_number_that_does) {
    candidates("n=1:3", false);
    const struct advice_config config = {
        .goals = &goal, .goal_count = 1, .replications = 58, .share = 0.95, .confidence = 0.95};
    ck_assert(!advice_init(&advice, &config, &vary, &arena, &err));
    ck_assert_str_eq(err.text, "58 replications show no share of 95 % at 95 % confidence; at "
                               "least 59 are needed");
}
END_TEST

/* Not monotone: 3 does, 4 does not, 5 does. */
START_TEST(the_answer_is_the_smallest_shown_and_all_up_to_twice_it_are_tried) {
    static const double shares[] = {0, 0.4, 1, 0.5, 1, 1, 1, 1, 1};
    begin("n=1:9", false, 60);
    (void)run(shares);
    ck_assert_uint_eq(advice.answer, 2);
    ck_assert_uint_eq(advice.tried, 6);
    ck_assert_int_eq(advice_state(&advice, &advice.rows[0]), ADVICE_FAILS);
    ck_assert_int_eq(advice_state(&advice, &advice.rows[1]), ADVICE_FAILS);
    ck_assert_int_eq(advice_state(&advice, &advice.rows[2]), ADVICE_SHOWN);
    ck_assert_int_eq(advice_state(&advice, &advice.rows[3]), ADVICE_FAILS);
    ck_assert_uint_eq(advice.rows[0].runs, ADVICE_MISSES_STOP);
    ck_assert_uint_eq(advice.rows[0].first_miss, 0);
    ck_assert_uint_eq(advice.rows[2].first_miss, ADVICE_NONE);
    ck_assert_double_eq(advice.rows[2].cost_usd.mean, 12);
    ck_assert_str_eq(advice.rows[2].digests[4], "2.4");
}
END_TEST

START_TEST(the_largest_is_found_from_above_down_to_half_of_it) {
    static const double shares[] = {0, 0, 1, 0, 1, 1, 1, 1, 1, 1}; /* 10, 9, 8 … 1 */
    begin("n=1:10", true, 60);
    (void)run(shares);
    ck_assert_str_eq(advice.rows[advice.answer].value, "8");
    ck_assert_str_eq(advice.rows[advice.tried - 1].value, "4");
}
END_TEST

START_TEST(nothing_is_the_answer_when_no_candidate_is_shown) {
    static const double shares[] = {0, 0.5, 0.93};
    begin("n=1:3", false, 100);
    (void)run(shares);
    ck_assert_uint_eq(advice.answer, ADVICE_NONE);
    ck_assert_uint_eq(advice.tried, 3);
    ck_assert_int_eq(advice_state(&advice, &advice.rows[2]), ADVICE_UNDECIDED);
}
END_TEST

START_TEST(a_run_that_fails_ends_its_candidate) {
    begin("n=1:2", false, 60);
    struct experiment_result result = {.failed = true, .message = "too much"};
    ck_assert_int_eq(advice_take(&advice, 0, &result), ADVICE_STOP_POINT);
    ck_assert_int_eq(advice_state(&advice, &advice.rows[0]), ADVICE_NOT_RUN);
    ck_assert_str_eq(advice.rows[0].failure, "too much");
    ck_assert_int_eq(give(1, 0, true), ADVICE_GO_ON);
}
END_TEST

/* A candidate just below the share is taken for good in at most 5 % of experiments, although it is
 * stopped early; one that is below by far is never left undecided. */
START_TEST(stopping_early_shows_no_more_than_the_confidence_allows) {
    struct random_stream stream;
    random_init(&stream, &(struct random_name){.seed = 7, .workload = "", .variable = "advice"});
    uint32_t shown = 0, failed = 0;
    const uint32_t experiments = 2000;
    begin("n=1,2", false, 100);
    for (uint32_t i = 0; i < experiments; i++) {
        for (uint32_t row = 0; row < 2; row++) {
            advice.rows[row] = (struct advice_row){.value = "1", .number = 1};
            const double share = row == 0 ? 0.95 : 0.3;
            enum advice_step step = ADVICE_GO_ON;
            for (uint32_t k = 0; k < 100 && step == ADVICE_GO_ON; k++) {
                step = give(row, k, random_unit(&stream) < share);
            }
        }
        shown += advice_state(&advice, &advice.rows[0]) == ADVICE_SHOWN;
        failed += advice_state(&advice, &advice.rows[1]) == ADVICE_FAILS;
    }
    ck_assert_msg(shown <= experiments * 5 / 100, "seed 7: %u of %u", shown, experiments);
    ck_assert_msg(failed >= experiments * 99 / 100, "seed 7: %u of %u", failed, experiments);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("experiments/advice");
    TCase *tcase = tcase_create("advice");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, candidates_come_in_order_and_are_round_when_there_are_many, 0,
                        (int)(sizeof spans / sizeof *spans));
    tcase_add_test(tcase, candidates_are_numbers);
    tcase_add_test(tcase, so_many_misses_are_allowed_that_a_worse_share_is_excluded);
    tcase_add_test(tcase, too_few_replications_are_refused_with_the_number_that_does);
    tcase_add_test(tcase, the_answer_is_the_smallest_shown_and_all_up_to_twice_it_are_tried);
    tcase_add_test(tcase, the_largest_is_found_from_above_down_to_half_of_it);
    tcase_add_test(tcase, nothing_is_the_answer_when_no_candidate_is_shown);
    tcase_add_test(tcase, a_run_that_fails_ends_its_candidate);
    tcase_add_test(tcase, stopping_early_shows_no_more_than_the_confidence_allows);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
