#include "analysis/store_read.h"

#include "tests/analysis/made_up_database.h"
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char folder[] = "/tmp/ddbsim-read-XXXXXX";
static char path[64];
static struct err err;
static struct store_read *reader;

static void set_up(void) {
    err = (struct err){.kind = ERR_NONE};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.db", folder);
    made_up_database(path);
    reader = store_read_open(path, &err);
    ck_assert_msg(reader != NULL, "%s", err.text);
}

static void tear_down(void) {
    store_read_close(reader);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static const struct store_read_view whole = {.run_id = 1, .to_s = 120, .bin_s = 1, .end_s = 120};

static void reopen(const char *change) {
    reader = made_up_reopen(reader, path, change, &err);
}

START_TEST(takes_the_first_run_or_the_one_that_is_named) {
    struct store_read_run run;
    ck_assert(store_read_run(reader, NULL, &run, &err));
    ck_assert_int_eq(run.run_id, 1);
    ck_assert_str_eq(run.scenario, "it's `x`");
    ck_assert_int_eq(run.run_count, 2);
    ck_assert(store_read_run(reader, &(int64_t){2}, &run, &err));
    ck_assert_str_eq(run.scenario, "calm");
    ck_assert_double_eq(run.duration_s, 10);
    ck_assert(!store_read_run(reader, &(int64_t){3}, &run, &err));
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "has no run 3; its 2 runs are from 1 to 2"));
}
END_TEST

START_TEST(sums_up_each_resource_and_ends_after_its_last_second) {
    struct store_read_run run;
    struct store_read_resource *rows;
    size_t count;
    ck_assert(store_read_run(reader, NULL, &run, &err));
    ck_assert(store_read_resources(reader, &run, &rows, &count, &err));
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(rows[0].table_name, "orders");
    ck_assert_ptr_null(rows[0].index_name);
    ck_assert_double_eq(rows[0].throttle_events, 30 * 7 + 3);
    ck_assert_double_eq(rows[0].consumed[STORE_READ_READS], 1200);
    ck_assert_double_eq(rows[0].consumed[STORE_READ_WRITES], 120 * 100 + 119 * 120 / 2);
    ck_assert_int_eq(rows[0].end_s, 120);
    ck_assert_str_eq(rows[1].index_name, "by-day");
    ck_assert_double_eq(rows[1].throttle_events, 0);
}
END_TEST

START_TEST(a_parameter_that_is_missing_or_no_number_has_its_fallback) {
    double value;
    ck_assert(store_read_parameter(reader, 1, "part_max_w", 1000, &value, &err));
    ck_assert_double_eq(value, 500);
    ck_assert(store_read_parameter(reader, 1, "part_max_r", 3000, &value, &err));
    ck_assert_double_eq(value, 3000);
    ck_assert(store_read_parameter(reader, 1, "routers", 8, &value, &err));
    ck_assert_double_eq(value, 8);
}
END_TEST

/* Whatever the bins, their sums are the sums of the seconds, and their maxima those of their
 * seconds. */
START_TEST(settings_say_which_of_them_somebody_has_given) {
    static const struct store_read_setting expected[] = {
        {"model.era", "gac", false}, {"part_max_w", "500", true}, {"routers", "many", true}};
    struct store_read_setting *rows;
    size_t count;
    ck_assert(store_read_settings(reader, 1, &rows, &count, &err));
    ck_assert_uint_eq(count, 3);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(rows[i].name, expected[i].name);
        ck_assert_str_eq(rows[i].value, expected[i].value);
        ck_assert_int_eq(rows[i].is_given, expected[i].is_given);
    }
    ck_assert(store_read_settings(reader, 7, &rows, &count, &err));
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(bins_of_any_width_keep_sums_and_maxima) {
    static const int64_t widths[] = {1, 2, 7, 60, 119, 120, 500};
    int64_t bin_s = widths[_i];
    struct store_read_view view = whole;
    view.bin_s = bin_s;
    struct store_read_bin *bins;
    ck_assert(store_read_bins(reader, &view, &bins, &err));
    size_t count = store_read_bin_count(&view);
    ck_assert_uint_eq(count, (size_t)((120 + bin_s - 1) / bin_s));
    double consumed = 0, throttled = 0;
    for (size_t i = 0; i < count; i++) {
        const struct store_read_side_bin *writes = &bins[i].sides[STORE_READ_WRITES];
        int64_t last = (int64_t)(i + 1) * bin_s - 1;
        last = last < 119 ? last : 119;
        ck_assert_double_eq(writes->consumed_units_max, 100.0 + (double)last);
        ck_assert_double_eq(writes->burst_units_min, 300.0 - (double)last);
        ck_assert_double_eq(writes->provisioned_per_s, 200);
        ck_assert_double_eq(bins[i].sides[STORE_READ_READS].throttled, 0);
        consumed += writes->consumed_units;
        throttled += writes->throttled;
    }
    ck_assert_double_eq(consumed, 120 * 100 + 119 * 120 / 2);
    ck_assert_double_eq(throttled, 210);
}
END_TEST

