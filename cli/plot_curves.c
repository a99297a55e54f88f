/* Pictures over time that show reads and writes by themselves: throttling and capacity. */
#include "cli/plot_marks.h"
#include "cli/plot_picture.h"

#include <math.h>
#include <string.h>

/* A side's figures over the view. */
struct side_totals {
    double consumed, peak, provisioned, throttled, throttled_peak; /* provisioned: at most; -1 */
    double provisioned_s, provisioned_units, provisioned_consumed; /* while it was provisioned */
    double burst_max, burst_min;                                   /* -1: none */
    double behind_max;                                             /* of an index; 0: never */
    double on_demand; /* the most that its partitions take while on-demand; -1: never */
    double first_empty_s, empty_s; /* seconds with less left than one second's provisioned units */
};

/* The bins of the picture and, for means, those of whole minutes. */
struct curves {
    struct store_read_bin *bins, *minutes;
    size_t bin_count, minute_count;
    struct store_read_view minute_view;
    struct side_totals totals[STORE_READ_SIDES];
    struct store_read_partition *partitions;
    size_t partition_count;
    double caps[STORE_READ_SIDES]; /* of a partition */
    bool shown[STORE_READ_SIDES];
    enum store_read_side main_side;
};

/* What the partitions take that are open as a bin begins. */
static double partition_limit(const struct plot_picture *picture, const struct curves *curves,
                              int side, size_t bin) {
    const double t_s = (double)(picture->view.from_s + (int64_t)bin * picture->view.bin_s);
    size_t open = 0;
    for (size_t i = 0; i < curves->partition_count; i++) {
        const struct store_read_partition *row = &curves->partitions[i];
        open += row->born_s <= t_s && (row->closed_s < 0 || row->closed_s > t_s);
    }
    return (double)open * curves->caps[side];
}

/* The dashed line: what is provisioned, or while the table is on-demand what its partitions take;
 * -1: neither is the limit, as an on-demand maximum is, which has a bucket of its own. */
static double line_level(const struct plot_picture *picture, const struct curves *curves, int side,
                         size_t bin) {
    const struct store_read_side_bin *row = &curves->bins[bin].sides[side];
    if (row->provisioned_per_s >= 0 || row->burst_units_min >= 0) {
        return row->provisioned_per_s;
    }
    return partition_limit(picture, curves, side, bin);
}

static void add_up(const struct plot_picture *picture, struct curves *curves) {
    const struct store_read_view *view = &picture->view;
    for (int side = 0; side < STORE_READ_SIDES; side++) {
        struct side_totals *total = &curves->totals[side];
        *total = (struct side_totals){
            .burst_max = -1, .burst_min = -1, .provisioned = -1, .on_demand = -1};
        for (size_t i = 0; i < curves->bin_count; i++) {
            const struct store_read_side_bin *bin = &curves->bins[i].sides[side];
            total->consumed += bin->consumed_units;
            total->peak = fmax(total->peak, bin->consumed_units_max);
            total->provisioned = fmax(total->provisioned, bin->provisioned_per_s);
            total->throttled += bin->throttled;
            total->throttled_peak = fmax(total->throttled_peak, bin->throttled_max);
            total->burst_max = fmax(total->burst_max, bin->burst_units_min);
            total->behind_max = fmax(total->behind_max, bin->behind_units_max);
            if (bin->provisioned_per_s < 0) {
                total->on_demand = fmax(total->on_demand, line_level(picture, curves, side, i));
            }
            total->provisioned_s += bin->provisioned_s;
            total->provisioned_units += bin->provisioned_units;
            total->provisioned_consumed += bin->provisioned_consumed_units;
            bool is_level = bin->burst_units_min >= 0;
            if (is_level && (total->burst_min < 0 || bin->burst_units_min < total->burst_min)) {
                total->burst_min = bin->burst_units_min;
            }
            if (is_level && bin->burst_units_min < fmax(1, bin->provisioned_per_s)) {
                double from_s = (double)(view->from_s + (int64_t)i * view->bin_s);
                total->first_empty_s = total->empty_s > 0 ? total->first_empty_s : from_s;
                total->empty_s += store_read_bin_seconds(view, i);
            }
        }
    }
}

