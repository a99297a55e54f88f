#include "analysis/verdict.h"

#include "analysis/layout_odds.h"
#include "analysis/verdict_client.h"
#include "analysis/verdict_limits.h"
#include "analysis/verdict_scan.h"
#include "analysis/verdict_splits.h"
#include "analysis/verdict_view.h"
#include "analysis/words.h"

#include <math.h>
#include <string.h>

#define SECONDS_A_MINUTE 60
#define FINDINGS_MAX 16

/* What a limit did to one direction of one table. */
struct finding {
    struct verdict_view view;
    const struct verdict_row *row;
    uint64_t events;
};

struct findings {
    struct finding list[FINDINGS_MAX];
    uint32_t count, left_out;
};

void verdict_say_where(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_resource *resource = view->resource;
    if (resource->index_name != NULL) {
        phrase_add(phrase, "on index %s of table %s, ", resource->index_name, resource->table_name);
    } else if (view->summary->resource_count > 1) {
        phrase_add(phrase, "on table %s, ", resource->table_name);
    }
}

void verdict_say_when(const struct verdict_view *view, struct phrase *phrase) {
    const struct recorder_limit *limit = view->limit;
    const int64_t end_s = (int64_t)ceil(view->summary->duration_s);
    phrase_add(phrase, "from %s ", words_duration((double)limit->first_s).text);
    if (limit->last_s + 1 >= end_s) {
        phrase_add(phrase, "to the end");
    } else {
        phrase_add(phrase, "to %s", words_duration((double)limit->last_s + 1).text);
    }
    phrase_add(phrase, ", in %s of %s s", words_count(limit->seconds).text,
               words_count((uint64_t)end_s).text);
}

void verdict_say_each(const struct verdict_view *view, double units_each, struct phrase *phrase) {
    if (units_each > 0 && (units_each > 1.005 || units_each < 0.995)) {
        phrase_add(phrase, " (%s %s each)", words_rate(units_each).text, view->unit);
    }
}

void verdict_say_retries(const struct verdict_view *view, double demand_per_s,
                         struct phrase *phrase) {
    if (view->retries > 0) {
        phrase_add(phrase, ", retries included (%s/s without)", words_rate(demand_per_s).text);
    }
}

void verdict_say_full_again(const struct verdict_view *view, struct phrase *phrase) {
    const struct resource_sample *last = &view->resource->last_sample;
    const double max =
        (double)(view->writes ? last->burst_max_wncu : last->burst_max_rncu) / (double)NCU_PER_CU;
    const double left =
        (double)(view->writes ? last->burst_wncu : last->burst_rncu) / (double)NCU_PER_CU;
    /* an index pays its debt first; tables have none */
    const double debt =
        view->writes && last->debt_wncu > 0 ? (double)last->debt_wncu / (double)NCU_PER_CU : 0;
    if (view->direction->burst_full_s >= 0) {
        phrase_add(phrase, ", and it was full again at %s",
                   words_duration((double)view->direction->burst_full_s + 1).text);
    } else if (view->provisioned > 0 && left < max) {
        phrase_add(phrase, ", full again (%s %s) after %s without %s", words_rate(max).text,
                   view->unit, words_duration((max - left + debt) / view->provisioned).text,
                   view->things);
    }
}

/* Keeps findings sorted by events, most first; beyond the room the smallest are counted only. */
static void add_finding(struct findings *findings, const struct finding *finding) {
    if (findings->count == FINDINGS_MAX) {
        findings->left_out++;
        if (finding->events <= findings->list[FINDINGS_MAX - 1].events) {
            return;
        }
        findings->count--;
    }
    uint32_t at = findings->count++;
    for (; at > 0 && findings->list[at - 1].events < finding->events; at--) {
        findings->list[at] = findings->list[at - 1];
    }
    findings->list[at] = *finding;
}

static void find(struct findings *findings, const struct verdict_view *view, uint64_t events,
                 const struct verdict_row *rows, size_t count) {
    for (size_t i = 0; i < count && events > 0; i++) {
        if (rows[i].applies(view)) {
            const struct finding finding = {.view = *view, .row = &rows[i], .events = events};
            add_finding(findings, &finding);
            return;
        }
    }
}