START_TEST(a_bin_without_rows_is_zero_and_not_provisioned) {
    const struct store_read_view view = {.run_id = 2, .to_s = 10, .bin_s = 1, .end_s = 10};
    struct store_read_bin *bins;
    ck_assert(store_read_bins(reader, &view, &bins, &err));
    ck_assert_double_eq(bins[3].sides[STORE_READ_READS].consumed_units, 1);
    ck_assert_double_eq(bins[3].sides[STORE_READ_READS].burst_units_min, -1);
    ck_assert_double_eq(bins[4].sides[STORE_READ_READS].consumed_units, 0);
    ck_assert_double_eq(bins[4].sides[STORE_READ_READS].provisioned_per_s, -1);
}
END_TEST

/* An index in debt, and one that only has entries waiting; what it refused is seen on both. */
START_TEST(what_an_index_is_behind_by_and_refuses_is_in_its_bins_and_its_tables) {
    reopen("INSERT INTO seconds VALUES (1, 1, 5, 0.0, 9.0, 50, 1, 10.0, -70.0, 1, 30.0),"
           " (1, 1, 6, 0.0, 9.0, 50, 1, 10.0, 20.0, 1, 40.0);"
           "INSERT INTO throttles VALUES"
           " (1, 1, 5, 'IndexWriteProvisionedThroughputExceeded', 11),"
           " (1, 1, 6, 'IndexReadProvisionedThroughputExceeded', 4)");
    struct store_read_view view = whole;
    struct store_read_bin *bins;
    ck_assert(store_read_bins(reader, &view, &bins, &err));
    ck_assert_double_eq(bins[5].sides[STORE_READ_WRITES].throttled, 11);
    ck_assert_double_eq(bins[6].sides[STORE_READ_WRITES].throttled, 0);
    ck_assert_double_eq(bins[5].sides[STORE_READ_WRITES].behind_units_max, -1);
    view.resource_id = 1;
    ck_assert(store_read_bins(reader, &view, &bins, &err));
    ck_assert_double_eq(bins[5].sides[STORE_READ_WRITES].throttled, 11);
    ck_assert_double_eq(bins[5].sides[STORE_READ_WRITES].behind_units_max, 100);
    ck_assert_double_eq(bins[5].sides[STORE_READ_WRITES].burst_units_min, 0);
    ck_assert_double_eq(bins[6].sides[STORE_READ_WRITES].behind_units_max, 40);
    ck_assert_double_eq(bins[6].sides[STORE_READ_WRITES].burst_units_min, 20);
    ck_assert_double_eq(bins[5].sides[STORE_READ_READS].behind_units_max, -1);
}
END_TEST

