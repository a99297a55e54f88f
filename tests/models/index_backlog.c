/* What an index is behind by: order and times against a slow model by the book, and the bound. */
#include "models/index_backlog.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASES = 5, KEYS = 12, ENTRIES = 3000, PARTITIONS = 3 };

static struct arena arena;
static struct partition_set set;
static struct keyspace keyspace;
static struct token_bucket pool;
static struct index_backlog backlog;
static struct model_parameters parameters;
static struct err err;

static const struct table_spec spec = {.table_name = "t/index/i", .hash_key = {"k", 'S'}};

/* Partitions of `rate` units a second, a pool of pool_rate with nothing saved. */
static void open_index(int64_t rate, int64_t pool_rate) {
    parameters.part_max_w = rate;
    arena_init(&arena);
    ck_assert(partition_set_init(&set, &arena, PARTITIONS, &parameters, &err));
    ck_assert(keyspace_init(&keyspace, &arena, &spec, 7, &err));
    for (uint32_t i = 0; i < KEYS; i++) {
        char text[16];
        const int bytes = snprintf(text, sizeof text, "key%u", i);
        struct intern_result result;
        const struct key_text of = {.hash_key = text, .hash_key_bytes = (size_t)bytes};
        ck_assert(keyspace_intern(&keyspace, &set, &of, 0, &result, &err));
        ck_assert_uint_eq(result.item, i); /* a key each */
    }
    token_bucket_init(&pool, 0, pool_rate, pool_rate * 300 * NCU_PER_CU, 0);
    ck_assert(index_backlog_init(&backlog, &arena, &set, &keyspace, &pool, &parameters, &err));
    ck_assert(index_backlog_reserve(&backlog, ENTRIES * 2, BASES, &err));
}

static void set_up(void) {
    model_parameters_default(&parameters);
}

static void tear_down(void) {
    keyspace_fini(&keyspace);
    arena_fini(&arena);
}

/* The slow model: an entry is due, becomes the first of its line, and is written when those that
 * became first before it at the same partition are, and the partition has the units. */
struct naive_entry {
    sim_ns due_ns, first_ns, at_ns; /* -1: not yet */
    uint32_t base, partition, turn; /* turn: among those that became first at one time */
    int64_t cost_ncu;
};

/* When a partition that wrote those entries before has the units. */
static sim_ns naive_ready(const struct naive_entry *entries, uint32_t count,
                          const struct naive_entry *next, int64_t rate) {
    int64_t level_ncu = rate * NCU_PER_CU;
    sim_ns last_ns = 0;
    for (sim_ns from_ns = 0; true; from_ns = last_ns) { /* in the order of at_ns */
        const struct naive_entry *earliest = NULL;
        for (uint32_t i = 0; i < count; i++) {
            const struct naive_entry *entry = &entries[i];
            if (entry->partition == next->partition && entry->at_ns > from_ns &&
                (earliest == NULL || entry->at_ns < earliest->at_ns)) {
                earliest = entry;
            }
        }
        if (earliest == NULL) {
            break;
        }
        const int64_t refilled_ncu = level_ncu + rate * (earliest->at_ns - last_ns);
        level_ncu = refilled_ncu < rate * NCU_PER_CU ? refilled_ncu : rate * NCU_PER_CU;
        last_ns = earliest->at_ns;
        for (uint32_t i = 0; i < count; i++) {
            if (entries[i].partition == next->partition && entries[i].at_ns == last_ns) {
                level_ncu -= entries[i].cost_ncu;
            }
        }
    }
    const int64_t missing_ncu = next->cost_ncu - level_ncu;
    const sim_ns ready_ns = missing_ncu <= 0 ? last_ns : last_ns + (missing_ncu + rate - 1) / rate;
    return ready_ns > next->first_ns ? ready_ns : next->first_ns;
}

static bool is_first_before(const struct naive_entry *a, const struct naive_entry *b) {
    return a->first_ns < b->first_ns || (a->first_ns == b->first_ns && a->turn < b->turn);
}

