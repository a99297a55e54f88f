/* The provisioned capacity in eras that divide it: each partition has a share. */
#include "analysis/verdict_limits.h"

#include <math.h>

bool verdict_has_shares(const struct summary *summary) {
    return summary->era != ERA_GAC;
}

static bool applies_partition_share(const struct verdict_view *view) {
    return verdict_has_shares(view->summary);
}

static void say_share(const struct verdict_view *view, double share, struct phrase *phrase) {
    const uint32_t partitions = view->resource->partitions_end;
    phrase_add(phrase, "its share of the %s's capacity is %s of %s %s/s", verdict_view_kind(view),
               words_rate(share).text, words_rate(view->provisioned).text, view->unit);
    if (partitions > 1) {
        phrase_add(phrase, " (%s partitions)", words_count(partitions).text);
    }
}

/* What the most refused partition wants, and which key makes most of that. */
static void say_want(const struct verdict_view *view, const struct summary_key *key,
                     struct phrase *phrase) {
    const double partition = verdict_view_partition_demand(view, key);
    const double of_key = verdict_view_key_demand(view, key);
    phrase_add(phrase, "partition %u wants %s %s/s", (unsigned)key->partition,
               words_rate(partition).text, view->things);
    verdict_say_each(view, verdict_view_key_each(view, key), phrase);
    phrase_add(phrase, " (key %s: %s of them), ", key->name,
               words_percent(fmin(1, words_share(of_key, partition))).text);
}

static void say_cure(const struct verdict_view *view, const struct summary_key *key,
                     struct phrase *phrase) {
    const double each = verdict_view_key_each(view, key);
    const double wanted = fmin(verdict_view_partition_demand(view, key) * each, view->cap);
    const double needed = wanted * view->resource->partitions_end;
    const bool is_full = view->demand_units_per_s > view->provisioned;
    if (is_full) {
        phrase_add(phrase, "; the table is asked for %s %s/s in all, more than it has",
                   words_rate(view->demand_units_per_s).text, view->unit);
    }
    if (view->summary->era == ERA_ADAPTIVE) {
        phrase_add(phrase, "; adaptive capacity raises a share some minutes after refusals begin, "
                           "by what other partitions leave");
    }
    phrase_add(
        phrase,
        "; spread the key, or provision %s %s/s: %s on each of %s partitions, if none splits",
        words_rate(ceil(needed - 1e-9)).text, view->unit, words_rate(wanted).text,
        words_count(view->resource->partitions_end).text);
    if (!is_full) {
        phrase_add(phrase, "; since May 2019 partitions share the capacity (--set model.era=gac)");
    }
}

static void say_partition_share(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_key *key = verdict_view_most_refused(view);
    const double share = view->provisioned / fmax(1, view->resource->partitions_end);
    verdict_say_provisioned_limit(view, phrase);
    if (key != NULL) {
        say_want(view, key, phrase);
    }
    say_share(view, share, phrase);
    phrase_add(phrase, "; %s of %s %s/s accepted, the table is at %s (",
               words_rate(view->admitted_per_s).text, words_rate(view->attempts_per_s).text,
               view->things,
               words_percent(words_share(view->consumed_per_s, view->provisioned)).text);
    verdict_say_when(view, phrase);
    phrase_add(phrase, "); refusals hit %s of %s keys",
               words_count(view->resource->throttled_keys).text,
               words_count(view->resource->keys).text);
    if (key != NULL) {
        say_cure(view, key, phrase);
    }
}

static const struct verdict_row rows[] = {
    {"partition-share", applies_partition_share, say_partition_share},
};

const struct verdict_row *verdict_shares_rows(size_t *count) {
    *count = sizeof rows / sizeof *rows;
    return rows;
}

void verdict_say_shares_rest_on(const struct summary *summary, struct phrase *phrase) {
    phrase_add(phrase, "one layout of keys on partitions, equal shares, and unpublished "
                       "parameters: burst_initial_s");
    if (summary->era == ERA_ADAPTIVE) {
        phrase_add(phrase, ", adaptive_delay_min, adaptive_delay_max, adaptive_period, "
                           "adaptive_gain");
    }
    phrase_add(phrase, " ('ddbsim parameters')");
}
