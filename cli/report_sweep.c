#include "cli/report_sweep.h"

#include "analysis/store_read_sweep.h"
#include "analysis/words.h"
#include "cli/html.h"
#include "cli/plot_draw.h"

#include <math.h>
#include <stdlib.h>

#define METRICS_MAX 6
#define PICTURES_MAX 4

/* What people ask of a sweep, most asked first: shown when it differs between points. */
static const char *const metric_names[] = {
    "throttled_share",    "failed_share", "latency_ms_p99", "requests_per_read",
    "cost_usd_per_month", "consumed_wcu", "consumed_rcu",
};

struct sweep_metric {
    enum metric metric;
    struct store_read_point *points;
};

struct sweep {
    struct sweep_metric metrics[METRICS_MAX];
    size_t metric_count, point_count;
};

static bool differs(const struct store_read_point *points, size_t count) {
    bool found = false;
    for (size_t i = 1; i < count; i++) {
        found |= !isnan(points[i].value.estimate) &&
                 !(points[i].value.estimate == points[0].value.estimate);
    }
    return found;
}

/* Those that differ between points; the first one when none does. */
static bool choose(const struct report_page *page, struct sweep *sweep, struct err *err) {
    for (size_t i = 0; i < sizeof metric_names / sizeof *metric_names; i++) {
        struct store_read_point *points;
        if (sweep->metric_count == METRICS_MAX) {
            break;
        }
        if (!store_read_sweep(page->reader, metric_names[i], &points, &sweep->point_count, err)) {
            return false;
        }
        if (i == 0 || differs(points, sweep->point_count)) {
            sweep->metrics[sweep->metric_count++] =
                (struct sweep_metric){metric_by_name(metric_names[i]), points};
        }
    }
    if (sweep->metric_count > 1 && !differs(sweep->metrics[0].points, sweep->point_count)) {
        sweep->metrics[0] = sweep->metrics[--sweep->metric_count];
    }
    return true;
}

static enum exit_status write_picture(const struct report_page *page, enum metric metric,
                                      struct err *err) {
    const struct plot_options options = {
        .database = page->database,
        .kind = PLOT_SWEEP,
        .is_kept = true,
        .from_s = -1,
        .to_s = -1,
        .side = -1,
        .metric = metric,
        .has_metric = true,
    };
    if (page->stops(page->context)) {
        return EXIT_STATUS_INTERRUPTED;
    }
    struct plot_drawn drawn;
    const enum exit_status status = plot_draw(&options, &drawn, err);
    if (status == EXIT_STATUS_DONE) {
        report_page_figure(page->out, &drawn);
    }
    free(drawn.svg);
    return status;
}

/* An interval of a share ends where shares do. */
static void write_estimate(FILE *out, enum metric metric, double value) {
    if (metric_is_share(metric)) {
        fputs(words_percent(fmax(0, fmin(1, value))).text, out);
    } else {
        html_number(out, value);
    }
}

/* A mean and its 95 % interval. */
static void write_interval(FILE *out, enum metric metric, const struct interval *value) {
    if (isnan(value->estimate)) {
        fputs("<td></td>", out);
        return;
    }
    fprintf(out, "<td class=\"n\" data-v=\"%.17g\">", value->estimate);
    write_estimate(out, metric, value->estimate);
    if (!isnan(value->low)) {
        fputs(" [", out);
        write_estimate(out, metric, value->low);
        fputs(", ", out);
        write_estimate(out, metric, value->high);
        fputs("]", out);
    }
    fputs("</td>", out);
}

static void write_head(FILE *out, const struct sweep *sweep) {
    const struct store_read_point *first = &sweep->metrics[0].points[0];
    fputs("<thead><tr>", out);
    for (uint32_t i = 0; i < first->factor_count; i++) {
        fputs("<th scope=\"col\">", out);
        html_text(out, first->factors[i].name);
        fputs("</th>", out);
    }
    fputs("<th scope=\"col\" class=\"n\">runs</th>", out);
    for (size_t i = 0; i < sweep->metric_count; i++) {
        const struct metric_row *row = &metric_rows()[sweep->metrics[i].metric];
        fputs("<th scope=\"col\" class=\"n\">", out);
        html_text(out, row->name);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void write_points(FILE *out, const struct sweep *sweep) {
    fputs("<h3>Means and their 95 % intervals</h3>\n<div class=\"scroll\" tabindex=\"0\" "
          "role=\"region\" aria-label=\"points\"><table class=\"sortable\">\n",
          out);
    write_head(out, sweep);
    for (size_t i = 0; i < sweep->point_count; i++) {
        const struct store_read_point *point = &sweep->metrics[0].points[i];
        fputs("<tr>", out);
        for (uint32_t k = 0; k < point->factor_count; k++) {
            fputs("<td>", out);
            html_text(out, point->factors[k].value);
            fputs("</td>", out);
        }
        fprintf(out, "<td class=\"n\" data-v=\"%llu\">%llu</td>", (unsigned long long)point->runs,
                (unsigned long long)point->runs);
        for (size_t k = 0; k < sweep->metric_count; k++) {
            write_interval(out, sweep->metrics[k].metric, &sweep->metrics[k].points[i].value);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

enum exit_status report_sweep_write(const struct report_page *page, struct err *err) {
    struct sweep sweep = {.metric_count = 0};
    if (!choose(page, &sweep, err)) {
        return EXIT_STATUS_IO;
    }
    enum exit_status status = EXIT_STATUS_DONE;
    fputs("<section id=\"points\"><h2>Points</h2>\n<div class=\"pictures\">\n", page->out);
    for (size_t i = 0; i < sweep.metric_count && i < PICTURES_MAX && status == EXIT_STATUS_DONE;
         i++) {
        status = write_picture(page, sweep.metrics[i].metric, err);
    }
    fputs("</div>\n", page->out);
    write_points(page->out, &sweep);
    fputs("</section>\n", page->out);
    return status;
}
