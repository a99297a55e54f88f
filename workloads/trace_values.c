#include "workloads/trace_values.h"

#include "sim/check.h"
#include "sim/hash.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_CAPACITY_MIN ((size_t)64)
#define WHOLE_DIGITS_MAX 19
#define FRACTION_DIGITS_MAX 18 /* the rest is less than a nanosecond in any unit up to years */

bool trace_array_push(struct trace_array *array, const void *element, struct err *err) {
    if (array->count == array->capacity) {
        size_t capacity = array->capacity == 0 ? ARRAY_CAPACITY_MIN : array->capacity * 2;
        size_t bytes = 0;
        void *wider = NULL;
        if (!__builtin_mul_overflow(capacity, array->element_bytes, &bytes)) {
            wider = realloc(array->elements, bytes);
        }
        if (wider == NULL) {
            return err_no_memory(err, "trace");
        }
        array->elements = wider;
        array->capacity = capacity;
    }
    unsigned char *place = (unsigned char *)array->elements + array->count * array->element_bytes;
    memcpy(place, element, array->element_bytes);
    array->count++;
    return true;
}

void *trace_array_seal(const struct trace_array *array, struct arena *arena, struct err *err) {
    void *copy = arena_array(arena, array->count, array->element_bytes, 8, "trace", err);
    if (copy != NULL && array->count > 0) {
        memcpy(copy, array->elements, array->count * array->element_bytes);
    }
    return copy;
}

void trace_array_fini(struct trace_array *array) {
    free(array->elements);
    *array = (struct trace_array){.elements = NULL};
}

bool interned_column_init(struct interned_column *column, struct err *err) {
    *column = (struct interned_column){
        .texts = {.element_bytes = sizeof(const char *)},
        .numbers = {.element_bytes = sizeof(uint32_t)},
        .shortest_bytes = SIZE_MAX,
    };
    return id_map_init(&column->ids, 0, err);
}

void interned_column_fini(struct interned_column *column) {
    id_map_fini(&column->ids);
    trace_array_fini(&column->texts);
    trace_array_fini(&column->numbers);
}

static const char *interned_text(const struct interned_column *column, uint32_t number) {
    return ((const char *const *)column->texts.elements)[number];
}

static bool is_text(const char *interned, const char *text, size_t length) {
    return strncmp(interned, text, length) == 0 && interned[length] == '\0';
}

bool interned_column_add(struct interned_column *column, struct arena *arena, const char *text,
                         size_t length, struct err *err) {
    uint64_t hash = hash64(text, length, 0);
    uint32_t number = id_map_find(&column->ids, hash);
    while (number != ID_MAP_NONE && !is_text(interned_text(column, number), text, length)) {
        hash = hash_mix(hash + 1); /* another text has this hash: go on to the next place */
        number = id_map_find(&column->ids, hash);
    }
    if (number == ID_MAP_NONE) {
        const char *copy = arena_strndup(arena, text, length, err);
        number = (uint32_t)column->texts.count;
        if (copy == NULL || !trace_array_push(&column->texts, &copy, err) ||
            !id_map_insert(&column->ids, hash, number, err)) {
            return false;
        }
        column->shortest_bytes = length < column->shortest_bytes ? length : column->shortest_bytes;
        column->longest_bytes = length > column->longest_bytes ? length : column->longest_bytes;
    }
    return trace_array_push(&column->numbers, &number, err);
}

bool interned_column_seal(const struct interned_column *column, struct arena *arena,
                          struct trace_column *sealed, struct err *err) {
    SIM_CHECK(column->texts.count > 0 && column->longest_bytes <= UINT32_MAX);
    sealed->n = (uint32_t)column->texts.count;
    sealed->shortest_bytes = (uint32_t)column->shortest_bytes;
    sealed->longest_bytes = (uint32_t)column->longest_bytes;
    sealed->numbers = trace_array_seal(&column->numbers, arena, err);
    sealed->texts = trace_array_seal(&column->texts, arena, err);
    return sealed->numbers != NULL && sealed->texts != NULL;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool trace_parse_time(const char *text, size_t length, sim_ns unit_ns, struct trace_time *time) {
    size_t i = 0;
    bool negative = length > 0 && text[0] == '-';
    if (length > 0 && (text[0] == '-' || text[0] == '+')) {
        i++;
    }
    uint64_t whole = 0;
    size_t whole_digits = 0;
    for (; i < length && is_digit(text[i]); i++) {
        whole_digits += whole > 0 || text[i] != '0';
        if (whole_digits > WHOLE_DIGITS_MAX) {
            return false;
        }
        whole = whole * 10 + (uint64_t)(text[i] - '0');
    }
    bool has_digits = i > 0 && is_digit(text[i - 1]);
    uint64_t fraction = 0, fraction_scale = 1;
    bool more_fraction = false; /* beyond the digits that count */
    if (i < length && text[i] == '.') {
        size_t first = ++i;
        for (; i < length && is_digit(text[i]); i++) {
            has_digits = true;
            if (i - first < FRACTION_DIGITS_MAX) {
                fraction = fraction * 10 + (uint64_t)(text[i] - '0');
                fraction_scale *= 10;
            } else {
                more_fraction = more_fraction || text[i] != '0';
            }
        }
    }
    if (!has_digits || i != length) {
        return false;
    }
    __extension__ __int128 product = (__int128)fraction * unit_ns;
    __extension__ __int128 ns = (__int128)whole * unit_ns + product / (int64_t)fraction_scale;
    bool rest = more_fraction || product % (int64_t)fraction_scale != 0;
    time->ns = negative ? -ns - (rest ? 1 : 0) : ns;
    return true;
}