static bool read_curves(struct plot_picture *picture, struct curves *curves, struct err *err) {
    curves->minute_view = picture->view;
    curves->minute_view.from_s = picture->view.from_s / 60 * 60;
    curves->minute_view.bin_s = 60;
    const int64_t run_id = picture->run.run_id;
    if (!store_read_partitions(picture->reader, &picture->view, &curves->partitions,
                               &curves->partition_count, err) ||
        !store_read_parameter(picture->reader, run_id, "part_max_r", 3000,
                              &curves->caps[STORE_READ_READS], err) ||
        !store_read_parameter(picture->reader, run_id, "part_max_w", 1000,
                              &curves->caps[STORE_READ_WRITES], err) ||
        !store_read_bins(picture->reader, &picture->view, &curves->bins, err) ||
        !store_read_bins(picture->reader, &curves->minute_view, &curves->minutes, err)) {
        return false;
    }
    curves->bin_count = store_read_bin_count(&picture->view);
    curves->minute_count = store_read_bin_count(&curves->minute_view);
    add_up(picture, curves);
    double throttled[STORE_READ_SIDES];
    for (int side = 0; side < STORE_READ_SIDES; side++) {
        throttled[side] = curves->totals[side].throttled;
        curves->shown[side] = throttled[side] > 0 || curves->totals[side].consumed > 0;
    }
    curves->main_side = plot_main_side(picture, throttled);
    bool only_main = picture->is_terminal || picture->options->side >= 0;
    for (int side = 0; side < STORE_READ_SIDES; side++) {
        if (only_main || (side == (int)curves->main_side)) {
            curves->shown[side] = side == (int)curves->main_side;
        }
    }
    return true;
}

/* A step ends where the next begins: the last row is repeated at the end of its bin. */
static bool write_bins(struct plot_picture *picture, const struct curves *curves, int side,
                       struct err *err) {
    char name[32];
    snprintf(name, sizeof name, "bins-%s.dat", plot_side_name((enum store_read_side)side));
    FILE *file = plot_files_add(&picture->files, name, err);
    if (file == NULL) {
        return false;
    }
    const struct store_read_view *view = &picture->view;
    for (size_t i = 0; i <= curves->bin_count; i++) {
        size_t row = i < curves->bin_count ? i : i - 1;
        const struct store_read_side_bin *bin = &curves->bins[row].sides[side];
        int64_t t_s = view->from_s + (int64_t)i * view->bin_s;
        double seconds = store_read_bin_seconds(view, row);
        fprintf(file, "%lld", (long long)(t_s < view->to_s ? t_s : view->to_s));
        const double values[] = {
            bin->consumed_units / seconds, bin->consumed_units_max, bin->provisioned_per_s,
            bin->throttled / seconds,      bin->throttled_max,      bin->burst_units_min,
            bin->behind_units_max};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            plot_put_value(file, values[k]);
        }
        fputc('\n', file);
    }
    return true;
}

/* Highest one-minute mean of the minutes that begin in a bin; -1 when none does. */
static double highest_mean(const struct plot_picture *picture, const struct curves *curves,
                           size_t bin, int side) {
    int64_t from_s = picture->view.from_s + (int64_t)bin * picture->view.bin_s;
    double highest = -1;
    for (int64_t t_s = (from_s + 59) / 60 * 60; t_s < from_s + picture->view.bin_s; t_s += 60) {
        size_t minute = (size_t)((t_s - curves->minute_view.from_s) / 60);
        if (minute < curves->minute_count) {
            highest = fmax(highest, curves->minutes[minute].sides[side].consumed_units / 60);
        }
    }
    return highest;
}

