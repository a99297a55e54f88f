#include "tests/workloads/scenario_fixture.h"

#include "tests/suite.h"

#include <stdio.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))
#define MS SIM_NS_PER_MS
#define S SIM_NS_PER_S

/* The client of the fixture whose `retry: none` is replaced. */
static struct client_spec read_client(const char *lines) {
    char *text = fixture_edit("  retry: none\n", lines);
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, text, NULL, &err), "%s: %s", lines, err.text);
    const struct client_spec client = scenario.client;
    scenario_fini(&scenario);
    free(text);
    return client;
}

static struct retry_policy read_retry(const char *retry) {
    char line[512];
    (void)snprintf(line, sizeof line, "  retry: %s\n", retry);
    return read_client(line).retry;
}

static void check_same(const struct retry_policy *a, const struct retry_policy *b) {
    ck_assert_int_eq(a->profile, b->profile);
    ck_assert_int_eq(a->jitter, b->jitter);
    ck_assert_uint_eq(a->attempts_max, b->attempts_max);
    ck_assert(a->is_first_retry_at_once == b->is_first_retry_at_once);
    ck_assert(a->is_adaptive == b->is_adaptive);
    ck_assert_int_eq(a->base_ns, b->base_ns);
    ck_assert_int_eq(a->throttle_base_ns, b->throttle_base_ns);
    ck_assert_int_eq(a->cap_ns, b->cap_ns);
    ck_assert_double_eq(a->multiplier, b->multiplier);
    ck_assert_uint_eq(a->quota_capacity, b->quota_capacity);
    ck_assert_int_eq(memcmp(a->quota_costs, b->quota_costs, sizeof a->quota_costs), 0);
}

START_TEST(reads_every_profile_by_its_name) {
    for (int i = 0; i < RETRY_PROFILE_COUNT; i++) {
        if (i == RETRY_CUSTOM) {
            continue;
        }
        char mapping[64];
        const char *name = retry_policy_profile_name((enum retry_profile)i);
        (void)snprintf(mapping, sizeof mapping, "{profile: %s}", name);
        const struct retry_policy expected = retry_policy_of((enum retry_profile)i);
        const struct retry_policy by_name = read_retry(name), by_mapping = read_retry(mapping);
        check_same(&by_name, &expected);
        check_same(&by_mapping, &expected);
    }
}
END_TEST

START_TEST(a_mapping_changes_what_it_names_and_nothing_else) {
    struct retry_policy expected = retry_policy_of(RETRY_AWS_SDK_2026);
    expected.attempts_max = 10;
    struct retry_policy read = read_retry("{profile: aws-sdk-2026, attempts: 10}");
    check_same(&read, &expected);
    expected.quota_costs[RETRY_AFTER_TIMEOUT] = 20;
    read = read_retry("{profile: aws-sdk-2026, attempts: 10, quota: {timeout: 20}}");
    check_same(&read, &expected);
    expected.quota_capacity = 0;
    expected.quota_costs[RETRY_AFTER_TIMEOUT] = 14;
    read = read_retry("{profile: aws-sdk-2026, attempts: 10, quota: none}");
    check_same(&read, &expected);
    expected = retry_policy_of(RETRY_AWS_SDK_JS_LEGACY);
    expected.is_first_retry_at_once = false;
    expected.base_ns = expected.throttle_base_ns = 10 * MS;
    expected.jitter = RETRY_JITTER_FULL;
    read = read_retry("{profile: aws-sdk-js-legacy, base: 10ms, jitter: full}");
    check_same(&read, &expected);
}
END_TEST

START_TEST(a_custom_policy_has_documented_defaults) {
    struct retry_policy expected = {
        .profile = RETRY_CUSTOM,
        .jitter = RETRY_JITTER_FULL,
        .attempts_max = 5,
        .base_ns = 100 * MS,
        .throttle_base_ns = 100 * MS,
        .cap_ns = 20 * S,
        .multiplier = 2,
    };
    struct retry_policy read = read_retry("{attempts: 5, base: 100ms}");
    check_same(&read, &expected);
    read = read_retry("{profile: custom, attempts: 5, base: 100ms}");
    check_same(&read, &expected);
    expected.throttle_base_ns = S;
    expected.cap_ns = 2 * S;
    expected.multiplier = 1.5;
    expected.jitter = RETRY_JITTER_EQUAL;
    expected.quota_capacity = 100;
    expected.quota_costs[RETRY_AFTER_ERROR] = 1;
    expected.quota_costs[RETRY_AFTER_TIMEOUT] = 10;
    expected.quota_costs[RETRY_AFTER_THROTTLE] = 5;
    read = read_retry("{attempts: 5, base: 100ms, throttle_base: 1s, cap: 2s, multiplier: 1.5,\n"
                      "    jitter: equal, quota: {capacity: 100, error: 1}}");
    check_same(&read, &expected);
}
END_TEST

