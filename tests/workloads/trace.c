#include "workloads/trace.h"

#include "tests/suite.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A CSV text in a file of its own, and what is read from it. */
struct opened {
    char path[64];
    struct arena arena;
    struct trace trace;
    struct err err;
    bool good;
};

static const struct trace_spec plain = {
    .has_header = true, .time_unit_ns = SIM_NS_PER_S, .repeat = 1, .position = {"t.yaml", 7, 5}};

static void write_file(struct opened *opened, const char *csv, size_t length) {
    snprintf(opened->path, sizeof opened->path, "/tmp/ddbsim-trace-XXXXXX");
    int descriptor = mkstemp(opened->path);
    ck_assert_int_ge(descriptor, 0);
    for (size_t done = 0; done < length;) {
        ssize_t written = write(descriptor, csv + done, length - done);
        ck_assert_int_gt(written, 0);
        done += (size_t)written;
    }
    close(descriptor);
}

static void read_bytes(struct opened *opened, const struct trace_spec *spec,
                       const char *size_column, const char *csv, size_t length) {
    struct trace_spec own = *spec;
    write_file(opened, csv, length);
    own.file = opened->path;
    arena_init(&opened->arena);
    opened->err = (struct err){.kind = ERR_NONE};
    opened->good = trace_read(&opened->trace, &opened->arena, &own, size_column, &opened->err);
    unlink(opened->path);
}

static void read_text(struct opened *opened, const struct trace_spec *spec, const char *csv) {
    read_bytes(opened, spec, NULL, csv, strlen(csv));
    ck_assert_msg(opened->good, "%s", opened->err.text);
}

static void close_trace(struct opened *opened) {
    arena_fini(&opened->arena);
}

static const char *cell(const struct trace *trace, uint32_t row, uint32_t column) {
    return trace->columns[column].texts[trace->columns[column].numbers[row]];
}

/* The same three rows, written in every way that means them. */
START_TEST(rows_are_read_however_they_are_written) {
    static const char *const texts[] = {
        "id,url\n1,a\n2,b\n1,\n",
        "id,url\r\n1,a\r\n2,b\r\n1,\r\n",
        "id,url\r1,a\r2,b\r1,\r",
        "\xef\xbb\xbfid,url\n1,a\n2,b\n1,",
        "\n\nid,url\n\n1,a\n  \n2,b\n\r\n1,\n\n",
        "\"id\",\"url\"\n\"1\",\"a\"\n\"2\",\"b\"\n\"1\",\"\"\n",
        " id , url \n 1 , a\n2,\tb\n1, \n",
    };
    static const char *const cells[3][2] = {{"1", "a"}, {"2", "b"}, {"1", ""}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct opened opened;
        read_text(&opened, &plain, texts[i]);
        ck_assert_uint_eq(opened.trace.row_count, 3);
        ck_assert_uint_eq(opened.trace.column_count, 2);
        ck_assert_ptr_null(opened.trace.times_ns);
        ck_assert_ptr_null(opened.trace.size_bytes);
        for (uint32_t row = 0; row < 3; row++) {
            for (uint32_t column = 0; column < 2; column++) {
                ck_assert_str_eq(cell(&opened.trace, row, column), cells[row][column]);
            }
        }
        ck_assert_uint_eq(opened.trace.columns[0].n, 2);
        ck_assert_ptr_eq(trace_find(&opened.trace, "url"), &opened.trace.columns[1]);
        ck_assert_ptr_null(trace_find(&opened.trace, "uri"));
        close_trace(&opened);
    }
}
END_TEST

START_TEST(quoted_fields_hold_commas_quotes_and_line_ends) {
    struct opened opened;
    read_text(&opened, &plain,
              "agent,n\n\"Mozilla (KHTML, like)\",1\n\"say \"\"hi\"\"\",2\n"
              "\"two\r\nlines\n\n,\",3\n\" kept \",4\n");
    static const char *const cells[] = {"Mozilla (KHTML, like)", "say \"hi\"", "two\r\nlines\n\n,",
                                        " kept "};
    for (uint32_t row = 0; row < 4; row++) {
        ck_assert_str_eq(cell(&opened.trace, row, 0), cells[row]);
    }
    ck_assert_uint_eq(opened.trace.columns[0].shortest_bytes, 6);
    ck_assert_uint_eq(opened.trace.columns[0].longest_bytes, 21);
    close_trace(&opened);
}
END_TEST