/* One-minute means as steps; of bins longer than a minute, the highest one, as all would be mush.
 * CloudWatch divides what it counted in a minute by 60, whether the minute is whole or not. */
static bool write_minutes(struct plot_picture *picture, const struct curves *curves, int side,
                          struct err *err) {
    char name[32];
    snprintf(name, sizeof name, "minutes-%s.dat", plot_side_name((enum store_read_side)side));
    FILE *file = plot_files_add(&picture->files, name, err);
    if (file == NULL) {
        return false;
    }
    const struct store_read_view *view =
        picture->view.bin_s > 60 ? &picture->view : &curves->minute_view;
    size_t count = picture->view.bin_s > 60 ? curves->bin_count : curves->minute_count;
    for (size_t i = 0; i <= count; i++) {
        size_t row = i < count ? i : i - 1;
        int64_t t_s = view->from_s + (int64_t)i * view->bin_s;
        fprintf(file, "%lld", (long long)(t_s < view->to_s ? t_s : view->to_s));
        plot_put_value(file, picture->view.bin_s > 60
                                 ? highest_mean(picture, curves, row, side)
                                 : curves->minutes[row].sides[side].consumed_units / 60);
        fputc('\n', file);
    }
    return true;
}

static void put_level(FILE *file, int64_t t_s, double level) {
    fprintf(file, "%lld", (long long)t_s);
    plot_put_value(file, level);
    fputc('\n', file);
}

/* The provisioned line by its changes only: a line of many short steps cannot be dashed. */
static bool write_provisioned(struct plot_picture *picture, const struct curves *curves, int side,
                              struct err *err) {
    char name[32];
    snprintf(name, sizeof name, "line-%s.dat", plot_side_name((enum store_read_side)side));
    FILE *file = plot_files_add(&picture->files, name, err);
    if (file == NULL) {
        return false;
    }
    const struct store_read_view *view = &picture->view;
    double before = -2;
    for (size_t i = 0; i < curves->bin_count; i++) {
        double now = line_level(picture, curves, side, i);
        const int64_t t_s = view->from_s + (int64_t)i * view->bin_s;
        if (now < 0 && before >= 0) { /* its last step ends here */
            put_level(file, t_s, before);
        }
        if (now != before) {
            put_level(file, t_s, now);
        }
        before = now;
    }
    put_level(file, view->to_s, before);
    return true;
}

/* The classic confusion: a minute's mean is below the provisioned line, and yet the minute
 * throttled. The note points at the worst of these minutes. */
static void write_note(struct plot_picture *picture, const struct curves *curves, int side) {
    const char *name = plot_side_name((enum store_read_side)side);
    const char *unit = plot_unit((enum store_read_side)side);
    const struct store_read_side_bin *worst = NULL;
    size_t below = 0, throttled = 0, at = 0;
    for (size_t i = 0; i < curves->minute_count; i++) {
        const struct store_read_side_bin *minute = &curves->minutes[i].sides[side];
        bool is_whole = store_read_bin_seconds(&curves->minute_view, i) >= 60 &&
                        (i > 0 || curves->minute_view.from_s == picture->view.from_s);
        if (minute->throttled <= 0 || !is_whole) {
            continue;
        }
        throttled++;
        if (minute->consumed_units / 60 >= minute->provisioned_per_s) {
            continue;
        }
        below++;
        if (worst == NULL || minute->throttled > worst->throttled) {
            worst = minute;
            at = i;
        }
    }
    char first[256] = "", second[256] = "";
    double at_s = 0, mean = 0;
    if (worst != NULL) {
        char a[PLOT_NUMBER_BYTES], b[PLOT_NUMBER_BYTES], c[PLOT_NUMBER_BYTES];
        mean = worst->consumed_units / 60;
        double from_s = (double)(curves->minute_view.from_s + (int64_t)at * 60);
        at_s = (fmax(from_s, (double)picture->view.from_s) +
                fmin(from_s + 60, (double)picture->view.to_s)) /
               2;
        snprintf(first, sizeof first, "mean %s, provisioned %s, busiest second %s %s/s",
                 plot_number(round(mean), a), plot_number(worst->provisioned_per_s, b),
                 plot_number(round(worst->consumed_units_max), c), unit);
        snprintf(second, sizeof second, "and yet %s attempts throttled in this minute",
                 plot_number(worst->throttled, a));
        if (side == (int)curves->main_side) {
            plot_say(picture,
                     "; the one-minute mean is below provisioned in %s of %s minutes that"
                     " throttle",
                     plot_number((double)below, a), plot_number((double)throttled, b));
        }
    }
    char key[32];
    snprintf(key, sizeof key, "NOTE1_%s", name);
    plot_quote(picture->values, key, first);
    snprintf(key, sizeof key, "NOTE2_%s", name);
    plot_quote(picture->values, key, second);
    fprintf(picture->values, "NOTE_T_%s = %.9g\nNOTE_Y_%s = %.9g\n", name, at_s, name, mean);
}

