#include "analysis/verdict_limits.h"

#include "analysis/layout_odds.h"

#include <math.h>

#define SHARDS_TRIED 64
#define SHARDS_ODDS 0.9      /* "hold in most layouts" */
#define OVER_CAP 1.05        /* less is "at the edge", */
#define REFUSED_MOSTLY 0.5   /* unless it is refused in more of the time */
#define KEYS_STAND_OUT 0.2   /* a key with this share of its partition is named as a cause */
#define PEER_SHARE 0.5       /* keys with this share of the busiest one's attempts are its peers */
#define NO_ROOM 0.05         /* of a partition's cap beside other keys */
#define OTHERS_SAID 0.01     /* of it, before other keys are spoken of */
#define PEERS_MAKE_IT 0.8    /* peers make a partition's load when they are this share of it */
#define PARTITIONS_FULL 0.95 /* a demand of this share of all caps together needs more partitions */

/* Requests of the table's mean cost, of the key's, that a partition serves in a second. */
static double cap_in_requests(const struct verdict_view *view) {
    return view->units_each > 0 ? view->cap / view->units_each : view->cap;
}

static double cap_in_requests_of(const struct verdict_view *view, const struct summary_key *key) {
    const double each = verdict_view_key_each(view, key);
    return each > 0 ? view->cap / each : view->cap;
}

/* Most of the time; a demand just above the cap that is refused now and then is at the edge. */
static bool exceeds_cap(const struct verdict_view *view, const struct summary_key *key) {
    const double over = verdict_view_key_demand(view, key) / cap_in_requests_of(view, key);
    const double span_s = (double)(view->limit->last_s - view->limit->first_s + 1);
    const double refused_s = (double)key->partition_refusals->seconds[view->writes];
    return over > OVER_CAP || (over > 1 && refused_s > REFUSED_MOSTLY * span_s);
}

/* Refused keys, of those that the summary lists, that want more than a partition can give. */
static uint32_t keys_over_cap(const struct verdict_view *view) {
    uint32_t over = 0;
    for (uint32_t i = 0; i < view->resource->throttled_count; i++) {
        const struct summary_key *key = &view->resource->throttled[i];
        over += verdict_view_key_refused(view, key) > 0 && exceeds_cap(view, key);
    }
    return over;
}

static uint32_t refused_on_partition(const struct verdict_view *view, uint32_t partition) {
    uint32_t keys = 0;
    for (uint32_t i = 0; i < view->resource->throttled_count; i++) {
        const struct summary_key *key = &view->resource->throttled[i];
        keys += key->partition == partition && verdict_view_key_refused(view, key) > 0;
    }
    return keys;
}

/* Where the table as a whole stands: the point of a partition's cap is that it is not full. */
static void say_table_use(const struct verdict_view *view, struct phrase *phrase) {
    if (verdict_view_is_on_demand(view)) {
        const uint32_t partitions = view->resource->partitions_end;
        phrase_add(phrase, "the on-demand %s has %u partition%s: %s %s/s of even traffic",
                   verdict_view_kind(view), (unsigned)partitions, partitions == 1 ? "" : "s",
                   words_rate(view->cap * partitions).text, view->unit);
        return;
    }
    if (view->provisioned <= 0) {
        return;
    }
    const double used = view->consumed_per_s / view->provisioned;
    phrase_add(phrase, "the %s is at %s of its %s %s/s", verdict_view_kind(view),
               words_percent(used).text, words_rate(view->provisioned).text, view->unit);
}

static void say_accepted(const struct verdict_view *view, const struct summary_key *key,
                         double demand, struct phrase *phrase) {
    const double retried = view->attempts_per_s > 0 ? view->demand_per_s / view->attempts_per_s : 1;
    const double sent = retried > 0 ? demand / retried : demand;
    const double accepted = fmax(0, sent - verdict_view_key_refused_per_s(view, key));
    phrase_add(phrase, "%s of %s %s/s", words_rate(accepted).text, words_rate(sent).text,
               view->things);
    verdict_say_each(view, verdict_view_key_each(view, key), phrase);
    phrase_add(phrase, " accepted");
    verdict_say_retries(view, demand, phrase);
}

/* What a key is split into. */
static const char *pieces(const struct verdict_view *view) {
    return view->writes ? "shards" : "copies under other keys";
}

/* Units a second that each partition gets of other traffic, when `apart` is spread over all. */
static double other_units(const struct verdict_view *view, double apart_units_per_s) {
    const uint32_t partitions = view->resource->partitions_end;
    const double others = view->demand_units_per_s - apart_units_per_s;
    return partitions > 0 && others > 0 ? others / partitions : 0;
}

