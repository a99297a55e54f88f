#include "analysis/verdict_limits.h"

#include <math.h>

#define SECONDS_A_MINUTE 60
#define TARGET_USE 0.7     /* usual target of auto scaling */
#define KEY_STANDS_OUT 0.2 /* a key with this share of the requests is named */

static double peak_minute_per_s(const struct verdict_view *view) {
    const double seconds = fmin(SECONDS_A_MINUTE, view->summary->duration_s);
    const double units = (double)view->direction->peak_minute_ncu / (double)NCU_PER_CU;
    return seconds > 0 ? units / seconds : 0;
}

void verdict_say_provisioned_limit(const struct verdict_view *view, struct phrase *phrase) {
    phrase_add(phrase, "throttled: %s on %s %s: ", throttle_reason_name(view->provisioned_reason),
               verdict_view_kind(view), verdict_view_name(view));
}

/* Which keys asked, and which were refused: the pool refuses whoever comes. */
static void say_keys(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_resource *resource = view->resource;
    const struct summary_key *busiest = verdict_view_busiest(view);
    if (busiest == NULL) {
        return;
    }
    const double share = (double)verdict_view_key_attempts(view, busiest) / (double)view->attempts;
    if (resource->keys == 1) {
        phrase_add(phrase, "; all of it is for key %s", busiest->name);
        return;
    }
    if (share >= KEY_STANDS_OUT) {
        phrase_add(phrase, "; key %s makes %s of it", busiest->name, words_percent(share).text);
    } else {
        phrase_add(phrase, "; no key stands out, the busiest, %s, makes %s", busiest->name,
                   words_percent(share).text);
    }
    phrase_add(phrase, ", and refusals hit %s of %s keys",
               words_count(resource->throttled_keys).text, words_count(resource->keys).text);
}

static int64_t burst_ncu(const struct verdict_view *view, const struct resource_sample *sample) {
    return view->writes ? sample->burst_wncu : sample->burst_rncu;
}

/* What was saved, how long it lasted, what is left. */
static void say_burst(const struct verdict_view *view, struct phrase *phrase) {
    const int64_t first_ncu = burst_ncu(view, &view->resource->first_sample);
    const int64_t last_ncu = burst_ncu(view, &view->resource->last_sample);
    const int64_t gone_s = view->direction->burst_gone_s;
    if (gone_s < 0) {
        phrase_add(phrase, "the saved burst never ran out");
    } else if (gone_s == 0) {
        phrase_add(phrase, "there was hardly any saved burst");
    } else {
        const double lasted_s = fmax((double)gone_s + 1, (double)view->limit->first_s);
        phrase_add(phrase, "the saved burst (%s %s after the first second) lasted %s",
                   words_units(first_ncu).text, view->unit, words_duration(lasted_s).text);
    }
    if (verdict_view_is_on_demand(view)) {
        return;
    }
    if (last_ncu >= 0) {
        phrase_add(phrase, ", %s %s are left at the end", words_units(last_ncu).text, view->unit);
    } else {
        phrase_add(phrase, ", a debt of %s %s is left at the end", words_units(-last_ncu).text,
                   view->unit);
    }
    if (gone_s >= 0) {
        verdict_say_full_again(view, phrase);
    }
}

static void say_need(const struct verdict_view *view, double units_per_s, struct phrase *phrase) {
    const char *at_least = view->summary->closed_loop ? "at least " : "";
    phrase_add(phrase, "; it needs %s%s %s/s, or %s%s for 70 %% use", at_least,
               words_rate(ceil(units_per_s - 1e-9)).text, view->unit, at_least,
               words_rate(ceil(units_per_s / TARGET_USE - 1e-9)).text);
}

/* What is provisioned has changed on the way. */
static void say_change(const struct verdict_view *view, struct phrase *phrase) {
    const struct resource_sample *first = &view->resource->first_sample;
    const double before = (double)(view->writes ? first->provisioned_wcu : first->provisioned_rcu);
    if (verdict_view_is_on_demand(view)) {
        phrase_add(phrase, ", before the table became on-demand");
    } else if (before > 0 && before < view->provisioned) {
        phrase_add(phrase, " at the end, %s at first", words_rate(before).text);
    } else if (before > view->provisioned) {
        phrase_add(phrase, " at the end, of %s at first", words_rate(before).text);
    }
}