/* Length of an axis and the distance of its tics, at most six of them. */
static void write_axis(FILE *values, const char *axis, const char *side, double length) {
    fprintf(values, "%s_MAX_%s = %.9g\n%s_STEP_%s = %.9g\n", axis, side, length, axis, side,
            fmax(1, plot_round_up(length / 6)));
}

/* What the dashed line is; "" when there is none. */
static const char *line_name(const struct side_totals *total) {
    if (total->provisioned >= 0) {
        return total->on_demand >= 0 ? "provisioned, or on-demand: its partitions" : "provisioned";
    }
    return total->on_demand >= 0   ? "on-demand: what its partitions take"
           : total->burst_max >= 0 ? "limited by its on-demand maximum"
                                   : "";
}

static bool write_side(struct plot_picture *picture, const struct curves *curves, int side,
                       double headroom, struct err *err) {
    const char *name = plot_side_name((enum store_read_side)side);
    const struct side_totals *total = &curves->totals[side];
    const double line = fmax(total->provisioned, total->on_demand);
    double top = fmax(1, fmax(total->peak, line));
    /* A line far above what is used would press the rest flat: it is left out, its number is said.
     * */
    bool is_far = total->peak > 0 && line > 8 * total->peak;
    top = is_far ? 1.5 * total->peak : top;
    FILE *values = picture->values;
    char number[PLOT_NUMBER_BYTES], text[128];
    snprintf(text, sizeof text, "%s: %s, beyond this axis", line_name(total),
             plot_number(line, number));
    write_axis(values, "UNITS", name, headroom * top);
    write_axis(values, "ATTEMPTS", name, 1.1 * fmax(1, total->throttled_peak));
    /* An index that is behind by more than a second's writes shows that, in place of its burst. */
    const bool is_behind = total->behind_max > fmax(1, total->provisioned);
    write_axis(values, "BURST", name,
               1.15 * fmax(1, is_behind ? total->behind_max : total->burst_max));
    fprintf(values, "IS_BEHIND_%s = %d\n", name, is_behind);
    fprintf(values, "HAS_BURST_%s = %d\n", name, total->burst_max >= 0);
    fprintf(values, "ANY_%s = %d\n", name, total->throttled > 0);
    fprintf(values, "UNIT_%s = '%s'\n", name, plot_unit((enum store_read_side)side));
    char key[32];
    snprintf(key, sizeof key, "FAR_%s", name);
    plot_quote(values, key, is_far ? text : "");
    snprintf(key, sizeof key, "LINE_%s", name);
    plot_quote(values, key, line_name(total));
    fprintf(values, "HAS_LINE_%s = %d\n", name, line >= 0);
    return write_bins(picture, curves, side, err) && write_minutes(picture, curves, side, err) &&
           write_provisioned(picture, curves, side, err);
}