static void say_odds(const struct verdict_view *view, double odds, double others,
                     struct phrase *phrase) {
    phrase_add(phrase, "(%s of layouts on %u partitions", words_percent(odds).text,
               (unsigned)view->resource->partitions_end);
    if (others >= OTHERS_SAID * view->cap) {
        phrase_add(phrase, ", each with %s %s/s of other keys", words_rate(others).text,
                   view->unit);
    }
    phrase_add(phrase, ")");
}

/* The first number of shards that holds in most layouts, when it is not the smallest. */
static void say_safe_shards(const struct verdict_view *view, double demand, double cap,
                            uint32_t shards, struct phrase *phrase) {
    const uint32_t partitions = view->resource->partitions_end;
    uint32_t safe = shards;
    while (safe <= SHARDS_TRIED &&
           layout_odds_shards(demand, cap, safe, partitions) < SHARDS_ODDS) {
        safe++;
    }
    if (safe > shards && safe <= SHARDS_TRIED) {
        phrase_add(phrase, ", %u hold in %s", (unsigned)safe,
                   words_percent(layout_odds_shards(demand, cap, safe, partitions)).text);
    }
    if (view->summary->closed_loop) {
        phrase_add(phrase, "; a closed loop asks for more when nothing holds it back");
    }
}

/* Cures for one key: how many shards, and in how many layouts they hold. */
static void say_shards(const struct verdict_view *view, const struct summary_key *key,
                       struct phrase *phrase) {
    const double demand = verdict_view_key_demand(view, key);
    const double each = view->cap / cap_in_requests_of(view, key);
    const double others = other_units(view, demand * each);
    const double cap = (view->cap - others) / each;
    const uint32_t partitions = view->resource->partitions_end;
    if (cap < NO_ROOM * cap_in_requests_of(view, key)) {
        phrase_add(phrase,
                   "split or not, there is no room: other keys ask each partition for %s "
                   "%s/s; it needs more partitions",
                   words_rate(others).text, view->unit);
        return;
    }
    const double needed = fmax(2, ceil(demand / cap - 1e-9));
    if (needed > SHARDS_TRIED) {
        phrase_add(phrase, "it needs at least %s %s", words_rate(needed).text, pieces(view));
        return;
    }
    const uint32_t shards = (uint32_t)needed;
    const double odds = layout_odds_shards(demand, cap, shards, partitions);
    if (odds <= 0) {
        phrase_add(phrase, "it needs %u %s, which %u partition%s cannot hold apart",
                   (unsigned)shards, pieces(view), (unsigned)partitions,
                   partitions == 1 ? "" : "s");
        return;
    }
    phrase_add(phrase, "%u %s would do if they land apart ", (unsigned)shards, pieces(view));
    say_odds(view, odds, others, phrase);
    say_safe_shards(view, demand, cap, shards, phrase);
}

/* Who else is refused on the partition of the cause. */
static void say_sufferers(const struct verdict_view *view, const struct summary_key *cause,
                          struct phrase *phrase) {
    const struct summary_key *worst = NULL;
    for (uint32_t i = 0; i < view->resource->throttled_count && worst == NULL; i++) {
        const struct summary_key *key = &view->resource->throttled[i];
        if (key->key != cause->key && key->partition == cause->partition &&
            verdict_view_key_refused(view, key) > 0) {
            worst = key;
        }
    }
    if (worst != NULL) {
        const uint32_t others = refused_on_partition(view, cause->partition) - 2;
        phrase_add(phrase, "; %s suffers with it on partition %u", worst->name,
                   (unsigned)cause->partition);
        if (others > 0) {
            phrase_add(phrase, ", and so do others");
        }
    }
}

static bool applies_hot_key(const struct verdict_view *view) {
    return keys_over_cap(view) == 1;
}

static const struct summary_key *most_over_cap(const struct verdict_view *view) {
    const struct summary_key *most = NULL;
    for (uint32_t i = 0; i < view->resource->throttled_count; i++) {
        const struct summary_key *key = &view->resource->throttled[i];
        if (verdict_view_key_refused(view, key) > 0 && exceeds_cap(view, key) &&
            (most == NULL ||
             verdict_view_key_refused(view, key) > verdict_view_key_refused(view, most))) {
            most = key;
        }
    }
    return most;
}

static void say_hot_key(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_key *key = most_over_cap(view);
    const double demand = verdict_view_key_demand(view, key);
    phrase_add(phrase, "throttled: %s on key %s: ", throttle_reason_name(view->key_range_reason),
               key->name);
    verdict_say_where(view, phrase);
    say_accepted(view, key, demand, phrase);
    phrase_add(phrase, ", ");
    say_table_use(view, phrase);
    phrase_add(phrase, " (");
    verdict_say_when(view, phrase);
    phrase_add(phrase, ")");
    say_sufferers(view, key, phrase);
    phrase_add(phrase, "; one partition gives %s %s/s, whatever is provisioned; ",
               words_rate(view->cap).text, view->unit);
    say_shards(view, key, phrase);
}

