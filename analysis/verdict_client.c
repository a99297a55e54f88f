#include "analysis/verdict_client.h"

#include "analysis/words.h"

#define WORTH_SAYING_PART 100 /* of all attempts */

static bool applies_gave_up(const struct summary *summary) {
    return summary->total.gave_up > 0;
}

static void say_gave_up(const struct summary *summary, struct phrase *phrase) {
    const struct workload_bin *total = &summary->total;
    phrase_add(phrase, "failed: the client gave up %s of %s operations (%s)",
               words_count(total->gave_up).text, words_count(total->offered).text,
               words_percent((double)total->gave_up / (double)total->offered).text);
    if (total->retries == 0 && total->quota_stops == 0) {
        phrase_add(phrase, summary->attempts_max > 1
                               ? ", none of which was sent again: SDKs do not retry a cancelled "
                                 "transaction"
                               : ", it does not retry");
    } else {
        phrase_add(phrase, " after retrying; %s of %s attempts were retries",
                   words_count(total->retries).text, words_count(total->attempts).text);
    }
    if (total->quota_stops > 0) {
        phrase_add(phrase,
                   "; %s times its retry quota was spent, so it gave up before the %s attempts "
                   "that it is allowed",
                   words_count(total->quota_stops).text, words_count(summary->attempts_max).text);
    }
}

static bool applies_absorbed(const struct summary *summary) {
    return summary->total.throttled > 0 && summary->total.gave_up == 0 &&
           summary->total.succeeded > 0;
}

static void say_absorbed(const struct summary *summary, struct phrase *phrase) {
    phrase_add(
        phrase,
        "absorbed: no operation failed, retries turned refusals into waiting: latency p50 %s "
        "ms, p99 %s ms, at most %s ms",
        words_rate(summary->latency_ms_p50).text, words_rate(summary->latency_ms_p99).text,
        words_rate(summary->latency_ms_max).text);
}

static bool applies_in_flight(const struct summary *summary) {
    const struct workload_bin *total = &summary->total;
    const bool retries =
        total->retries > 0 && total->throttled + total->errored + total->lost_replies > 0;
    return summary->in_flight > 0 && (retries || total->queued > 0 || total->held_back > 0);
}

static void say_in_flight(const struct summary *summary, struct phrase *phrase) {
    phrase_add(phrase,
               "unfinished: %s operations were still under way or waiting for a retry%s at the "
               "end",
               words_count(summary->in_flight).text,
               summary->total.queued + summary->total.held_back > 0 ? " or in the client" : "");
}

static bool applies_client_limited(const struct summary *summary) {
    return summary->closed_loop;
}

static void say_client_limited(const struct summary *summary, struct phrase *phrase) {
    const double rate =
        summary->duration_s > 0 ? (double)summary->total.offered / summary->duration_s : 0;
    if (summary->total.throttled == 0) {
        phrase_add(phrase,
                   "client-limited: a closed loop sends its next call after the last response, "
                   "%s operations/s on average; more clients would ask for more",
                   words_rate(rate).text);
    } else {
        phrase_add(phrase,
                   "client slowed down: a closed loop waits for responses, so refusals lowered "
                   "the load itself, to %s operations/s on average; other designs meet other "
                   "arrivals",
                   words_rate(rate).text);
    }
}

static double wait_ms(uint64_t waited_ns, uint64_t waits) {
    return words_share((double)waited_ns, (double)waits) / (double)SIM_NS_PER_MS;
}

/* Chance alone makes some wait now and then. */
static bool is_worth_saying(uint64_t attempts, const struct summary *summary) {
    return attempts > 0 && attempts >= summary->total.attempts / WORTH_SAYING_PART;
}

static bool applies_connections(const struct summary *summary) {
    return is_worth_saying(summary->total.queued, summary);
}

