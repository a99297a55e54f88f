/* What all kinds of pictures say in the same words. */
#include "cli/plot_picture.h"

#include <stdarg.h>
#include <string.h>

const char *plot_unit(enum store_read_side side) {
    return side == STORE_READ_READS ? "RCU" : "WCU";
}

const char *plot_side_name(enum store_read_side side) {
    return side == STORE_READ_READS ? "reads" : "writes";
}

enum store_read_side plot_main_side(const struct plot_picture *picture,
                                    const double throttled[STORE_READ_SIDES]) {
    if (picture->options->side >= 0) {
        return (enum store_read_side)picture->options->side;
    }
    const double *consumed = picture->resource.consumed;
    if (throttled[STORE_READ_READS] != throttled[STORE_READ_WRITES]) {
        return throttled[STORE_READ_READS] > throttled[STORE_READ_WRITES] ? STORE_READ_READS
                                                                          : STORE_READ_WRITES;
    }
    /* A partition gives three times as many reads as writes. */
    return consumed[STORE_READ_READS] > 3 * consumed[STORE_READ_WRITES] ? STORE_READ_READS
                                                                        : STORE_READ_WRITES;
}

void plot_say(struct plot_picture *picture, const char *format, ...) {
    size_t used = strlen(picture->finding);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(picture->finding + used, sizeof picture->finding - used, format, arguments);
    va_end(arguments);
}

bool plot_say_throttled(struct plot_picture *picture, double throttled, struct err *err) {
    double attempts;
    struct store_read_reason *reasons;
    size_t count;
    if (!store_read_attempts(picture->reader, &picture->view, &attempts, err) ||
        !store_read_reasons(picture->reader, &picture->view, &reasons, &count, err)) {
        return false;
    }
    char part[PLOT_NUMBER_BYTES], whole[PLOT_NUMBER_BYTES];
    plot_number(attempts, whole);
    if (throttled <= 0) {
        plot_say(picture, attempts > 0 ? "none of %s attempts was throttled" : "no traffic", whole);
        return true;
    }
    if (attempts > 0) {
        plot_say(picture, "%s of %s attempts throttled (%s)", plot_number(throttled, part), whole,
                 words_percent(words_share(throttled, attempts)).text);
    } else { /* nobody calls an index to write: the table's attempts are refused in its name */
        plot_say(picture, "%s attempts on the table throttled", plot_number(throttled, part));
    }
    int64_t first_s = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        first_s = reasons[i].first_s < first_s ? reasons[i].first_s : first_s;
    }
    if (count > 0) {
        char name[PLOT_NAME_BYTES];
        plot_clean(reasons[0].name, 50, picture->is_terminal, name);
        plot_say(picture, ", first at %s, %s%s", words_clock(first_s).text,
                 count > 1 ? "mostly " : "", name);
    }
    return true;
}