static bool applies_few_keys(const struct verdict_view *view) {
    return keys_over_cap(view) >= 2;
}

static void say_few_keys(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_key *key = most_over_cap(view);
    const double demand = verdict_view_key_demand(view, key);
    const uint32_t others = keys_over_cap(view) - 1;
    const char *or_more = others + 1 == SUMMARY_HOTTEST_KEYS ? " or more" : "";
    phrase_add(phrase,
               "throttled: %s on key %s and %u%s other%s, each alone more than a partition "
               "gives: ",
               throttle_reason_name(view->key_range_reason), key->name, (unsigned)others, or_more,
               others == 1 && *or_more == '\0' ? "" : "s");
    verdict_say_where(view, phrase);
    phrase_add(phrase, "of the first ");
    say_accepted(view, key, demand, phrase);
    phrase_add(phrase, ", ");
    say_table_use(view, phrase);
    phrase_add(phrase, " (");
    verdict_say_when(view, phrase);
    phrase_add(phrase, "); each has to be split further, for the first: ");
    say_shards(view, key, phrase);
}

/* So much that no layout of keys could hold it. */
static bool applies_all_partitions(const struct verdict_view *view) {
    const double caps = view->cap * view->resource->partitions_end;
    return view->resource->partitions_end > 0 && view->demand_units_per_s > PARTITIONS_FULL * caps;
}

static void say_all_partitions(const struct verdict_view *view, struct phrase *phrase) {
    const uint32_t partitions = view->resource->partitions_end;
    const double needed =
        fmax(ceil(view->demand_units_per_s / view->cap - 1e-9), (double)partitions + 1);
    phrase_add(phrase, "throttled: %s on %s of %u partition%s: ",
               throttle_reason_name(view->key_range_reason),
               words_count(view->resource->throttled_partitions).text, (unsigned)partitions,
               partitions == 1 ? "" : "s");
    verdict_say_where(view, phrase);
    phrase_add(phrase, "%s of %s %s/s", words_rate(view->admitted_per_s).text,
               words_rate(view->attempts_per_s).text, view->things);
    verdict_say_each(view, view->units_each, phrase);
    phrase_add(phrase, " accepted");
    verdict_say_retries(view, view->demand_per_s, phrase);
    phrase_add(phrase, "%s where %u x %s %s/s is all that they give (",
               view->retries > 0 ? "," : "", (unsigned)partitions, words_rate(view->cap).text,
               view->unit);
    verdict_say_when(view, phrase);
    phrase_add(phrase, "); no key alone exceeds a partition: it needs at least %s partitions, ",
               words_rate(needed).text);
    if (verdict_view_is_on_demand(view)) {
        verdict_say_pre_warm(view, view->demand_units_per_s, phrase);
        return;
    }
    phrase_add(phrase, "as a table made for more than %s %s/s has",
               words_rate((needed - 1) * view->cap).text, view->unit);
}

static uint32_t peers_of(const struct verdict_view *view, const struct summary_key *busiest) {
    uint32_t peers = 0;
    for (uint32_t i = 0; i < view->resource->hottest_count; i++) {
        peers += (double)verdict_view_key_attempts(view, &view->resource->hottest[i]) >=
                 PEER_SHARE * (double)verdict_view_key_attempts(view, busiest);
    }
    return peers;
}

/* What refused keys like the busiest ask of its partition: the rest are many small ones. */
static double peers_share(const struct verdict_view *view, const struct summary_key *busiest) {
    const double least = PEER_SHARE * verdict_view_key_demand(view, busiest);
    double demand = 0;
    for (uint32_t i = 0; i < view->resource->throttled_count; i++) {
        const struct summary_key *key = &view->resource->throttled[i];
        const double of_key = verdict_view_key_demand(view, key);
        demand += key->partition == busiest->partition && of_key >= least ? of_key : 0;
    }
    return demand / verdict_view_partition_demand(view, busiest);
}

static void say_partition(const struct verdict_view *view, const struct summary_key *key,
                          struct phrase *phrase) {
    const double demand = verdict_view_partition_demand(view, key);
    const bool always = demand > cap_in_requests(view);
    phrase_add(phrase, "it is asked for %s %s/s, %s the %s %s/s of a partition; ",
               words_rate(demand).text, view->things,
               always ? "more than" : "which for moments exceeds", words_rate(view->cap).text,
               view->unit);
}

