#include "workloads/scenario_parts.h"

#include "workloads/value.h"

#include <string.h>

#define CLIENTS_MAX 1000000
/* Above zero, so that a client that calls again at once cannot stop the clock. */
#define LATENCY_NS_MIN SIM_NS_PER_US
#define LATENCY_NS_MAX (60 * SIM_NS_PER_MIN)
#define CONNECTIONS_MAX 1000000

/* Assumptions: DynamoDB publishes "single-digit milliseconds" and no distribution. */
static struct client_spec default_client(void) {
    return (struct client_spec){
        .count = 1,
        .retry = retry_policy_of(RETRY_BOTOCORE_LEGACY),
        .latency_law = LATENCY_LOGNORMAL,
        .latency_median_ns = 3 * SIM_NS_PER_MS,
        .latency_p99_ns = 9 * SIM_NS_PER_MS,
        .throttle_latency_ns = SIM_NS_PER_MS,
        .errors = {.latency_ns = SIM_NS_PER_MS, .to_ns = -1},
    };
}

static bool read_lognormal(struct reader *reader, const struct document_node *node,
                           struct client_spec *client) {
    static const char *const keys[] = {"median", "p99", NULL};
    static const struct reader_keys lognormal_keys = {keys, NULL};
    struct document_node *p99 = document_get(node, "p99");
    if (!reader_mapping(reader, node, &lognormal_keys) ||
        !reader_duration(reader, document_get(node, "median"), LATENCY_NS_MIN, LATENCY_NS_MAX,
                         &client->latency_median_ns) ||
        !reader_duration(reader, p99, LATENCY_NS_MIN, LATENCY_NS_MAX, &client->latency_p99_ns)) {
        return false;
    }
    client->latency_law = LATENCY_LOGNORMAL;
    if (client->latency_p99_ns < client->latency_median_ns) {
        char median[VALUE_TEXT_BYTES], tail[VALUE_TEXT_BYTES];
        value_print_duration(client->latency_median_ns, median);
        value_print_duration(client->latency_p99_ns, tail);
        return reader_fail(reader, p99 != NULL ? p99 : node, "'p99' (%s) is below 'median' (%s)",
                           tail, median);
    }
    return true;
}

/* 3ms, {constant: 3ms} or {lognormal: {median, p99}}. */
static bool read_latency(struct reader *reader, struct document_node *node,
                         struct client_spec *client) {
    static const char *const keys[] = {"constant", "lognormal", NULL};
    static const char *const later[] = {"uniform", "exponential", "histogram", NULL};
    static const struct reader_keys latency_keys = {keys, later};
    if (node == NULL) {
        return true;
    }
    struct document_node *constant = node;
    if (node->kind == DOCUMENT_MAPPING) {
        if (!reader_asks(reader, node, READER_DURATION, NULL) ||
            !reader_mapping(reader, node, &latency_keys)) {
            return false;
        }
        if (node->child_count != 1) {
            return reader_fail(reader, node, "'latency' needs one of 'constant' and 'lognormal'");
        }
        if (strcmp(node->first->key, "lognormal") == 0) {
            return read_lognormal(reader, node->first, client);
        }
        constant = node->first;
    }
    if (!reader_duration(reader, constant, LATENCY_NS_MIN, LATENCY_NS_MAX,
                         &client->latency_median_ns)) {
        return false;
    }
    client->latency_law = LATENCY_CONSTANT;
    client->latency_p99_ns = client->latency_median_ns;
    return true;
}

/* {probability, lost_replies, latency, from, to}. */
static bool read_errors(struct reader *reader, const struct document_node *node, sim_ns duration_ns,
                        struct client_errors *errors) {
    static const char *const keys[] = {"probability", "lost_replies", "latency",
                                       "from",        "to",           NULL};
    static const struct reader_keys error_keys = {keys, NULL};
    if (node == NULL) {
        return true;
    }
    struct document_node *probability;
    struct document_node *from = document_get(node, "from"), *to = document_get(node, "to");
    if (!reader_mapping(reader, node, &error_keys) ||
        !reader_require(reader, node, "probability", &probability) ||
        !reader_number(reader, probability, 0, 1, &errors->probability) ||
        !reader_number(reader, document_get(node, "lost_replies"), 0, 1, &errors->lost_replies) ||
        !reader_duration(reader, document_get(node, "latency"), LATENCY_NS_MIN, LATENCY_NS_MAX,
                         &errors->latency_ns) ||
        !reader_duration(reader, from, 0, SIM_NS_MAX, &errors->from_ns) ||
        !reader_duration(reader, to, 0, SIM_NS_MAX, &errors->to_ns)) {
        return false;
    }
    if (to != NULL && errors->to_ns <= errors->from_ns) {
        return reader_fail(reader, to, "'to' must be after 'from'");
    }
    return from == NULL || duration_ns < 0 || errors->from_ns < duration_ns ||
           reader_note(reader, &from->position,
                       "'from' is not before the end of the run ('duration'): there are no errors");
}

bool scenario_client_read(struct scenario_build *build) {
    static const char *const keys[] = {"count",       "retry",   "latency", "throttle_latency",
                                       "connections", "timeout", "errors",  NULL};
    static const struct reader_keys client_keys = {keys, NULL};
    struct reader *reader = &build->reader;
    struct client_spec *client = &build->scenario->client;
    *client = default_client();
    const struct document_node *section = document_get(build->root, "client");
    if (section == NULL) {
        return true;
    }
    int64_t count = client->count, connections = client->connections;
    if (!reader_mapping(reader, section, &client_keys) ||
        !reader_count(reader, document_get(section, "count"), 1, CLIENTS_MAX, &count) ||
        !scenario_retry_read(reader, document_get(section, "retry"), &client->retry) ||
        !read_latency(reader, document_get(section, "latency"), client) ||
        !reader_duration(reader, document_get(section, "throttle_latency"), LATENCY_NS_MIN,
                         LATENCY_NS_MAX, &client->throttle_latency_ns) ||
        !reader_count(reader, document_get(section, "connections"), 1, CONNECTIONS_MAX,
                      &connections) ||
        !reader_duration(reader, document_get(section, "timeout"), LATENCY_NS_MIN, LATENCY_NS_MAX,
                         &client->timeout_ns) ||
        !read_errors(reader, document_get(section, "errors"), build->scenario->duration_ns,
                     &client->errors)) {
        return false;
    }
    client->count = (uint32_t)count;
    client->connections = (uint32_t)connections;
    return true;
}
