#include "workloads/scenario_parts.h"

#include <string.h>

#define QUOTA_TOKENS_MAX 1000000

/* Costs that a quota has when neither the profile nor the file names any. */
static void default_costs(struct retry_policy *policy) {
    const struct retry_policy standard = retry_policy_of(RETRY_AWS_SDK_STANDARD);
    memcpy(policy->quota_costs, standard.quota_costs, sizeof policy->quota_costs);
}

/* none, or {capacity, error, timeout, throttle}: what a retry costs after each. */
static bool read_quota(struct reader *reader, struct document_node *node,
                       struct retry_policy *policy) {
    static const char *const keys[] = {"error", "timeout", "throttle", "capacity", NULL};
    static const struct reader_keys quota_keys = {keys, NULL};
    static const char *const words[] = {"none", NULL};
    static const struct reader_keys quota_words = {words, NULL};
    if (node == NULL) {
        return true;
    }
    if (node->kind != DOCUMENT_MAPPING) {
        uint32_t word = 0;
        policy->quota_capacity = 0;
        if (node->text == NULL || strcmp(node->text, words[0]) != 0) {
            return reader_fail_expected(reader, node,
                                        "none, or a mapping such as {capacity: 500, throttle: 5}");
        }
        return reader_word(reader, node, &quota_words, &word);
    }
    if (!reader_mapping(reader, node, &quota_keys)) {
        return false;
    }
    int64_t capacity = policy->quota_capacity;
    if (capacity == 0) {
        struct document_node *needed;
        default_costs(policy);
        if (!reader_require(reader, node, "capacity", &needed)) {
            return false;
        }
    }
    for (int failure = 0; failure < RETRY_FAILURES; failure++) {
        int64_t cost = policy->quota_costs[failure];
        if (!reader_count(reader, document_get(node, keys[failure]), 0, QUOTA_TOKENS_MAX, &cost)) {
            return false;
        }
        policy->quota_costs[failure] = (uint32_t)cost;
    }
    if (!reader_count(reader, document_get(node, "capacity"), 1, QUOTA_TOKENS_MAX, &capacity)) {
        return false;
    }
    policy->quota_capacity = (uint32_t)capacity;
    bool costs = false;
    for (int failure = 0; failure < RETRY_FAILURES; failure++) {
        costs = costs || policy->quota_costs[failure] > 0;
    }
    return costs || reader_fail(reader, node,
                                "a quota whose retries cost nothing stops none: give 'error', "
                                "'timeout' or 'throttle' a cost");
}

/* base, throttle_base, cap, multiplier, jitter. */
static bool read_waits(struct reader *reader, const struct document_node *node,
                       struct retry_policy *policy) {
    static const char *const jitters[] = {"none", "full", "equal", "added", NULL};
    static const struct reader_keys jitter_words = {jitters, NULL};
    struct document_node *base = document_get(node, "base");
    uint32_t jitter = policy->jitter;
    if (!reader_duration(reader, base, 0, RETRY_POLICY_WAIT_NS_MAX, &policy->base_ns)) {
        return false;
    }
    if (base != NULL) {
        policy->throttle_base_ns = policy->base_ns;
        policy->is_first_retry_at_once = false;
    }
    if (!reader_duration(reader, document_get(node, "throttle_base"), 0, RETRY_POLICY_WAIT_NS_MAX,
                         &policy->throttle_base_ns) ||
        !reader_duration(reader, document_get(node, "cap"), 0, RETRY_POLICY_WAIT_NS_MAX,
                         &policy->cap_ns) ||
        !reader_number(reader, document_get(node, "multiplier"), 1, RETRY_POLICY_MULTIPLIER_MAX,
                       &policy->multiplier) ||
        !reader_word(reader, document_get(node, "jitter"), &jitter_words, &jitter)) {
        return false;
    }
    policy->jitter = (enum retry_jitter)jitter;
    return true;
}

static bool read_profile(struct reader *reader, struct document_node *node,
                         struct retry_policy *policy) {
    const char *profiles[RETRY_PROFILE_COUNT + 1] = {NULL};
    const struct reader_keys profile_words = {profiles, NULL};
    uint32_t profile = policy->profile;
    for (uint32_t i = 0; i < RETRY_PROFILE_COUNT; i++) {
        profiles[i] = retry_policy_profile_name((enum retry_profile)i);
    }
    if (!reader_word(reader, node, &profile_words, &profile)) {
        return false;
    }
    *policy = retry_policy_of((enum retry_profile)profile);
    return true;
}

bool scenario_retry_read(struct reader *reader, struct document_node *node,
                         struct retry_policy *policy) {
    static const char *const keys[] = {"profile",       "attempts", "base",
                                       "throttle_base", "cap",      "multiplier",
                                       "jitter",        "quota",    NULL};
    static const struct reader_keys retry_keys = {keys, NULL};
    if (node == NULL) {
        return true;
    }
    if (!reader_word_or_mapping(reader, node,
                                "a profile, or a mapping such as {attempts: 5, base: 100ms}")) {
        return false;
    }
    if (node->kind != DOCUMENT_MAPPING) {
        if (!read_profile(reader, node, policy)) {
            return false;
        }
        return policy->profile != RETRY_CUSTOM ||
               reader_fail(reader, node,
                           "a custom retry needs its numbers: {attempts: 5, base: 100ms}");
    }
    *policy = retry_policy_of(RETRY_CUSTOM);
    if (!reader_mapping(reader, node, &retry_keys) ||
        !read_profile(reader, document_get(node, "profile"), policy)) {
        return false;
    }
    struct document_node *attempts = document_get(node, "attempts");
    struct document_node *needed;
    if (policy->profile == RETRY_CUSTOM && (!reader_require(reader, node, "attempts", &needed) ||
                                            !reader_require(reader, node, "base", &needed))) {
        return false;
    }
    int64_t attempts_max = policy->attempts_max;
    if (!reader_count(reader, attempts, 1, RETRY_POLICY_ATTEMPTS_MAX, &attempts_max)) {
        return false;
    }
    policy->attempts_max = (uint32_t)attempts_max;
    return read_waits(reader, node, policy) &&
           read_quota(reader, document_get(node, "quota"), policy);
}
