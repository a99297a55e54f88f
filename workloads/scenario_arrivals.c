#include "workloads/scenario_parts.h"

#include "workloads/bursts.h"

#include <string.h>

#define RATE_MAX 1e8
#define RATE_MIN 1e-6 /* one in 11 days; below it times leave the range of the clock */
#define FACTOR_MAX 1e15
#define POINTS_MAX 100000
#define CLIENTS_MAX 1000000
#define REPEAT_MAX 1000000
#define COLUMNS_MAX 4096

static bool read_rate_number(struct reader *reader, struct document_node *node,
                             double *rate_per_s) {
    if (!reader_number(reader, node, 0, RATE_MAX, rate_per_s)) {
        return false;
    }
    if (*rate_per_s > 0 && *rate_per_s < RATE_MIN) {
        return reader_fail(reader, node, "a rate below 0.000001 per second");
    }
    return true;
}

/* One [time, rate] of a schedule that has count points so far. */
static bool read_point(struct reader *reader, const struct document_node *node,
                       struct rate_point *points, uint32_t count) {
    static const char expected[] = "a pair [time, rate] such as [1m, 4000]";
    struct rate_point *point = &points[count];
    if (node->kind != DOCUMENT_SEQUENCE || node->child_count != 2) {
        return reader_fail_expected(reader, node, expected);
    }
    struct document_node *time = node->first, *rate = time->next;
    if (!reader_sequence(reader, node) ||
        !reader_duration(reader, time, 0, SIM_NS_MAX, &point->at_ns) ||
        !read_rate_number(reader, rate, &point->rate_per_s)) {
        return false;
    }
    if (count > 0 && point->at_ns < points[count - 1].at_ns) {
        return reader_fail(reader, time, "a schedule's times may not go back");
    }
    if (count > 1 && point->at_ns == points[count - 2].at_ns) {
        return reader_fail(reader, time,
                           "three points at one time; two are a step, a third means nothing");
    }
    return true;
}

static bool read_schedule(struct reader *reader, const struct document_node *node,
                          struct workload_spec *workload) {
    if (!reader_sequence(reader, node)) {
        return false;
    }
    if (node->child_count == 0 || node->child_count > POINTS_MAX) {
        return reader_fail(reader, node, "a schedule has 1 … %d points", POINTS_MAX);
    }
    struct rate_point *points =
        ARENA_ARRAY(reader->arena, struct rate_point, node->child_count, "schedule", reader->err);
    if (points == NULL) {
        return false;
    }
    uint32_t count = 0;
    bool is_zero = true;
    for (const struct document_node *each = node->first; each != NULL; each = each->next) {
        if (!read_point(reader, each, points, count)) {
            return false;
        }
        is_zero = is_zero && points[count].rate_per_s == 0;
        count++;
    }
    if (is_zero) {
        return reader_fail(reader, node, "every rate of the schedule is 0: nothing would arrive");
    }
    workload->points = points;
    workload->point_count = count;
    return true;
}

static bool read_rate(struct reader *reader, struct document_node *node,
                      struct workload_spec *workload) {
    if (node->kind == DOCUMENT_SEQUENCE) {
        return read_schedule(reader, node, workload);
    }
    if (node->kind == DOCUMENT_MAPPING || node->text == NULL) {
        return reader_fail_expected(reader, node,
                                    "a number per second or a schedule [[0s, 0], [1m, 4000]]");
    }
    struct rate_point *point = ARENA_NEW(reader->arena, struct rate_point, "rate", reader->err);
    if (point == NULL || !read_rate_number(reader, node, &point->rate_per_s)) {
        return false;
    }
    if (point->rate_per_s == 0) {
        return reader_fail(reader, node, "'rate' is 0: a constant rate must be above 0");
    }
    workload->points = point;
    workload->point_count = 1;
    return true;
}

static bool read_closed(struct reader *reader, const struct document_node *node,
                        struct workload_spec *workload) {
    static const char *const keys[] = {"clients", "think", NULL};
    static const struct reader_keys closed_keys = {keys, NULL};
    struct document_node *clients_node;
    int64_t clients = 0;
    if (!reader_mapping(reader, node, &closed_keys) ||
        !reader_require(reader, node, "clients", &clients_node) ||
        !reader_count(reader, clients_node, 1, CLIENTS_MAX, &clients) ||
        !reader_duration(reader, document_get(node, "think"), 0, SIM_NS_MAX, &workload->think_ns)) {
        return false;
    }
    workload->arrivals = ARRIVALS_CLOSED;
    workload->clients = (uint32_t)clients;
    return true;
}

