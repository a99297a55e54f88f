#include "cli/plot_marks.h"

#include "analysis/store_read_marks.h"

#include <math.h>

#define BUCKETS 100
#define GUIDES_MAX 12 /* lines of a kind through the picture: more would hide it */

static const struct {
    const char *one, *many;
    unsigned colour; /* theme.gp has the same */
} kind_rows[STORE_READ_MARK_KINDS] = {
    [STORE_READ_SPLIT] = {"split", "splits", 0x994f88},
    [STORE_READ_SCALED] = {"change of capacity", "changes of capacity", 0x009e73},
    [STORE_READ_SWITCHED] = {"mode switch", "mode switches", 0},
    [STORE_READ_BEHIND] = {"time of index back-pressure", "times of index back-pressure", 0xe41a1c},
    [STORE_READ_LEADERLESS] = {"lost leader", "lost leaders", 0x0072b2},
};

/* Of one kind. */
struct lane {
    size_t count;
    double first_s;
};

/* Where symbols stand, and what tells how they look: a colour, or a kind. */
struct place {
    size_t lane;
    unsigned look;
};

/* The symbols of a kind, each in the middle of what it stands for. */
static void write_lane(const struct plot_picture *picture, const struct store_read_mark *marks,
                       size_t count, enum store_read_mark_kind kind, const struct place *place,
                       FILE *file) {
    const double from_s = (double)picture->view.from_s;
    const double width_s = (double)(picture->view.to_s - picture->view.from_s) / BUCKETS;
    for (size_t i = 0; i < count;) {
        if (marks[i].kind != kind) {
            i++;
            continue;
        }
        const double bucket = floor((marks[i].t_s - from_s) / width_s);
        double sum_s = 0;
        size_t together = 0;
        for (; i < count && floor((marks[i].t_s - from_s) / width_s) <= bucket; i++) {
            sum_s += marks[i].kind == kind ? marks[i].t_s : 0;
            together += marks[i].kind == kind;
        }
        fprintf(file, "%.9g %zu %u\n", sum_s / (double)together, place->lane, place->look);
    }
}

static void count_lanes(const struct store_read_mark *marks, size_t count,
                        struct lane lanes[STORE_READ_MARK_KINDS]) {
    for (size_t i = 0; i < count; i++) {
        struct lane *lane = &lanes[marks[i].kind];
        lane->first_s = lane->count++ == 0 ? marks[i].t_s : lane->first_s;
    }
}

static void say(struct plot_picture *picture, const struct lane *lane,
                enum store_read_mark_kind kind) {
    char number[PLOT_NUMBER_BYTES];
    plot_say(picture, "; %s %s, %s%s", plot_number((double)lane->count, number),
             lane->count == 1 ? kind_rows[kind].one : kind_rows[kind].many,
             lane->count == 1 ? "at " : "first at ", words_clock((int64_t)lane->first_s).text);
}

/* guides.dat: those of marks.dat whose kind has few. */
static bool write_guides(struct plot_picture *picture, const struct store_read_mark *marks,
                         size_t count, const struct lane lanes[STORE_READ_MARK_KINDS],
                         struct err *err) {
    FILE *file = plot_files_add(&picture->files, "guides.dat", err);
    if (file == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (lanes[marks[i].kind].count <= GUIDES_MAX) {
            fprintf(file, "%.9g %u\n", marks[i].t_s, kind_rows[marks[i].kind].colour);
        }
    }
    fputs("-1 0\n", file); /* out of sight: a file without a row would be an error */
    return true;
}

static void begin_values(FILE *values) {
    fprintf(values, "array MARK_TEXT[%d]\narray MARK_KIND[%d]\nMARKS = 0\nGUIDES = 0\n",
            STORE_READ_MARK_KINDS, STORE_READ_MARK_KINDS);
}

/* The used-th kind of the legend. */
static void name_kind(FILE *values, size_t used, enum store_read_mark_kind kind, size_t count) {
    char number[PLOT_NUMBER_BYTES];
    fprintf(values, "MARK_TEXT[%zu] = '%s %s'\nMARK_KIND[%zu] = %d\n", used,
            plot_number((double)count, number),
            count == 1 ? kind_rows[kind].one : kind_rows[kind].many, used, (int)kind + 1);
}

bool plot_marks(struct plot_picture *picture, struct err *err) {
    struct store_read_mark *marks;
    struct lane lanes[STORE_READ_MARK_KINDS] = {{0}};
    size_t count, used = 0;
    if (!store_read_marks(picture->reader, &picture->view, &marks, &count, err)) {
        return false;
    }
    begin_values(picture->values);
    if (count == 0) {
        return true;
    }
    count_lanes(marks, count, lanes);
    FILE *file = plot_files_add(&picture->files, "marks.dat", err);
    if (file == NULL || !write_guides(picture, marks, count, lanes, err)) {
        return false;
    }
    for (int kind = 0; kind < STORE_READ_MARK_KINDS; kind++) {
        struct lane *lane = &lanes[kind];
        if (lane->count == 0) {
            continue;
        }
        used++;
        if (picture->is_terminal) { /* a picture has a legend */
            say(picture, lane, (enum store_read_mark_kind)kind);
        }
        const struct place place = {used, kind_rows[kind].colour};
        write_lane(picture, marks, count, (enum store_read_mark_kind)kind, &place, file);
        name_kind(picture->values, used, (enum store_read_mark_kind)kind, lane->count);
    }
    fprintf(picture->values, "MARKS = %zu\nGUIDES = 1\n", used);
    return true;
}

/* Adds one run's symbols to marks.dat, and their numbers to the lanes. */
static bool add_run(struct plot_picture *picture, const struct plot_marks_run *run, size_t number,
                    FILE *file, struct lane lanes[STORE_READ_MARK_KINDS], struct err *err) {
    struct store_read_mark *marks;
    size_t count;
    if (!store_read_marks(run->reader, run->view, &marks, &count, err)) {
        return false;
    }
    count_lanes(marks, count, lanes);
    for (int kind = 0; kind < STORE_READ_MARK_KINDS; kind++) {
        const struct place place = {number, (unsigned)kind + 1};
        write_lane(picture, marks, count, (enum store_read_mark_kind)kind, &place, file);
    }
    return true;
}

bool plot_marks_of_runs(struct plot_picture *picture, const struct plot_marks_run *runs,
                        size_t run_count, struct err *err) {
    struct lane lanes[STORE_READ_MARK_KINDS] = {{0}};
    size_t used = 0;
    FILE *file = plot_files_add(&picture->files, "marks.dat", err);
    if (file == NULL) {
        return false;
    }
    begin_values(picture->values);
    for (size_t i = 0; i < run_count; i++) {
        if (!add_run(picture, &runs[i], i + 1, file, lanes, err)) {
            return false;
        }
    }
    for (int kind = 0; kind < STORE_READ_MARK_KINDS; kind++) {
        if (lanes[kind].count > 0) {
            name_kind(picture->values, ++used, (enum store_read_mark_kind)kind, lanes[kind].count);
        }
    }
    fputs("-1 1 1\n", file); /* out of sight: a file without a row would be an error */
    fprintf(picture->values, "MARKS = %zu\n", used);
    return true;
}
