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
    SIM_CHECK(spec->law != FIELD_LATEST || (spec->recent >= 1 && spec->recent <= spec->n &&
                                            spec->n - spec->recent == spec->growth));
    if (spec->law == FIELD_HOTSET || spec->law == FIELD_HISTOGRAM) {
        SIM_CHECK(spec->ranges != NULL && spec->range_count >= 1);
        for (uint32_t i = 0; i < spec->range_count; i++) {
            const struct field_range *range = &spec->ranges[i];
            SIM_CHECK(range->length >= 1 && range->begin < spec->n &&
                      range->length <= spec->n - range->begin);
        }
    }
}

static bool open_choices(struct field *field, struct arena *arena, uint32_t count,
                         struct err *err) {
    field->choices = ARENA_ARRAY(arena, struct alias_column, count, "choices", err);
    return field->choices != NULL &&
           alias_table_build(field->choices, field->spec->weights, count, err);
}

static bool open_ycsb(struct field *field, struct arena *arena, struct err *err) {
    struct field_spec spec = *field->spec;
    spec.n = spec.is_scrambled ? FIELD_YCSB_ITEMS : spec.n;
    return binned_law_init(&field->law, arena, &spec, err);
}

bool field_init(struct field *field, struct arena *arena, const struct field_spec *spec,
                const struct random_name *name, struct err *err) {
    check_spec(spec);
    *field = (struct field){.spec = spec, .name = spec->name, .n = spec->n};
    random_init(&field->stream, name);
    switch (spec->law) {
    case FIELD_CONSTANT:
    case FIELD_UNIFORM:
    case FIELD_SEQUENCE: return true;
    case FIELD_ZIPF: return zipf_init(&field->zipf, arena, spec->n, spec->exponent, err);
    case FIELD_CHOICE: return open_choices(field, arena, (uint32_t)spec->n, err);
    case FIELD_YCSB_ZIPFIAN: return open_ycsb(field, arena, err);
    case FIELD_SCRAMBLED:
        permutation_init(&field->order, spec->n);
        return zipf_init(&field->zipf, arena, spec->n, spec->exponent, err);
    case FIELD_LATEST: return zipf_init(&field->zipf, arena, spec->recent, spec->exponent, err);
    case FIELD_HOTSET:
    case FIELD_HISTOGRAM: return open_choices(field, arena, spec->range_count, err);
    case FIELD_NORMAL:
    case FIELD_LOGNORMAL:
    case FIELD_EXPONENTIAL: return binned_law_init(&field->law, arena, spec, err);
    }
    SIM_CHECKF(false, "law %d", (int)spec->law);
    return false;
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

static void fill_ranges(struct field *field, uint64_t *numbers, size_t count) {
    const struct field_spec *spec = field->spec;
    for (size_t i = 0; i < count; i++) {
        uint64_t draw = random_next(&field->stream);
        uint32_t chosen = alias_table_pick(field->choices, spec->range_count, draw);
        numbers[i] =
            spec->ranges[chosen].begin + random_below(&field->stream, spec->ranges[chosen].length);
    }
}

static void fill_latest(struct field *field, uint64_t *numbers, size_t count) {
    zipf_fill(&field->zipf, &field->stream, numbers, count);
    const uint64_t newest = field->spec->recent - 1, growth = field->spec->growth;
    for (size_t i = 0; i < count; i++) {
        __extension__ unsigned __int128 grown = (unsigned __int128)field->next * growth;
        numbers[i] = newest + (uint64_t)(grown >> 32) - numbers[i];
        field->next += field->next < FIELD_OPERATIONS_MAX;
    }
}

/* FNV-1a-64 of the eight bytes of value, least first, and its magnitude as a signed number. */
static uint64_t ycsb_hash(uint64_t value) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int byte = 0; byte < 8; byte++) {
        hash ^= value >> (8 * byte) & 0xff;
        hash *= UINT64_C(0x100000001b3);
    }
    return hash >> 63 != 0 ? -hash : hash;
}

static void fill_ycsb(struct field *field, uint64_t *numbers, size_t count) {
    binned_law_fill(&field->law, &field->stream, numbers, count);
    for (size_t i = 0; field->spec->is_scrambled && i < count; i++) {
        numbers[i] = ycsb_hash(numbers[i]) % field->n;
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
    case FIELD_YCSB_ZIPFIAN: fill_ycsb(field, numbers, count); break;
    case FIELD_SCRAMBLED:
        zipf_fill(&field->zipf, &field->stream, numbers, count);
        permutation_apply(&field->order, numbers, count);
        break;
    case FIELD_LATEST: fill_latest(field, numbers, count); break;
    case FIELD_HOTSET:
    case FIELD_HISTOGRAM: fill_ranges(field, numbers, count); break;
    case FIELD_NORMAL:
    case FIELD_LOGNORMAL:
    case FIELD_EXPONENTIAL: binned_law_fill(&field->law, &field->stream, numbers, count); break;
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
