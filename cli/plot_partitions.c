/* Picture of the partitions: heat of the hash ring over time, borders, refusals, use of each cap.
 * */
#include "cli/plot_marks.h"
#include "cli/plot_partitions_text.h"

#include <math.h>
#include <stdlib.h>

#define LABELS_MAX 24
#define BORDERS_MAX 128 /* more than that cannot be told apart */
#define MARK_COLUMNS 90 /* marks of refusals: at most one in each of so many steps of time … */
#define MARK_BESIDE 2.6 /* slices */
#define MARK_ROWS 64    /* … and parts of the ring, so that the heat stays visible between them */

/* Largest rate, and the one that half of the warm cells exceed. */
static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(struct ring_picture *ring, struct err *err) {
    size_t cells = ring->ring.span_count * STORE_READ_SLICES, warm = 0;
    double *rates = calloc(cells + 1, sizeof *rates);
    if (rates == NULL) {
        return err_no_memory(err, "picture");
    }
    for (size_t i = 0; i < cells; i++) {
        if (ring->ring.units_per_s[i] > 0) {
            rates[warm++] = ring->ring.units_per_s[i];
        }
        ring->throttled += ring->ring.throttled[i];
    }
    qsort(rates, warm, sizeof *rates, compare);
    double highest = warm > 0 ? rates[warm - 1] : 1;
    double median = warm > 0 ? rates[warm / 2] : 1;
    free(rates);
    /* Brightest at the cap of what a slice holds, so that pictures of different runs compare; but
     * not where all would be dark. */
    double slice_cap = ring->cap * fmax(1, (double)ring->partition_count / STORE_READ_SLICES);
    bool is_busy = highest > slice_cap / 20;
    double reach = is_busy ? fmin(slice_cap, fmax(ring->cap, highest)) : plot_round_up(highest);
    /* Linear only where that shows more: a warm ground with bands that reach the top. */
    ring->is_log = highest < reach / 2 || reach > (is_busy ? 30 : 8) * median;
    ring->heat_max = ring->is_log && is_busy ? slice_cap : reach;
    ring->heat_min = ring->is_log ? ring->heat_max / 1000 : 0;
    return true;
}

/* Mean of a partition over the part of the view in which it was open, in percent of the cap. */
static double use_percent(const struct plot_picture *picture, const struct ring_picture *ring,
                          const struct store_read_partition *row) {
    double from_s = fmax(row->born_s, (double)picture->view.from_s);
    double to_s = (double)picture->view.to_s;
    to_s = row->closed_s >= 0 ? fmin(row->closed_s, to_s) : to_s;
    return 100 * row->consumed[ring->side] / fmax(1, to_s - from_s) / ring->cap;
}

static bool read_ring(struct plot_picture *picture, struct ring_picture *ring, struct err *err) {
    *ring = (struct ring_picture){0};
    if (!store_read_partitions(picture->reader, &picture->view, &ring->partitions,
                               &ring->partition_count, err)) {
        return false;
    }
    double throttled[STORE_READ_SIDES] = {0};
    for (size_t i = 0; i < ring->partition_count; i++) {
        throttled[0] += ring->partitions[i].throttled[0];
        throttled[1] += ring->partitions[i].throttled[1];
    }
    ring->side = plot_main_side(picture, throttled);
    bool reads = ring->side == STORE_READ_READS;
    return store_read_parameter(picture->reader, picture->run.run_id,
                                reads ? "part_max_r" : "part_max_w", reads ? 3000 : 1000,
                                &ring->cap, err) &&
           store_read_ring(picture->reader, &picture->view, ring->side, &ring->ring, err) &&
           measure(ring, err);
}

