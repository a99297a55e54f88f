#include "models/partition.h"

#include "sim/hash.h"
#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdlib.h>

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

static struct partition_set set_of(uint32_t count) {
    struct partition_set set;
    ck_assert(partition_set_init(&set, &arena, count, &parameters, &err));
    return set;
}

#define GB (INT64_C(1) << 30)

START_TEST(a_new_table_has_the_published_number_of_partitions) {
    static const struct {
        int64_t rcu, wcu, bytes, given, by_max, by_sum;
    } cases[] = {
        {1, 1500, SPEC_UNKNOWN, 0, 2, 2},     /* DDBHotKey */
        {12000, 4000, SPEC_UNKNOWN, 0, 4, 8}, /* a new on-demand table's capacity */
        {5, 5, SPEC_UNKNOWN, 0, 1, 1},
        {1, 1, 0, 0, 1, 1},
        {3000, 1000, SPEC_UNKNOWN, 0, 1, 2},
        {3001, 1, SPEC_UNKNOWN, 0, 2, 2},
        {1, 1001, SPEC_UNKNOWN, 0, 2, 2},
        {1500, 500, SPEC_UNKNOWN, 0, 1, 1},
        {1501, 500, SPEC_UNKNOWN, 0, 1, 2},
        {1, 3200, SPEC_UNKNOWN, 0, 4, 4}, /* ATC 2022 */
        {1, 50000, SPEC_UNKNOWN, 0, 50, 51},
        {1, 1, 10 * GB, 0, 1, 1},
        {1, 1, 10 * GB + 1, 0, 2, 2},
        {1, 1, 95 * GB, 0, 10, 10},
        {12000, 4000, 100 * GB, 0, 10, 10},
        {12000, 4000, 10 * GB, 2, 2, 2},
        {1000000, 1000000, SPEC_UNKNOWN, 0, 1000, 1334},
        {1, 1, INT64_MAX, 0, 858993460, 858993460}, /* the caller bounds it */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct table_spec table = {
            .read_capacity_units = cases[i].rcu,
            .write_capacity_units = cases[i].wcu,
            .table_size_bytes = cases[i].bytes,
            .initial_partitions = cases[i].given,
        };
        parameters.partition_formula = PARTITION_FORMULA_MAX;
        ck_assert_int_eq(partition_count_initial(&table, &parameters), cases[i].by_max);
        parameters.partition_formula = PARTITION_FORMULA_SUM;
        ck_assert_int_eq(partition_count_initial(&table, &parameters), cases[i].by_sum);
    }
}
END_TEST

START_TEST(ranges_tile_the_ring_evenly) {
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 64, 1000, 65535, TABLE_PARTITIONS_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        const uint32_t n = counts[c];
        struct partition_set set = set_of(n);
        partition_set_audit(&set, 0);
        const uint64_t even = UINT64_MAX / n;
        for (uint32_t i = 0; i < n; i++) {
            const struct partition *partition = &set.partitions[i];
            const uint64_t width = partition->hash_hi - partition->hash_lo; /* one less */
            ck_assert_uint_eq(partition->partition_id, i);
            ck_assert_uint_ge(width, even - 1);
            ck_assert_uint_le(width, even);
        }
    }
}
END_TEST

/* With equal ranges the holder is floor(position * n / 2^64). */
START_TEST(find_agrees_with_the_formula_at_borders_and_at_random) {
    for (uint32_t n = 1; n <= 300; n++) {
        const struct partition_set set = set_of(n);
        for (uint32_t i = 0; i < n; i++) {
            ck_assert_uint_eq(partition_set_find(&set, set.partitions[i].hash_lo), i);
            ck_assert_uint_eq(partition_set_find(&set, set.partitions[i].hash_hi), i);
        }
        for (uint64_t i = 0; i < 200; i++) {
            const uint64_t position = hash_draw(n, i, 1);
            const struct partition *found = &set.partitions[partition_set_find(&set, position)];
            ck_assert(position >= found->hash_lo && position <= found->hash_hi);
        }
    }
}
END_TEST

START_TEST(a_partition_starts_with_full_buckets_of_its_own_caps) {
    parameters.part_bucket_depth = 2 * SIM_NS_PER_S;
    const struct partition_set set = set_of(2);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(set.partitions[i].read.rate_cu_per_s, 3000);
        ck_assert_int_eq(set.partitions[i].read.level_ncu, 6000 * SIM_NS_PER_S);
        ck_assert_int_eq(set.partitions[i].write.rate_cu_per_s, 1000);
        ck_assert_int_eq(set.partitions[i].write.level_ncu, 2000 * SIM_NS_PER_S);
        ck_assert_int_eq(set.partitions[i].write.cap_ncu, 2000 * SIM_NS_PER_S);
    }
}
END_TEST

START_TEST(aborts_on_no_partition) {
    set_of(0);
}
END_TEST

START_TEST(aborts_on_too_many_partitions) {
    set_of(TABLE_PARTITIONS_MAX + 1);
}
END_TEST

START_TEST(aborts_when_the_audit_finds_a_gap) {
    struct partition_set set = set_of(4);
    set.partitions[2].hash_lo += 1;
    partition_set_audit(&set, 0);
}
END_TEST

START_TEST(aborts_when_the_audit_finds_an_open_end) {
    struct partition_set set = set_of(4);
    set.partitions[3].hash_hi -= 1;
    partition_set_audit(&set, 0);
}
END_TEST

START_TEST(aborts_when_the_audit_finds_a_wrong_bucket) {
    struct partition_set set = set_of(4);
    set.partitions[1].write.level_ncu -= 1;
    partition_set_audit(&set, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("models/partition");
    TCase *tcase = tcase_create("partition");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_new_table_has_the_published_number_of_partitions);
    tcase_add_test(tcase, ranges_tile_the_ring_evenly);
    tcase_add_test(tcase, find_agrees_with_the_formula_at_borders_and_at_random);
    tcase_add_test(tcase, a_partition_starts_with_full_buckets_of_its_own_caps);
    tcase_add_test_raise_signal(tcase, aborts_on_no_partition, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_on_too_many_partitions, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_a_gap, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_an_open_end, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_when_the_audit_finds_a_wrong_bucket, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
