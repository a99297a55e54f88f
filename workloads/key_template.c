#include "workloads/key_template.h"

#include "sim/check.h"
#include "sim/hash.h"
#include "sim/id_map.h"
#include "workloads/calendar.h"
#include "workloads/template_parse.h"

#include <stdio.h>
#include <string.h>

#define NO_DIGIT UINT32_MAX

/* One source of variation of an item. */
struct key_digit {
    enum key_part_kind kind;
    uint32_t field;   /* FIELD, HASH */
    uint32_t modulus; /* HASH, RANDOM, EACH */
    uint64_t radix, stride;
    uint32_t *hashes;             /* HASH: digit + 1 by field value, 0: not computed; or NULL */
    struct random_stream *stream; /* RANDOM */
    enum calendar_unit unit;      /* NOW */
    int64_t first_index;          /* NOW: unit that holds the start of the run */
    sim_ns from_ns, until_ns;     /* NOW: the unit that was last asked for */
    uint64_t now;                 /* NOW: its digit */
};

/* Digits from the least significant on: suffixes spread what is hot little, and what is touched
 * together (the first ranks, the current day) stays together. */
static const enum key_part_kind significance[] = {KEY_PART_EACH,  KEY_PART_HASH, KEY_PART_RANDOM,
                                                  KEY_PART_FIELD, KEY_PART_SEQ,  KEY_PART_NOW};

static const struct scenario_text *text_of(const struct key_template *key_template, uint32_t part) {
    return part < key_template->hash_part_count ? &key_template->hash_key
                                                : &key_template->range_key;
}

static bool part_error(const struct key_template *key_template, uint32_t part, struct err *err,
                       const char *what) {
    struct source_position position =
        template_position(text_of(key_template, part), key_template->parts[part].offset);
    return scenario_error(err, &position, "%s", what);
}

static uint32_t find_digit(const struct key_template *key_template, const struct key_part *part) {
    for (uint32_t i = 0; i < key_template->digit_count; i++) {
        const struct key_digit *digit = &key_template->digits[i];
        bool same_source = part->kind == KEY_PART_NOW || part->kind == KEY_PART_SEQ ||
                           (part->kind == KEY_PART_FIELD && digit->field == part->field) ||
                           (part->kind == KEY_PART_HASH && digit->field == part->field &&
                            digit->modulus == part->modulus);
        if (digit->kind == part->kind && same_source) {
            return i;
        }
    }
    return NO_DIGIT;
}

static bool has_field_part(const struct key_template *key_template, uint32_t field) {
    for (uint32_t i = 0; i < key_template->part_count; i++) {
        const struct key_part *part = &key_template->parts[i];
        if (part->kind == KEY_PART_FIELD && part->field == field) {
            return true;
        }
    }
    return false;
}

static bool open_random(struct key_digit *digit, struct arena *arena,
                        const struct random_name *name, uint32_t ordinal, struct err *err) {
    char variable[32];
    snprintf(variable, sizeof variable, "key:random:%u", ordinal);
    struct random_name own = *name;
    own.variable = variable;
    digit->stream = ARENA_NEW(arena, struct random_stream, "random suffix", err);
    if (digit->stream == NULL) {
        return false;
    }
    random_init(digit->stream, &own);
    return true;
}

static bool open_digit(struct key_template *key_template, struct arena *arena,
                       const struct key_part *part, const struct random_name *name,
                       struct err *err) {
    struct key_digit *digit = &key_template->digits[key_template->digit_count];
    *digit = (struct key_digit){
        .kind = part->kind, .field = part->field, .modulus = part->modulus, .unit = part->unit};
    uint32_t randoms_before = 0;
    for (uint32_t i = 0; i < key_template->digit_count; i++) {
        randoms_before += key_template->digits[i].kind == KEY_PART_RANDOM;
    }
    key_template->digit_count++;
    if (part->kind == KEY_PART_RANDOM) {
        return open_random(digit, arena, name, randoms_before, err);
    }
    if (part->kind == KEY_PART_HASH && key_template->fields[part->field].n <= HASH_TABLE_N_MAX) {
        size_t n = (size_t)key_template->fields[part->field].n;
        digit->hashes = ARENA_ARRAY(arena, uint32_t, n, "hash suffixes", err);
        return digit->hashes != NULL;
    }
    return true;
}