static void say_connections(const struct summary *summary, struct phrase *phrase) {
    const struct workload_bin *total = &summary->total;
    phrase_add(phrase,
               "client-limited: %s of %s attempts waited in the client for one of its connections "
               "(%s in each of %s client objects), %s ms on average; ",
               words_count(total->queued).text, words_count(total->attempts).text,
               words_count(summary->connections).text, words_count(summary->client_objects).text,
               words_rate(wait_ms(total->queued_ns, total->queued)).text);
    phrase_add(phrase,
               total->throttled == 0
                   ? "no limit of DynamoDB refused anything, more connections or client "
                     "objects would send more"
                   : "more connections or client objects would meet the limits above sooner");
}

static bool applies_held_back(const struct summary *summary) {
    return is_worth_saying(summary->total.held_back, summary);
}

static void say_held_back(const struct summary *summary, struct phrase *phrase) {
    const struct workload_bin *total = &summary->total;
    phrase_add(phrase,
               "held back: after refusals the client's own rate limiter (adaptive retry mode) "
               "delayed %s of %s attempts, %s ms on average; few refusals do not mean that the "
               "load was served",
               words_count(total->held_back).text, words_count(total->attempts).text,
               words_rate(wait_ms(total->held_back_ns, total->held_back)).text);
}

/* What was not answered is one thing, what was rejected or met no leader another. */
static uint64_t lost_attempts(const struct summary *summary) {
    uint64_t early = 0;
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        early += summary->resources[i].early_reads;
    }
    const uint64_t answered = early + summary->leaderless_attempts;
    return summary->total.errored -
           (answered < summary->total.errored ? answered : summary->total.errored);
}

static bool applies_errors(const struct summary *summary) {
    return lost_attempts(summary) + summary->total.timed_out + summary->total.lost_replies > 0;
}

static void say_errors(const struct summary *summary, struct phrase *phrase) {
    const struct workload_bin *total = &summary->total;
    phrase_add(phrase, "errors: %s of %s attempts never reached DynamoDB, %s were not waited for",
               words_count(lost_attempts(summary)).text, words_count(total->attempts).text,
               words_count(total->timed_out).text);
    if (total->lost_replies > 0) {
        phrase_add(phrase,
                   "; %s had been carried out although the client did not hear of it, so a retry "
                   "consumed their capacity again",
                   words_count(total->lost_replies).text);
    }
}

static bool applies_node_lost(const struct summary *summary) {
    return summary->nodes_lost > 0 && summary->leaders_lost == 0;
}

static void say_node_lost(const struct summary *summary, struct phrase *phrase) {
    phrase_add(phrase,
               "node lost: %s replica%s, no leader of a partition: two of three go on, and nobody "
               "notices; another replication may draw the leader",
               words_count(summary->nodes_lost).text, summary->nodes_lost == 1 ? "" : "s");
}

static bool applies_leader_lost(const struct summary *summary) {
    return summary->leaders_lost > 0;
}

static void say_leader_lost(const struct summary *summary, struct phrase *phrase) {
    phrase_add(phrase,
               "leader lost: partition %u of table %s took no writes and no consistent "
               "reads for %s",
               (unsigned)summary->leader_partition,
               summary->resources[summary->leader_resource].table_name,
               words_duration(summary->leader_gap_s).text);
    phrase_add(phrase, ", at %s", words_duration(summary->leader_lost_s).text);
    if (summary->leaders_lost > 1) {
        phrase_add(phrase, ", and %s more were lost", words_count(summary->leaders_lost - 1).text);
    }
    phrase_add(phrase,
               "; %s attempts failed with InternalServerError (500), which SDKs send again: "
               "retries that last longer than the gap hide it",
               words_count(summary->leaderless_attempts).text);
}

const struct verdict_run_row *verdict_client_rows(size_t *count) {
    static const struct verdict_run_row rows[] = {
        {"gave-up", applies_gave_up, say_gave_up},
        {"errors", applies_errors, say_errors},
        {"leader-lost", applies_leader_lost, say_leader_lost},
        {"node-lost", applies_node_lost, say_node_lost},
        {"absorbed", applies_absorbed, say_absorbed},
        {"in-flight", applies_in_flight, say_in_flight},
        {"connections", applies_connections, say_connections},
        {"held-back", applies_held_back, say_held_back},
        {"client-limited", applies_client_limited, say_client_limited},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
