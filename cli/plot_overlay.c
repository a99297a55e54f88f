#include "cli/plot_overlay.h"

#include "cli/plot_marks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_COLUMNS 88 /* for all curves together */
#define SETTINGS_SHOWN 2
#define BINS 120 /* a mean over fewer seconds would make curves cross at each of them */

struct overlay_curve {
    struct store_read *reader;
    const char *database; /* borrowed */
    struct store_read_run run;
    struct store_read_resource resource;
    struct store_read_view view;
    struct store_read_bin *bins;
    struct store_read_setting *settings;
    size_t setting_count;
    double attempts;
    double throttled[STORE_READ_SIDES], peak[STORE_READ_SIDES];
    double provisioned[STORE_READ_SIDES], burst[STORE_READ_SIDES];
    double throttled_peak[STORE_READ_SIDES];
    int64_t first_s[STORE_READ_SIDES]; /* of the refusals; -1: none */
    char label[PLOT_NAME_BYTES];
};

struct plot_overlay {
    struct overlay_curve curves[PLOT_OVERLAY_MAX];
    size_t count;
};

static bool is_same(const struct store_read_resource *a, const struct store_read_resource *b) {
    return strcmp(a->table_name, b->table_name) == 0 &&
           (a->index_name == NULL) == (b->index_name == NULL) &&
           (a->index_name == NULL || strcmp(a->index_name, b->index_name) == 0);
}

static bool find_resource(struct overlay_curve *curve, const struct store_read_resource *like,
                          struct err *err) {
    struct store_read_resource *rows;
    size_t count;
    if (!store_read_resources(curve->reader, &curve->run, &rows, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_same(&rows[i], like)) {
            curve->resource = rows[i];
            return true;
        }
    }
    char table[PLOT_NAME_BYTES], index[PLOT_NAME_BYTES] = "";
    plot_clean(like->table_name, 80, true, table);
    if (like->index_name != NULL) {
        plot_clean(like->index_name, 80, true, index);
    }
    return err_set(err, ERR_INPUT, "'%s': run %lld has no table '%.200s%s%.200s' to draw over it",
                   curve->database, (long long)curve->run.run_id, table,
                   index[0] == '\0' ? "" : "/", index);
}

static bool add_curve(struct plot_overlay *overlay, const char *database, const int64_t *run_id,
                      const struct store_read_resource *like, struct err *err) {
    struct overlay_curve *curve = &overlay->curves[overlay->count++];
    curve->database = database;
    curve->reader = store_read_open(database, err);
    return curve->reader != NULL && store_read_run(curve->reader, run_id, &curve->run, err) &&
           find_resource(curve, like, err) &&
           store_read_settings(curve->reader, curve->run.run_id, &curve->settings,
                               &curve->setting_count, err);
}

struct plot_overlay *plot_overlay_open(const struct plot_picture *picture, struct err *err) {
    const struct plot_options *options = picture->options;
    struct plot_overlay *overlay = calloc(1, sizeof *overlay);
    if (overlay == NULL) {
        err_no_memory(err, "curves");
        return NULL;
    }
    bool ready =
        add_curve(overlay, options->database, &picture->run.run_id, &picture->resource, err);
    for (size_t i = 0; ready && i < options->over_count; i++) {
        const struct plot_over *over = &options->overs[i];
        ready = add_curve(overlay, over->database == NULL ? options->database : over->database,
                          over->database == NULL ? &over->run_id : NULL, &picture->resource, err);
    }
    if (!ready) {
        plot_overlay_close(overlay);
        return NULL;
    }
    return overlay;
}

void plot_overlay_close(struct plot_overlay *overlay) {
    for (size_t i = 0; overlay != NULL && i < overlay->count; i++) {
        store_read_close(overlay->curves[i].reader);
    }
    free(overlay);
}

