/* Picture of the keys: what the hottest ones consumed and how often they were refused. */
#include "cli/plot_picture.h"

#include <math.h>

#define KEYS_SHOWN 15
#define NAME_COLUMNS 34

struct key_list {
    struct store_read_key *rows, total;
    size_t count, total_count;
    double units_max, refused_max;
    double units, refused; /* of the keys shown */
};

static double sum(const double sides[STORE_READ_SIDES]) {
    return sides[STORE_READ_READS] + sides[STORE_READ_WRITES];
}

static bool read_keys(struct plot_picture *picture, struct key_list *list, struct err *err) {
    *list = (struct key_list){0};
    if (!store_read_keys(picture->reader, &picture->view, KEYS_SHOWN, &list->rows, &list->count,
                         &list->total, &list->total_count, err)) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        double units = sum(list->rows[i].consumed), refused = sum(list->rows[i].throttled);
        list->units_max = fmax(list->units_max, units);
        list->refused_max = fmax(list->refused_max, refused);
        list->units += units;
        list->refused += refused;
    }
    return true;
}

/* Whether one key is the story, or many share the load. */
static void say(struct plot_picture *picture, const struct key_list *list) {
    char number[PLOT_NUMBER_BYTES], name[PLOT_NAME_BYTES];
    if (list->count == 0) {
        plot_say(picture, "no key was touched");
        return;
    }
    const struct store_read_key *worst = &list->rows[0];
    for (size_t i = 1; i < list->count; i++) {
        worst = sum(list->rows[i].throttled) > sum(worst->throttled) ? &list->rows[i] : worst;
    }
    double units = sum(list->total.consumed), refused = sum(list->total.throttled);
    const struct store_read_key *named = refused > 0 ? worst : &list->rows[0];
    plot_clean(named->name, 40, picture->is_terminal, name);
    if (refused > 0) {
        plot_say(picture, "'%s' met %s of %s throttled attempts", name,
                 words_percent(words_share(sum(worst->throttled), refused)).text,
                 plot_number(refused, number));
        plot_say(picture, " and took %s of the units",
                 words_percent(words_share(sum(worst->consumed), units)).text);
    } else {
        plot_say(picture, "'%s' took %s of the units, and nothing was throttled", name,
                 words_percent(words_share(sum(named->consumed), units)).text);
    }
    if (list->count < list->total_count) {
        plot_say(picture, "; %zu of %s keys shown: %s of the units", list->count,
                 plot_number((double)list->total_count, number),
                 words_percent(words_share(list->units, units)).text);
    }
}

/* "12,345 (42.1 %)" */
static void amount(double part, double whole, char text[2 * PLOT_NUMBER_BYTES + 8]) {
    char number[PLOT_NUMBER_BYTES];
    if (part <= 0) {
        snprintf(text, 2 * PLOT_NUMBER_BYTES + 8, "0");
        return;
    }
    snprintf(text, 2 * PLOT_NUMBER_BYTES + 8, "%s (%s)", plot_number(part, number),
             words_percent(words_share(part, whole)).text);
}

static bool write_rows(struct plot_picture *picture, const struct key_list *list, struct err *err) {
    FILE *values = picture->values, *file = plot_files_add(&picture->files, "keys.dat", err);
    if (file == NULL) {
        return false;
    }
    static const char *const arrays[] = {"NAMES", "UNITS", "REFUSED", "UNITS_AT", "REFUSED_AT"};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        fprintf(values, "array %s[%d]\n", arrays[i], KEYS_SHOWN);
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct store_read_key *row = &list->rows[i];
        double units = sum(row->consumed), refused = sum(row->throttled);
        char key[32], name[PLOT_NAME_BYTES], text[2 * PLOT_NUMBER_BYTES + 8];
        snprintf(key, sizeof key, "NAMES[%zu]", i + 1);
        plot_quote(values, key, plot_clean(row->name, NAME_COLUMNS, picture->is_terminal, name));
        snprintf(key, sizeof key, "UNITS[%zu]", i + 1);
        amount(units, sum(list->total.consumed), text);
        plot_quote(values, key, text);
        snprintf(key, sizeof key, "REFUSED[%zu]", i + 1);
        amount(refused, sum(list->total.throttled), text);
        plot_quote(values, key, text);
        fprintf(values, "UNITS_AT[%zu] = %.9g\nREFUSED_AT[%zu] = %.9g\n", i + 1, units, i + 1,
                refused);
        fprintf(file, "%zu %.9g %.9g %.9g %.9g\n", i + 1, row->consumed[STORE_READ_READS], units,
                row->throttled[STORE_READ_READS], refused);
    }
    return true;
}

static bool write_keys(struct plot_picture *picture, const struct key_list *list, struct err *err) {
    FILE *values = picture->values;
    const struct store_read_key *total = &list->total;
    bool reads = total->consumed[STORE_READ_READS] + total->throttled[STORE_READ_READS] > 0;
    bool writes = total->consumed[STORE_READ_WRITES] + total->throttled[STORE_READ_WRITES] > 0;
    fprintf(values, "ROWS = %zu\nHAS_READS = %d\nHAS_WRITES = %d\n", list->count, reads, writes);
    fprintf(values, "UNITS_TITLE = 'consumed: %s (share of all keys)'\n",
            reads && writes ? "RCU + WCU"
                            : plot_unit(reads ? STORE_READ_READS : STORE_READ_WRITES));
    fprintf(values, "REFUSED_TITLE = 'throttled %s (share of all keys)'\n",
            reads && writes ? "attempts"
            : reads         ? "reads"
                            : "writes");
    fprintf(values, "UNITS_MAX = %.9g\nREFUSED_MAX = %.9g\n", 1.5 * fmax(1, list->units_max),
            1.6 * fmax(1, list->refused_max));
    return write_rows(picture, list, err);
}

static void print_bar(double part, double whole, int columns) {
    int filled = whole > 0 ? (int)ceil(part / whole * columns) : 0;
    for (int i = 0; i < columns; i++) {
        putchar(i < filled ? '#' : ' ');
    }
}

static void print_keys(const struct plot_picture *picture, const struct key_list *list) {
    int name_columns = picture->columns / 4, bar = (picture->columns - name_columns - 48) / 2;
    bar = bar < 4 ? 4 : bar;
    printf("\n%-*s  %-*s  %s\n", name_columns, "key", bar + 22, "units consumed",
           "throttled attempts");
    for (size_t i = 0; i < list->count && (int)i < picture->lines - 6; i++) {
        const struct store_read_key *row = &list->rows[i];
        char name[PLOT_NAME_BYTES], text[2 * PLOT_NUMBER_BYTES + 8];
        plot_clean(row->name, (size_t)name_columns, picture->is_terminal, name);
        printf("%s%*s  ", name, name_columns - (int)plot_columns(name), "");
        print_bar(sum(row->consumed), list->units_max, bar);
        amount(sum(row->consumed), sum(list->total.consumed), text);
        printf(" %-21s  ", text);
        print_bar(sum(row->throttled), list->refused_max, bar);
        amount(sum(row->throttled), sum(list->total.throttled), text);
        printf(" %s\n", text);
    }
}

bool plot_keys(struct plot_picture *picture, struct err *err) {
    struct key_list list;
    if (!read_keys(picture, &list, err)) {
        return false;
    }
    say(picture, &list);
    if (!picture->is_terminal) {
        return write_keys(picture, &list, err);
    }
    plot_print_heading(picture);
    print_keys(picture, &list);
    return true;
}
