/*
 * plot_picture.h - One picture while it is made: what is looked at, what is said, what gnuplot
 * reads.
 *
 * plot_draw.c chooses run, resource and time; plot_KIND.c asks the database, words the finding and
 * writes data files and `values.gp`; plots/KIND.gp draws them. Scripts compute nothing.
 *
 * Owns: the reader and the files, between plot_picture_open and plot_picture_close.
 */
#ifndef DDBSIM_CLI_PLOT_PICTURE_H
#define DDBSIM_CLI_PLOT_PICTURE_H

#include "analysis/metric.h"
#include "analysis/store_read.h"
#include "cli/plot_gnuplot.h"
#include "cli/plot_words.h"

#define PLOT_FINDING_BYTES 1024
#define PLOT_BINS_MAX 2000 /* seconds that a picture of 1,800 pixels can still show one by one */

enum plot_kind {
    PLOT_THROTTLING,
    PLOT_CAPACITY,
    PLOT_PARTITIONS,
    PLOT_KEYS,
    PLOT_REASONS,
    PLOT_SPLITS,
    PLOT_LATENCY,
    PLOT_SWEEP,
    PLOT_COMPARE,
    PLOT_KIND_COUNT
};

#define PLOT_OVERLAY_MAX 6 /* curves that colours tell apart */

/* A further run in the same picture. */
struct plot_over {
    const char *database; /* its first run; NULL: run_id of the picture's own database */
    int64_t run_id;
};

/* What the user asked for. */
struct plot_options {
    const char *database, *output, *table; /* output NULL: the terminal; table NULL: chosen */
    enum plot_kind kind;
    bool has_run, force;
    bool is_kept; /* as SVG in memory; output is NULL then */
    int64_t run_id;
    int64_t from_s, to_s; /* -1: start or end of the run */
    int side;             /* enum store_read_side; -1: chosen */
    enum metric metric;   /* of a sweep */
    bool has_metric;
    struct plot_over overs[PLOT_OVERLAY_MAX - 1];
    size_t over_count;
};

struct plot_picture {
    const struct plot_options *options;
    struct store_read *reader;
    struct store_read_run run;
    struct store_read_resource resource;
    struct store_read_view view;
    bool is_terminal;
    int columns, lines; /* of the terminal */
    struct plot_files files;
    FILE *values; /* values.gp, a member of files */
    char title[PLOT_NAME_BYTES];
    char finding[PLOT_FINDING_BYTES];
};

/* Unit and word of a side: "RCU", "reads". */
const char *plot_unit(enum store_read_side side);
const char *plot_side_name(enum store_read_side side);
/* The side that was asked for, or the one with more refusals, then more units. */
enum store_read_side plot_main_side(const struct plot_picture *picture,
                                    const double throttled[STORE_READ_SIDES]);

/* Appends to the finding, cut at its end. */
void plot_say(struct plot_picture *picture, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "12,345 of 90,000 attempts throttled (13.7 %), first at 0:05:10". */
bool plot_say_throttled(struct plot_picture *picture, double throttled, struct err *err)
    ERR_WARN_UNUSED;

/* Title and finding on standard output, for the terminal. */
void plot_print_heading(const struct plot_picture *picture);

/* One a kind: database -> finding, values and data files; or, in the terminal, its own text. */
bool plot_throttling(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_capacity(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_partitions(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_keys(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_reasons(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_splits(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_latency(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_sweep(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;
bool plot_compare(struct plot_picture *picture, struct err *err) ERR_WARN_UNUSED;

#endif