/* The first that is not written of each base partition; of those the next at its partition. */
static struct naive_entry *naive_next(struct naive_entry *entries, uint32_t count, int64_t rate) {
    struct naive_entry *heads[PARTITIONS] = {NULL}, *next = NULL;
    bool seen[BASES] = {false};
    sim_ns next_ns = INT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        struct naive_entry *entry = &entries[i];
        if (entry->at_ns >= 0 || seen[entry->base]) {
            continue;
        }
        seen[entry->base] = true;
        struct naive_entry **head = &heads[entry->partition];
        *head = *head == NULL || is_first_before(entry, *head) ? entry : *head;
    }
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        const sim_ns ready_ns =
            heads[i] == NULL ? INT64_MAX : naive_ready(entries, count, heads[i], rate);
        if (ready_ns < next_ns) {
            next_ns = ready_ns;
            next = heads[i];
        }
    }
    if (next != NULL) {
        next->at_ns = next_ns;
    }
    return next;
}

/* All of them, in the slow model; the entry behind a written one in its line becomes first. */
static void naive_run(struct naive_entry *entries, uint32_t count, int64_t rate) {
    const struct naive_entry *written;
    uint32_t turn = 0;
    while ((written = naive_next(entries, count, rate)) != NULL) {
        for (uint32_t i = (uint32_t)(written - entries) + 1; i < count; i++) {
            if (entries[i].base == written->base) {
                struct naive_entry *behind = &entries[i];
                behind->first_ns =
                    behind->due_ns > written->at_ns ? behind->due_ns : written->at_ns;
                behind->turn = ++turn;
                break;
            }
        }
    }
}

/* Random writes in bursts, advanced at random times: each entry at the nanosecond that the slow
 * model says, on its partition. */
START_TEST(entries_are_written_when_a_slow_model_says) {
    enum { SOME = 220 };
    static struct naive_entry entries[SOME];
    const uint64_t seed = (uint64_t)_i;
    const int64_t rate = 3;
    bool has_line[BASES] = {false};
    open_index(rate, 50);
    sim_ns now_ns = 0;
    for (uint32_t i = 0; i < SOME; i++) {
        const uint64_t draw = hash_draw(seed, i, 0);
        now_ns += (sim_ns)(hash_draw(seed, i, 1) % (i / 40 % 2 == 0 ? 100000000 : 900000000));
        const uint32_t key = (uint32_t)(draw % (draw >> 32 & 1 ? 2 : KEYS));
        entries[i] = (struct naive_entry){
            .due_ns = now_ns + parameters.gsi_lag,
            .at_ns = -1,
            .base = (uint32_t)(draw >> 8) % BASES,
            .partition = keyspace_partition(&keyspace, &set, key, 0),
            .cost_ncu = ((int64_t)(draw >> 16) % 2 + 1) * NCU_PER_CU,
        };
        /* unless one of its line is in front of it */
        entries[i].first_ns = has_line[entries[i].base] ? INT64_MAX : entries[i].due_ns;
        has_line[entries[i].base] = true;
        index_backlog_advance(&backlog, now_ns);
        index_backlog_owe(&backlog, now_ns, entries[i].base, key, 0, entries[i].cost_ncu);
        index_backlog_audit(&backlog);
    }
    naive_run(entries, SOME, rate);
    const struct index_write *writes;
    uint32_t count = 0;
    index_backlog_advance(&backlog, now_ns + 1000 * SIM_NS_PER_S);
    index_backlog_audit(&backlog);
    for (uint32_t some; (some = index_queue_take(&backlog.queue, &writes)) > 0;) {
        for (uint32_t i = 0; i < some; i++, count++) {
            uint32_t at = 0;
            while (at < SOME && (entries[at].at_ns != writes[i].at_ns ||
                                 entries[at].partition != writes[i].partition ||
                                 entries[at].due_ns != writes[i].owed_ns + parameters.gsi_lag)) {
                at++;
            }
            ck_assert_msg(at < SOME, "seed %" PRIu64 ": no entry at %" PRId64 " ns on %u", seed,
                          writes[i].at_ns, writes[i].partition);
            entries[at].at_ns = -2; /* each once */
        }
    }
    ck_assert_uint_eq(count, SOME);
    ck_assert_int_eq(index_queue_buffered_ncu(&backlog.queue), 0);
}
END_TEST