START_TEST(columns_can_be_named_by_the_scenario) {
    static const char *const names[] = {"host", "path"};
    struct trace_spec spec = plain;
    struct opened opened;
    spec.columns = names;
    spec.column_count = 2;
    spec.has_header = false;
    read_text(&opened, &spec, "a,/\nb,/x\n");
    ck_assert_uint_eq(opened.trace.row_count, 2);
    ck_assert_str_eq(opened.trace.columns[1].name, "path");
    ck_assert_str_eq(cell(&opened.trace, 0, 0), "a");
    close_trace(&opened);
    spec.has_header = true; /* names of the scenario's own, and a first line to be skipped */
    read_text(&opened, &spec, "HOST,PATH\nb,/x\n");
    ck_assert_uint_eq(opened.trace.row_count, 1);
    ck_assert_str_eq(opened.trace.columns[0].name, "host");
    close_trace(&opened);
}
END_TEST

START_TEST(times_are_relative_to_the_first_row) {
    struct trace_spec spec = plain;
    struct opened opened;
    spec.time_column = "t";
    read_text(&opened, &spec, "t,k\n1700000000.5,a\n1700000000.5,b\n1700000001.000000001,a\n");
    ck_assert_int_eq(opened.trace.times_ns[0], 0);
    ck_assert_int_eq(opened.trace.times_ns[1], 0);
    ck_assert_int_eq(opened.trace.times_ns[2], 500000001);
    ck_assert_str_eq(cell(&opened.trace, 0, 0), "1700000000.5");
    close_trace(&opened);
    spec.time_unit_ns = 100; /* file times since 1601 */
    read_text(&opened, &spec, "t\n128166372003061629\n128166372003061630\n");
    ck_assert_int_eq(opened.trace.times_ns[1], 100);
    close_trace(&opened);
    read_text(&opened, &spec, "t\n-10\n-5.5\n0\n");
    ck_assert_int_eq(opened.trace.times_ns[1], 450);
    ck_assert_int_eq(opened.trace.times_ns[2], 1000);
    close_trace(&opened);
}
END_TEST

START_TEST(sizes_are_read_in_bytes) {
    static const char csv[] = "k,size\na,1\nb,409600\nc,007\n";
    struct opened opened;
    read_bytes(&opened, &plain, "size", csv, strlen(csv));
    ck_assert_msg(opened.good, "%s", opened.err.text);
    ck_assert_uint_eq(opened.trace.size_bytes[0], 1);
    ck_assert_uint_eq(opened.trace.size_bytes[1], 409600);
    ck_assert_uint_eq(opened.trace.size_bytes[2], 7);
    close_trace(&opened);
}
END_TEST

/* %s: the file's path. */
static const struct {
    const char *csv, *message;
} faults[] = {
    {"", "trace '%s' has no rows"},
    {"\n\n", "trace '%s' has no rows"},
    {"t,size\n", "trace '%s' has no rows"},
    {"time,size\n1,2\n", "t.yaml:7:5: trace '%s' has no column 't' for the time; its columns are "
                         "'time', 'size'"},
    {"t,sizes\n1,2\n",
     "t.yaml:7:5: trace '%s' has no column 'size' for the item size; did you mean "
     "'sizes'?; its columns are 't', 'sizes'"},
    {"t,size,t\n1,2,3\n", "t.yaml:7:5: trace '%s' has two columns named 't', 1 and 3"},
    {"t,size\n1,2\n\n3\n", "%s:4: 1 fields, expected 2 as in the header"},
    {"t,size\n1,2\n3,4,5\n", "%s:3: 3 fields, expected 2 as in the header"},
    {"t,size,a\n1,2,\"x\n\ny\"\n3,4\n", "%s:5: 2 fields, expected 3 as in the header"},
    {"t,size\r\n1,2\r\n3,4,5\r\n", "%s:3: 3 fields, expected 2 as in the header"},
    {"t,size\r1,2\r3,4,5\r", "%s:3: 3 fields, expected 2 as in the header"},
    {"t,size,a\n1,2,\"x\n3,4,y\n", "%s:2: a quote that is not closed"},
    {"t,size,a\n1,2,x\"y\n", "%s:2: a quote inside a field that is not quoted, or text after a "
                             "closing quote (write \"\" for a quote)"},
    {"t,size,a\n1,2,\"x\"y\n", "%s:2: a quote inside a field that is not quoted, or text after a "
                               "closing quote (write \"\" for a quote)"},
    {"t,size\n5,2\n4.9,2\n", "%s:3: time goes back from 5 to 4.9"},
    {"t,size\n5,2\n7,2\n6,2\n", "%s:4: time goes back from 7 to 6"},
    {"t,size\nnoon,2\n", "%s:2: time 'noon' is not a decimal number"},
    {"t,size\n,2\n", "%s:2: time '' is not a decimal number"},
    {"t,size\n0,2\n400000000,2\n", "%s:3: time 400000000 is more than ten years after the first "
                                   "row's"},
    {"t,size\n1,0\n", "%s:2: item size '0' in column 'size' is not a whole number of bytes from 1 "
                      "to 409600"},
    {"t,size\n1,\n", "%s:2: item size '' in column 'size' is not a whole number of bytes from 1 to "
                     "409600"},
    {"t,size\n1,409601\n", "%s:2: item size '409601' in column 'size' is not a whole number of "
                           "bytes from 1 to 409600"},
    {"t,size\n1,99999999999999999999\n", "%s:2: item size '99999999999999999999' in column 'size' "
                                         "is not a whole number of bytes from 1 to 409600"},
    {"t,size\n1,2.5\n",
     "%s:2: item size '2.5' in column 'size' is not a whole number of bytes from "
     "1 to 409600"},
};

