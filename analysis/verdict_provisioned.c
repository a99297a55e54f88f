#include "analysis/verdict_limits.h"

#include <math.h>

#define SECONDS_A_MINUTE 60
#define TARGET_USE 0.7     /* usual target of auto scaling */
#define KEY_STANDS_OUT 0.2 /* a key with this share of the requests is named */

static double demand_in_units(const struct verdict_view *view) {
    return view->demand_per_s * view->units_each;
}

static double peak_minute_per_s(const struct verdict_view *view) {
    const double seconds = fmin(SECONDS_A_MINUTE, view->summary->duration_s);
    const double units = (double)view->direction->peak_minute_ncu / (double)NCU_PER_CU;
    return seconds > 0 ? units / seconds : 0;
}

static void say_limit(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_resource *resource = view->resource;
    phrase_add(phrase, "throttled: %s on %s %s: ", throttle_reason_name(view->provisioned_reason),
               resource->index_name == NULL ? "table" : "index",
               resource->index_name == NULL ? resource->table_name : resource->index_name);
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

static void say_burst(const struct verdict_view *view, struct phrase *phrase) {
    const struct summary_resource *resource = view->resource;
    const int64_t first_ncu =
        view->writes ? resource->first_sample.burst_wncu : resource->first_sample.burst_rncu;
    const int64_t last_ncu =
        view->writes ? resource->last_sample.burst_wncu : resource->last_sample.burst_rncu;
    if (view->direction->first_throttle_s > 0 && first_ncu >= NCU_PER_CU) {
        phrase_add(phrase, "the saved burst (%s %s after the first second) lasted %s",
                   words_units(first_ncu).text, view->unit,
                   words_duration((double)view->direction->first_throttle_s).text);
    } else {
        phrase_add(phrase, "there was no saved burst to live on");
    }
    if (last_ncu >= 0) {
        phrase_add(phrase, ", %s %s are left at the end", words_units(last_ncu).text, view->unit);
    } else {
        phrase_add(phrase, ", the end finds a debt of %s %s", words_units(-last_ncu).text,
                   view->unit);
    }
}

static void say_need(const struct verdict_view *view, double units_per_s, struct phrase *phrase) {
    const char *at_least = view->summary->closed_loop ? "at least " : "";
    phrase_add(phrase, "; it needs %s%s %s/s, or %s%s for 70 %% use", at_least,
               words_rate(ceil(units_per_s - 1e-9)).text, view->unit, at_least,
               words_rate(ceil(units_per_s / TARGET_USE - 1e-9)).text);
}

static void say_accepted(const struct verdict_view *view, struct phrase *phrase) {
    phrase_add(phrase, "%s of %s %s/s accepted", words_rate(view->admitted_per_s).text,
               words_rate(view->attempts_per_s).text, view->things);
    if (view->retries > 0) {
        phrase_add(phrase, ", retries included (%s/s without)",
                   words_rate(view->demand_per_s).text);
    }
    phrase_add(phrase, ", ");
    verdict_say_when(view, phrase);
}

/* One request costs more than the table earns in a second. */
static bool applies_large_item(const struct verdict_view *view) {
    return view->provisioned > 0 && view->units_each > view->provisioned;
}

static void say_large_item(const struct verdict_view *view, struct phrase *phrase) {
    say_limit(view, phrase);
    phrase_add(phrase, "one of its %s costs %s %s, what %s %s/s earn in %s; ", view->things,
               words_rate(view->units_each).text, view->unit, words_rate(view->provisioned).text,
               view->unit, words_duration(view->units_each / view->provisioned).text);
    say_accepted(view, phrase);
    phrase_add(phrase, "; ");
    say_burst(view, phrase);
    phrase_add(phrase, "; smaller items (large parts elsewhere) or more capacity");
    say_need(view, demand_in_units(view), phrase);
}

/* Per minute, as CloudWatch shows it, the table never is above what is provisioned. */
static bool applies_spikes(const struct verdict_view *view) {
    return view->provisioned > 0 && peak_minute_per_s(view) <= view->provisioned;
}

static void say_spikes(const struct verdict_view *view, struct phrase *phrase) {
    say_limit(view, phrase);
    phrase_add(phrase, "short spikes: ");
    say_accepted(view, phrase);
    phrase_add(
        phrase,
        ", while the fullest minute has a mean of %s of %s %s/s, so a graph by the minute shows "
        "no reason; limits hold by the second",
        words_rate(peak_minute_per_s(view)).text, words_rate(view->provisioned).text, view->unit);
    say_keys(view, phrase);
    phrase_add(phrase,
               "; spread the requests over the minute, retry with backoff, or provision for "
               "the spike: %s %s/s",
               words_rate(ceil(demand_in_units(view) - 1e-9)).text, view->unit);
}

static bool applies_over_provisioned(const struct verdict_view *view) {
    return view->provisioned_events > 0;
}

static void say_over_provisioned(const struct verdict_view *view, struct phrase *phrase) {
    const double peak_second = (double)view->direction->peak_second_ncu / (double)NCU_PER_CU;
    const double demand = demand_in_units(view);
    say_limit(view, phrase);
    phrase_add(phrase, "%s %s/s are provisioned; ", words_rate(view->provisioned).text, view->unit);
    say_burst(view, phrase);
    phrase_add(phrase, "; then ");
    say_accepted(view, phrase);
    say_keys(view, phrase);
    if (view->summary->closed_loop && peak_second > demand) {
        phrase_add(phrase, "; without refusals its clients reach %s %s/s",
                   words_rate(peak_second).text, view->unit);
        say_need(view, peak_second, phrase);
    } else {
        say_need(view, demand, phrase);
    }
    phrase_add(phrase, "; auto scaling would see it after 2 minutes above its target");
}

static const struct verdict_row rows[] = {
    {"large-item", applies_large_item, say_large_item},
    {"spikes", applies_spikes, say_spikes},
    {"over-provisioned", applies_over_provisioned, say_over_provisioned},
};

const struct verdict_row *verdict_provisioned_rows(size_t *count) {
    *count = sizeof rows / sizeof *rows;
    return rows;
}
