/* Writes to a table that one of its indexes refused, because it is too far behind. */
#include "analysis/verdict_limits.h"

#include "analysis/layout_odds.h"

#include <math.h>
#include <string.h>

#define VALUES_TRIED 64
#define VALUES_ODDS 0.9 /* "hold in most layouts" */
#define NO_ROOM 0.05    /* of a partition's cap beside other keys */

/* What the table's writers saw, and what the index was asked for meanwhile. */
struct pressure {
    struct verdict_view base; /* the table, in the seconds of these refusals */
    const struct summary_key *key;
    double owed_per_s, key_per_s; /* WCU that all writes, and those of the hottest key, would owe */
    double reached_per_s;         /* that the fullest second owed */
};

static void find_table(struct verdict_view *base, const struct verdict_view *view) {
    const struct summary *summary = view->summary;
    uint32_t table = 0;
    while (summary->resources[table].index_name != NULL ||
           strcmp(summary->resources[table].table_name, view->resource->table_name) != 0) {
        table++;
    }
    (void)verdict_view_fill(base, summary, table, true);
    verdict_view_turn(base, RECORDER_INDEXES);
}

/* Entries are first in, first out for each partition of the table, so keys are written in the
 * proportion in which they are asked for. */
static struct pressure pressure_of(const struct verdict_view *view) {
    struct pressure pressure = {.key = NULL};
    const double written = (double)view->resource->total->consumed_wncu / (double)NCU_PER_CU;
    const double buffered = (double)view->resource->last_sample.buffered_wncu / (double)NCU_PER_CU;
    find_table(&pressure.base, view);
    const double each = words_share(written + buffered, (double)pressure.base.admitted);
    const double peak = (double)pressure.base.direction->peak_second_ncu / (double)NCU_PER_CU;
    pressure.owed_per_s = each * pressure.base.demand_per_s;
    pressure.reached_per_s = each * words_share(peak, pressure.base.units_each);
    if (view->resource->hottest_count > 0) {
        pressure.key = &view->resource->hottest[0];
        const double of_key = (double)pressure.key->counters.consumed_wncu / (double)NCU_PER_CU;
        pressure.key_per_s = words_share(of_key, written) * pressure.owed_per_s;
    }
    return pressure;
}

/* "writes to table jobs are refused though it is at 31 % of its 1,000 WCU/s: 310 of 900 writes/s
 * accepted (from 130 s to the end, in 470 of 600 s)" */
static void say_base(const struct pressure *pressure, struct phrase *phrase) {
    const struct verdict_view *base = &pressure->base;
    phrase_add(phrase, "writes to table %s are refused, whatever their key",
               verdict_view_name(base));
    if (base->provisioned > 0) {
        const double use = base->consumed_per_s / base->provisioned;
        phrase_add(phrase, ", %s it is at %s of its %s WCU/s", use < 1 ? "though" : "while",
                   words_percent(use).text, words_rate(base->provisioned).text);
    }
    phrase_add(phrase, ": %s of %s writes/s accepted", words_rate(base->admitted_per_s).text,
               words_rate(base->attempts_per_s).text);
    verdict_say_retries(base, base->demand_per_s, phrase);
    phrase_add(phrase, " (");
    verdict_say_when(base, phrase);
    phrase_add(phrase, ")");
}

/* What the index has been late by. */
static void say_lag(const struct verdict_view *view, struct phrase *phrase) {
    if (view->resource->lag_ms_max >= 0) {
        phrase_add(phrase, "; its entries were up to %s late",
                   words_duration(view->resource->lag_ms_max / 1000).text);
    }
}

static double odds_of(const struct pressure *pressure, double cap, uint32_t values,
                      uint32_t partitions) {
    return layout_odds_shards(pressure->key_per_s, cap, values, partitions);
}