static void find_all(struct findings *findings, const struct summary *summary) {
    for (uint32_t resource = 0; resource < summary->resource_count; resource++) {
        for (int writes = 0; writes < 2; writes++) {
            struct verdict_view view;
            size_t count;
            if (!verdict_view_fill(&view, summary, resource, writes == 1)) {
                continue;
            }
            const bool of_index = view.resource->index_name != NULL && writes == 1;
            const struct verdict_row *rows =
                of_index ? verdict_index_rows(true, &count) : verdict_key_range_rows(&count);
            verdict_view_turn(&view, RECORDER_KEY_RANGE);
            find(findings, &view, view.key_range_events, rows, count);
            rows = of_index                      ? verdict_index_rows(false, &count)
                   : verdict_has_shares(summary) ? verdict_shares_rows(&count)
                                                 : verdict_provisioned_rows(&count);
            verdict_view_turn(&view, RECORDER_PROVISIONED);
            find(findings, &view, view.provisioned_events, rows, count);
            rows = of_index ? verdict_index_rows(false, &count) : verdict_maximum_rows(&count);
            verdict_view_turn(&view, RECORDER_MAX_ON_DEMAND);
            find(findings, &view, view.maximum_events, rows, count);
            rows = of_index ? verdict_index_rows(false, &count) : verdict_quota_rows(&count);
            verdict_view_turn(&view, RECORDER_ACCOUNT);
            find(findings, &view, view.quota_events, rows, count);
        }
    }
}

/* How long what is left lasts if the fullest minute goes on. */
static void say_burst_lasts(const struct verdict_view *view, double peak_per_s, double left,
                            struct phrase *phrase) {
    if (left > 0) {
        phrase_add(phrase, ", enough for another %s like that",
                   words_duration(left / (peak_per_s - view->provisioned)).text);
    }
}

/* How near the limits a direction that was not refused came. */
static void say_headroom(const struct verdict_view *view, struct phrase *phrase) {
    const double minute_s = fmin(SECONDS_A_MINUTE, view->summary->duration_s);
    const double peak =
        minute_s > 0 ? (double)view->direction->peak_minute_ncu / (double)NCU_PER_CU / minute_s : 0;
    const struct summary_key *busiest = verdict_view_busiest(view);
    if (view->provisioned > 0) {
        const double use = peak / view->provisioned;
        phrase_add(phrase, "%s use %s of %s %s/s", view->things, words_percent(use).text,
                   words_rate(view->provisioned).text, view->unit);
        if (view->summary->duration_s > SECONDS_A_MINUTE) {
            phrase_add(phrase, " in their fullest minute");
        }
        if (use > 1) {
            const struct resource_sample *last = &view->resource->last_sample;
            const int64_t left_ncu = view->writes ? last->burst_wncu : last->burst_rncu;
            if (view->writes && last->debt_wncu > 0) {
                phrase_add(phrase, ", beyond its saved burst");
            } else {
                phrase_add(phrase, ", on saved burst, of which %s %s are left at the end",
                           words_units(left_ncu).text, view->unit);
                say_burst_lasts(view, peak, (double)left_ncu / (double)NCU_PER_CU, phrase);
            }
            verdict_say_full_again(view, phrase);
        }
    }
    if (verdict_view_is_on_demand(view)) {
        verdict_say_on_demand_use(view, peak, phrase);
        phrase_add(phrase, "%s",
                   view->summary->duration_s > SECONDS_A_MINUTE ? " in their fullest minute" : "");
    }
    if (busiest != NULL && view->attempts > 0) {
        const double share =
            (double)verdict_view_key_attempts(view, busiest) / (double)view->attempts;
        const double units = share * view->demand_units_per_s;
        phrase_add(phrase, ", the busiest key, %s, %s of the %s %s/s of a partition", busiest->name,
                   words_percent(units / view->cap).text, words_rate(view->cap).text, view->unit);
    }
}

/* Entries that an index owes, or has written beyond its capacity. */
static bool is_behind(const struct summary_resource *resource) {
    const struct resource_sample *last = &resource->last_sample;
    /* of one second */
    const int64_t some_ncu =
        (last->provisioned_wcu > 0 ? last->provisioned_wcu : resource->part_max_w) * NCU_PER_CU;
    return resource->index_name != NULL &&
           (last->debt_wncu > some_ncu || last->buffered_wncu > some_ncu);
}

static bool applies_index_behind(const struct summary *summary) {
    bool behind = false;
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        behind |= is_behind(&summary->resources[i]);
    }
    return behind;
}