/* A key whose partition has room, behind one that has not, in the same line and in another. */
START_TEST(an_entry_waits_behind_others_of_its_base_partition_only) {
    uint32_t cool = 0;
    open_index(10, 1000);
    while (keyspace_partition(&keyspace, &set, cool, 0) ==
           keyspace_partition(&keyspace, &set, 0, 0)) {
        cool++;
    }
    for (int i = 0; i < 30; i++) {
        index_backlog_owe(&backlog, 0, 0, 0, 0, NCU_PER_CU);
    }
    index_backlog_owe(&backlog, 0, 0, cool, 0, NCU_PER_CU);
    index_backlog_owe(&backlog, 0, 1, cool, 0, NCU_PER_CU);
    const struct index_write *writes;
    index_backlog_advance(&backlog, SIM_NS_PER_S / 2);
    uint32_t cool_ones = 0;
    for (uint32_t some = index_queue_take(&backlog.queue, &writes), i = 0; i < some; i++) {
        cool_ones += writes[i].key == cool;
    }
    ck_assert_uint_eq(cool_ones, 1);
    index_backlog_advance(&backlog, 3 * SIM_NS_PER_S);
    const uint32_t some = index_queue_take(&backlog.queue, &writes);
    ck_assert_uint_eq(writes[some - 1].key, cool);
    ck_assert_int_eq(writes[some - 1].at_ns, 2 * SIM_NS_PER_S + parameters.gsi_lag);
}
END_TEST

/* Until the first refusal: how many of one unit at once, at what time. */
static uint64_t owe_until_refused(uint32_t base, uint32_t key, sim_ns now_ns,
                                  enum backlog_refusal *reason) {
    for (uint64_t i = 0; true; i++) {
        *reason = index_backlog_refuses(&backlog, now_ns, base, BASES);
        if (*reason != BACKLOG_ADMITS || i == ENTRIES) {
            return i;
        }
        index_backlog_owe(&backlog, now_ns, base, key, 0, NCU_PER_CU);
    }
}

START_TEST(a_debt_is_bounded_and_names_the_provisioned_capacity) {
    enum backlog_refusal reason;
    parameters.gsi_buffer_units = 100;
    open_index(1000, 1);
    /* 500 may be owed; the one that goes beyond is the last that is accepted */
    ck_assert_uint_eq(owe_until_refused(0, 0, 0, &reason), 501);
    index_backlog_advance(&backlog, SIM_NS_PER_S);
    ck_assert_int_eq(index_queue_buffered_ncu(&backlog.queue), 0);
    ck_assert_uint_eq(owe_until_refused(1, 1, SIM_NS_PER_S, &reason), 1); /* one a second */
    ck_assert_int_eq(reason, BACKLOG_DEBT);
    ck_assert_uint_eq(owe_until_refused(1, 1, 11 * SIM_NS_PER_S, &reason), 10);
    ck_assert_int_eq(reason, BACKLOG_DEBT);
    index_backlog_audit(&backlog);
}
END_TEST

START_TEST(a_full_buffer_names_the_hot_partition) {
    enum backlog_refusal reason;
    parameters.gsi_buffer_units = 100;
    open_index(10, 100000);
    (void)owe_until_refused(0, 0, 0, &reason);
    ck_assert_int_eq(reason, BACKLOG_BUFFER);
    /* every base partition, whatever its key; 10 units a second come free */
    ck_assert_uint_eq(index_backlog_refuses(&backlog, 0, 3, BASES), reason);
    ck_assert_uint_eq(index_backlog_refuses(&backlog, 2 * SIM_NS_PER_S, 3, BASES), 0);
    index_backlog_audit(&backlog);
}
END_TEST