START_TEST(a_fault_is_one_sentence_with_its_place) {
    struct trace_spec spec = plain;
    spec.time_column = "t";
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct opened opened;
        read_bytes(&opened, &spec, "size", faults[i].csv, strlen(faults[i].csv));
        ck_assert_msg(!opened.good, "row %zu was read", i);
        ck_assert_int_eq(opened.err.kind, ERR_INPUT);
        const char *at = strstr(faults[i].message, "%s");
        char expected[ERR_TEXT_BYTES];
        snprintf(expected, sizeof expected, "%.*s%s%s", (int)(at - faults[i].message),
                 faults[i].message, opened.path, at + 2);
        ck_assert_str_eq(opened.err.text, expected);
        close_trace(&opened);
    }
}
END_TEST

START_TEST(a_nul_byte_is_refused) {
    static const char csv[] = "a,b\n1,2\n1\0x,2\n";
    struct opened opened;
    read_bytes(&opened, &plain, NULL, csv, sizeof csv - 1);
    ck_assert(!opened.good);
    ck_assert_ptr_nonnull(strstr(opened.err.text, ":3: a NUL byte"));
    close_trace(&opened);
}
END_TEST

START_TEST(names_in_the_scenario_must_be_as_many_as_fields) {
    static const char *const names[] = {"a", "b", "c"}, *const twice[] = {"a", "b", "a"};
    struct trace_spec spec = plain;
    struct opened opened;
    spec.columns = names;
    spec.column_count = 3;
    spec.has_header = false;
    read_bytes(&opened, &spec, NULL, "1,2\n", 4);
    ck_assert_ptr_nonnull(
        strstr(opened.err.text, ":1: 2 fields, expected 3 as the scenario names columns"));
    close_trace(&opened);
    read_bytes(&opened, &spec, NULL, "1,2,3,4\n", 8);
    ck_assert_ptr_nonnull(strstr(opened.err.text, ":1: 4 fields, expected 3 as the"));
    close_trace(&opened);
    spec.columns = twice;
    read_bytes(&opened, &spec, NULL, "1,2,3\n", 6);
    ck_assert_ptr_nonnull(strstr(opened.err.text, "has two columns named 'a', 1 and 3"));
    close_trace(&opened);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_a_failure_of_input_and_output) {
    static const char *const paths[] = {"/nowhere/trace.csv", "/tmp"};
    for (size_t i = 0; i < 2; i++) {
        struct trace_spec spec = plain;
        struct arena arena;
        struct trace trace;
        struct err err = {.kind = ERR_NONE};
        spec.file = paths[i];
        arena_init(&arena);
        ck_assert(!trace_read(&trace, &arena, &spec, NULL, &err));
        ck_assert_int_eq(err.kind, ERR_IO);
        ck_assert_ptr_nonnull(strstr(err.text, paths[i]));
        arena_fini(&arena);
    }
}
END_TEST

static char *repeated(const char *head, const char *part, size_t count, size_t *length) {
    size_t head_length = strlen(head), part_length = strlen(part);
    char *text = malloc(head_length + part_length * count + 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, head, head_length + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + head_length + i * part_length, part, part_length + 1);
    }
    *length = head_length + part_length * count;
    return text;
}

/* Rows, quoted fields and CRLF pairs that straddle the blocks in which the file is read. */
START_TEST(block_borders_do_not_show) {
    for (size_t shift = 0; shift < 8; shift++) {
        size_t length = 0;
        char *csv = repeated(&"xxxxxxx,y\n"[7 - shift], "\"a,\"\"\r\nb\",12\r\n", 20000, &length);
        struct opened opened;
        read_bytes(&opened, &plain, NULL, csv, length);
        ck_assert_msg(opened.good, "%s", opened.err.text);
        ck_assert_uint_eq(opened.trace.row_count, 20000);
        ck_assert_uint_eq(opened.trace.columns[0].n, 1);
        ck_assert_str_eq(cell(&opened.trace, 19999, 0), "a,\"\r\nb");
        ck_assert_uint_eq(opened.trace.columns[1].n, 1);
        close_trace(&opened);
        free(csv);
    }
}
END_TEST