int64_t plot_overlay_end_s(const struct plot_overlay *overlay) {
    int64_t end_s = 0;
    for (size_t i = 0; i < overlay->count; i++) {
        const int64_t curve_s = overlay->curves[i].resource.end_s;
        end_s = curve_s > end_s ? curve_s : end_s;
    }
    return end_s;
}

static const char *setting_of(const struct overlay_curve *curve, const char *name) {
    for (size_t i = 0; i < curve->setting_count; i++) {
        if (strcmp(curve->settings[i].name, name) == 0) {
            return curve->settings[i].value;
        }
    }
    return "";
}

/* Whether somebody has set it in one of the runs, and not to the same value in all. */
static bool tells_apart(const struct plot_overlay *overlay, const char *name) {
    const char *first = setting_of(&overlay->curves[0], name);
    bool differs = false, is_given = false;
    for (size_t i = 0; i < overlay->count; i++) {
        const struct overlay_curve *curve = &overlay->curves[i];
        differs |= strcmp(setting_of(curve, name), first) != 0;
        for (size_t j = 0; j < curve->setting_count; j++) {
            is_given |= curve->settings[j].is_given && strcmp(curve->settings[j].name, name) == 0;
        }
    }
    return differs && is_given;
}

/* A name among the settings of some run, each once: those of curve 0, then what it lacks. */
static bool is_new_name(const struct plot_overlay *overlay, size_t curve, size_t setting) {
    const char *name = overlay->curves[curve].settings[setting].name;
    for (size_t i = 0; i < curve; i++) {
        if (setting_of(&overlay->curves[i], name)[0] != '\0') {
            return false;
        }
    }
    return true;
}

static void add_to_label(char *label, const char *name, const char *value) {
    static const char model[] = "model.";
    const char *plain = strncmp(name, model, strlen(model)) == 0 ? name + strlen(model) : name;
    const size_t used = strlen(label);
    snprintf(label + used, PLOT_NAME_BYTES - used, "%s%.60s %.60s", used == 0 ? "" : ", ", plain,
             value[0] == '\0' ? "not set" : value);
}

/* "era static"; "counter.db, run 3" when no parameter tells the runs apart. */
static void name_curves(struct plot_overlay *overlay, bool is_terminal) {
    size_t shown = 0;
    for (size_t i = 0; i < overlay->count; i++) {
        for (size_t j = 0; j < overlay->curves[i].setting_count; j++) {
            const char *name = overlay->curves[i].settings[j].name;
            if (shown == SETTINGS_SHOWN || !is_new_name(overlay, i, j) ||
                !tells_apart(overlay, name)) {
                continue;
            }
            shown++;
            for (size_t k = 0; k < overlay->count; k++) {
                struct overlay_curve *curve = &overlay->curves[k];
                add_to_label(curve->label, name, setting_of(curve, name));
            }
        }
    }
    for (size_t k = 0; k < overlay->count; k++) {
        struct overlay_curve *curve = &overlay->curves[k];
        const char *slash = strrchr(curve->database, '/');
        char label[PLOT_NAME_BYTES];
        if (shown == 0) {
            snprintf(curve->label, sizeof curve->label, "%.200s, run %lld",
                     slash == NULL ? curve->database : slash + 1, (long long)curve->run.run_id);
        }
        plot_clean(curve->label, LABEL_COLUMNS / (overlay->count + 1), is_terminal, label);
        memcpy(curve->label, label, sizeof label);
    }
}

