/*
 * plot_partitions_text.h - The heat map of the key space in characters, for a terminal.
 *
 * Owns: nothing; the rows belong to the picture's reader.  Cost: one pass over the cells.
 */
#ifndef DDBSIM_CLI_PLOT_PARTITIONS_TEXT_H
#define DDBSIM_CLI_PLOT_PARTITIONS_TEXT_H

#include "cli/plot_picture.h"

struct ring_picture {
    struct store_read_ring ring;
    struct store_read_partition *partitions;
    size_t partition_count;
    enum store_read_side side;
    double cap; /* units per second of a partition */
    double heat_min, heat_max;
    bool is_log;
    double throttled; /* attempts */
};

/* Heat as one of " .:-=+*#%@"; where something was refused the second character of a cell is '!'.
 * */
void plot_partitions_text_print(const struct plot_picture *picture,
                                const struct ring_picture *ring);

#endif
