#include "cli/progress.h"

#include "analysis/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define WALL_NS_PER_S INT64_C(1000000000)
#define PROGRESS_AFTER_NS WALL_NS_PER_S
#define PROGRESS_EVERY_NS (WALL_NS_PER_S / 10)
#define LINE_BYTES 256

int64_t progress_wall_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * WALL_NS_PER_S + now.tv_nsec;
}

bool progress_is_terminal(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) == 1 && terminal != NULL && *terminal != '\0' &&
           strcmp(terminal, "dumb") != 0;
}

void progress_begin(struct progress *progress, const char *label, uint64_t runs, bool quiet) {
    *progress = (struct progress){.out = stderr, .label = label, .runs = runs};
    progress->enabled = !quiet && progress_is_terminal();
    progress->start_ns = progress->last_ns = progress_wall_ns();
}

static void add(char *line, size_t line_bytes, const char *text) {
    const size_t used = strlen(line);
    snprintf(line + used, line_bytes - used, "%s", text);
}

void progress_line(const char *label, const struct progress_figures *figures, char *line,
                   size_t line_bytes) {
    char part[96];
    snprintf(line, line_bytes, "%s%s", label == NULL ? "" : label, label == NULL ? "" : ": ");
    if (figures->runs > 1) {
        snprintf(part, sizeof part, "run %" PRIu64 " of %" PRIu64 "  ", figures->run + 1,
                 figures->runs);
        add(line, line_bytes, part);
    }
    if (figures->share >= 0) {
        snprintf(part, sizeof part, "%d %%  ", (int)(100 * figures->share));
        add(line, line_bytes, part);
    }
    add(line, line_bytes, words_clock(figures->elapsed_s).text);
    if (figures->duration_s >= 0) {
        add(line, line_bytes, " of ");
        add(line, line_bytes, words_clock(figures->duration_s).text);
    }
    const double rate = figures->wall_s > 0 ? figures->attempts / figures->wall_s : 0;
    add(line, line_bytes, "  ");
    add(line, line_bytes, words_rate(rate).text);
    add(line, line_bytes, " attempts/s");
    if (figures->share > 0.01) {
        const double left_s = figures->wall_s * (1 - figures->share) / figures->share;
        snprintf(part, sizeof part, "  %.0f s left", left_s);
        add(line, line_bytes, part);
    }
}

static size_t terminal_columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void progress_step(struct progress *progress, const struct simulation *simulation) {
    if (!progress->enabled) {
        return;
    }
    const int64_t now_ns = progress_wall_ns();
    if (now_ns - progress->start_ns < PROGRESS_AFTER_NS ||
        now_ns - progress->last_ns < PROGRESS_EVERY_NS) {
        return;
    }
    progress->last_ns = now_ns;
    const int64_t elapsed_s = simulation_elapsed_s(simulation);
    const int64_t duration_s = simulation_duration_s(simulation);
    struct progress_figures figures = {
        .share = -1,
        .wall_s = (double)(now_ns - progress->start_ns) / (double)WALL_NS_PER_S,
        .attempts = (double)(progress->attempts_before + simulation_attempts(simulation)),
        .elapsed_s = elapsed_s,
        .duration_s = duration_s,
        .run = progress->run,
        .runs = progress->runs,
    };
    if (duration_s > 0) {
        const double done = (double)elapsed_s / (double)duration_s;
        figures.share = ((double)progress->run + done) / (double)progress->runs;
    }
    char line[LINE_BYTES];
    progress_line(progress->label, &figures, line, sizeof line);
    fprintf(progress->out, "\r%.*s\033[K", (int)(terminal_columns() - 1), line);
    fflush(progress->out);
    progress->shown = true;
}

void progress_run_done(struct progress *progress, const struct simulation *simulation) {
    progress->attempts_before += simulation_attempts(simulation);
    progress->run++;
}

void progress_clear(struct progress *progress) {
    if (progress->shown) {
        fputs("\r\033[K", progress->out);
        fflush(progress->out);
        progress->shown = false;
    }
}
