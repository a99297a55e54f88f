/* Picture of the splits: each partition's life as a bar over time, parents left of their children.
 *
 * The partitions that are open last lie below one another in the order of the key space, each as
 * high as any other; one that was split is as high as all that came of it. */
#include "cli/plot_picture.h"

#include <math.h>
#include <stdlib.h>

#define LABELS_MAX 48   /* bars with a name */
#define LEAVES_NAMED 40 /* more than that leave no room for names */

struct bar {
    const struct store_read_partition *row;
    double low, high; /* rows of the picture, from the top */
};

struct split_picture {
    struct store_read_partition *rows;
    struct bar *bars; /* as rows */
    size_t count, leaves;
    size_t splits, within; /* within: cut inside a partition key */
    size_t full;           /* children of those that were split for size */
    double cap;
    enum store_read_side side;
};

static int compare_bars(const void *a, const void *b) {
    const struct store_read_partition *x = ((const struct bar *)a)->row;
    const struct store_read_partition *y = ((const struct bar *)b)->row;
    if (x->hash_lo != y->hash_lo) {
        return x->hash_lo < y->hash_lo ? -1 : 1;
    }
    if (x->sort_lo != y->sort_lo) {
        return x->sort_lo < y->sort_lo ? -1 : 1;
    }
    return x->partition_id < y->partition_id ? -1 : x->partition_id > y->partition_id;
}

/* Whether a partition was split before the end of what is shown. */
static bool is_split(const struct plot_picture *picture, const struct store_read_partition *row) {
    return row->closed_s >= 0 && row->closed_s < (double)picture->view.to_s;
}

static struct bar *bar_of(const struct split_picture *splits, int64_t partition_id) {
    for (size_t i = 0; i < splits->count; i++) {
        if (splits->bars[i].row->partition_id == partition_id) {
            return &splits->bars[i];
        }
    }
    return NULL;
}

/* Leaves get a row each; then whoever was split spans the rows of what came of it. Children have
 * larger numbers than their parent. */
static void place_bars(const struct plot_picture *picture, struct split_picture *splits) {
    qsort(splits->bars, splits->count, sizeof *splits->bars, compare_bars);
    for (size_t i = 0; i < splits->count; i++) {
        struct bar *bar = &splits->bars[i];
        bar->low = INFINITY;
        bar->high = -INFINITY;
        if (!is_split(picture, bar->row)) {
            bar->low = (double)splits->leaves++;
            bar->high = bar->low + 1;
        } else {
            splits->splits++;
        }
    }
    for (size_t i = 0; i < splits->count; i++) {
        const struct store_read_partition *row = splits->bars[i].row;
        const struct bar *parent = bar_of(splits, row->parent_id);
        splits->within +=
            parent != NULL && row->sort_lo > 0 && row->sort_lo != parent->row->sort_lo;
    }
    for (size_t depth = 0; depth < splits->count; depth++) {
        bool changed = false;
        for (size_t i = 0; i < splits->count; i++) {
            const struct bar *child = &splits->bars[i];
            struct bar *parent = bar_of(splits, child->row->parent_id);
            if (parent != NULL && is_split(picture, parent->row) &&
                (child->low < parent->low || child->high > parent->high)) {
                parent->low = fmin(parent->low, child->low);
                parent->high = fmax(parent->high, child->high);
                changed = true;
            }
        }
        if (!changed) {
            break;
        }
    }
}

static bool read_splits(struct plot_picture *picture, struct split_picture *splits,
                        struct err *err) {
    double throttled[STORE_READ_SIDES] = {0};
    *splits = (struct split_picture){0};
    if (!store_read_partitions(picture->reader, &picture->view, &splits->rows, &splits->count,
                               err)) {
        return false;
    }
    splits->bars = calloc(splits->count + 1, sizeof *splits->bars);
    if (splits->bars == NULL) {
        return err_no_memory(err, "picture");
    }
    for (size_t i = 0; i < splits->count; i++) {
        const struct store_read_partition *row = &splits->rows[i];
        splits->bars[i].row = row;
        splits->full += row->is_for_size;
        throttled[0] += row->throttled[0];
        throttled[1] += row->throttled[1];
    }
    splits->side = plot_main_side(picture, throttled);
    place_bars(picture, splits);
    const bool reads = splits->side == STORE_READ_READS;
    return store_read_parameter(picture->reader, picture->run.run_id,
                                reads ? "part_max_r" : "part_max_w", reads ? 3000 : 1000,
                                &splits->cap, err);
}

static double from_of(const struct plot_picture *picture, const struct bar *bar) {
    return fmax(bar->row->born_s, (double)picture->view.from_s);
}

static double to_of(const struct plot_picture *picture, const struct bar *bar) {
    const double to_s = (double)picture->view.to_s;
    return bar->row->closed_s >= 0 ? fmin(bar->row->closed_s, to_s) : to_s;
}

/* Mean of its life in the view, in percent of the cap. */
static double use_percent(const struct plot_picture *picture, const struct split_picture *splits,
                          const struct bar *bar) {
    const double life_s = fmax(1, to_of(picture, bar) - from_of(picture, bar));
    return 100 * bar->row->consumed[splits->side] / life_s / splits->cap;
}

