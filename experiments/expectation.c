#include "experiments/expectation.h"

#include "sim/check.h"
#include "workloads/spelling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Shares of a million replications are exact to far less than this. */
#define SHARE_SLACK 1e-9

static bool resolve_metric(const struct expect_spec *row, struct metric_query *query,
                           struct err *err) {
    query->metric = metric_by_name(row->metric.text);
    if (query->metric != METRIC_COUNT) {
        return true;
    }
    const char *names[METRIC_COUNT];
    for (int i = 0; i < METRIC_COUNT; i++) {
        names[i] = metric_rows()[i].name;
    }
    const char *nearest = spelling_nearest(row->metric.text, names, METRIC_COUNT);
    if (nearest == NULL) {
        return scenario_error(err, &row->metric.position, "no metric '%s'", row->metric.text);
    }
    return scenario_error(err, &row->metric.position, "no metric '%s'; did you mean '%s'?",
                          row->metric.text, nearest);
}

static bool resolve_table(const struct scenario *scenario, const struct expect_spec *row,
                          struct metric_query *query, struct err *err) {
    query->resource = METRIC_ANY;
    if (row->table.text == NULL) {
        return true;
    }
    for (uint32_t i = 0; i < scenario->table_count; i++) {
        if (strcmp(scenario->tables[i].table_name, row->table.text) == 0) {
            query->resource = (int)i;
            return true;
        }
    }
    return scenario_error(err, &row->table.position, "no table '%s'", row->table.text);
}

/* Resources are the tables, then the global indexes of each. The reader has checked both names. */
static void resolve_index(const struct scenario *scenario, const struct expect_spec *row,
                          struct metric_query *query) {
    if (row->index.text == NULL) {
        return;
    }
    const uint32_t table = query->resource == METRIC_ANY ? 0 : (uint32_t)query->resource;
    uint32_t resource = scenario->table_count;
    for (uint32_t i = 0; i < table; i++) {
        resource += scenario->tables[i].global_index_count;
    }
    for (uint32_t i = 0; i < scenario->tables[table].global_index_count; i++) {
        if (strcmp(scenario->tables[table].indexes[i].index_name, row->index.text) == 0) {
            resource += i;
            break;
        }
    }
    query->resource = (int)resource;
}

static bool resolve_workload(const struct scenario *scenario, const struct expect_spec *row,
                             struct metric_query *query, struct err *err) {
    query->workload = METRIC_ANY;
    if (row->workload.text == NULL) {
        return true;
    }
    for (uint32_t i = 0; i < scenario->workload_count; i++) {
        if (strcmp(scenario->workloads[i].name, row->workload.text) == 0) {
            query->workload = (int)i;
            return true;
        }
    }
    return scenario_error(err, &row->workload.position, "no workload '%s'", row->workload.text);
}

static bool resolve_reason(const struct expect_spec *row, struct metric_query *query,
                           struct err *err) {
    query->reason = METRIC_ANY;
    if (row->reason.text == NULL) {
        return true;
    }
    const enum throttle_reason reason = throttle_reason_by_name(row->reason.text);
    query->reason = (int)reason;
    return reason != THROTTLE_REASON_COUNT ||
           scenario_error(err, &row->reason.position, "no reason '%s'", row->reason.text);
}

static bool resolve_window(const struct expect_spec *row, struct metric_query *query,
                           struct err *err) {
    static const enum metric_per pers[] = {[PER_RUN] = METRIC_PER_RUN,
                                           [PER_SECOND] = METRIC_PER_SECOND,
                                           [PER_MINUTE] = METRIC_PER_MINUTE};
    static const enum metric_stat stats[] = {[STAT_SUM] = METRIC_SUM,
                                             [STAT_MEAN] = METRIC_MEAN,
                                             [STAT_MAX] = METRIC_MAX,
                                             [STAT_LAST] = METRIC_LAST,
                                             [STAT_FIRST_TIME] = METRIC_FIRST_TIME};
    if (row->from_ns % SIM_NS_PER_S != 0 || (row->to_ns > 0 && row->to_ns % SIM_NS_PER_S != 0)) {
        return scenario_error(
            err, &row->position,
            "'from' and 'to' must be whole seconds: metrics are kept by the second");
    }
    query->from_s = row->from_ns / SIM_NS_PER_S;
    query->to_s = row->to_ns < 0 ? INT64_MAX : row->to_ns / SIM_NS_PER_S;
    query->per = pers[row->per];
    const enum metric_stat by_kind =
        metric_rows()[query->metric].is_level ? METRIC_MEAN : METRIC_SUM;
    query->stat = row->has_stat ? stats[row->stat] : by_kind;
    return true;
}

static bool resolve_row(const struct scenario *scenario, const struct expect_spec *row,
                        struct metric_query *query, struct err *err) {
    *query = (struct metric_query){.key = row->key.text};
    if (!resolve_metric(row, query, err) || !resolve_table(scenario, row, query, err) ||
        !resolve_workload(scenario, row, query, err) || !resolve_reason(row, query, err) ||
        !resolve_window(row, query, err)) {
        return false;
    }
    resolve_index(scenario, row, query);
    const char *fault = metric_query_fault(query);
    if (fault != NULL && row->table.text == NULL && scenario->table_count == 1) {
        /* Levels and keys belong to a table; the only one need not be named. */
        query->resource = 0;
        const bool helped = metric_query_fault(query) == NULL;
        query->resource = helped ? 0 : METRIC_ANY;
        fault = helped ? NULL : fault;
    }
    return fault == NULL || scenario_error(err, &row->position, "%s", fault);
}

