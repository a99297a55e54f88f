/* What is said of partitions that were split, or could not be. */
#include "analysis/verdict_splits.h"

#include "tests/suite.h"

#include <check.h>
#include <string.h>

static const struct {
    struct summary_splits splits;
    uint32_t before, after;
    const char *index, *said;
} rows[] = {
    {{.completed = 1, .for_heat = 1, .first_s = 615, .last_s = 615},
     4,
     5,
     NULL,
     "splits: table t: 1 partition was split, all for heat, at 10 min 15 s, from 4 to 5 open"},
    {{.completed = 5, .for_heat = 3, .for_size = 2, .first_s = 60, .last_s = 7200},
     4,
     9,
     "ByStatus",
     "splits: index ByStatus of table t: 5 partitions were split, 3 for heat, 2 for size, at 60 s "
     "to 2 h, from 4 to 9 open"},
    {{.in_flight = 1, .next_s = 90}, 4, 4, NULL, "splits: table t: next split at 90 s"},
    {{.refusal = SPLIT_SINGLE_ITEM, .refused_partition = 3, .refused_s = 360},
     4,
     4,
     NULL,
     "splits: table t: partition 3 cannot be split (6 min): a single item takes the traffic, and "
     "one item never gets more than a partition gives: spread it over several items, or cache it"},
    {{.refusal = SPLIT_SEQUENTIAL, .refused_partition = 0, .refused_s = 360},
     4,
     4,
     NULL,
     "splits: table t: partition 0 cannot be split (6 min): ascending or descending sort key: all "
     "traffic goes to one end, so no cut would part it; spread it over several partition keys"},
    {{.completed = 1,
      .for_size = 1,
      .first_s = 60,
      .in_flight = 1,
      .next_s = 120,
      .refusal = SPLIT_LOCAL_INDEX,
      .refused_s = 90},
     1,
     2,
     NULL,
     "splits: table t: 1 partition was split, all for size, at 60 s, from 1 to 2 open; next split "
     "at 2 min; partition 0 cannot be split (90 s): the table has a local secondary index, so a "
     "partition key's items stay together: spread them over several partition keys"},
};

static void say(struct summary_resource *resources, uint32_t count, char text[1024]) {
    const struct summary summary = {.resources = resources, .resource_count = count};
    struct phrase phrase;
    phrase_init(&phrase, text, 1024);
    ck_assert(verdict_has_splits(&summary));
    verdict_say_splits(&summary, &phrase);
}

START_TEST(says_mechanism_time_and_cure) {
    struct summary_resource resource = {.table_name = "t",
                                        .index_name = rows[_i].index,
                                        .splits = rows[_i].splits,
                                        .partitions_start = rows[_i].before,
                                        .partitions_end = rows[_i].after};
    char text[1024];
    say(&resource, 1, text);
    ck_assert_str_eq(text, rows[_i].said);
}
END_TEST

START_TEST(tables_without_splits_are_not_named) {
    struct summary_resource resources[3] = {
        {.table_name = "a", .splits = {.in_flight = 1, .next_s = 30}},
        {.table_name = "calm"},
        {.table_name = "b", .splits = {.in_flight = 1, .next_s = 40}}};
    const struct summary calm = {.resources = &resources[1], .resource_count = 1};
    char text[1024];
    ck_assert(!verdict_has_splits(&calm));
    say(resources, 3, text);
    ck_assert_str_eq(text, "splits: table a: next split at 30 s; table b: next split at 40 s");
}
END_TEST

START_TEST(a_full_item_collection_is_named_with_its_bound_and_cure) {
    struct summary_resource resource = {.table_name = "t",
                                        .rejections = 1234,
                                        .rejected_s = 60,
                                        .collection_max_bytes = INT64_C(10) << 30};
    const struct summary summary = {.resources = &resource, .resource_count = 1};
    char text[1024];
    struct phrase phrase;
    phrase_init(&phrase, text, sizeof text);
    ck_assert(verdict_has_rejections(&summary));
    ck_assert(!verdict_has_splits(&summary));
    verdict_say_rejections(&summary, &phrase);
    ck_assert_str_eq(text,
                     "rejected: 1,234 writes to table t, ItemCollectionSizeLimitExceededException, "
                     "since 60 s: the table has a local secondary index, so the items of a "
                     "partition key, with their index entries, stay below 10 GB; spread them over "
                     "several partition keys, or use a global index");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/verdict_splits");
    TCase *tcase = tcase_create("splits");
    tcase_add_loop_test(tcase, says_mechanism_time_and_cure, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tcase, tables_without_splits_are_not_named);
    tcase_add_test(tcase, a_full_item_collection_is_named_with_its_bound_and_cure);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
