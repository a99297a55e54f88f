#include "models/split_for_heat.h"

#include "models/request.h"
#include "sim/hash.h"
#include "tests/require.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <stdbool.h>

#define UNIT NCU_PER_CU
#define WINDOW HEAT_WINDOW_NS
#define HALF (UINT64_C(1) << 63)

static struct arena arena;
static struct err err;
static struct model_parameters parameters;
static struct split_for_heat_setup setup;
static struct split_for_heat heat;
static struct partition_set set;
static sim_ns now_ns;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    arena_init(&arena);
    model_parameters_default(&parameters);
    setup = (struct split_for_heat_setup){
        .parameters = &parameters, .stream = 1, .has_sort_keys = true};
    now_ns = 0;
}

static void tear_down(void) {
    arena_fini(&arena);
}

static void open_heat(void) {
    ck_assert(partition_set_init(&set, &arena, 1, &parameters, &err));
    split_for_heat_init(&heat, &arena, &setup);
    ck_assert(split_for_heat_open(&heat, &set, &err));
}

/* A window in which partition 0 takes so many units of writes, seen as 3,000 accesses. */
static struct heat_decision run_window(int64_t units, struct partition_place (*law)(uint64_t i)) {
    static uint64_t number;
    struct heat_decision decision;
    token_bucket_take(&set.partitions[0].write, units * UNIT);
    for (int i = 0; i < 3000 && split_for_heat_sample(&heat, 0) != NULL; i++) {
        const struct heat_access access = {.place = law(number++), .weight = UNIT / 1000};
        split_for_heat_observe(&heat, 0, &access);
    }
    now_ns += WINDOW;
    token_bucket_refill(&set.partitions[0].write, now_ns);
    REQUIRE(split_for_heat_close_window(&heat, &set, 0, &decision, &err), "%s", err.text);
    return decision;
}

static struct heat_decision run_hot(struct partition_place (*law)(uint64_t i)) {
    struct heat_decision decision = {.refusal = SPLIT_NO_REFUSAL};
    open_heat();
    for (int i = 0; i < 5; i++) {
        REQUIRE(!decision.splits && decision.refusal == SPLIT_NO_REFUSAL, "window %d", i);
        decision = run_window(50000, law);
    }
    return decision;
}

static struct partition_place uniform_keys(uint64_t i) {
    return (struct partition_place){.hash = hash_mix(i)};
}
static struct partition_place one_key(uint64_t i) {
    return (struct partition_place){.hash = HALF, .sort = hash_mix(i)};
}
static struct partition_place rising(uint64_t i) {
    return (struct partition_place){.hash = HALF, .sort = i};
}
static struct partition_place falling(uint64_t i) {
    return (struct partition_place){.hash = HALF, .sort = UINT64_MAX - i};
}
static struct partition_place one_item(uint64_t i) {
    (void)i;
    return (struct partition_place){.hash = HALF, .sort = 77};
}
/* Three of four accesses are to one item, the others above it. */
static struct partition_place hot_item(uint64_t i) {
    return (struct partition_place){.hash = HALF, .sort = i % 4 != 0 ? 77 : 1000 + i % 100};
}
/* Rising in one key, as much in keys around it. */
static struct partition_place rising_among_others(uint64_t i) {
    return i % 2 == 0 ? rising(i) : uniform_keys(i);
}

START_TEST(splits_after_five_hot_windows_at_the_median_of_keys) {
    const struct heat_decision decision = run_hot(uniform_keys);
    ck_assert(decision.splits);
    ck_assert_uint_eq(decision.cut.sort, 0); /* no key is parted when keys are many */
    const double at = (double)decision.cut.hash / (double)UINT64_MAX;
    ck_assert_double_ge(at, 0.45);
    ck_assert_double_le(at, 0.55);
    ck_assert_int_ge(decision.duration_ns, parameters.split_duration_min);
    ck_assert_int_le(decision.duration_ns, parameters.split_duration_max);
    ck_assert_uint_eq(heat.sample_count, 0);
}
END_TEST

START_TEST(a_partition_key_is_cut_within_at_the_median_of_its_sort_keys) {
    const struct heat_decision decision = run_hot(one_key);
    ck_assert(decision.splits);
    ck_assert_uint_eq(decision.cut.hash, HALF);
    const double at = (double)decision.cut.sort / (double)UINT64_MAX;
    ck_assert_double_ge(at, 0.45);
    ck_assert_double_le(at, 0.55);
}
END_TEST