/* Gives each part its digit. */
static bool assign_digits(struct key_template *key_template, struct arena *arena,
                          const struct random_name *name, struct err *err) {
    bool has_each = false;
    for (uint32_t i = 0; i < key_template->part_count; i++) {
        struct key_part *part = &key_template->parts[i];
        if (part->kind == KEY_PART_LITERAL) {
            continue;
        }
        if (part->kind == KEY_PART_EACH && has_each) {
            return part_error(key_template, i, err, "a second {each N}; an item takes one");
        }
        has_each = has_each || part->kind == KEY_PART_EACH;
        struct key_part shown = *part;
        if (part->kind == KEY_PART_HASH && has_field_part(key_template, part->field)) {
            shown.kind = KEY_PART_FIELD; /* the hash follows from the field's own digit */
        }
        part->digit = find_digit(key_template, &shown);
        if (part->digit == NO_DIGIT) {
            part->digit = key_template->digit_count;
            if (!open_digit(key_template, arena, &shown, name, err)) {
                return false;
            }
        }
        struct key_digit *digit = &key_template->digits[part->digit];
        digit->unit = part->unit > digit->unit ? part->unit : digit->unit;
    }
    return true;
}

static uint64_t digit_radix(const struct key_template *key_template, struct key_digit *digit) {
    switch (digit->kind) {
    case KEY_PART_FIELD: return key_template->fields[digit->field].n;
    case KEY_PART_HASH:
    case KEY_PART_RANDOM:
    case KEY_PART_EACH: return digit->modulus;
    case KEY_PART_SEQ: return KEY_SEQUENCES_MAX;
    case KEY_PART_NOW: {
        int64_t start_s = key_template->start_epoch_s;
        int64_t last_s = start_s + KEY_NOW_NS_MAX / SIM_NS_PER_S;
        digit->first_index = calendar_index(digit->unit, start_s);
        return (uint64_t)(calendar_index(digit->unit, last_s) - digit->first_index) + 1;
    }
    case KEY_PART_LITERAL: break;
    }
    SIM_CHECK(digit->kind != KEY_PART_LITERAL);
    return 1;
}

static bool assign_strides(struct key_template *key_template, struct err *err) {
    uint64_t product = 1;
    key_template->members = 1;
    for (size_t rank = 0; rank < sizeof significance / sizeof significance[0]; rank++) {
        for (uint32_t i = 0; i < key_template->digit_count; i++) {
            struct key_digit *digit = &key_template->digits[i];
            if (digit->kind != significance[rank]) {
                continue;
            }
            digit->radix = digit_radix(key_template, digit);
            digit->stride = product;
            if (__builtin_mul_overflow(product, digit->radix, &product) ||
                product > KEY_NUMBERS_MAX) {
                return scenario_error(err, &key_template->hash_key.position,
                                      "too many combinations of values in one item's keys, more "
                                      "than 2^62; use fewer parts or fields of fewer values");
            }
            if (digit->kind == KEY_PART_EACH) {
                key_template->members = digit->modulus;
                key_template->member_stride = digit->stride;
            }
        }
    }
    key_template->items_below = product <= ID_MAP_DIRECT_MAX ? product : 0;
    return true;
}

static size_t digits_of(uint64_t value) {
    char digits[FIELD_DIGITS_BYTES];
    return field_write_unsigned(value, digits);
}

static void part_lengths(const struct key_template *key_template, const struct key_part *part,
                         size_t *shortest, size_t *longest) {
    char none[1];
    switch (part->kind) {
    case KEY_PART_LITERAL: *shortest = *longest = part->text_bytes; return;
    case KEY_PART_FIELD:
        field_text_lengths(&key_template->fields[part->field], shortest, longest);
        return;
    case KEY_PART_NOW:
        *shortest = *longest =
            calendar_format(key_template->start_epoch_s, part->text, part->text_bytes, none, 0);
        return;
    case KEY_PART_SEQ: *shortest = *longest = 1; return;
    case KEY_PART_HASH:
    case KEY_PART_RANDOM:
    case KEY_PART_EACH:
        *shortest = 1;
        *longest = digits_of(part->modulus - 1);
        return;
    }
}