bool expectation_resolve(const struct scenario *scenario, struct metric_query *queries,
                         struct err *err) {
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        if (!resolve_row(scenario, &scenario->expects[i], &queries[i], err)) {
            return false;
        }
    }
    return true;
}

bool expectation_met(const struct expect_spec *row, double value) {
    if (isnan(value)) {
        return false;
    }
    return (!row->has_min || value >= row->min) && (!row->has_max || value <= row->max) &&
           (!row->has_equals || fabs(value - row->equals) <= row->tolerance * fabs(row->equals));
}

static void say_value(struct phrase *phrase, double value) {
    if (isnan(value)) {
        phrase_add(phrase, "nothing");
    } else {
        phrase_add(phrase, "%.10g", value);
    }
}

/* The end of a span: to the second, also where a duration in words is not. */
static struct words edge(sim_ns time_ns) {
    const int64_t seconds = time_ns / SIM_NS_PER_S;
    const bool is_rounded = seconds >= 7200 && time_ns % SIM_NS_PER_MIN != 0;
    return is_rounded ? words_clock(seconds) : words_duration((double)time_ns / 1e9);
}

static void say_scope(const struct expect_spec *row, struct phrase *phrase) {
    static const char *const pers[] = {
        [PER_RUN] = "", [PER_SECOND] = " per second", [PER_MINUTE] = " per minute"};
    static const char *const stats[] = {[STAT_SUM] = "sum",
                                        [STAT_MEAN] = "mean",
                                        [STAT_MAX] = "max",
                                        [STAT_LAST] = "last",
                                        [STAT_FIRST_TIME] = "first_time"};
    phrase_add(phrase, "%s%s", row->metric.text, pers[row->per]);
    if (row->has_stat) {
        phrase_add(phrase, ", %s", stats[row->stat]);
    }
    const struct {
        const char *label, *text;
    } scopes[] = {{"table", row->table.text},
                  {"index", row->index.text},
                  {"workload", row->workload.text},
                  {"key", row->key.text},
                  {"reason", row->reason.text}};
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        if (scopes[i].text != NULL) {
            phrase_add(phrase, ", %s %s", scopes[i].label, scopes[i].text);
        }
    }
    if (row->from_ns > 0 || row->to_ns > 0) {
        phrase_add(phrase, ", from %s", edge(row->from_ns).text);
    }
    if (row->to_ns > 0) {
        phrase_add(phrase, " to %s", edge(row->to_ns).text);
    }
}

static void say_bounds(const struct expect_spec *row, struct phrase *phrase) {
    const char *separator = "";
    if (row->has_equals) {
        phrase_add(phrase, "%.10g", row->equals);
        if (row->tolerance > 0) {
            phrase_add(phrase, " ± %s", words_percent(row->tolerance).text);
        }
        separator = ", ";
    }
    if (row->has_min) {
        phrase_add(phrase, "%sat least %.10g", separator, row->min);
        separator = ", ";
    }
    if (row->has_max) {
        phrase_add(phrase, "%sat most %.10g", separator, row->max);
    }
}

/* The smallest and the largest number among the values; false: there is none. */
static bool find_range(const double *values, uint32_t count, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
    return *low <= *high;
}

/* One value, or from the smallest to the largest of several. */
static void say_values(const double *values, uint32_t count, struct phrase *phrase) {
    double low, high;
    if (count == 1 || !find_range(values, count, &low, &high)) {
        say_value(phrase, count == 1 ? values[0] : NAN);
        return;
    }
    say_value(phrase, low);
    phrase_add(phrase, " … ");
    say_value(phrase, high);
}

static uint32_t count_met(const struct expect_spec *row, const double *values, uint32_t count) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < count; i++) {
        met += expectation_met(row, values[i]);
    }
    return met;
}

bool expectation_judge(const struct expect_spec *row, const double *values, uint32_t replications,
                       char *sentence, size_t sentence_bytes) {
    SIM_CHECK(replications >= 1);
    const uint32_t met = count_met(row, values, replications);
    const double share = (double)met / (double)replications;
    struct phrase phrase;
    phrase_init(&phrase, sentence, sentence_bytes);
    say_scope(row, &phrase);
    phrase_add(&phrase, ": ");
    say_values(values, replications, &phrase);
    phrase_add(&phrase, ", expected ");
    say_bounds(row, &phrase);
    if (replications == 1) {
        return met == 1;
    }
    phrase_add(&phrase, ": met by %u of %u replications (%s)", (unsigned)met,
               (unsigned)replications, words_percent(share).text);
    if (row->share_of_seeds < 1) {
        phrase_add(&phrase, ", at least %s expected", words_percent(row->share_of_seeds).text);
    }
    return share >= row->share_of_seeds - SHARE_SLACK;
}

void expectation_cells(const struct expect_spec *row, const double *values, uint32_t replications,
                       struct phrase *scope, struct phrase *simulated, struct phrase *bounds) {
    SIM_CHECK(replications >= 1);
    say_scope(row, scope);
    say_values(values, replications, simulated);
    say_bounds(row, bounds);
    if (replications > 1) {
        phrase_add(bounds, " in %u of %u layouts", (unsigned)count_met(row, values, replications),
                   (unsigned)replications);
    }
}
