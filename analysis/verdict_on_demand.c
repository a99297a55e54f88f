#include "analysis/verdict_limits.h"

#include <math.h>

/* What the partitions take together, of even traffic. */
static double carried(const struct verdict_view *view) {
    return view->cap * view->resource->partitions_end;
}

void verdict_say_on_demand_use(const struct verdict_view *view, double peak,
                               struct phrase *phrase) {
    const uint32_t partitions = view->resource->partitions_end;
    phrase_add(phrase, "%s use %s of the %s %s/s of %u on-demand partition%s", view->things,
               words_percent(peak / carried(view)).text, words_rate(carried(view)).text, view->unit,
               (unsigned)partitions, partitions == 1 ? "" : "s");
}

void verdict_say_pre_warm(const struct verdict_view *view, double units_per_s,
                          struct phrase *phrase) {
    phrase_add(phrase,
               "pre-warm it (WarmThroughput of %s %s), or let traffic grow to no more than twice "
               "its previous peak within 30 minutes",
               words_rate(ceil(units_per_s - 1e-9)).text, view->things);
}

static bool applies(const struct verdict_view *view) {
    return view->limit != NULL;
}

static void say_limit(const struct verdict_view *view, enum throttle_reason reason,
                      struct phrase *phrase) {
    phrase_add(phrase, "throttled: %s on %s %s: ", throttle_reason_name(reason),
               verdict_view_kind(view), verdict_view_name(view));
    phrase_add(phrase, "%s of %s %s/s", words_rate(view->admitted_per_s).text,
               words_rate(view->attempts_per_s).text, view->things);
    verdict_say_each(view, view->units_each, phrase);
    phrase_add(phrase, " accepted");
    verdict_say_retries(view, view->demand_per_s, phrase);
    phrase_add(phrase, " (");
    verdict_say_when(view, phrase);
    phrase_add(phrase, "); ");
}

static void say_maximum(const struct verdict_view *view, struct phrase *phrase) {
    const uint32_t partitions = view->resource->partitions_end;
    say_limit(view, view->maximum_reason, phrase);
    phrase_add(phrase,
               "the table's own OnDemandThroughput is the limit, not its %u partition%s, which "
               "take %s %s/s: it needs a maximum of %s %s/s, or none",
               (unsigned)partitions, partitions == 1 ? "" : "s", words_rate(carried(view)).text,
               view->unit, words_rate(ceil(view->demand_units_per_s - 1e-9)).text, view->unit);
}

static void say_quota(const struct verdict_view *view, struct phrase *phrase) {
    say_limit(view, view->quota_reason, phrase);
    phrase_add(phrase,
               "the account's quota of %s units a second for an on-demand table or index is "
               "the limit: AWS raises it on request (Service Quotas), to %s %s/s here",
               view->writes ? "write" : "read",
               words_rate(ceil(view->demand_units_per_s - 1e-9)).text, view->unit);
}

static const struct verdict_row maximum_rows[] = {{"on-demand-maximum", applies, say_maximum}};
static const struct verdict_row quota_rows[] = {{"account-quota", applies, say_quota}};

const struct verdict_row *verdict_maximum_rows(size_t *count) {
    *count = sizeof maximum_rows / sizeof *maximum_rows;
    return maximum_rows;
}

const struct verdict_row *verdict_quota_rows(size_t *count) {
    *count = sizeof quota_rows / sizeof *quota_rows;
    return quota_rows;
}
