#include "experiments/goal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text; /* longer ones first */
    enum goal_relation relation;
} relations[] = {
    {"<=", GOAL_AT_MOST}, {">=", GOAL_AT_LEAST}, {"==", GOAL_EQUALS},
    {"<", GOAL_BELOW},    {">", GOAL_ABOVE},     {"=", GOAL_EQUALS},
};

static bool fail(const struct goal *goal, struct err *err) {
    return err_set(
        err, ERR_INPUT,
        "--goal '%s': expected a metric, one of <= < >= > ==, and a number such as 25 or "
        "1%%",
        goal->text);
}

static bool read_bound(struct goal *goal, const char *text, struct err *err) {
    char *end;
    errno = 0;
    goal->bound = strtod(text, &end);
    if (end == text || errno != 0 || !isfinite(goal->bound)) {
        return fail(goal, err);
    }
    if (*end == '%' && goal->metric != METRIC_COUNT && metric_is_share(goal->metric)) {
        goal->bound /= 100;
        end++;
    }
    return *end == '\0' || fail(goal, err);
}

bool goal_read(struct goal *goal, const char *text, struct err *err) {
    *goal = (struct goal){.text = text, .metric = METRIC_COUNT};
    const size_t length = strcspn(text, "<>=! ");
    const char *rest = text + length + strspn(text + length, " ");
    if (length == 0 || length >= sizeof goal->name) {
        return fail(goal, err);
    }
    memcpy(goal->name, text, length);
    goal->metric = metric_by_name(goal->name);
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const size_t bytes = strlen(relations[i].text);
        if (strncmp(rest, relations[i].text, bytes) == 0) {
            goal->relation = relations[i].relation;
            return read_bound(goal, rest + bytes, err);
        }
    }
    return fail(goal, err);
}

static bool is_never(const struct goal *goal, double value) {
    return isnan(value) && (goal->metric == METRIC_FIRST_THROTTLE_S);
}

bool goal_met(const struct goal *goal, double value) {
    const double seen = is_never(goal, value) ? (double)INFINITY : value;
    switch (goal->relation) {
    case GOAL_AT_MOST: return seen <= goal->bound;
    case GOAL_BELOW: return seen < goal->bound;
    case GOAL_AT_LEAST: return seen >= goal->bound;
    case GOAL_ABOVE: return seen > goal->bound;
    case GOAL_EQUALS: return !(seen < goal->bound) && !(seen > goal->bound) && !isnan(seen);
    }
    return false;
}
