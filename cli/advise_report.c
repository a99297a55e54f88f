#include "cli/advise_parts.h"

#include "analysis/words.h"
#include "cli/json.h"
#include "cli/run_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COST_COLUMNS 14
#define MET_COLUMNS 26
#define LABEL_BYTES 96
#define GROUP_ROWS_MIN 4

static const char *state_name(enum advice_state state) {
    switch (state) {
    case ADVICE_SHOWN: return "yes";
    case ADVICE_FAILS: return "no";
    case ADVICE_NOT_RUN: return "cannot be run";
    case ADVICE_UNDECIDED: break;
    }
    return "not decided";
}

static struct words month(const struct advice_row *row) {
    return words_usd(llround(row->cost_usd.mean * (double)PARAMETER_MONEY_ONE));
}

/* A candidate's evidence as text: several in a row that have the same are told once. */
struct evidence {
    char met[160];
    enum advice_state state;
    struct words cost;
};

static void tell(const struct advice *advice, const struct advice_row *row,
                 struct evidence *evidence) {
    const struct interval share = advice_share(advice, row);
    evidence->state = advice_state(advice, row);
    evidence->cost = month(row);
    (void)snprintf(evidence->met, sizeof evidence->met, "%" PRIu32 " of %" PRIu32 " [%s, %s]",
                   row->met, row->runs, words_percent(share.low).text,
                   words_percent(share.high).text);
    if (evidence->state == ADVICE_NOT_RUN) {
        evidence->met[0] = '\0';
    }
}

static bool is_same(const struct evidence *one, const struct evidence *other) {
    return one->state == other->state && strcmp(one->met, other->met) == 0 &&
           strcmp(one->cost.text, other->cost.text) == 0;
}

/* The row behind the last one with the same evidence as `from`; the answer has a line of its own.
 */
static uint32_t group_end(const struct advice *advice, uint32_t from, struct evidence *evidence) {
    tell(advice, &advice->rows[from], evidence);
    uint32_t end = from + 1;
    struct evidence next;
    for (; end < advice->tried && from != advice->answer && end != advice->answer; end++) {
        tell(advice, &advice->rows[end], &next);
        if (!is_same(evidence, &next)) {
            break;
        }
    }
    return end - from < GROUP_ROWS_MIN ? from + 1 : end;
}

static void label(const struct advice *advice, uint32_t from, uint32_t end,
                  char text[LABEL_BYTES]) {
    const char *first = advice->rows[from].value, *last = advice->rows[end - 1].value;
    (void)snprintf(text, LABEL_BYTES, end - from > 1 ? "%.40s ... %.40s" : "%.40s%.0s", first,
                   last);
}

static int label_columns(const struct advise *advise) {
    const struct advice *advice = &advise->advice;
    size_t columns = strlen(advise->design.varies[0].name);
    for (uint32_t i = 0; i < advice->tried;) {
        struct evidence evidence;
        char text[LABEL_BYTES];
        const uint32_t end = group_end(advice, i, &evidence);
        label(advice, i, end, text);
        columns = strlen(text) > columns ? strlen(text) : columns;
        i = end;
    }
    return (int)columns;
}

static void put_rows(const struct advise *advise, int columns) {
    const struct advice *advice = &advise->advice;
    for (uint32_t i = 0; i < advice->tried;) {
        const struct advice_row *row = &advice->rows[i];
        struct evidence evidence;
        char text[LABEL_BYTES];
        const uint32_t end = group_end(advice, i, &evidence);
        label(advice, i, end, text);
        printf("  %*s  %-*s  %-13s%*s\n", columns, text, MET_COLUMNS, evidence.met,
               state_name(evidence.state), COST_COLUMNS,
               row->cost_usd.count == 0 ? "-" : evidence.cost.text);
        if (row->failed > 0) {
            printf("    %s\n", row->failure);
        }
        i = end;
    }
}

static void put_goals(const struct advise *advise) {
    for (uint32_t i = 0; i < advise->options.goal_count; i++) {
        printf("%s%s", i == 0 ? "" : " and ", advise->options.goals[i].text);
    }
}

static void put_heading(const struct advise *advise) {
    const struct vary *vary = &advise->design.varies[0];
    const struct advice *advice = &advise->advice;
    printf("%s: the %s %s of %s with which ", advise->text.name,
           advice->config.largest ? "largest" : "smallest", vary->name,
           vary->text + strlen(vary->name) + 1);
    put_goals(advise);
    printf("\nholds in at least %s of layouts, by exact bounds at %s confidence\n",
           words_percent(advice->config.share).text, words_percent(advice->config.confidence).text);
}

/* Candidates beyond the answer that are no better, and those before it that may do. */
static void put_doubts(const struct advise *advise) {
    const struct advice *advice = &advise->advice;
    bool any = false;
    for (uint32_t i = advice->answer + 1; i < advice->tried; i++) {
        if (advice_state(advice, &advice->rows[i]) == ADVICE_FAILS) {
            printf("%s%s",
                   any ? ", " : "  but not with every one beyond it: ", advice->rows[i].value);
            any = true;
        }
    }
    fputs(any ? "\n" : "", stdout);
    any = false;
    for (uint32_t i = 0; i < advice->answer; i++) {
        if (advice_state(advice, &advice->rows[i]) == ADVICE_UNDECIDED) {
            printf("%s%s", any ? ", " : "  not decided, more replications would tell: ",
                   advice->rows[i].value);
            any = true;
        }
    }
    fputs(any ? "\n" : "", stdout);
}