START_TEST(reads_limits_and_errors_of_the_client) {
    struct client_spec client = read_client("  count: 2\n");
    ck_assert_uint_eq(client.connections, 0);
    ck_assert_int_eq(client.timeout_ns, 0);
    ck_assert_double_eq(client.errors.probability, 0);
    client = read_client("  connections: 50\n  timeout: 1s\n  errors: {probability: 0.25}\n");
    ck_assert_uint_eq(client.connections, 50);
    ck_assert_int_eq(client.timeout_ns, S);
    ck_assert_double_eq(client.errors.probability, 0.25);
    ck_assert_double_eq(client.errors.lost_replies, 0);
    ck_assert_int_eq(client.errors.latency_ns, MS);
    ck_assert_int_eq(client.errors.from_ns, 0);
    ck_assert_int_eq(client.errors.to_ns, -1);
    client = read_client("  errors: {probability: 1, lost_replies: 1, latency: 9ms, from: 1m, "
                         "to: 2m}\n");
    ck_assert_double_eq(client.errors.lost_replies, 1);
    ck_assert_int_eq(client.errors.latency_ns, 9 * MS);
    ck_assert_int_eq(client.errors.from_ns, 60 * S);
    ck_assert_int_eq(client.errors.to_ns, 120 * S);
}
END_TEST

static const struct {
    const char *lines, *message;
} faults[] = {
    {"  retry: aws-sdk-2062\n",
     "hot.yaml:23:10: unknown retry 'aws-sdk-2062'; did you mean 'aws-sdk-2026'?"},
    {"  retry: custom\n",
     "hot.yaml:23:10: a custom retry needs its numbers: {attempts: 5, base: 100ms}"},
    {"  retry: {}\n", "hot.yaml:23:10: 'attempts' is missing"},
    {"  retry: {attempts: 3}\n", "hot.yaml:23:10: 'base' is missing"},
    {"  retry: {attempts: 0, base: 1s}\n", "hot.yaml:23:21: 'attempts' is 0, outside of 1 … 1000"},
    {"  retry: {profile: none, max_attempts: 3}\n",
     "hot.yaml:23:26: unknown key 'max_attempts'; did you mean 'attempts'?"},
    {"  retry: {attempts: 3, base: 1s, multiplier: 0.5}\n",
     "hot.yaml:23:46: 'multiplier' is 0.5, outside of 1 … 100"},
    {"  retry: {attempts: 3, base: 1s, jitter: half}\n",
     "hot.yaml:23:42: unknown jitter 'half'; expected none, full, equal or added"},
    {"  retry: {attempts: 3, base: 1s, cap: 2d}\n",
     "hot.yaml:23:39: 'cap' is 2d, outside of 0ns … 1d"},
    {"  retry: {attempts: 3, base: 1s, quota: 500}\n",
     "hot.yaml:23:41: 'quota' must be none, or a mapping such as {capacity: 500, throttle: 5}, got "
     "'500'"},
    {"  retry: []\n", "hot.yaml:23:10: 'retry' must be a profile, or a mapping such as {attempts: "
                      "5, base: 100ms}, got a list"},
    {"  retry: {profile: aws-sdk-2026, quota: {error: 0, timeout: 0, throttle: 0}}\n",
     "hot.yaml:23:41: a quota whose retries cost nothing stops none: give 'error', 'timeout' or "
     "'throttle' a cost"},
    {"  retry: {attempts: 3, base: 1s, quota: {throttle: 5}}\n",
     "hot.yaml:23:41: 'capacity' is missing"},
    {"  retry: {profile: aws-sdk-2026, quota: {capacity: 0}}\n",
     "hot.yaml:23:52: 'capacity' is 0, outside of 1 … 1000000"},
    {"  connections: 0\n", "hot.yaml:23:16: 'connections' is 0, outside of 1 … 1000000"},
    {"  timeout: 0\n", "hot.yaml:23:12: 'timeout' is 0, outside of 1us … 1h"},
    {"  errors: {lost_replies: 1}\n", "hot.yaml:23:11: 'probability' is missing"},
    {"  errors: {probability: 1.5}\n", "hot.yaml:23:25: 'probability' is 1.5, outside of 0 … 1"},
    {"  errors: {probability: 1, from: 5s, to: 5s}\n", "hot.yaml:23:42: 'to' must be after 'from'"},
};

START_TEST(refuses_faults_of_the_client) {
    char *text = fixture_edit("  retry: none\n", faults[_i].lines);
    struct scenario scenario;
    struct err err;
    ck_assert_msg(!fixture_read(&scenario, text, NULL, &err), "taken: %s", faults[_i].lines);
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text, faults[_i].message);
    scenario_fini(&scenario);
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_retry");
    TCase *tcase = tcase_create("retry");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_every_profile_by_its_name);
    tcase_add_test(tcase, a_mapping_changes_what_it_names_and_nothing_else);
    tcase_add_test(tcase, a_custom_policy_has_documented_defaults);
    tcase_add_test(tcase, reads_limits_and_errors_of_the_client);
    tcase_add_loop_test(tcase, refuses_faults_of_the_client, 0, (int)ROWS(faults));
    return suite_run(suite);
}
