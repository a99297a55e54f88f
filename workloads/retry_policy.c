#include "workloads/retry_policy.h"

#include "sim/check.h"
#include "sim/hash.h"

#define QUOTA_CAPACITY 500

struct retry_policy retry_policy_of(enum retry_profile profile) {
    const sim_ns ms = SIM_NS_PER_MS, s = SIM_NS_PER_S;
    struct retry_policy policy = {
        .profile = profile,
        .jitter = RETRY_JITTER_FULL,
        .attempts_max = 1,
        .cap_ns = 20 * s,
        .multiplier = 2.0,
    };
    switch (profile) {
    case RETRY_BOTOCORE_LEGACY:
    case RETRY_AWS_SDK_JS_LEGACY:
        policy.jitter = RETRY_JITTER_NONE;
        policy.is_first_retry_at_once = profile == RETRY_AWS_SDK_JS_LEGACY;
        policy.attempts_max = profile == RETRY_AWS_SDK_JS_LEGACY ? 11 : 10;
        policy.base_ns = policy.throttle_base_ns = 50 * ms;
        policy.cap_ns = RETRY_POLICY_WAIT_NS_MAX; /* there is none */
        return policy;
    case RETRY_AWS_SDK_GO_V1:
        policy.jitter = RETRY_JITTER_ADDED;
        policy.attempts_max = 11;
        policy.base_ns = 50 * ms;
        policy.throttle_base_ns = 500 * ms;
        policy.cap_ns = 300 * s;
        return policy;
    case RETRY_AWS_SDK_JAVA_V2:
        policy.attempts_max = 9;
        policy.base_ns = policy.throttle_base_ns = 25 * ms;
        policy.quota_capacity = QUOTA_CAPACITY;
        policy.quota_costs[RETRY_AFTER_ERROR] = policy.quota_costs[RETRY_AFTER_TIMEOUT] = 5;
        return policy;
    case RETRY_AWS_SDK_STANDARD:
    case RETRY_AWS_SDK_ADAPTIVE:
        policy.attempts_max = 3;
        policy.is_adaptive = profile == RETRY_AWS_SDK_ADAPTIVE;
        policy.base_ns = policy.throttle_base_ns = s;
        policy.quota_capacity = QUOTA_CAPACITY;
        policy.quota_costs[RETRY_AFTER_ERROR] = policy.quota_costs[RETRY_AFTER_THROTTLE] = 5;
        policy.quota_costs[RETRY_AFTER_TIMEOUT] = 10;
        return policy;
    case RETRY_AWS_SDK_2026:
        policy.attempts_max = 4;
        policy.base_ns = 25 * ms;
        policy.throttle_base_ns = s;
        policy.quota_capacity = QUOTA_CAPACITY;
        policy.quota_costs[RETRY_AFTER_ERROR] = policy.quota_costs[RETRY_AFTER_TIMEOUT] = 14;
        policy.quota_costs[RETRY_AFTER_THROTTLE] = 5;
        return policy;
    case RETRY_NONE:
    case RETRY_CUSTOM: return policy;
    case RETRY_PROFILE_COUNT: break;
    }
    SIM_CHECKF(false, "retry profile %d", (int)profile);
    return policy;
}

/* base * multiplier^i, or something above the cap. Products only: libm's pow differs by machine. */
static sim_ns grown_ns(const struct retry_policy *policy, sim_ns base_ns, uint32_t i) {
    const double cap_ns = (double)policy->cap_ns;
    double wait_ns = (double)base_ns;
    if (policy->multiplier > 1.0 && base_ns > 0) {
        for (uint32_t done = 0; done < i && wait_ns <= cap_ns; done++) {
            wait_ns *= policy->multiplier;
        }
    }
    return wait_ns <= cap_ns ? (sim_ns)wait_ns : policy->cap_ns + 1;
}

static sim_ns uniform_ns(uint64_t draw, sim_ns below_ns) {
    return (sim_ns)hash_below(draw, (uint64_t)below_ns);
}

sim_ns retry_policy_wait_ns(const struct retry_policy *policy, enum retry_failure failure,
                            uint32_t attempt, uint64_t draw) {
    if (attempt + 1 >= policy->attempts_max) {
        return RETRY_POLICY_GIVES_UP;
    }
    if (policy->is_first_retry_at_once && attempt == 0) {
        return 0;
    }
    const sim_ns base_ns =
        failure == RETRY_AFTER_THROTTLE ? policy->throttle_base_ns : policy->base_ns;
    const sim_ns grown =
        grown_ns(policy, base_ns, policy->is_first_retry_at_once ? attempt - 1 : attempt);
    const sim_ns wait_ns = grown < policy->cap_ns ? grown : policy->cap_ns;
    switch (policy->jitter) {
    case RETRY_JITTER_NONE: return wait_ns;
    case RETRY_JITTER_FULL: return uniform_ns(draw, wait_ns);
    case RETRY_JITTER_EQUAL: return wait_ns / 2 + uniform_ns(draw, wait_ns - wait_ns / 2);
    case RETRY_JITTER_ADDED: break;
    }
    const sim_ns added_ns = wait_ns + uniform_ns(draw, wait_ns);
    if (added_ns <= policy->cap_ns) {
        return added_ns;
    }
    const sim_ns half_ns = policy->cap_ns / 2; /* drawn anew, as the first draw was a large one */
    return half_ns + uniform_ns(hash_mix(draw), half_ns);
}

const char *retry_policy_profile_name(enum retry_profile profile) {
    static const char *const names[] = {
#define RETRY_PROFILE_NAME(id, name) name,
        RETRY_PROFILES(RETRY_PROFILE_NAME)
#undef RETRY_PROFILE_NAME
    };
    SIM_CHECK((unsigned)profile < RETRY_PROFILE_COUNT);
    return names[profile];
}