START_TEST(what_cannot_be_parted_is_refused_once_with_its_reason) {
    static const struct {
        struct partition_place (*law)(uint64_t i);
        bool has_local_index;
        enum split_refusal refusal;
    } cases[] = {
        {one_item, false, SPLIT_SINGLE_ITEM}, {rising, false, SPLIT_SEQUENTIAL},
        {falling, false, SPLIT_SEQUENTIAL},   {one_key, true, SPLIT_LOCAL_INDEX},
        {hot_item, true, SPLIT_LOCAL_INDEX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        setup.has_local_index = cases[i].has_local_index;
        const struct heat_decision decision = run_hot(cases[i].law);
        ck_assert(!decision.splits);
        ck_assert_int_eq((int)decision.refusal, (int)cases[i].refusal);
        const struct heat_decision again = run_window(50000, cases[i].law);
        ck_assert(!again.splits);
        ck_assert_int_eq((int)again.refusal, SPLIT_NO_REFUSAL);
        /* and splits when the traffic can be parted */
        struct heat_decision later = run_window(50000, uniform_keys);
        for (int window = 0; window < 3 && !later.splits; window++) {
            later = run_window(50000, uniform_keys);
        }
        ck_assert_msg(later.splits, "case %zu", i);
    }
}
END_TEST

START_TEST(a_local_index_does_not_keep_keys_together) {
    setup.has_local_index = true;
    ck_assert(run_hot(uniform_keys).splits);
}
END_TEST

START_TEST(a_hot_item_is_cut_off_right_beside) {
    const struct heat_decision decision = run_hot(hot_item);
    ck_assert(decision.splits);
    ck_assert_uint_eq(decision.cut.hash, HALF);
    ck_assert_uint_eq(decision.cut.sort, 78);
}
END_TEST

START_TEST(a_sequential_key_is_not_cut_within_but_parted_from_others) {
    const struct heat_decision decision = run_hot(rising_among_others);
    ck_assert(decision.splits);
    ck_assert_uint_eq(decision.cut.sort, 0);
}
END_TEST

START_TEST(a_cool_window_begins_the_count_anew) {
    open_heat();
    for (int i = 0; i < 20; i++) {
        const int64_t units = i % 5 == 4 ? 47999 : 60000; /* 48,000 are 0.8 of the cap */
        ck_assert(!run_window(units, uniform_keys).splits);
        ck_assert_int_eq(split_for_heat_sample(&heat, 0) == NULL, i % 5 == 4);
    }
    for (int i = 0; i < 4; i++) {
        ck_assert(!run_window(48000, uniform_keys).splits);
    }
    ck_assert(run_window(48000, uniform_keys).splits);
}
END_TEST

START_TEST(reads_heat_as_writes_do_against_their_own_cap) {
    open_heat();
    struct heat_decision decision = {.splits = false};
    for (int i = 0; i < 5; i++) {
        token_bucket_take(&set.partitions[0].read, 144000 * UNIT); /* 0.8 * 3,000 * 60 */
        decision = run_window(0, uniform_keys);
    }
    ck_assert(decision.splits);
}
END_TEST

START_TEST(a_short_window_still_observes_two) {
    parameters.heat_window = 60 * SIM_NS_PER_S;
    open_heat();
    ck_assert(!run_window(60000, uniform_keys).splits);
    ck_assert(!run_window(60000, uniform_keys).splits);
    ck_assert(run_window(60000, uniform_keys).splits);
}
END_TEST

/* However many accesses there are, each is in the sample with the same odds. */
START_TEST(the_sample_is_even_over_time) {
    enum { SEEN = 20000 };
    uint32_t late = 0;
    parameters.heat_sample = 4000;
    open_heat();
    ck_assert(!run_window(60000, uniform_keys).splits); /* opens the sample */
    for (uint64_t i = 0; i < SEEN; i++) {
        const struct heat_access access = {.place = {.hash = i}, .weight = 1};
        split_for_heat_observe(&heat, 0, &access);
    }
    const struct heat_sample *sample = split_for_heat_sample(&heat, 0);
    ck_assert_uint_eq(sample->count, 4000);
    for (uint32_t i = 0; i < sample->count; i++) {
        late += sample->accesses[i].place.hash >= SEEN / 2;
    }
    ck_assert_uint_ge(late, 1850); /* 2,000 with a standard deviation of 28 */
    ck_assert_uint_le(late, 2150);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/split_for_heat");
    TCase *tcase = tcase_create("split_for_heat");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, splits_after_five_hot_windows_at_the_median_of_keys);
    tcase_add_test(tcase, a_partition_key_is_cut_within_at_the_median_of_its_sort_keys);
    tcase_add_test(tcase, what_cannot_be_parted_is_refused_once_with_its_reason);
    tcase_add_test(tcase, a_local_index_does_not_keep_keys_together);
    tcase_add_test(tcase, a_hot_item_is_cut_off_right_beside);
    tcase_add_test(tcase, a_sequential_key_is_not_cut_within_but_parted_from_others);
    tcase_add_test(tcase, a_cool_window_begins_the_count_anew);
    tcase_add_test(tcase, reads_heat_as_writes_do_against_their_own_cap);
    tcase_add_test(tcase, a_short_window_still_observes_two);
    tcase_add_test(tcase, the_sample_is_even_over_time);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