/* Refuses a key that is sure to be empty or too long for some operation; combinations that only
 * may be are left to key_template_render. */
static bool check_lengths(const struct key_template *key_template, bool is_hash, struct err *err) {
    uint32_t begin = is_hash ? 0 : key_template->hash_part_count;
    uint32_t end = is_hash ? key_template->hash_part_count : key_template->part_count;
    const size_t limit_bytes = is_hash ? KEY_HASH_BYTES_MAX : KEY_RANGE_BYTES_MAX;
    const char *what = is_hash ? "partition key" : "sort key";
    size_t total = 0, longest_gain = 0;
    uint32_t longest_part = begin;
    for (uint32_t i = begin; i < end; i++) {
        size_t shortest = 0, longest = 0;
        part_lengths(key_template, &key_template->parts[i], &shortest, &longest);
        total += shortest;
        if (longest - shortest > longest_gain) {
            longest_gain = longest - shortest;
            longest_part = i;
        }
    }
    const struct scenario_text *text = is_hash ? &key_template->hash_key : &key_template->range_key;
    if (total + longest_gain > limit_bytes) {
        struct source_position position = template_position(
            text, longest_gain > 0 ? key_template->parts[longest_part].offset : 0);
        return scenario_error(err, &position, "a %s of %zu bytes, DynamoDB takes at most %zu", what,
                              total + longest_gain, limit_bytes);
    }
    if (total == 0 && end - begin <= 1) {
        return scenario_error(err, &text->position,
                              end == begin ? "an empty %s" : "a %s that is empty for some rows",
                              what);
    }
    return true;
}

bool key_template_compile(struct key_template *key_template, struct arena *arena,
                          const struct scenario_text *hash_key,
                          const struct scenario_text *range_key, const struct field *fields,
                          uint32_t field_count, const struct random_name *name,
                          int64_t start_epoch_s, struct err *err) {
    SIM_CHECK(start_epoch_s >= CALENDAR_EPOCH_S_MIN && start_epoch_s <= KEY_START_EPOCH_S_MAX);
    *key_template = (struct key_template){
        .fields = fields,
        .field_count = field_count,
        .hash_key = *hash_key,
        .range_key = *range_key,
        .start_epoch_s = start_epoch_s,
    };
    struct template_scope scope = {.fields = fields, .field_count = field_count};
    struct key_part_list hash_parts, range_parts = {.parts = NULL};
    bool has_range = range_key->text != NULL;
    if (!template_parse(&hash_parts, arena, hash_key, &scope, err) ||
        (has_range && !template_parse(&range_parts, arena, range_key, &scope, err))) {
        return false;
    }
    uint32_t part_count = hash_parts.count + range_parts.count;
    key_template->hash_part_count = hash_parts.count;
    key_template->part_count = part_count;
    key_template->parts = ARENA_ARRAY(arena, struct key_part, part_count, "template", err);
    key_template->digits = ARENA_ARRAY(arena, struct key_digit, part_count, "template", err);
    if (key_template->parts == NULL || key_template->digits == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < part_count; i++) {
        key_template->parts[i] =
            i < hash_parts.count ? hash_parts.parts[i] : range_parts.parts[i - hash_parts.count];
    }
    return check_lengths(key_template, true, err) &&
           (!has_range || check_lengths(key_template, false, err)) &&
           assign_digits(key_template, arena, name, err) && assign_strides(key_template, err);
}

bool key_template_uses(const struct key_template *key_template, uint32_t field) {
    for (uint32_t i = 0; i < key_template->digit_count; i++) {
        const struct key_digit *digit = &key_template->digits[i];
        if ((digit->kind == KEY_PART_FIELD || digit->kind == KEY_PART_HASH) &&
            digit->field == field) {
            return true;
        }
    }
    return false;
}