static const char *change_name(enum advise_change change) {
    switch (change) {
    case ADVISE_NOT_ENOUGH: return "not enough";
    case ADVISE_LESS_WILL_DO: return "the one before it does";
    case ADVISE_NOT_RUN: return "cannot be run";
    case ADVISE_SAME: break;
    }
    return "same";
}

static bool changes(const struct advise_parameter *parameter) {
    for (uint32_t i = 0; i < parameter->value_count; i++) {
        if (parameter->changes[i] == ADVISE_NOT_ENOUGH ||
            parameter->changes[i] == ADVISE_LESS_WILL_DO) {
            return true;
        }
    }
    return false;
}

static void put_sensitivity(const struct advise *advise) {
    uint32_t idle = 0, same = 0;
    puts("\nunpublished parameters that would change it");
    for (uint32_t i = 0; i < advise->parameter_count; i++) {
        const struct advise_parameter *parameter = &advise->parameters[i];
        if (!changes(parameter)) {
            idle += !parameter->acts;
            same += parameter->acts;
            continue;
        }
        printf("  %s:", parameter->name);
        for (uint32_t k = 0; k < parameter->value_count; k++) {
            printf("%s %s %s", k == 0 ? "" : ",", parameter->values[k],
                   change_name(parameter->changes[k]));
        }
        putchar('\n');
    }
    if (idle + same == advise->parameter_count) {
        puts("  none");
    }
    printf("  (%" PRIu32 " others change runs but not the answer, %" PRIu32
           " have no part in this scenario)\n",
           same, idle);
}

void advise_report_text(const struct advise *advise) {
    const struct advice *advice = &advise->advice;
    const char *name = advise->design.varies[0].name;
    const int columns = label_columns(advise);
    put_heading(advise);
    printf("\n  %*s  %-*s  %-13s%*s\n", columns, name, MET_COLUMNS, "layouts that meet it", "shown",
           COST_COLUMNS, "a month");
    put_rows(advise, columns);
    if (advice->answer == ADVICE_NONE) {
        printf("\nno %s of these does\n", name);
        if (advise->why != NULL) {
            const struct advice_row *of = &advice->rows[advise->why_row];
            printf("\nwith %s %s,", name, of->value);
            run_report_verdict(stdout, of->first_miss, advise->why);
        }
        return;
    }
    const struct advice_row *row = &advice->rows[advice->answer];
    printf("\nanswer: %s %s, in at least %s of layouts", name, row->value,
           words_percent(advice_share(advice, row).low).text);
    if (row->cost_usd.count > 0) {
        printf(", for %s a month", month(row).text);
    }
    putchar('\n');
    put_doubts(advise);
    if (advise->options.sensitivity) {
        put_sensitivity(advise);
    }
}

static void put_row_json(struct json *json, const struct advice *advice,
                         const struct advice_row *row) {
    const struct interval share = advice_share(advice, row);
    json_begin(json, '{');
    json_key(json, "value");
    json_string(json, row->value);
    json_key(json, "replications");
    json_uint64(json, row->runs);
    json_key(json, "met");
    json_uint64(json, row->met);
    json_key(json, "failed");
    json_uint64(json, row->failed);
    json_key(json, "low");
    json_double(json, share.low);
    json_key(json, "high");
    json_double(json, share.high);
    json_key(json, "shown");
    json_string(json, state_name(advice_state(advice, row)));
    json_key(json, "cost_usd_per_month");
    json_double(json, row->cost_usd.count == 0 ? (double)NAN : row->cost_usd.mean);
    json_end(json, '}');
}

static void put_sensitivity_json(struct json *json, const struct advise *advise) {
    json_key(json, "sensitivity");
    json_begin(json, '[');
    for (uint32_t i = 0; i < advise->parameter_count; i++) {
        const struct advise_parameter *parameter = &advise->parameters[i];
        json_begin(json, '{');
        json_key(json, "parameter");
        json_string(json, parameter->name);
        json_key(json, "acts");
        json_bool(json, parameter->acts);
        json_key(json, "values");
        json_begin(json, '{');
        for (uint32_t k = 0; k < parameter->value_count; k++) {
            json_key(json, parameter->values[k]);
            json_string(json, change_name(parameter->changes[k]));
        }
        json_end(json, '}');
        json_end(json, '}');
    }
    json_end(json, ']');
}

void advise_report_json(const struct advise *advise) {
    const struct advice *advice = &advise->advice;
    struct json json = {.out = stdout};
    json_begin(&json, '{');
    json_key(&json, "scenario");
    json_string(&json, advise->text.name);
    json_key(&json, "parameter");
    json_string(&json, advise->design.varies[0].name);
    json_key(&json, "goals");
    json_begin(&json, '[');
    for (uint32_t i = 0; i < advise->options.goal_count; i++) {
        json_string(&json, advise->options.goals[i].text);
    }
    json_end(&json, ']');
    json_key(&json, "share");
    json_double(&json, advice->config.share);
    json_key(&json, "confidence");
    json_double(&json, advice->config.confidence);
    json_key(&json, "largest");
    json_bool(&json, advice->config.largest);
    json_key(&json, "answer");
    json_string(&json, advice->answer == ADVICE_NONE ? NULL : advice->rows[advice->answer].value);
    json_key(&json, "candidates");
    json_begin(&json, '[');
    for (uint32_t i = 0; i < advice->tried; i++) {
        put_row_json(&json, advice, &advice->rows[i]);
    }
    json_end(&json, ']');
    json_key(&json, "why");
    json_string(&json, advise->why);
    put_sensitivity_json(&json, advise);
    json_end(&json, '}');
    putchar('\n');
}