START_TEST(a_fault_far_down_is_on_its_line) {
    size_t length = 0;
    char *csv = repeated("a,b\r\n", "\"x\r\ny\",1\r\n\r\n", 30000, &length);
    csv[length - 5] = ','; /* the last row's 1, 30,000 rows of three lines down */
    struct opened opened;
    read_bytes(&opened, &plain, NULL, csv, length);
    ck_assert(!opened.good);
    ck_assert_ptr_nonnull(strstr(opened.err.text, ":89999: 3 fields, expected 2"));
    close_trace(&opened);
    free(csv);
}
END_TEST

START_TEST(a_field_longer_than_any_item_is_refused) {
    size_t length = 0;
    char *csv = repeated("a\nb\n\"", "word\n", 100000, &length);
    struct opened opened;
    read_bytes(&opened, &plain, NULL, csv, length);
    ck_assert(!opened.good);
    ck_assert_ptr_nonnull(strstr(opened.err.text, ":3: a field of more than 409600 bytes; is a "));
    close_trace(&opened);
    free(csv);
}
END_TEST

START_TEST(too_many_columns_are_refused) {
    size_t length = 0;
    char *csv = repeated("a", ",b", TRACE_COLUMNS_MAX, &length);
    struct opened opened;
    read_bytes(&opened, &plain, NULL, csv, length);
    ck_assert(!opened.good);
    ck_assert_ptr_nonnull(strstr(opened.err.text, ":1: more than 4096 columns"));
    close_trace(&opened);
    free(csv);
}
END_TEST

/* The format of AWS's DynamoDB labs: ten columns, no header, commas in quotes. */
START_TEST(an_access_log_is_read) {
    static const char csv[] =
        "1,192.0.2.1,2026-01-01,20,GMT-0700,GET,/gallery/a.php?x=1&y=%2Fb,302,5,Robot/2.1\n"
        "2,192.0.2.1,2026-01-01,20,GMT-0700,GET,/gallery/b.php,200,8068,"
        "\"Mozilla/5.0 (KHTML, like Gecko)\"\n"
        "3,192.0.2.2,2026-01-01,21,GMT-0700,POST,/,500,0,\"Robot/2.1\"\n";
    static const char *const names[] = {"id",     "host", "date",   "hour",  "timezone",
                                        "method", "url",  "status", "bytes", "agent"};
    struct trace_spec spec = plain;
    struct opened opened;
    spec.columns = names;
    spec.column_count = 10;
    spec.has_header = false;
    read_text(&opened, &spec, csv);
    ck_assert_uint_eq(opened.trace.row_count, 3);
    ck_assert_uint_eq(trace_find(&opened.trace, "id")->n, 3);
    ck_assert_uint_eq(trace_find(&opened.trace, "host")->n, 2);
    ck_assert_str_eq(cell(&opened.trace, 1, 9), "Mozilla/5.0 (KHTML, like Gecko)");
    ck_assert_str_eq(cell(&opened.trace, 2, 9), cell(&opened.trace, 0, 9));
    close_trace(&opened);
}
END_TEST

START_TEST(aborts_without_a_unit_of_time) {
    struct trace_spec spec = plain;
    struct opened opened;
    spec.time_column = "t";
    spec.time_unit_ns = 0;
    read_bytes(&opened, &spec, NULL, "t\n1\n", 4);
}
END_TEST

START_TEST(aborts_without_a_file) {
    struct arena arena;
    struct trace trace;
    struct err err = {.kind = ERR_NONE};
    arena_init(&arena);
    ck_assert(!trace_read(&trace, &arena, &plain, NULL, &err));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/trace");
    TCase *tcase = tcase_create("trace");
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, rows_are_read_however_they_are_written);
    tcase_add_test(tcase, quoted_fields_hold_commas_quotes_and_line_ends);
    tcase_add_test(tcase, columns_can_be_named_by_the_scenario);
    tcase_add_test(tcase, times_are_relative_to_the_first_row);
    tcase_add_test(tcase, sizes_are_read_in_bytes);
    tcase_add_test(tcase, a_fault_is_one_sentence_with_its_place);
    tcase_add_test(tcase, a_nul_byte_is_refused);
    tcase_add_test(tcase, names_in_the_scenario_must_be_as_many_as_fields);
    tcase_add_test(tcase, a_file_that_cannot_be_read_is_a_failure_of_input_and_output);
    tcase_add_test(tcase, block_borders_do_not_show);
    tcase_add_test(tcase, a_fault_far_down_is_on_its_line);
    tcase_add_test(tcase, a_field_longer_than_any_item_is_refused);
    tcase_add_test(tcase, too_many_columns_are_refused);
    tcase_add_test(tcase, an_access_log_is_read);
    tcase_add_test_raise_signal(tcase, aborts_without_a_unit_of_time, SIGABRT);
    tcase_add_test_raise_signal(tcase, aborts_without_a_file, SIGABRT);
    return suite_run(suite);
}