/* Whether the part is printed as a decimal number. */
static bool is_numeric(const struct key_template *key_template, const struct key_part *part) {
    switch (part->kind) {
    case KEY_PART_FIELD: {
        const struct field_spec *spec = key_template->fields[part->field].spec;
        return spec != NULL && spec->law != FIELD_CONSTANT && spec->law != FIELD_CHOICE;
    }
    case KEY_PART_HASH:
    case KEY_PART_RANDOM:
    case KEY_PART_EACH:
    case KEY_PART_SEQ: return true;
    case KEY_PART_LITERAL:
    case KEY_PART_NOW: return false;
    }
    return false;
}

static bool separates(const struct key_part *part) {
    return strspn(part->text, "-0123456789") < part->text_bytes;
}

bool key_template_texts_differ(const struct key_template *key_template) {
    bool is_apart = true;
    for (uint32_t i = 0; i < key_template->hash_part_count; i++) {
        const struct key_part *part = &key_template->parts[i];
        if (part->kind == KEY_PART_LITERAL) {
            is_apart |= separates(part);
            continue;
        }
        if (!is_apart || !is_numeric(key_template, part)) {
            return false;
        }
        is_apart = false;
    }
    return key_template->part_count == key_template->hash_part_count;
}

static uint32_t hash_suffix(const struct field *field, uint64_t value, uint32_t modulus) {
    char digits[FIELD_DIGITS_BYTES];
    size_t length = 0;
    const char *text = field_view(field, value, digits, &length);
    return (uint32_t)(hash64(text, length, 0) % modulus);
}

static void add_field(const struct key_digit *digit, const uint64_t *values, uint64_t *numbers,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        numbers[i] += digit->stride * values[i];
    }
}

static void add_hash(const struct key_digit *digit, const struct field *field,
                     const uint64_t *values, uint64_t *numbers, size_t count) {
    if (digit->hashes == NULL) {
        for (size_t i = 0; i < count; i++) {
            numbers[i] += digit->stride * hash_suffix(field, values[i], digit->modulus);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t known = digit->hashes[values[i]];
        if (__builtin_expect(known == 0, 0)) {
            known = hash_suffix(field, values[i], digit->modulus) + 1;
            digit->hashes[values[i]] = known;
        }
        numbers[i] += digit->stride * (known - 1);
    }
}

static void add_random(const struct key_digit *digit, uint64_t *numbers, size_t count) {
    uint64_t draws[256];
    for (size_t done = 0; done < count;) {
        size_t part = count - done < 256 ? count - done : 256;
        field_fill_below(digit->stream, digit->modulus, draws, part);
        add_field(digit, draws, numbers + done, part);
        done += part;
    }
}

static void add_sequence(const struct key_digit *digit, uint64_t first_sequence, uint64_t *numbers,
                         size_t count) {
    SIM_CHECK(first_sequence + count <= KEY_SEQUENCES_MAX);
    for (size_t i = 0; i < count; i++) {
        numbers[i] += digit->stride * (first_sequence + i);
    }
}

/* Finds the unit that holds time_ns. */
static void enter_unit(struct key_digit *digit, int64_t start_epoch_s, sim_ns time_ns) {
    SIM_CHECK(time_ns >= 0 && time_ns < KEY_NOW_NS_MAX);
    int64_t index = calendar_index(digit->unit, start_epoch_s + time_ns / SIM_NS_PER_S);
    digit->now = (uint64_t)(index - digit->first_index);
    digit->from_ns = (calendar_begin(digit->unit, index) - start_epoch_s) * SIM_NS_PER_S;
    digit->until_ns = (calendar_begin(digit->unit, index + 1) - start_epoch_s) * SIM_NS_PER_S;
}

static void add_now(struct key_digit *digit, int64_t start_epoch_s, const sim_ns *times_ns,
                    uint64_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (times_ns[i] < digit->from_ns || times_ns[i] >= digit->until_ns) {
            enter_unit(digit, start_epoch_s, times_ns[i]);
        }
        numbers[i] += digit->stride * digit->now;
    }
}