static void say_not_throttled(const struct summary *summary, struct phrase *phrase) {
    bool said = false;
    phrase_add(phrase, applies_index_behind(summary) ? "not throttled yet" : "not throttled");
    for (uint32_t resource = 0; resource < summary->resource_count; resource++) {
        for (int writes = 0; writes < 2; writes++) {
            struct verdict_view view;
            if (!verdict_view_fill(&view, summary, resource, writes == 1)) {
                continue;
            }
            phrase_add(phrase, said ? "; " : ": ");
            verdict_say_where(&view, phrase);
            say_headroom(&view, phrase);
            said = true;
        }
    }
    if (!said) {
        phrase_add(phrase, ": nothing arrived");
    }
}

static void say_behind(const struct summary *summary, const struct summary_resource *resource,
                       struct phrase *phrase) {
    const struct resource_sample *last = &resource->last_sample;
    const int64_t owed_ncu = resource->total->consumed_wncu + last->buffered_wncu;
    const double rate =
        summary->duration_s > 0 ? (double)owed_ncu / (double)NCU_PER_CU / summary->duration_s : 0;
    phrase_add(phrase, "%s of table %s is owed %s WCU/s and has %s", resource->index_name,
               resource->table_name, words_rate(rate).text,
               words_count((uint64_t)last->provisioned_wcu).text);
    if (resource->index_limit_wcu > 0) {
        phrase_add(phrase, ", it may be behind by %s WCU",
                   words_count((uint64_t)resource->index_limit_wcu).text);
    }
    if (last->debt_wncu > 0) {
        phrase_add(phrase, ", its debt is %s WCU", words_units(last->debt_wncu).text);
    }
    if (last->buffered_wncu > 0) {
        phrase_add(phrase, ", %s WCU wait for partitions that are full",
                   words_units(last->buffered_wncu).text);
        if (resource->hottest_count > 0) {
            const struct summary_key *key = &resource->hottest[0];
            const double units = (double)key->counters.consumed_wncu / (double)NCU_PER_CU;
            phrase_add(phrase, " (its hottest key, %s, takes %s of a partition's %s WCU/s)",
                       key->name, words_rate(words_share(units, summary->duration_s)).text,
                       words_count((uint64_t)resource->part_max_w).text);
        }
    }
}

static void say_index_behind(const struct summary *summary, struct phrase *phrase) {
    const char *separator = "index behind: ";
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (is_behind(&summary->resources[i])) {
            phrase_add(phrase, "%s", separator);
            say_behind(summary, &summary->resources[i], phrase);
            separator = "; ";
        }
    }
    phrase_add(
        phrase, "%s",
        verdict_has_index_refusals(summary)
            ? ""
            : "; writes to the table will be refused when that grows to the bound: provision "
              "the index for what it is owed, or spread its keys");
}

static uint64_t missing_items(const struct summary *summary) {
    uint64_t missing = 0;
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        missing += summary->resources[i].total->missing;
    }
    return missing;
}

static bool applies_missing(const struct summary *summary) {
    return missing_items(summary) > 0;
}

static void say_missing(const struct summary *summary, struct phrase *phrase) {
    phrase_add(phrase,
               "missing items: %s of %s attempts read or deleted an item that does not exist; "
               "they cost the smallest unit ('exists:' or ItemCount make items exist)",
               words_count(missing_items(summary)).text, words_count(summary->total.attempts).text);
}

/* Refusals by partitions, or else by pools, of requests themselves and not of their entries. */
static bool has_events(const struct summary *summary, bool key_range) {
    const uint16_t ranges =
        REASON_BIT(REASON_TABLE_READ_KEY_RANGE) | REASON_BIT(REASON_TABLE_WRITE_KEY_RANGE) |
        REASON_BIT(REASON_INDEX_READ_KEY_RANGE) | REASON_BIT(REASON_INDEX_WRITE_KEY_RANGE);
    const uint16_t pools = REASON_BIT(REASON_TABLE_READ_PROVISIONED) |
                           REASON_BIT(REASON_TABLE_WRITE_PROVISIONED) |
                           REASON_BIT(REASON_INDEX_READ_PROVISIONED);
    bool found = false;
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        const bool counts = ((key_range ? ranges : pools) & REASON_BIT(reason)) != 0;
        found |= counts && summary->events[reason] > 0;
    }
    return found;
}

