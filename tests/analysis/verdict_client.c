#include "analysis/verdict_client.h"

#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Totals of a run and what each row of the client says of them; NULL: nothing. */
struct client_row {
    const char *row;
    struct workload_bin total;
    uint64_t in_flight;
    const char *said, *not_said;
};

static const struct client_row rows[] = {
    {"gave-up",
     {.offered = 1000, .attempts = 1000, .gave_up = 100},
     0,
     "failed: the client gave up 100 of 1,000 operations (10 %), it does not retry",
     "quota"},
    {"gave-up",
     {.offered = 1000, .attempts = 1900, .retries = 900, .gave_up = 100, .quota_stops = 70},
     0,
     "after retrying; 900 of 1,900 attempts were retries; 70 times its retry quota was spent, so "
     "it "
     "gave up before the 4 attempts that it is allowed",
     "does not retry"},
    {"gave-up", {.offered = 10, .attempts = 10}, 0, NULL, NULL},
    {"errors",
     {.attempts = 1000, .errored = 30, .timed_out = 20, .lost_replies = 25},
     0,
     "errors: 30 of 1,000 attempts never reached DynamoDB, 20 were not waited for; 25 had been "
     "carried out although the client did not hear of it, so a retry consumed their capacity again",
     NULL},
    {"errors",
     {.attempts = 1000, .errored = 30},
     0,
     "DynamoDB, 0 were not waited for",
     "carried out"},
    {"errors", {.attempts = 1000, .throttled = 30}, 0, NULL, NULL},
    {"leader-lost", {.attempts = 1000, .errored = 30}, 0, NULL, NULL},
    {"in-flight", {.attempts = 10, .throttled = 5, .retries = 5}, 7, "7 operations", "client"},
    {"in-flight", {.attempts = 10, .errored = 5, .retries = 5}, 7, "waiting for a retry at", NULL},
    {"in-flight",
     {.attempts = 10, .queued = 5},
     7,
     "for a retry or in the client at the end",
     NULL},
    {"in-flight", {.attempts = 10}, 7, NULL, NULL},
    {"connections",
     {.attempts = 1000, .queued = 400, .queued_ns = 400 * UINT64_C(25000000)},
     0,
     "client-limited: 400 of 1,000 attempts waited in the client for one of its connections (50 in "
     "each of 16 client objects), 25 ms on average; no limit of DynamoDB refused anything",
     "limits above"},
    {"connections",
     {.attempts = 1000, .throttled = 1, .queued = 400},
     0,
     "would meet the limits above sooner",
     "refused anything"},
    {"connections", {.attempts = 1000, .held_back = 300}, 0, NULL, NULL},
    {"connections", {.attempts = 1000, .queued = 9}, 0, NULL, NULL},
    {"connections", {.attempts = 1000, .queued = 10}, 0, "10 of 1,000", NULL},
    {"held-back",
     {.attempts = 1000, .held_back = 500, .held_back_ns = 500 * UINT64_C(4000000)},
     0,
     "delayed 500 of 1,000 attempts, 4 ms on average",
     NULL},
    {"held-back", {.attempts = 1000, .queued = 300}, 0, NULL, NULL},
};

START_TEST(says_of_the_client_what_the_totals_call_for) {
    const struct client_row *row = &rows[_i];
    const struct summary summary = {
        .total = row->total,
        .in_flight = row->in_flight,
        .client_objects = 16,
        .connections = 50,
        .attempts_max = row->total.retries == 0 ? 1 : 4,
    };
    char text[SUMMARY_VERDICT_BYTES];
    struct phrase phrase;
    size_t count, at = 0;
    const struct verdict_run_row *all = verdict_client_rows(&count);
    while (at < count && strcmp(all[at].name, row->row) != 0) {
        at++;
    }
    ck_assert_uint_lt(at, count);
    ck_assert(all[at].applies(&summary) == (row->said != NULL));
    if (row->said == NULL) {
        return;
    }
    phrase_init(&phrase, text, sizeof text);
    all[at].say(&summary, &phrase);
    ck_assert_msg(strstr(text, row->said) != NULL, "no '%s' in: %s", row->said, text);
    ck_assert_msg(row->not_said == NULL || strstr(text, row->not_said) == NULL, "'%s' in: %s",
                  row->not_said, text);
}
END_TEST

/* A client that may retry and has not: all that failed were transactions. */
START_TEST(transactions_are_not_sent_again_by_a_client_that_retries) {
    const struct summary summary = {
        .total = {.offered = 1000, .attempts = 1000, .throttled = 100, .gave_up = 100},
        .attempts_max = 10,
    };
    char text[SUMMARY_VERDICT_BYTES];
    struct phrase phrase;
    size_t count;
    phrase_init(&phrase, text, sizeof text);
    verdict_client_rows(&count)[0].say(&summary, &phrase);
    ck_assert_str_eq(text, "failed: the client gave up 100 of 1,000 operations (10 %), none of "
                           "which was sent again: SDKs do not retry a cancelled transaction");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("analysis/verdict_client");
    TCase *tcase = tcase_create("client");
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(tcase, says_of_the_client_what_the_totals_call_for, 0,
                        (int)(sizeof rows / sizeof *rows));
    tcase_add_test(tcase, transactions_are_not_sent_again_by_a_client_that_retries);
    return suite_run(suite);
}