void key_template_fill(struct key_template *key_template, const uint64_t *const *values,
                       const sim_ns *times_ns, uint64_t first_sequence, uint64_t *numbers,
                       size_t count) {
    memset(numbers, 0, count * sizeof *numbers);
    for (uint32_t i = 0; i < key_template->digit_count; i++) {
        struct key_digit *digit = &key_template->digits[i];
        switch (digit->kind) {
        case KEY_PART_FIELD: add_field(digit, values[digit->field], numbers, count); break;
        case KEY_PART_HASH:
            add_hash(digit, &key_template->fields[digit->field], values[digit->field], numbers,
                     count);
            break;
        case KEY_PART_RANDOM: add_random(digit, numbers, count); break;
        case KEY_PART_SEQ: add_sequence(digit, first_sequence, numbers, count); break;
        case KEY_PART_NOW:
            add_now(digit, key_template->start_epoch_s, times_ns, numbers, count);
            break;
        case KEY_PART_EACH: /* member 0 */
        case KEY_PART_LITERAL: break;
        }
    }
}

/* A text being written; length goes on counting when the room is used up. */
struct output {
    char *text;
    size_t length, room;
};

static void append(struct output *output, const char *text, size_t length) {
    if (output->length < output->room) {
        size_t left = output->room - output->length;
        memcpy(output->text + output->length, text, length < left ? length : left);
    }
    output->length += length;
}

static void append_number(struct output *output, uint64_t number) {
    char digits[FIELD_DIGITS_BYTES];
    size_t length = field_write_unsigned(number, digits);
    append(output, digits, length);
}

static void append_part(const struct key_template *key_template, const struct key_part *part,
                        uint64_t number, struct output *output) {
    if (part->kind == KEY_PART_LITERAL) {
        append(output, part->text, part->text_bytes);
        return;
    }
    const struct key_digit *digit = &key_template->digits[part->digit];
    uint64_t value = number / digit->stride % digit->radix;
    if (part->kind == KEY_PART_FIELD) {
        char digits[FIELD_DIGITS_BYTES];
        size_t length = 0;
        const char *text = field_view(&key_template->fields[part->field], value, digits, &length);
        append(output, text, length);
    } else if (part->kind == KEY_PART_HASH && digit->kind == KEY_PART_FIELD) {
        append_number(output,
                      hash_suffix(&key_template->fields[part->field], value, part->modulus));
    } else if (part->kind == KEY_PART_NOW) {
        char formatted[KEY_HASH_BYTES_MAX];
        int64_t epoch_s = calendar_begin(digit->unit, digit->first_index + (int64_t)value);
        size_t length =
            calendar_format(epoch_s, part->text, part->text_bytes, formatted, sizeof formatted);
        SIM_CHECK(length <= sizeof formatted); /* of constant length, checked by check_lengths */
        append(output, formatted, length);
    } else {
        append_number(output, value);
    }
}

static bool finish_text(const struct output *output, const struct scenario_text *text,
                        const char *what, size_t limit_bytes, struct err *err) {
    if (output->length >= 1 && output->length <= limit_bytes) {
        output->text[output->length] = '\0';
        return true;
    }
    return scenario_error(err, &text->position, "a %s of %zu bytes, DynamoDB takes from 1 to %zu",
                          what, output->length, limit_bytes);
}

bool key_template_render(const struct key_template *key_template, uint64_t number,
                         struct key_template_text *text, struct err *err) {
    struct output hash = {.text = text->hash_key, .room = KEY_HASH_BYTES_MAX};
    struct output range = {.text = text->range_key, .room = KEY_RANGE_BYTES_MAX};
    text->range_key[0] = '\0';
    for (uint32_t i = 0; i < key_template->part_count; i++) {
        bool is_hash = i < key_template->hash_part_count;
        append_part(key_template, &key_template->parts[i], number, is_hash ? &hash : &range);
    }
    text->hash_key_bytes = hash.length;
    text->range_key_bytes = range.length;
    return finish_text(&hash, &key_template->hash_key, "partition key", KEY_HASH_BYTES_MAX, err) &&
           (key_template->range_key.text == NULL ||
            finish_text(&range, &key_template->range_key, "sort key", KEY_RANGE_BYTES_MAX, err));
}