static void say(struct plot_picture *picture, const struct split_picture *splits) {
    char number[PLOT_NUMBER_BYTES];
    if (splits->splits == 0) {
        plot_say(picture, "no partition was split; %s of them",
                 plot_number((double)splits->leaves, number));
        return;
    }
    plot_say(picture, "%zu split%s, to %zu partitions", splits->splits,
             splits->splits == 1 ? "" : "s", splits->leaves);
    if (splits->within > 0) {
        plot_say(picture, "; %zu cut%s within a partition key", splits->within,
                 splits->within == 1 ? "" : "s");
    }
    if (splits->full > 0) {
        plot_say(picture, "; %zu for size", splits->full / 2);
    }
    double first_s = INFINITY, last_s = 0;
    for (size_t i = 0; i < splits->count; i++) {
        if (is_split(picture, splits->bars[i].row)) {
            first_s = fmin(first_s, splits->bars[i].row->closed_s);
            last_s = fmax(last_s, splits->bars[i].row->closed_s);
        }
    }
    plot_say(picture, "; the first at %s", words_clock((int64_t)first_s).text);
    if (splits->splits > 1) {
        plot_say(picture, ", the last at %s", words_clock((int64_t)last_s).text);
    }
}

static bool write_splits(struct plot_picture *picture, const struct split_picture *splits,
                         struct err *err) {
    FILE *values = picture->values, *file = plot_files_add(&picture->files, "splits.dat", err);
    FILE *refused = file == NULL ? NULL : plot_files_add(&picture->files, "refused.dat", err);
    size_t labels = 0;
    if (refused == NULL) {
        return false;
    }
    fprintf(values, "ROWS = %zu\nCAP = %.9g\nUNIT = '%s'\nSIDE = '%s'\n", splits->leaves,
            splits->cap, plot_unit(splits->side), plot_side_name(splits->side));
    fprintf(values, "array NAME[%d]\narray NAME_X[%d]\narray NAME_Y[%d]\n", LABELS_MAX, LABELS_MAX,
            LABELS_MAX);
    for (size_t i = 0; i < splits->count; i++) {
        const struct bar *bar = &splits->bars[i];
        if (!(bar->high > bar->low)) { /* what came of it is not in the view */
            continue;
        }
        const double from_s = from_of(picture, bar), to_s = to_of(picture, bar);
        const double use = use_percent(picture, splits, bar);
        const double middle = (bar->low + bar->high) / 2;
        fprintf(file, "%.9g %.9g %.9g %.9g %.5g\n", from_s, to_s, bar->low, bar->high, use);
        if (bar->row->throttled[splits->side] > 0) {
            fprintf(refused, "%.9g %.9g\n", to_s, middle);
        }
        const bool has_room =
            to_s - from_s > 0.07 * (double)(picture->view.to_s - picture->view.from_s);
        if (labels < LABELS_MAX && splits->leaves <= LEAVES_NAMED && has_room) {
            labels++;
            fprintf(values,
                    "NAME[%zu] = 'p%lld  %.0f %%'\nNAME_X[%zu] = %.9g\nNAME_Y[%zu] = %.9g\n",
                    labels, (long long)bar->row->partition_id, use, labels, from_s, labels, middle);
        }
    }
    fprintf(values, "NAMES = %zu\n", labels);
    return true;
}

static int depth_of(const struct split_picture *splits, const struct bar *bar) {
    int depth = 0;
    for (const struct bar *at = bar; at != NULL && at->row->parent_id >= 0 && depth < 64; depth++) {
        at = bar_of(splits, at->row->parent_id);
    }
    return depth;
}

/* A tree of lines, parents above their children. */
static void print_below(const struct plot_picture *picture, const struct split_picture *splits,
                        int64_t parent_id, int *lines) {
    for (size_t i = 0; i<splits->count && * lines> 0; i++) {
        const struct bar *bar = &splits->bars[i];
        const bool is_root = parent_id < 0 && bar_of(splits, bar->row->parent_id) == NULL;
        if (!is_root && (parent_id < 0 || bar->row->parent_id != parent_id)) {
            continue;
        }
        --*lines;
        printf("%*sp%-6lld %s", 2 * depth_of(splits, bar), "", (long long)bar->row->partition_id,
               words_clock((int64_t)bar->row->born_s).text);
        printf(" to %-8s %4.0f %% of its %.0f %s/s%s\n",
               bar->row->closed_s >= 0 ? words_clock((int64_t)bar->row->closed_s).text : "the end",
               use_percent(picture, splits, bar), splits->cap, plot_unit(splits->side),
               bar->row->throttled[splits->side] > 0 ? ", throttled" : "");
        print_below(picture, splits, bar->row->partition_id, lines);
    }
}

bool plot_splits(struct plot_picture *picture, struct err *err) {
    struct split_picture splits;
    bool done = read_splits(picture, &splits, err);
    if (done) {
        say(picture, &splits);
    }
    if (done && !picture->is_terminal) {
        done = write_splits(picture, &splits, err);
    } else if (done) {
        int lines = picture->lines > 8 ? picture->lines - 5 : 3;
        plot_print_heading(picture);
        putchar('\n');
        print_below(picture, &splits, -1, &lines);
    }
    free(splits.bars);
    return done;
}