/* Keys that would fit one by one, and met on a partition. */
static bool applies_shared_partition(const struct verdict_view *view) {
    const struct summary_key *key = verdict_view_most_refused(view);
    if (key == NULL || refused_on_partition(view, key->partition) < 2) {
        return false;
    }
    const double partition = verdict_view_partition_demand(view, key);
    return verdict_view_key_demand(view, key) >= KEYS_STAND_OUT * partition;
}

static const struct summary_key *second_on_partition(const struct verdict_view *view,
                                                     const struct summary_key *first) {
    const struct summary_key *second = NULL;
    for (uint32_t i = 0; i < view->resource->throttled_count; i++) {
        const struct summary_key *key = &view->resource->throttled[i];
        if (key != first && key->partition == first->partition &&
            verdict_view_key_refused(view, key) > 0 &&
            (second == NULL ||
             verdict_view_key_refused(view, key) > verdict_view_key_refused(view, second))) {
            second = key;
        }
    }
    return second;
}

/* A few keys of similar load. */
static void say_peers(const struct verdict_view *view, const struct summary_key *first,
                      uint32_t peers, struct phrase *phrase) {
    const uint32_t partitions = view->resource->partitions_end;
    const double demand = peers * verdict_view_key_demand(view, first);
    const double each = view->cap / cap_in_requests_of(view, first);
    const double cap = (view->cap - other_units(view, demand * each)) / each;
    phrase_add(phrase, "%u such keys land apart on %u partitions in %s of layouts; ",
               (unsigned)peers, (unsigned)partitions,
               words_percent(layout_odds_apart(peers, partitions)).text);
    phrase_add(phrase, "%u keys of half the load hold in %s", (unsigned)(2 * peers),
               words_percent(layout_odds_shards(demand, fmax(cap, 0), 2 * peers, partitions)).text);
}

static void say_shared_partition(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_key *first = verdict_view_most_refused(view);
    const struct summary_key *second = second_on_partition(view, first);
    const uint32_t more = refused_on_partition(view, first->partition) - 2;
    const uint32_t peers = peers_of(view, first), partitions = view->resource->partitions_end;
    phrase_add(phrase,
               "throttled: %s on partition %u, which keys %s (%s %s/s) and %s (%s/s)%s "
               "share: ",
               throttle_reason_name(view->key_range_reason), (unsigned)first->partition,
               first->name, words_rate(verdict_view_key_demand(view, first)).text, view->things,
               second->name, words_rate(verdict_view_key_demand(view, second)).text,
               more > 0 ? " and others" : "");
    verdict_say_where(view, phrase);
    say_partition(view, first, phrase);
    say_table_use(view, phrase);
    phrase_add(phrase, " (");
    verdict_say_when(view, phrase);
    phrase_add(phrase, "); each alone would fit: ");
    if (peers >= 2 && peers < SUMMARY_HOTTEST_KEYS && partitions > 1 &&
        peers_share(view, first) >= PEERS_MAKE_IT) {
        say_peers(view, first, peers, phrase);
    } else {
        phrase_add(phrase, "%s",
                   view->writes ? "more and smaller shards make the layout matter less"
                                : "a cache, or copies under other keys, take load off");
    }
}

static bool applies_hot_partition(const struct verdict_view *view) {
    return verdict_view_most_refused(view) != NULL;
}

/* Many keys, or one that is over the cap for moments only. */
static void say_hot_partition(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_key *key = verdict_view_most_refused(view);
    const bool alone = view->resource->throttled_keys == 1;
    phrase_add(phrase, "throttled: %s on %s%s: ", throttle_reason_name(view->key_range_reason),
               alone ? "key " : "many keys, most on ", key->name);
    verdict_say_where(view, phrase);
    say_partition(view, key, phrase);
    say_table_use(view, phrase);
    phrase_add(phrase, " (");
    verdict_say_when(view, phrase);
    phrase_add(phrase, "); %s of %s %s were refused: ", words_count(view->throttled).text,
               words_count(view->attempts).text, view->things);
    if (alone) {
        phrase_add(phrase, "the key is at the edge of a partition and exceeds it for moments; 2 "
                           "shards give it room");
    } else {
        phrase_add(phrase, "no key stands out, so keys are too unevenly used for the partitions "
                           "that they land on; caching or sharding the hottest helps");
    }
}

static const struct verdict_row rows[] = {
    {"hot-key", applies_hot_key, say_hot_key},
    {"few-keys", applies_few_keys, say_few_keys},
    {"all-partitions", applies_all_partitions, say_all_partitions},
    {"shared-partition", applies_shared_partition, say_shared_partition},
    {"hot-partition", applies_hot_partition, say_hot_partition},
};

const struct verdict_row *verdict_key_range_rows(size_t *count) {
    *count = sizeof rows / sizeof *rows;
    return rows;
}