static void say_accepted(const struct verdict_view *view, struct phrase *phrase) {
    phrase_add(phrase, "%s of %s %s/s", words_rate(view->admitted_per_s).text,
               words_rate(view->attempts_per_s).text, view->things);
    verdict_say_each(view, view->units_each, phrase);
    phrase_add(phrase, " accepted");
    verdict_say_retries(view, view->demand_per_s, phrase);
    phrase_add(phrase, "%s while %s %s/s are provisioned", view->retries > 0 ? "," : "",
               words_rate(view->provisioned).text, view->unit);
    say_change(view, phrase);
    phrase_add(phrase, " (");
    verdict_say_when(view, phrase);
    phrase_add(phrase, ")");
}

/* One request costs more than the table earns in a second. */
static bool applies_large_item(const struct verdict_view *view) {
    return view->provisioned > 0 && view->units_each > view->provisioned;
}

static void say_large_item(const struct verdict_view *view, struct phrase *phrase) {
    verdict_say_provisioned_limit(view, phrase);
    phrase_add(phrase, "one of its %s costs %s %s, what %s %s/s earn in %s; ", view->things,
               words_rate(view->units_each).text, view->unit, words_rate(view->provisioned).text,
               view->unit, words_duration(view->units_each / view->provisioned).text);
    say_accepted(view, phrase);
    phrase_add(phrase, "; ");
    say_burst(view, phrase);
    phrase_add(phrase, "; smaller items help (large parts elsewhere), or more capacity");
    say_need(view, view->demand_units_per_s, phrase);
}

/* Refused though the table had saved enough: its routers hold shares of it. */
static bool applies_router_shares(const struct verdict_view *view) {
    return view->direction->burst_gone_s < 0 && view->units_each > 0;
}

static void say_router_shares(const struct verdict_view *view, struct phrase *phrase) {
    verdict_say_provisioned_limit(view, phrase);
    say_accepted(view, phrase);
    phrase_add(phrase, "; ");
    say_burst(view, phrase);
    phrase_add(phrase, ": it is granted to request routers in shares every few seconds, and one of "
                       "them had used its own up");
    say_keys(view, phrase);
    phrase_add(phrase,
               "; a retry a few seconds later meets the next grant; the number of routers and "
               "their interval are assumptions (--set model.routers=0 takes them away)");
}

/* Per minute, as CloudWatch shows it, the table never is above what is provisioned. */
static bool applies_spikes(const struct verdict_view *view) {
    return view->provisioned > 0 && peak_minute_per_s(view) <= view->provisioned;
}

static void say_spikes(const struct verdict_view *view, struct phrase *phrase) {
    verdict_say_provisioned_limit(view, phrase);
    phrase_add(phrase, "short spikes: ");
    say_accepted(view, phrase);
    phrase_add(phrase,
               "; the fullest minute has a mean of %s %s/s, so a graph by the minute shows no "
               "reason; limits hold by the second",
               words_rate(peak_minute_per_s(view)).text, view->unit);
    say_keys(view, phrase);
    phrase_add(phrase,
               "; spread the requests over the minute, retry with backoff, or provision for "
               "the spike: %s %s/s in its fullest second",
               words_rate(ceil((double)view->direction->peak_asked_ncu / (double)NCU_PER_CU)).text,
               view->unit);
}

static bool applies_over_provisioned(const struct verdict_view *view) {
    return view->provisioned_events > 0;
}

static void say_over_provisioned(const struct verdict_view *view, struct phrase *phrase) {
    const double peak_second = (double)view->direction->peak_second_ncu / (double)NCU_PER_CU;
    const double demand = view->demand_units_per_s;
    verdict_say_provisioned_limit(view, phrase);
    say_accepted(view, phrase);
    phrase_add(phrase, "; ");
    say_burst(view, phrase);
    say_keys(view, phrase);
    if (view->summary->closed_loop && peak_second > demand) {
        phrase_add(phrase, "; its clients reach %s %s/s when nothing holds them back",
                   words_rate(peak_second).text, view->unit);
        say_need(view, peak_second, phrase);
    } else {
        say_need(view, demand, phrase);
    }
    phrase_add(phrase, "; auto scaling would act after 2 minutes above its target");
}

static const struct verdict_row rows[] = {
    {"large-item", applies_large_item, say_large_item},
    {"router-shares", applies_router_shares, say_router_shares},
    {"spikes", applies_spikes, say_spikes},
    {"over-provisioned", applies_over_provisioned, say_over_provisioned},
};

const struct verdict_row *verdict_provisioned_rows(size_t *count) {
    *count = sizeof rows / sizeof *rows;
    return rows;
}