START_TEST(attempts_and_reasons_are_those_of_the_view) {
    struct store_read_view view = whole;
    double attempts;
    struct store_read_reason *rows;
    size_t count;
    ck_assert(store_read_attempts(reader, &view, &attempts, &err));
    ck_assert_double_eq(attempts, 2400);
    ck_assert(store_read_reasons(reader, &view, &rows, &count, &err));
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(rows[0].name, "TableWriteKeyRangeThroughputExceeded");
    ck_assert_double_eq(rows[0].events, 210);
    ck_assert_int_eq(rows[0].first_s, 60);
    double events[12] = {0};
    view.bin_s = 10;
    ck_assert(store_read_reason_bins(reader, &view, rows[1].name, events, &err));
    ck_assert_double_eq(events[7], 3);
    ck_assert_double_eq(events[6], 0);
    view.from_s = 100;
    ck_assert(store_read_attempts(reader, &view, &attempts, &err));
    ck_assert_double_eq(attempts, 400);
    ck_assert(store_read_reasons(reader, &view, &rows, &count, &err));
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(the_most_throttled_key_has_a_place_among_the_hottest) {
    struct store_read_key *rows, total;
    size_t count, total_count;
    ck_assert(store_read_keys(reader, &whole, 3, &rows, &count, &total, &total_count, &err));
    ck_assert_uint_eq(count, 3);
    ck_assert_str_eq(rows[0].name, "a");
    ck_assert_str_eq(rows[1].name, "b");
    ck_assert_str_eq(rows[2].name, "victim");
    ck_assert_uint_eq(total_count, 5);
    ck_assert_double_eq(total.consumed[STORE_READ_WRITES], 301);
    ck_assert_double_eq(total.throttled[STORE_READ_WRITES], 210);
    ck_assert(store_read_keys(reader, &whole, 15, &rows, &count, &total, &total_count, &err));
    ck_assert_uint_eq(count, 5);
}
END_TEST

START_TEST(partitions_come_in_the_order_of_the_ring_and_broken_ones_not_at_all) {
    struct store_read_partition *rows;
    size_t count;
    ck_assert(store_read_partitions(reader, &whole, &rows, &count, &err));
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(rows[0].partition_id, 0);
    ck_assert_uint_eq(rows[1].hash_lo, UINT64_C(1) << 63);
    ck_assert_uint_eq(rows[1].hash_hi, UINT64_MAX);
    ck_assert_double_eq(rows[1].peak[STORE_READ_WRITES], 219);
    ck_assert_double_eq(rows[1].throttled[STORE_READ_WRITES], 210);
    ck_assert_double_eq(rows[0].consumed[STORE_READ_READS], 1200);
    ck_assert_double_eq(rows[1].closed_s, -1);
}
END_TEST

START_TEST(the_ring_holds_rates_and_leaves_out_slices_that_do_not_exist) {
    struct store_read_ring ring;
    ck_assert(store_read_ring(reader, &whole, STORE_READ_WRITES, &ring, &err));
    ck_assert_int_eq(ring.span_s, 2);
    ck_assert_uint_eq(ring.span_count, 60);
    double sum = 0, throttled = 0;
    for (size_t i = 0; i < ring.span_count * STORE_READ_SLICES; i++) {
        sum += ring.units_per_s[i] * 2;
        throttled += ring.throttled[i];
    }
    ck_assert_double_eq(sum, 120 * 100 + 119 * 120 / 2);
    ck_assert_double_eq(throttled, 210);
    ck_assert_double_eq(ring.units_per_s[200 * 60 + 1], 102.5);
}
END_TEST

START_TEST(a_ring_with_too_many_spans_is_folded_without_loss) {
    struct store_read_view view = whole;
    view.to_s = view.end_s = 5000;
    struct store_read_ring ring;
    ck_assert(store_read_ring(reader, &view, STORE_READ_WRITES, &ring, &err));
    ck_assert_uint_le(ring.span_count, STORE_READ_SPANS_MAX);
    double throttled = 0;
    for (size_t i = 0; i < ring.span_count * STORE_READ_SLICES; i++) {
        throttled += ring.throttled[i];
    }
    ck_assert_double_eq(throttled, 210);
}
END_TEST

static const struct {
    const char *content, *says;
} foreign_files[] = {
    {NULL, "No such file or directory"},
    {"", "is not a results database"},
    {"SQLite format 3", "is not a results database"},
    {"This is a text that is longer than the header of a database, which has one hundred bytes,"
     " so that SQLite looks at it.",
     "is not a results database"},
};

START_TEST(a_file_that_is_no_results_database_is_named_as_such) {
    char other[80];
    snprintf(other, sizeof other, "%s/other", folder);
    if (foreign_files[_i].content != NULL) {
        FILE *file = fopen(other, "w");
        ck_assert_ptr_nonnull(file);
        fputs(foreign_files[_i].content, file);
        fclose(file);
    }
    ck_assert_ptr_null(store_read_open(other, &err));
    ck_assert_int_eq(err.kind, ERR_IO);
    ck_assert_msg(strstr(err.text, foreign_files[_i].says) != NULL, "%s", err.text);
    unlink(other);
    err.kind = ERR_NONE;
    ck_assert_ptr_null(store_read_open(folder, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "is no file"));
}
END_TEST

START_TEST(another_schema_version_is_refused) {
    reopen("PRAGMA user_version = 99");
    ck_assert_ptr_null(reader);
    ck_assert_ptr_nonnull(strstr(err.text, "has schema version 99"));
}
END_TEST

START_TEST(a_missing_table_is_an_error_and_not_an_empty_answer) {
    reopen("DROP TABLE ring_seconds");
    struct store_read_ring ring;
    ck_assert(!store_read_ring(reader, &whole, STORE_READ_WRITES, &ring, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "no such table: ring_seconds"));
}
END_TEST

START_TEST(a_database_of_something_else_is_named_as_such) {
    reopen("DROP TABLE runs");
    ck_assert_ptr_null(reader);
    ck_assert_ptr_nonnull(strstr(err.text, "not one that ddbsim has written"));
}
END_TEST

static void write_bytes(const unsigned char *bytes, size_t count) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

/* Bytes all over the file changed in turn: an error or an answer, never a crash or a hang. */
START_TEST(a_damaged_file_never_crashes) {
    store_read_close(reader);
    const size_t room = (size_t)1 << 20;
    unsigned char *bytes = malloc(room);
    FILE *file = fopen(path, "r");
    ck_assert(bytes != NULL && file != NULL);
    size_t count = fread(bytes, 1, room, file);
    fclose(file);
    ck_assert_uint_lt(count, room);
    for (size_t at = 16; at + 3 < count; at += at < 4096 ? 31 : 499) {
        unsigned char before[3];
        memcpy(before, bytes + at, 3);
        memset(bytes + at, 0xff, 3);
        write_bytes(bytes, count);
        memcpy(bytes + at, before, 3);
        err.kind = ERR_NONE;
        reader = store_read_open(path, &err);
        struct store_read_bin *bins;
        struct store_read_partition *rows;
        struct store_read_setting *settings;
        size_t row_count, setting_count;
        bool whole_rows = reader != NULL && store_read_bins(reader, &whole, &bins, &err) &&
                          store_read_partitions(reader, &whole, &rows, &row_count, &err) &&
                          store_read_settings(reader, 1, &settings, &setting_count, &err);
        ck_assert(whole_rows || err.kind == ERR_IO);
        store_read_close(reader);
    }
    reader = NULL;
    free(bytes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/store_read");
    TCase *tests = tcase_create("store_read");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, takes_the_first_run_or_the_one_that_is_named);
    tcase_add_test(tests, sums_up_each_resource_and_ends_after_its_last_second);
    tcase_add_test(tests, a_parameter_that_is_missing_or_no_number_has_its_fallback);
    tcase_add_test(tests, settings_say_which_of_them_somebody_has_given);
    tcase_add_loop_test(tests, bins_of_any_width_keep_sums_and_maxima, 0, 7);
    tcase_add_test(tests, a_bin_without_rows_is_zero_and_not_provisioned);
    tcase_add_test(tests, what_an_index_is_behind_by_and_refuses_is_in_its_bins_and_its_tables);
    tcase_add_test(tests, attempts_and_reasons_are_those_of_the_view);
    tcase_add_test(tests, the_most_throttled_key_has_a_place_among_the_hottest);
    tcase_add_test(tests, partitions_come_in_the_order_of_the_ring_and_broken_ones_not_at_all);
    tcase_add_test(tests, the_ring_holds_rates_and_leaves_out_slices_that_do_not_exist);
    tcase_add_test(tests, a_ring_with_too_many_spans_is_folded_without_loss);
    tcase_add_loop_test(tests, a_file_that_is_no_results_database_is_named_as_such, 0, 4);
    tcase_add_test(tests, another_schema_version_is_refused);
    tcase_add_test(tests, a_missing_table_is_an_error_and_not_an_empty_answer);
    tcase_add_test(tests, a_database_of_something_else_is_named_as_such);
    tcase_add_test(tests, a_damaged_file_never_crashes);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