/* When each side was refused first, by the reasons' names. */
static bool read_first(struct overlay_curve *curve, struct err *err) {
    struct store_read_reason *reasons;
    size_t count;
    curve->first_s[STORE_READ_READS] = curve->first_s[STORE_READ_WRITES] = -1;
    if (!store_read_reasons(curve->reader, &curve->view, &reasons, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const bool writes = strstr(reasons[i].name, "Write") != NULL;
        int64_t *first_s = &curve->first_s[writes ? STORE_READ_WRITES : STORE_READ_READS];
        *first_s = *first_s < 0 || reasons[i].first_s < *first_s ? reasons[i].first_s : *first_s;
    }
    return true;
}

static bool read_curve(struct overlay_curve *curve, const struct store_read_view *picture,
                       struct err *err) {
    curve->view = *picture;
    curve->view.run_id = curve->run.run_id;
    curve->view.resource_id = curve->resource.resource_id;
    curve->view.end_s = curve->resource.end_s;
    curve->view.to_s = picture->to_s < curve->view.end_s ? picture->to_s : curve->view.end_s;
    if (curve->view.to_s <= curve->view.from_s) {
        return err_set(err, ERR_INPUT, "'%s': --from is not before the end of run %lld, %s",
                       curve->database, (long long)curve->run.run_id,
                       words_clock(curve->view.end_s).text);
    }
    if (!store_read_bins(curve->reader, &curve->view, &curve->bins, err) ||
        !store_read_attempts(curve->reader, &curve->view, &curve->attempts, err) ||
        !read_first(curve, err)) {
        return false;
    }
    for (int side = 0; side < STORE_READ_SIDES; side++) {
        curve->provisioned[side] = curve->burst[side] = -1;
        for (size_t i = 0; i < store_read_bin_count(&curve->view); i++) {
            const struct store_read_side_bin *bin = &curve->bins[i].sides[side];
            const double seconds = store_read_bin_seconds(&curve->view, i);
            curve->peak[side] = fmax(curve->peak[side], bin->consumed_units / seconds);
            curve->throttled[side] += bin->throttled;
            curve->throttled_peak[side] =
                fmax(curve->throttled_peak[side], bin->throttled / seconds);
            curve->provisioned[side] = fmax(curve->provisioned[side], bin->provisioned_per_s);
            curve->burst[side] = fmax(curve->burst[side], bin->burst_units_min);
        }
    }
    return true;
}

/* time, mean consumed, provisioned, throttled, least burst; a step ends where the next begins. */
static bool write_curve(struct plot_picture *picture, const struct overlay_curve *curve,
                        size_t number, int side, struct err *err) {
    char name[32];
    snprintf(name, sizeof name, "curve-%zu.dat", number);
    FILE *file = plot_files_add(&picture->files, name, err);
    if (file == NULL) {
        return false;
    }
    const struct store_read_view *view = &curve->view;
    const size_t count = store_read_bin_count(view);
    for (size_t i = 0; i <= count; i++) {
        const size_t row = i < count ? i : i - 1;
        const struct store_read_side_bin *bin = &curve->bins[row].sides[side];
        const double seconds = store_read_bin_seconds(view, row);
        const int64_t t_s = view->from_s + (int64_t)i * view->bin_s;
        fprintf(file, "%lld", (long long)(t_s < view->to_s ? t_s : view->to_s));
        plot_put_value(file, bin->consumed_units / seconds);
        plot_put_value(file, bin->provisioned_per_s);
        plot_put_value(file, bin->throttled / seconds);
        plot_put_value(file, bin->burst_units_min);
        fputc('\n', file);
    }
    return true;
}

/* Of many curves only how much, so that it fits above the picture. */
static void say_curve(struct plot_picture *picture, const struct overlay_curve *curve, int side,
                      bool briefly) {
    char number[PLOT_NUMBER_BYTES];
    plot_say(picture, "%s%s: ", picture->finding[0] == '\0' ? "" : "; ", curve->label);
    if (curve->throttled[side] <= 0) {
        plot_say(picture, "none throttled");
        return;
    }
    plot_say(picture, "%s throttled", plot_number(curve->throttled[side], number));
    if (briefly) {
        return;
    }
    plot_say(picture, " (%s of attempts)",
             words_percent(words_share(curve->throttled[side], curve->attempts)).text);
    if (curve->first_s[side] >= 0) {
        plot_say(picture, " from %s", words_clock(curve->first_s[side]).text);
    }
}

static void write_axis(FILE *values, const char *axis, double length) {
    fprintf(values, "%s_MAX = %.9g\n%s_STEP = %.9g\n", axis, length, axis,
            fmax(1, plot_round_up(length / 6)));
}

static void write_values(struct plot_picture *picture, const struct plot_overlay *overlay,
                         int side) {
    FILE *values = picture->values;
    double peak = 1, throttled = 0, provisioned = -1, burst = -1;
    for (size_t i = 0; i < overlay->count; i++) {
        const struct overlay_curve *curve = &overlay->curves[i];
        char key[32];
        peak = fmax(peak, curve->peak[side]);
        throttled = fmax(throttled, curve->throttled_peak[side]);
        provisioned = fmax(provisioned, curve->provisioned[side]);
        burst = fmax(burst, curve->burst[side]);
        snprintf(key, sizeof key, "LABEL_%zu", i + 1);
        plot_quote(values, key, curve->label);
    }
    const bool is_far = provisioned > 8 * peak;
    const bool of_burst = picture->options->kind == PLOT_CAPACITY;
    const double bottom = of_burst ? burst : throttled;
    write_axis(values, "UNITS", 1.12 * (is_far ? peak : fmax(peak, provisioned)));
    write_axis(values, "BOTTOM", 1.15 * fmax(1, bottom));
    fprintf(values, "CURVES = %zu\nSIDE = '%s'\nUNIT = '%s'\nOF_BURST = %d\nANY = %d\n",
            overlay->count, plot_side_name((enum store_read_side)side),
            plot_unit((enum store_read_side)side), of_burst, bottom > 0);
    char number[PLOT_NUMBER_BYTES], text[128] = "provisioned";
    if (is_far) {
        snprintf(text, sizeof text, "provisioned: %s, above", plot_number(provisioned, number));
    }
    plot_quote(values, "PROVISIONED", provisioned < 0 ? "" : text);
}

static bool mark(struct plot_picture *picture, const struct plot_overlay *overlay,
                 struct err *err) {
    struct plot_marks_run runs[PLOT_OVERLAY_MAX];
    for (size_t i = 0; i < overlay->count; i++) {
        runs[i] = (struct plot_marks_run){overlay->curves[i].reader, &overlay->curves[i].view};
    }
    return plot_marks_of_runs(picture, runs, overlay->count, err);
}

bool plot_overlay_draw(struct plot_picture *picture, struct plot_overlay *overlay,
                       struct err *err) {
    double throttled[STORE_READ_SIDES] = {0}, peak[STORE_READ_SIDES] = {0};
    const int64_t span_s = picture->view.to_s - picture->view.from_s;
    const int64_t step_s = plot_time_step(span_s, BINS);
    picture->view.bin_s = step_s < span_s ? step_s : 1;
    for (size_t i = 0; i < overlay->count; i++) {
        if (!read_curve(&overlay->curves[i], &picture->view, err)) {
            return false;
        }
        for (int side = 0; side < STORE_READ_SIDES; side++) {
            throttled[side] += overlay->curves[i].throttled[side];
            peak[side] = fmax(peak[side], overlay->curves[i].peak[side]);
        }
    }
    int side = picture->options->side;
    if (side < 0) {
        const bool by_refusals = throttled[0] > 0 || throttled[1] > 0;
        const double *weights = by_refusals ? throttled : peak;
        side = weights[STORE_READ_READS] > weights[STORE_READ_WRITES] ? STORE_READ_READS
                                                                      : STORE_READ_WRITES;
    }
    name_curves(overlay, picture->is_terminal);
    write_values(picture, overlay, side);
    for (size_t i = 0; i < overlay->count; i++) {
        say_curve(picture, &overlay->curves[i], side, overlay->count > 3);
        if (!write_curve(picture, &overlay->curves[i], i + 1, side, err)) {
            return false;
        }
    }
    return mark(picture, overlay, err);
}