/* "spread OPEN over 4 values (in 91 % of layouts on 8 partitions)" */
static void say_values(const struct verdict_view *view, const struct pressure *pressure,
                       struct phrase *phrase) {
    const uint32_t partitions = view->resource->partitions_end;
    const double others = fmax(0, pressure->owed_per_s - pressure->key_per_s);
    const double cap = view->cap - words_share(others, partitions);
    const double least = fmax(2, ceil(pressure->key_per_s / cap - 1e-9));
    if (cap < NO_ROOM * view->cap || least > VALUES_TRIED) {
        phrase_add(phrase,
                   "; it is owed more than its %u partitions can take: spread %s over many "
                   "values, and give it more partitions",
                   (unsigned)partitions, pressure->key->name);
        return;
    }
    uint32_t values = (uint32_t)least;
    while (values < VALUES_TRIED && odds_of(pressure, cap, values, partitions) < VALUES_ODDS) {
        values++;
    }
    const double odds = odds_of(pressure, cap, values, partitions);
    if (odds >= VALUES_ODDS) {
        phrase_add(phrase, "; spread %s over %u values (%s of layouts on %u partitions)",
                   pressure->key->name, (unsigned)values, words_percent(odds).text,
                   (unsigned)partitions);
    } else {
        phrase_add(phrase, "; spread %s over %u values or more, on more than its %u partition%s",
                   pressure->key->name, (unsigned)least, (unsigned)partitions,
                   partitions == 1 ? "" : "s");
    }
}

static bool applies_index_key(const struct verdict_view *view) {
    return view->key_range_events > 0 && view->resource->hottest_count > 0;
}

static void say_index_key(const struct verdict_view *view, struct phrase *phrase) {
    const struct pressure pressure = pressure_of(view);
    const bool alone = pressure.key_per_s > view->cap;
    phrase_add(phrase, "throttled: index %s: %s on %skey %s: ", verdict_view_name(view),
               throttle_reason_name(view->key_range_reason), alone ? "" : "the partition of ",
               pressure.key->name);
    say_base(&pressure, phrase);
    phrase_add(phrase,
               "; they would owe that key %s WCU/s, of which a partition of the index writes %s",
               words_rate(pressure.key_per_s).text, words_rate(view->cap).text);
    if (!alone) {
        phrase_add(phrase, " with all its other keys (%s WCU/s on %u partitions)",
                   words_rate(pressure.owed_per_s).text, (unsigned)view->resource->partitions_end);
    }
    say_lag(view, phrase);
    say_values(view, &pressure, phrase);
}

/* The pool that is in debt: the provisioned one, or what limits an on-demand index. */
static enum throttle_reason pool_reason(const struct verdict_view *view) {
    return view->provisioned_events > 0 ? view->provisioned_reason
           : view->maximum_events > 0   ? view->maximum_reason
                                        : view->quota_reason;
}

static bool applies_index_pool(const struct verdict_view *view) {
    return view->provisioned_events + view->maximum_events + view->quota_events > 0;
}

static void say_index_pool(const struct verdict_view *view, struct phrase *phrase) {
    const struct pressure pressure = pressure_of(view);
    phrase_add(phrase, "throttled: index %s: %s: ", verdict_view_name(view),
               throttle_reason_name(pool_reason(view)));
    say_base(&pressure, phrase);
    phrase_add(phrase, "; they would owe the index %s %s/s", words_rate(pressure.owed_per_s).text,
               view->unit);
    if (view->provisioned > 0) {
        phrase_add(phrase, ", it has %s", words_rate(view->provisioned).text);
    }
    phrase_add(phrase, ", and may be behind by %s %s",
               words_count((uint64_t)view->resource->index_limit_wcu).text, view->unit);
    double needed = pressure.owed_per_s;
    if (view->summary->closed_loop && pressure.reached_per_s > needed) {
        needed = pressure.reached_per_s;
        phrase_add(phrase, "; its clients reach %s when nothing holds them back",
                   words_rate(needed).text);
    }
    phrase_add(phrase,
               "; give it that (%s %s/s, or %s for 70 %% use): at least as much as its table's "
               "writes is AWS's rule",
               words_rate(ceil(needed - 1e-9)).text, view->unit,
               words_rate(ceil(needed / 0.7 - 1e-9)).text);
}

static const struct verdict_row key_range_rows[] = {
    {"index-key", applies_index_key, say_index_key},
};
static const struct verdict_row pool_rows[] = {
    {"index-pool", applies_index_pool, say_index_pool},
};

const struct verdict_row *verdict_index_rows(bool key_range, size_t *count) {
    *count = 1;
    return key_range ? key_range_rows : pool_rows;
}

bool verdict_has_index_refusals(const struct summary *summary) {
    bool found = false;
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        found |= (REASON_BIT(reason) & REASONS_OF_INDEX_WRITES) != 0 && summary->events[reason] > 0;
    }
    return found;
}