START_TEST(by_partition_only_those_are_refused_that_are_owed_too_much) {
    enum backlog_refusal reason;
    parameters.gsi_buffer_units = 100;
    parameters.gsi_block_scope = GSI_BLOCK_PARTITION;
    open_index(10, 100000);
    ck_assert_uint_eq(owe_until_refused(2, 0, 0, &reason), 101);
    ck_assert_int_eq(reason, BACKLOG_BUFFER);
    ck_assert_uint_eq(index_backlog_refuses(&backlog, 0, 3, BASES), 0);
}
END_TEST

START_TEST(without_a_scope_nothing_is_refused) {
    enum backlog_refusal reason;
    parameters.gsi_buffer_units = 100;
    parameters.gsi_block_scope = GSI_BLOCK_NONE;
    open_index(10, 1);
    ck_assert_uint_eq(owe_until_refused(2, 0, 0, &reason), ENTRIES);
}
END_TEST

/* Lines wait for the partitions of an index, all of which are split: what waited goes on to where
 * its keys lie now, and is written twice as fast. */
START_TEST(what_waits_for_a_partition_that_is_split_goes_on_to_the_parts) {
    const struct index_write *writes;
    open_index(10, 1000);
    for (uint32_t i = 0; i < 600; i++) {
        index_backlog_owe(&backlog, 0, i % BASES, i % KEYS, 0, NCU_PER_CU);
    }
    const sim_ns now_ns = SIM_NS_PER_S / 2;
    index_backlog_advance(&backlog, now_ns);
    const int64_t buffered_ncu = index_queue_buffered_ncu(&backlog.queue);
    ck_assert_int_gt(buffered_ncu, 500 * NCU_PER_CU);
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        struct partition_place cut;
        ck_assert(partition_set_middle(&set, i, &cut));
        ck_assert(partition_set_reserve(&set, 1, &err));
        (void)partition_set_split(&set, now_ns, i, &cut, PARTITION_HEAT);
        ck_assert(index_backlog_reroute(&backlog, &arena, now_ns, i, &err));
        index_backlog_audit(&backlog);
    }
    ck_assert_int_eq(index_queue_buffered_ncu(&backlog.queue), buffered_ncu);
    index_backlog_advance(&backlog, 1000 * SIM_NS_PER_S);
    index_backlog_audit(&backlog);
    uint32_t count = 0;
    for (uint32_t some; (some = index_queue_take(&backlog.queue, &writes)) > 0; count += some) {
        for (uint32_t i = 0; i < some; i++) {
            ck_assert((writes[i].at_ns >= now_ns) == (writes[i].partition >= PARTITIONS));
        }
    }
    ck_assert_uint_eq(count, 600);
}
END_TEST

START_TEST(time_that_goes_back_aborts) {
    open_index(10, 1);
    index_backlog_advance(&backlog, 5);
    index_backlog_advance(&backlog, 4);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/index_backlog");
    TCase *tcase = tcase_create("index_backlog");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, entries_are_written_when_a_slow_model_says, 1, 7);
    tcase_add_test(tcase, an_entry_waits_behind_others_of_its_base_partition_only);
    tcase_add_test(tcase, a_debt_is_bounded_and_names_the_provisioned_capacity);
    tcase_add_test(tcase, a_full_buffer_names_the_hot_partition);
    tcase_add_test(tcase, by_partition_only_those_are_refused_that_are_owed_too_much);
    tcase_add_test(tcase, without_a_scope_nothing_is_refused);
    tcase_add_test(tcase, what_waits_for_a_partition_that_is_split_goes_on_to_the_parts);
    tcase_add_test_raise_signal(tcase, time_that_goes_back_aborts, SIGABRT);
    return suite_run(suite);
}