static bool write_sides(struct plot_picture *picture, const struct curves *curves, double headroom,
                        struct err *err) {
    if (!plot_marks(picture, err)) {
        return false;
    }
    fprintf(picture->values, "SIDES = '%s%s%s'\n", curves->shown[0] ? "reads" : "",
            curves->shown[0] && curves->shown[1] ? " " : "", curves->shown[1] ? "writes" : "");
    for (int side = 0; side < STORE_READ_SIDES; side++) {
        if (curves->shown[side] && !write_side(picture, curves, side, headroom, err)) {
            return false;
        }
    }
    return true;
}

bool plot_throttling(struct plot_picture *picture, struct err *err) {
    struct curves curves;
    if (!read_curves(picture, &curves, err)) {
        return false;
    }
    double throttled = curves.totals[0].throttled + curves.totals[1].throttled;
    if (!plot_say_throttled(picture, throttled, err)) {
        return false;
    }
    for (int side = 0; side < STORE_READ_SIDES; side++) {
        if (curves.shown[side]) {
            write_note(picture, &curves, side);
        }
    }
    return write_sides(picture, &curves, throttled > 0 ? 1.42 : 1.12, err);
}

/* "mean 612 of 1,000 WCU/s (61.2 %), on-demand mean 2,000 WCU/s": means of what was provisioned and
 * of what was consumed meanwhile. */
static void say_means(struct plot_picture *picture, const struct side_totals *total,
                      enum store_read_side side) {
    char a[PLOT_NUMBER_BYTES], b[PLOT_NUMBER_BYTES];
    const double on_demand_s =
        (double)(picture->view.to_s - picture->view.from_s) - total->provisioned_s;
    const double on_demand = (total->consumed - total->provisioned_consumed) / on_demand_s;
    if (total->provisioned_s > 0) {
        plot_say(
            picture, "mean %s of %s %s/s (%s)",
            plot_number(total->provisioned_consumed / total->provisioned_s, a),
            plot_number(total->provisioned_units / total->provisioned_s, b), plot_unit(side),
            words_percent(words_share(total->provisioned_consumed, total->provisioned_units)).text);
    }
    if (total->provisioned_s <= 0 || total->consumed > total->provisioned_consumed) {
        plot_say(picture, "%smean %s %s/s", total->provisioned_s > 0 ? ", on-demand " : "",
                 plot_number(on_demand, a), plot_unit(side));
    }
}

/* "writes: mean 612 of 1,000 WCU/s (61.2 %); burst used up for 23 s, first at 0:05:10". */
static void say_capacity(struct plot_picture *picture, const struct side_totals *total,
                         enum store_read_side side) {
    char a[PLOT_NUMBER_BYTES];
    plot_say(picture, "%s%s: ", picture->finding[0] == '\0' ? "" : "; ", plot_side_name(side));
    say_means(picture, total, side);
    if (total->behind_max > fmax(1, total->provisioned)) {
        plot_say(picture, ", the index was behind by up to %s %s",
                 plot_number(round(total->behind_max), a), plot_unit(side));
    }
    if (total->burst_max < 0) {
        return;
    }
    if (total->empty_s > 0) {
        plot_say(picture, ", burst used up for %s s, first at %s", plot_number(total->empty_s, a),
                 words_clock((int64_t)total->first_empty_s).text);
    } else if (total->provisioned > 0) {
        plot_say(picture, ", burst never below %s s of provisioned",
                 plot_number(floor(total->burst_min / total->provisioned), a));
    }
}

bool plot_capacity(struct plot_picture *picture, struct err *err) {
    struct curves curves;
    if (!read_curves(picture, &curves, err)) {
        return false;
    }
    for (int side = 0; side < STORE_READ_SIDES; side++) {
        if (curves.shown[side]) {
            say_capacity(picture, &curves.totals[side], (enum store_read_side)side);
        }
    }
    return write_sides(picture, &curves, 1.12, err);
}
