#include "models/model_event.h"

#include "sim/check.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct kind_row {
    const char *name, *labels;
};

static struct kind_row kind_row(enum model_event_kind kind) {
    static const struct kind_row rows[MODEL_EVENT_COUNT] = {
#define MODEL_EVENT_ROW(id, name, labels) {name, labels},
        MODEL_EVENTS(MODEL_EVENT_ROW)
#undef MODEL_EVENT_ROW
    };
    SIM_CHECK(kind < MODEL_EVENT_COUNT);
    return rows[kind];
}

const char *model_event_name(enum model_event_kind kind) {
    return kind_row(kind).name;
}

uint32_t model_event_numbers(enum model_event_kind kind) {
    uint32_t count = 1;
    for (const char *at = kind_row(kind).labels; *at != '\0'; at++) {
        count += *at == ' ';
    }
    SIM_CHECK(count <= MODEL_EVENT_NUMBERS);
    return count;
}

/* A label and what it says of its number. */
struct label {
    const char *name, *words; /* words: after the colon, NULL without one */
    size_t name_length, length;
};

static struct label label_at(const char *text) {
    const size_t length = strcspn(text, " ");
    const size_t name_length = strcspn(text, ": ");
    return (struct label){
        .name = text,
        .words = name_length < length ? text + name_length + 1 : NULL,
        .name_length = name_length,
        .length = length,
    };
}

static bool label_ends(struct label *label, const char *ending) {
    const size_t length = strlen(ending);
    if (label->name_length <= length ||
        memcmp(label->name + label->name_length - length, ending, length) != 0) {
        return false;
    }
    label->name_length -= length;
    return true;
}

/* The word at a position, of those separated by '|'. */
static void print_word(const char *words, int64_t position, char *text, size_t text_bytes) {
    for (; position > 0; position--) {
        words += strcspn(words, "| ");
        SIM_CHECKF(*words == '|', "word %" PRId64 " of an event", position);
        words++;
    }
    (void)snprintf(text, text_bytes, "\"%.*s\"", (int)strcspn(words, "| "), words);
}

/* Billionths without the zeros at the end. */
static void print_billionths(int64_t number, char *text, size_t text_bytes) {
    const uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int length = snprintf(text, text_bytes, "%s%" PRIu64 ".%09" PRIu64, number < 0 ? "-" : "",
                          size / 1000000000, size % 1000000000);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[length - 1] = '\0';
    }
}

/* "name": number */
static int print_number(struct label label, int64_t number, char *text, size_t text_bytes) {
    char value[64];
    const char *unit = "";
    if (label.words != NULL) {
        print_word(label.words, number, value, sizeof value);
    } else if (label_ends(&label, "_hex")) {
        (void)snprintf(value, sizeof value, "\"%016" PRIx64 "\"", (uint64_t)number);
    } else if (label_ends(&label, "_ns")) {
        print_billionths(number, value, sizeof value);
        unit = "_s";
    } else if (label_ends(&label, "_ncu")) {
        print_billionths(number, value, sizeof value);
    } else {
        (void)snprintf(value, sizeof value, "%" PRId64, number);
    }
    return snprintf(text, text_bytes, "\"%.*s%s\": %s", (int)label.name_length, label.name, unit,
                    value);
}

void model_event_detail(const struct model_event *event, char *text, size_t text_bytes) {
    const char *labels = kind_row(event->kind).labels;
    size_t at = (size_t)snprintf(text, text_bytes, "{");
    for (uint32_t i = 0; i < model_event_numbers(event->kind); i++) {
        const struct label label = label_at(labels);
        labels += label.length + 1;
        struct label kind = label;
        if (event->numbers[i] == MODEL_EVENT_NONE && !label_ends(&kind, "_hex")) {
            continue;
        }
        at += (size_t)snprintf(text + at, text_bytes - at, "%s", at > 1 ? ", " : "");
        at += (size_t)print_number(label, event->numbers[i], text + at, text_bytes - at);
        SIM_CHECK(at + 3 < text_bytes);
    }
    (void)snprintf(text + at, text_bytes - at, "}");
}