static bool has_maximum_events(const struct summary *summary) {
    return summary->events[REASON_TABLE_READ_MAX_ON_DEMAND] +
               summary->events[REASON_TABLE_WRITE_MAX_ON_DEMAND] +
               summary->events[REASON_INDEX_READ_MAX_ON_DEMAND] +
               summary->events[REASON_INDEX_WRITE_MAX_ON_DEMAND] >
           0;
}

static bool applies_update_refused(const struct summary *summary) {
    return summary->refused_updates > 0;
}

static void say_update_refused(const struct summary *summary, struct phrase *phrase) {
    phrase_add(phrase, "not changed: DynamoDB refused UpdateTable%s at %s (%s): %s",
               summary->refused_updates > 1 ? ", first" : "",
               words_duration(summary->refused_update_s).text, summary->refused_update_exception,
               summary->refused_update_rule);
    if (summary->refused_updates > 1) {
        phrase_add(phrase, "; %s calls were refused", words_count(summary->refused_updates).text);
    }
}

static bool applies_rests_on(const struct summary *summary) {
    return has_events(summary, true) || has_events(summary, false) || has_maximum_events(summary) ||
           verdict_has_index_refusals(summary);
}

static void say_rests_on(const struct summary *summary, struct phrase *phrase) {
    const char *separator = "rests on: ";
    if (has_events(summary, true)) {
        phrase_add(phrase,
                   "%sone layout of keys on partitions (AWS's hash is unpublished; "
                   "--replications tries others)",
                   separator);
        separator = "; ";
    }
    if (verdict_has_index_refusals(summary)) {
        phrase_add(phrase,
                   "%show much an index may be behind by is unpublished (gsi_buffer_units), that "
                   "all writes are refused then is documented",
                   separator);
        separator = "; ";
    }
    if (has_events(summary, false)) {
        phrase_add(phrase, "%s", separator);
        separator = "; ";
        if (verdict_has_shares(summary)) {
            verdict_say_shares_rest_on(summary, phrase);
        } else {
            phrase_add(phrase,
                       "unpublished parameters: routers, gac_refresh, token_ttl, burst_initial_s "
                       "('ddbsim parameters')");
        }
    }
    if (has_maximum_events(summary)) {
        phrase_add(phrase, "%son_demand_burst, how much of a maximum is saved, is unpublished",
                   separator);
    }
}

/* Of the tables; those of the client come first. */
static const struct verdict_run_row run_rows[] = {
    {"scan", verdict_has_scans, verdict_say_scans},
    {"index-behind", applies_index_behind, say_index_behind},
    {"rejected", verdict_has_rejections, verdict_say_rejections},
    {"splits", verdict_has_splits, verdict_say_splits},
    {"missing-items", applies_missing, say_missing},
    {"update-refused", applies_update_refused, say_update_refused},
    {"rests-on", applies_rests_on, say_rests_on},
};

static void say_findings(const struct findings *findings, struct phrase *phrase) {
    for (uint32_t i = 0; i < findings->count; i++) {
        phrase_add(phrase, "%s", i == 0 ? "" : "\n");
        findings->list[i].row->say(&findings->list[i].view, phrase);
    }
    if (findings->left_out > 0) {
        phrase_add(phrase, "\nand %s smaller findings", words_count(findings->left_out).text);
    }
}

static void say_run_rows(const struct summary *summary, const struct verdict_run_row *rows,
                         size_t count, struct phrase *phrase) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].applies(summary)) {
            phrase_add(phrase, "\n");
            rows[i].say(summary, phrase);
        }
    }
}

void verdict_write(struct summary *summary) {
    struct findings findings = {.count = 0};
    struct phrase phrase;
    phrase_init(&phrase, summary->verdict, sizeof summary->verdict);
    find_all(&findings, summary);
    if (findings.count > 0) {
        say_findings(&findings, &phrase);
    } else if (summary->total.throttled == 0) {
        say_not_throttled(summary, &phrase);
    } else {
        phrase_add(&phrase, "throttled: %s attempts", words_count(summary->total.throttled).text);
    }
    size_t count;
    const struct verdict_run_row *rows = verdict_client_rows(&count);
    say_run_rows(summary, rows, count, &phrase);
    say_run_rows(summary, run_rows, sizeof run_rows / sizeof *run_rows, &phrase);
}