/* bursty: {on: 10s, off: 50s, factor: 5}. */
static bool read_bursty(struct reader *reader, const struct document_node *node,
                        struct workload_spec *workload) {
    static const char *const keys[] = {"on", "off", "factor", NULL};
    static const struct reader_keys bursty_keys = {keys, NULL};
    struct bursts_spec *bursts = &workload->bursts;
    struct document_node *on, *off, *factor = document_get(node, "factor");
    if (!reader_mapping(reader, node, &bursty_keys) || !reader_require(reader, node, "on", &on) ||
        !reader_require(reader, node, "off", &off) ||
        !reader_duration(reader, on, SIM_NS_PER_MS, SIM_NS_MAX, &bursts->on_ns) ||
        !reader_duration(reader, off, SIM_NS_PER_MS, SIM_NS_MAX, &bursts->off_ns)) {
        return false;
    }
    const double most = bursts_factor_max(bursts->on_ns, bursts->off_ns);
    bursts->factor = most;
    if (!reader_number(reader, factor, 0, FACTOR_MAX, &bursts->factor)) {
        return false;
    }
    if (bursts->factor <= 1 || bursts->factor > most) {
        return reader_fail(reader, factor,
                           "'factor' is %g: a burst has more than the mean rate, and at most (on + "
                           "off) / on = %g times it, when nothing comes in between",
                           bursts->factor, most);
    }
    return true;
}

/* poisson, uniform, {bursty: {…}} or {closed: {…}}. */
static bool read_arrivals(struct reader *reader, struct document_node *node,
                          struct workload_spec *workload) {
    static const char *const words[] = {
        [ARRIVALS_POISSON] = "poisson", [ARRIVALS_UNIFORM] = "uniform", NULL};
    static const char *const keys[] = {"closed", "bursty", NULL};
    static const char expected[] =
        "poisson, uniform, {bursty: {on, off}} or {closed: {clients: N}}";
    static const struct reader_keys word_keys = {words, NULL}, mapping_keys = {keys, NULL};
    if (node == NULL) {
        return true;
    }
    if (!reader_word_or_mapping(reader, node, expected)) {
        return false;
    }
    if (node->kind != DOCUMENT_MAPPING) {
        uint32_t which = 0;
        if (node->text != NULL && strcmp(node->text, "closed") == 0) {
            return reader_fail(reader, node,
                               "'closed' needs its clients: {closed: {clients: N, think: 5ms}}");
        }
        if (node->text != NULL && strcmp(node->text, "bursty") == 0) {
            return reader_fail(reader, node,
                               "'bursty' needs its bursts: {bursty: {on: 10s, off: 50s}}");
        }
        if (!reader_word(reader, node, &word_keys, &which)) {
            return false;
        }
        workload->arrivals = (enum arrivals_kind)which;
        return true;
    }
    if (!reader_mapping(reader, node, &mapping_keys)) {
        return false;
    }
    if (node->child_count != 1) {
        return reader_fail_expected(reader, node, expected);
    }
    if (strcmp(node->first->key, "bursty") == 0) {
        return read_bursty(reader, node->first, workload);
    }
    return read_closed(reader, node->first, workload);
}

