#include "workloads/field.h"

#include "sim/check.h"

#include <string.h>

static void check_spec(const struct field_spec *spec) {
    SIM_CHECK(spec->n >= 1);
    SIM_CHECK(spec->law != FIELD_CONSTANT || spec->n == 1);
    if (spec->law == FIELD_CONSTANT || spec->law == FIELD_CHOICE) {
        SIM_CHECK(spec->n <= UINT32_MAX);
        SIM_CHECK(spec->values != NULL);
        return;
    }
    int64_t last = 0;
    SIM_CHECK(spec->n - 1 <= INT64_MAX);
    SIM_CHECK(!__builtin_add_overflow(spec->first, (int64_t)(spec->n - 1), &last));
}

bool field_init(struct field *field, struct arena *arena, const struct field_spec *spec,
                const struct random_name *name, struct err *err) {
    check_spec(spec);
    *field = (struct field){.spec = spec, .name = spec->name, .n = spec->n};
    random_init(&field->stream, name);
    if (spec->law == FIELD_ZIPF) {
        return zipf_init(&field->zipf, arena, spec->n, spec->exponent, err);
    }
    if (spec->law == FIELD_CHOICE) {
        uint32_t count = (uint32_t)spec->n;
        field->choices = ARENA_ARRAY(arena, struct alias_column, count, "choices", err);
        return field->choices != NULL &&
               alias_table_build(field->choices, spec->weights, count, err);
    }
    return true;
}

void field_init_column(struct field *field, const struct trace_column *column) {
    *field = (struct field){.column = column, .name = column->name, .n = column->n};
}

void field_fill_below(struct random_stream *stream, uint64_t n, uint64_t *numbers, size_t count) {
    SIM_CHECK(n > 0);
    const uint64_t biased = -n % n; /* low halves below it are one too many, as in random_below */
    size_t done = 0;
    while (done < count) {
        size_t tries = count - done;
        uint64_t *batch = numbers + done;
        random_fill(stream, batch, tries);
        size_t accepted = 0;
        for (size_t i = 0; i < tries; i++) {
            __extension__ unsigned __int128 product = (unsigned __int128)batch[i] * n;
            batch[accepted] = (uint64_t)(product >> 64);
            accepted += (uint64_t)product >= biased;
        }
        done += accepted;
    }
}

static void fill_sequence(struct field *field, uint64_t *numbers, size_t count) {
    uint64_t next = field->next;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = next;
        next = next + 1 == field->n ? 0 : next + 1;
    }
    field->next = next;
}

static void fill_choice(struct field *field, uint64_t *numbers, size_t count) {
    random_fill(&field->stream, numbers, count);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = alias_table_pick(field->choices, (uint32_t)field->n, numbers[i]);
    }
}

void field_fill(struct field *field, uint64_t *numbers, size_t count) {
    SIM_CHECK(field->spec != NULL);
    switch (field->spec->law) {
    case FIELD_CONSTANT: memset(numbers, 0, count * sizeof *numbers); break;
    case FIELD_UNIFORM: field_fill_below(&field->stream, field->n, numbers, count); break;
    case FIELD_ZIPF: zipf_fill(&field->zipf, &field->stream, numbers, count); break;
    case FIELD_SEQUENCE: fill_sequence(field, numbers, count); break;
    case FIELD_CHOICE: fill_choice(field, numbers, count); break;
    }
}

size_t field_write_unsigned(uint64_t value, char digits[FIELD_DIGITS_BYTES]) {
    char reversed[FIELD_DIGITS_BYTES];
    size_t length = 0;
    do {
        reversed[length++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (size_t i = 0; i < length; i++) {
        digits[i] = reversed[length - 1 - i];
    }
    return length;
}

static size_t write_signed(int64_t value, char digits[FIELD_DIGITS_BYTES]) {
    if (value >= 0) {
        return field_write_unsigned((uint64_t)value, digits);
    }
    char magnitude[FIELD_DIGITS_BYTES];
    size_t length = field_write_unsigned(-(uint64_t)value, magnitude);
    digits[0] = '-';
    memcpy(digits + 1, magnitude, length);
    return length + 1;
}

static bool has_values(const struct field *field) {
    return field->spec->law == FIELD_CONSTANT || field->spec->law == FIELD_CHOICE;
}

const char *field_view(const struct field *field, uint64_t number, char digits[FIELD_DIGITS_BYTES],
                       size_t *length) {
    SIM_CHECK(number < field->n);
    if (field->column == NULL && !has_values(field)) {
        *length = write_signed(field->spec->first + (int64_t)number, digits);
        return digits;
    }
    const char *text =
        field->column != NULL ? field->column->texts[number] : field->spec->values[number];
    *length = strlen(text);
    return text;
}

size_t field_text(const struct field *field, uint64_t number, char text[FIELD_TEXT_BYTES]) {
    char digits[FIELD_DIGITS_BYTES];
    size_t length = 0;
    const char *view = field_view(field, number, digits, &length);
    SIM_CHECK(length <= FIELD_TEXT_BYTES);
    memcpy(text, view, length);
    return length;
}

void field_text_lengths(const struct field *field, size_t *shortest, size_t *longest) {
    char digits[FIELD_DIGITS_BYTES];
    if (field->column != NULL) {
        *shortest = field->column->shortest_bytes;
        *longest = field->column->longest_bytes;
        return;
    }
    if (!has_values(field)) {
        size_t first = write_signed(field->spec->first, digits);
        size_t last = write_signed(field->spec->first + (int64_t)(field->n - 1), digits);
        *shortest = 1;
        *longest = first > last ? first : last;
        return;
    }
    *shortest = SIZE_MAX;
    *longest = 0;
    for (uint64_t i = 0; i < field->n; i++) {
        size_t length = strlen(field->spec->values[i]);
        *shortest = length < *shortest ? length : *shortest;
        *longest = length > *longest ? length : *longest;
    }
}
