/*
 * report_page.h - The page of `ddbsim report`: what a results database says, for people.
 *
 *   verdict ─ pictures ─ tables ─ parameters ─ how to make it again
 *
 * One file that needs nothing else: pictures are SVG inside of it, plots/report.html has its looks
 * and its one script, which sorts tables and is not needed to read them.
 *
 * Owns: nothing; the reader and the stream are the caller's.  Cost: a process of gnuplot a picture.
 */
#ifndef DDBSIM_CLI_REPORT_PAGE_H
#define DDBSIM_CLI_REPORT_PAGE_H

#include "analysis/store_read.h"
#include "cli/command.h"
#include "cli/plot_draw.h"

#include <stdio.h>

struct report_page {
    const char *database;
    struct store_read *reader; /* of the same database */
    struct store_read_run run; /* of a sweep: its first */
    FILE *out;
    bool (*stops)(void *context); /* asked between pictures: a signal has come */
    void *context;
};

/* A picture, with its title and finding for who does not see it. */
void report_page_figure(FILE *out, const struct plot_drawn *drawn);

/* Writes the whole page. DONE, INTERRUPTED, or IO or INPUT with *err set; whether the bytes arrived
 * is the stream's to tell. */
enum exit_status report_page_write(const struct report_page *page, struct err *err);

#endif