static bool read_columns(struct reader *reader, const struct document_node *node,
                         struct trace_spec *trace) {
    if (node == NULL) {
        return true;
    }
    if (!reader_sequence(reader, node)) {
        return false;
    }
    if (node->child_count == 0 || node->child_count > COLUMNS_MAX) {
        return reader_fail(reader, node, "'columns' has 1 … %d names", COLUMNS_MAX);
    }
    const char **names =
        ARENA_ARRAY(reader->arena, const char *, node->child_count, "columns", reader->err);
    if (names == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (struct document_node *each = node->first; each != NULL; each = each->next, count++) {
        if (!reader_text(reader, each, &names[count])) {
            return false;
        }
        if (names[count][0] == '\0') {
            return reader_fail_expected(reader, each, "the name of a column");
        }
        for (uint32_t i = 0; i < count; i++) {
            if (strcmp(names[i], names[count]) == 0) {
                return reader_fail(reader, each, "column '%s' is named twice",
                                   reader_shown(reader, names[count]));
            }
        }
    }
    trace->columns = names;
    trace->column_count = count;
    return true;
}

bool scenario_column_check(struct reader *reader, const struct document_node *node,
                           const struct trace_spec *trace, const char *name) {
    const char **names =
        ARENA_ARRAY(reader->arena, const char *, trace->column_count + 1, "columns", reader->err);
    if (names == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trace->column_count; i++) {
        names[i] = trace->columns[i];
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    const struct reader_keys words = {names, NULL};
    return trace->columns == NULL ||
           reader_fail_word(reader, &node->position, "column", name, &words);
}

static bool read_trace_time(struct reader *reader, const struct document_node *node,
                            struct trace_spec *trace) {
    static const char *const units[] = {"s", "ms", "us", "ns", NULL};
    static const struct reader_keys unit_words = {units, NULL};
    static const sim_ns unit_ns[] = {SIM_NS_PER_S, SIM_NS_PER_MS, SIM_NS_PER_US, 1};
    struct document_node *time = document_get(node, "time"), *unit = document_get(node, "unit");
    uint32_t which = 0;
    if (!reader_text(reader, time, &trace->time_column) ||
        !reader_word(reader, unit, &unit_words, &which)) {
        return false;
    }
    if (unit != NULL && time == NULL) {
        return reader_fail_key(reader, unit, "'unit' is the unit of 'time', which is missing");
    }
    trace->time_unit_ns = unit_ns[which];
    return time == NULL || scenario_column_check(reader, time, trace, trace->time_column);
}

/* A log that is loaded in its keys' order, or in none. */
static bool read_trace_order(struct reader *reader, const struct document_node *node,
                             struct trace_spec *trace) {
    static const char *const orders[] = {"file", "shuffled", NULL};
    static const struct reader_keys order_words = {orders, NULL};
    struct document_node *order = document_get(node, "order");
    uint32_t which = 0;
    if (!reader_word(reader, order, &order_words, &which)) {
        return false;
    }
    trace->is_shuffled = which == 1;
    return !trace->is_shuffled || trace->time_column == NULL ||
           reader_fail_key(reader, order,
                           "the trace's 'time' gives the order of its rows; leave 'order' out, or "
                           "'time'");
}

static bool read_trace(struct scenario_build *build, const struct document_node *node,
                       struct trace_spec *trace) {
    static const char *const keys[] = {"file", "columns", "header", "time",
                                       "unit", "order",   "repeat", NULL};
    static const char *const later[] = {"speed", "format", NULL};
    static const struct reader_keys trace_keys = {keys, later};
    struct reader *reader = &build->reader;
    struct document_node *file;
    const char *name = NULL;
    int64_t repeat = 1;
    trace->repeat = 1;
    if (node == NULL) {
        return true;
    }
    if (!reader_mapping(reader, node, &trace_keys) ||
        !reader_require(reader, node, "file", &file) || !reader_text(reader, file, &name) ||
        !read_columns(reader, document_get(node, "columns"), trace) ||
        !reader_bool(reader, document_get(node, "header"), &trace->has_header) ||
        !read_trace_time(reader, node, trace) || !read_trace_order(reader, node, trace) ||
        !reader_count(reader, document_get(node, "repeat"), 1, REPEAT_MAX, &repeat)) {
        return false;
    }
    if (name[0] == '\0') {
        return reader_fail_expected(reader, file, "the name of a CSV file");
    }
    if (trace->columns == NULL && !trace->has_header) {
        return reader_fail(reader, node,
                           "'trace' needs 'columns: [NAME, …]', or 'header: true' when the file's "
                           "first line names them");
    }
    trace->file = reader_path(reader, build->folder, name);
    trace->repeat = (uint32_t)repeat;
    trace->position = file->position;
    return trace->file != NULL;
}

/* Exactly one thing says when operations come: a rate, a closed loop, or a trace's times. */
static bool check_source(struct reader *reader, const struct document_node *node,
                         struct workload_spec *workload) {
    const struct document_node *rate = document_get(node, "rate");
    const struct document_node *arrivals = document_get(node, "arrivals");
    if (workload->trace.time_column != NULL) {
        const struct document_node *other = rate != NULL ? rate : arrivals;
        workload->arrivals = ARRIVALS_TRACE;
        return other == NULL ||
               reader_fail_key(
                   reader, other,
                   "the trace's 'time' says when operations come; leave '%s' out, or 'time'",
                   other->key);
    }
    if (workload->arrivals == ARRIVALS_CLOSED) {
        return rate == NULL ||
               reader_fail_key(reader, rate,
                               "a closed loop has no 'rate': its clients set the pace");
    }
    return rate != NULL ||
           reader_fail(reader, node,
                       "'rate' is missing (or 'arrivals: {closed: …}', or 'time' of a trace)");
}

bool scenario_arrivals_read(struct scenario_build *build, const struct document_node *node,
                            struct workload_spec *workload) {
    struct reader *reader = &build->reader;
    struct document_node *rate = document_get(node, "rate");
    return read_arrivals(reader, document_get(node, "arrivals"), workload) &&
           read_trace(build, document_get(node, "trace"), &workload->trace) &&
           check_source(reader, node, workload) &&
           (rate == NULL || read_rate(reader, rate, workload)) &&
           (workload->bursts.on_ns == 0 || workload->point_count == 1 ||
            reader_fail(reader, rate, "bursty arrivals have a constant 'rate', their mean"));
}