static void say(struct plot_picture *picture, const struct ring_picture *ring) {
    char a[PLOT_NUMBER_BYTES], b[PLOT_NUMBER_BYTES];
    const struct store_read_partition *hottest = NULL;
    double sum = 0, most = 0;
    size_t throttling = 0;
    for (size_t i = 0; i < ring->partition_count; i++) {
        double use = use_percent(picture, ring, &ring->partitions[i]);
        sum += use;
        throttling += ring->partitions[i].throttled[ring->side] > 0;
        if (hottest == NULL || use > most) {
            hottest = &ring->partitions[i];
            most = use;
        }
    }
    if (hottest == NULL || sum <= 0) {
        plot_say(picture, ring->throttled > 0 ? "nothing was admitted" : "no %s",
                 plot_side_name(ring->side));
    } else {
        plot_say(picture, "hottest: p%lld, on average at %s %% of its %s %s/s",
                 (long long)hottest->partition_id, plot_number(most, a), plot_number(ring->cap, b),
                 plot_unit(ring->side));
        if (ring->partition_count > 1) {
            double others = (sum - most) / (double)(ring->partition_count - 1);
            plot_say(picture, " (the others: %s %%)", plot_number(others, a));
        }
    }
    if (ring->throttled > 0) {
        plot_say(picture, "; %s %s throttled, in %zu of %zu partitions",
                 plot_number(ring->throttled, a), plot_side_name(ring->side), throttling,
                 ring->partition_count);
    }
}

static bool write_heat(struct plot_picture *picture, const struct ring_picture *ring,
                       struct err *err) {
    FILE *file = plot_files_add(&picture->files, "heat.dat", err);
    if (file == NULL) {
        return false;
    }
    for (size_t slice = 0; slice < STORE_READ_SLICES; slice++) {
        for (size_t span = 0; span < ring->ring.span_count; span++) {
            double rate = ring->ring.units_per_s[slice * ring->ring.span_count + span];
            fprintf(file, "%.5g ", fmax(rate, ring->heat_min)); /* cold is the darkest colour */
        }
        fputc('\n', file);
    }
    return true;
}

/* Refusals in a block of spans and slices, and their centre. */
struct mark {
    double weight, x, y;
};

static struct mark gather(const struct store_read_ring *ring, size_t span, size_t wide,
                          size_t slice, size_t tall) {
    struct mark mark = {0};
    for (size_t i = 0; i < tall * wide; i++) {
        size_t at_span = span + i % wide, at_slice = slice + i / wide;
        if (at_span >= ring->span_count) {
            continue; /* the last block is cut by the end of the run */
        }
        double refused = ring->throttled[at_slice * ring->span_count + at_span];
        mark.weight += refused;
        mark.x += refused * ((double)at_span + 0.5);
        mark.y += refused * ((double)at_slice + 0.5);
    }
    if (mark.weight > 0) {
        mark.x /= mark.weight;
        mark.y /= mark.weight;
    }
    return mark;
}

/* One mark for each block with refusals; several side by side where a
 * span is wider than the distance of marks. */
static bool write_marks(struct plot_picture *picture, const struct ring_picture *ring,
                        struct err *err) {
    FILE *file = plot_files_add(&picture->files, "throttled.dat", err);
    if (file == NULL) {
        return false;
    }
    size_t spans = ring->ring.span_count, wide = (spans + MARK_COLUMNS - 1) / MARK_COLUMNS;
    size_t tall = STORE_READ_SLICES / MARK_ROWS, copies = MARK_COLUMNS / spans;
    copies = copies < 1 ? 1 : copies;
    for (size_t slice = 0; slice < STORE_READ_SLICES; slice += tall) {
        for (size_t span = 0; span < spans; span += wide) {
            struct mark mark = gather(&ring->ring, span, wide, slice, tall);
            for (size_t i = 0; i < copies && mark.weight > 0; i++) {
                double x = mark.x - 0.5 + ((double)i + 0.5) / (double)copies;
                /* Beside what it marks: a hot key is a line as thin as the mark. */
                double y = mark.y > MARK_BESIDE ? mark.y - MARK_BESIDE : mark.y + MARK_BESIDE;
                fprintf(file, "%.9g %.9g\n",
                        (double)ring->ring.start_s + x * (double)ring->ring.span_s,
                        y / STORE_READ_SLICES);
            }
        }
    }
    fputs("-1 -1\n", file); /* out of sight: a file without a row would be an error */
    return true;
}

static double ring_fraction(uint64_t position) {
    return (double)position / 0x1p64;
}

