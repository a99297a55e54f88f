/* Picture of the reasons: throttle events over time, stacked by AWS's name. */
#include "cli/plot_picture.h"

#include <math.h>
#include <stdlib.h>

#define REASONS_SHOWN 6 /* the rest is one more, "other reasons" */

struct stack {
    struct store_read_reason *reasons;
    size_t reason_count, shown;
    double *events; /* [shown][bin_count], sums of reasons 0 … i */
    size_t bin_count;
};

static bool read_stack(struct plot_picture *picture, struct stack *stack, struct err *err) {
    stack->events = NULL;
    if (!store_read_reasons(picture->reader, &picture->view, &stack->reasons, &stack->reason_count,
                            err)) {
        return false;
    }
    size_t count = stack->reason_count;
    stack->shown = count > REASONS_SHOWN ? REASONS_SHOWN + 1 : count;
    stack->bin_count = store_read_bin_count(&picture->view);
    stack->events = calloc(stack->shown * stack->bin_count + 1, sizeof *stack->events);
    if (stack->events == NULL) {
        return err_no_memory(err, "picture");
    }
    for (size_t i = 0; i < count; i++) {
        size_t to = i < stack->shown ? i : stack->shown - 1;
        double *events = stack->events + to * stack->bin_count;
        if (!store_read_reason_bins(picture->reader, &picture->view, stack->reasons[i].name, events,
                                    err)) {
            return false;
        }
    }
    for (size_t k = stack->bin_count; k < stack->shown * stack->bin_count; k++) {
        stack->events[k] += stack->events[k - stack->bin_count];
    }
    return true;
}

static double total_events(const struct stack *stack) {
    double total = 0;
    for (size_t i = 0; i < stack->reason_count; i++) {
        total += stack->reasons[i].events;
    }
    return total;
}

static void say(struct plot_picture *picture, const struct stack *stack) {
    char a[PLOT_NUMBER_BYTES], b[PLOT_NUMBER_BYTES];
    if (stack->shown == 0) {
        return;
    }
    const double *sum = stack->events + (stack->shown - 1) * stack->bin_count;
    size_t first = SIZE_MAX, last = 0, with = 0;
    for (size_t i = 0; i < stack->bin_count; i++) {
        if (sum[i] > 0) {
            first = first == SIZE_MAX ? i : first;
            last = i;
            with++;
        }
    }
    if (with == 0) {
        return;
    }
    int64_t bin_s = picture->view.bin_s, from_s = picture->view.from_s;
    plot_say(picture, "%s throttle events between %s and %s", plot_number(total_events(stack), a),
             words_clock(from_s + (int64_t)first * bin_s).text,
             words_clock(from_s + (int64_t)(last + 1) * bin_s).text);
    plot_say(picture, bin_s == 1 ? ", in %s of %s seconds" : ", in %s of %s bins of %s",
             plot_number((double)with, a), plot_number((double)stack->bin_count, b),
             words_clock(bin_s).text);
}

static void write_legend(struct plot_picture *picture, const struct stack *stack) {
    double total = total_events(stack), left = total;
    fprintf(picture->values, "REASONS = %zu\narray REASON[%zu]\narray LEGEND[%zu]\n", stack->shown,
            stack->shown + 1, stack->shown + 1);
    for (size_t i = 0; i < stack->shown; i++) {
        bool is_rest = i + 1 == stack->shown && stack->shown < stack->reason_count;
        char name[PLOT_NAME_BYTES], text[PLOT_NAME_BYTES + 80], key[32];
        char a[PLOT_NUMBER_BYTES];
        plot_clean(is_rest ? "other reasons" : stack->reasons[i].name, 60, picture->is_terminal,
                   name);
        double events = is_rest ? left : stack->reasons[i].events;
        left -= events;
        snprintf(text, sizeof text, picture->is_terminal ? "%s %s (%s)" : "%s: %s events (%s)",
                 name, plot_number(events, a), words_percent(words_share(events, total)).text);
        snprintf(key, sizeof key, "REASON[%zu]", i + 1);
        plot_quote(picture->values, key, name);
        snprintf(key, sizeof key, "LEGEND[%zu]", i + 1);
        plot_quote(picture->values, key, text);
    }
}

static bool write_stack(struct plot_picture *picture, const struct stack *stack, struct err *err) {
    FILE *file = plot_files_add(&picture->files, "reasons.dat", err);
    if (file == NULL) {
        return false;
    }
    const struct store_read_view *view = &picture->view;
    double highest = 0;
    for (size_t bin = 0; bin <= stack->bin_count; bin++) {
        size_t row = bin < stack->bin_count ? bin : bin - 1;
        int64_t from_s = view->from_s + (int64_t)row * view->bin_s;
        int64_t left_s = view->to_s - from_s;
        double seconds = (double)(left_s < view->bin_s ? left_s : view->bin_s);
        int64_t t_s = view->from_s + (int64_t)bin * view->bin_s;
        fprintf(file, "%lld", (long long)(t_s < view->to_s ? t_s : view->to_s));
        for (size_t i = 0; i < stack->shown; i++) {
            double rate = stack->events[i * stack->bin_count + row] / seconds;
            highest = fmax(highest, rate);
            fprintf(file, " %.9g", rate);
        }
        fputc('\n', file);
    }
    double length = highest > 0 ? 1.08 * highest : 1;
    fprintf(picture->values, "EVENTS_MAX = %.9g\nEVENTS_STEP = %.9g\n", length,
            highest > 5 ? plot_round_up(length / 8) : plot_round_up(length / 4));
    return true;
}

bool plot_reasons(struct plot_picture *picture, struct err *err) {
    struct stack stack;
    bool done = read_stack(picture, &stack, err);
    if (done) {
        say(picture, &stack);
        if (stack.shown == 0) {
            done = plot_say_throttled(picture, 0, err);
        }
        write_legend(picture, &stack);
        done = done && write_stack(picture, &stack, err);
    }
    free(stack.events);
    return done;
}