static bool write_partitions(struct plot_picture *picture, const struct ring_picture *ring,
                             struct err *err) {
    FILE *borders = plot_files_add(&picture->files, "borders.dat", err);
    FILE *use = borders == NULL ? NULL : plot_files_add(&picture->files, "use.dat", err);
    if (use == NULL) {
        return false;
    }
    double from_s = (double)picture->view.from_s, to_s = (double)picture->view.to_s;
    for (size_t i = 0; i < ring->partition_count; i++) {
        const struct store_read_partition *row = &ring->partitions[i];
        double lo = ring_fraction(row->hash_lo), hi = ring_fraction(row->hash_hi);
        double closed_s = row->closed_s >= 0 ? fmin(row->closed_s, to_s) : to_s;
        if (ring->partition_count <= BORDERS_MAX) {
            fprintf(borders, "%.9g %.17g %.9g\n", fmax(row->born_s, from_s), lo, closed_s);
        }
        if (row->closed_s < 0 || row->closed_s >= to_s) {
            /* A thin gap between the bars, where they are tall enough for one. */
            double gap = ring->partition_count <= BORDERS_MAX ? 0.12 * (hi - lo) : 0;
            fprintf(use, "%.17g %.17g %.6g %.6g\n", lo + gap, hi - gap,
                    use_percent(picture, ring, row), 100 * row->peak[ring->side] / ring->cap);
        }
    }
    fputs("-1 -1 -1\n", borders);
    fputs("-1 -1 -1 -1\n", use);
    return true;
}

static void write_labels(struct plot_picture *picture, const struct ring_picture *ring) {
    FILE *values = picture->values;
    double to_s = (double)picture->view.to_s;
    size_t each = (ring->partition_count + LABELS_MAX - 1) / LABELS_MAX, open = 0, labels = 0;
    each = each < 1 ? 1 : each > 4 ? (size_t)plot_round_up((double)each) : each;
    fprintf(values, "array LABEL[%d]\narray LABEL_Y[%d]\n", LABELS_MAX + 1, LABELS_MAX + 1);
    for (size_t i = 0; i < ring->partition_count && labels < LABELS_MAX; i++) {
        const struct store_read_partition *row = &ring->partitions[i];
        if ((row->closed_s >= 0 && row->closed_s < to_s) || open++ % each != 0) {
            continue;
        }
        labels++;
        double middle = (ring_fraction(row->hash_lo) + ring_fraction(row->hash_hi)) / 2;
        fprintf(values, "LABEL[%zu] = 'p%lld'\nLABEL_Y[%zu] = %.9g\n", labels,
                (long long)row->partition_id, labels, middle);
    }
    fprintf(values, "LABELS = %zu\n", labels);
}

static bool write_ring(struct plot_picture *picture, const struct ring_picture *ring,
                       struct err *err) {
    FILE *values = picture->values;
    char cap[PLOT_NUMBER_BYTES];
    double peak = 100;
    for (size_t i = 0; i < ring->partition_count; i++) {
        peak = fmax(peak, 100 * ring->partitions[i].peak[ring->side] / ring->cap);
    }
    fprintf(values, "SPAN_S = %lld.0\nRING_FROM = %lld.0\n", (long long)ring->ring.span_s,
            (long long)ring->ring.start_s);
    fprintf(values, "HEAT_STEP = %.9g\n", plot_round_up(ring->heat_max / 4));
    fprintf(values, "HEAT_MIN = %.9g\nHEAT_MAX = %.9g\nHEAT_LOG = %d\nANY = %d\n", ring->heat_min,
            ring->heat_max, ring->is_log, ring->throttled > 0);
    fprintf(values, "UNIT = '%s'\nSIDE = '%s'\nCAP = '%s'\n", plot_unit(ring->side),
            plot_side_name(ring->side), plot_number(ring->cap, cap));
    fprintf(values, "USE_MAX = %.9g\nUSE_STEP = %.9g\nBORDERS = %d\n", 1.08 * peak,
            peak < 160 ? 50 : plot_round_up(peak / 4), ring->partition_count <= 32 ? 2 : 1);
    write_labels(picture, ring);
    return write_heat(picture, ring, err) && write_marks(picture, ring, err) &&
           write_partitions(picture, ring, err);
}

bool plot_partitions(struct plot_picture *picture, struct err *err) {
    struct ring_picture ring;
    if (!read_ring(picture, &ring, err)) {
        return false;
    }
    say(picture, &ring);
    if (!plot_marks(picture, err)) {
        return false;
    }
    if (!picture->is_terminal) {
        return write_ring(picture, &ring, err);
    }
    plot_print_heading(picture);
    plot_partitions_text_print(picture, &ring);
    return true;
}
