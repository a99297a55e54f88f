#include "experiments/vary.h"

#include "sim/check.h"
#include "workloads/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RANGE_PARTS_MAX 4
#define STEP_SLACK 1e-9 /* of a step: 0:1:0.1 reaches 1 though ten tenths are a little less */

static bool fail(struct err *err, const char *text, const char *fault) {
    return err_set(err, ERR_INPUT,
                   "--vary %s: %s; expected K=1,2,4 or K=LOW:HIGH:STEP or K=log:LOW:HIGH:COUNT",
                   text, fault);
}

/* Where the value that begins at text ends: at a comma outside of brackets and quotes, or at the
 * end. */
static const char *value_end(const char *text) {
    int depth = 0;
    char quote = '\0';
    for (; *text != '\0'; text++) {
        if (quote != '\0') {
            quote = *text == quote ? '\0' : quote;
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        } else if (*text == '{' || *text == '[') {
            depth++;
        } else if (*text == '}' || *text == ']') {
            depth--;
        } else if (*text == ',' && depth <= 0) {
            break;
        }
    }
    return text;
}

static uint32_t count_values(const char *spec) {
    uint32_t count = 1;
    for (const char *end = value_end(spec); *end != '\0'; end = value_end(end + 1)) {
        count++;
    }
    return count;
}

static bool repeats(const struct vary *vary, const char *value) {
    for (uint32_t i = 0; i < vary->count; i++) {
        if (strcmp(vary->values[i], value) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_list(struct vary *vary, const char *text, const char *spec, struct arena *arena,
                      struct err *err) {
    const uint32_t count = count_values(spec);
    if (count > VARY_VALUES_MAX) {
        return fail(err, text, "more values than 100,000");
    }
    vary->values = ARENA_ARRAY(arena, const char *, count, "values", err);
    for (const char *from = spec; vary->values != NULL && vary->count < count;) {
        const char *end = value_end(from);
        const char *value = arena_strndup(arena, from, (size_t)(end - from), err);
        if (value == NULL) {
            return false;
        }
        if (*value == '\0') {
            return fail(err, text, "a value is empty");
        }
        if (repeats(vary, value)) {
            return fail(err, text, "a value is given twice");
        }
        vary->values[vary->count++] = value;
        from = end + 1;
    }
    return vary->values != NULL;
}

static void print_value(double value, char text[VARY_VALUE_BYTES]) {
    (void)snprintf(text, VARY_VALUE_BYTES, "%.12g", value);
}

void vary_at(const struct vary *vary, double fraction, char value[VARY_VALUE_BYTES]) {
    SIM_CHECK(vary->is_span && fraction >= 0 && fraction <= 1);
    double at = vary->is_log ? vary->low * pow(vary->high / vary->low, fraction)
                             : vary->low + fraction * (vary->high - vary->low);
    if (vary->is_whole && vary->step <= 0) {
        at = round(at);
    }
    if (vary->step > 0) {
        const double last = floor((vary->high - vary->low) / vary->step + STEP_SLACK);
        const double steps = fmin(floor(fraction * (last + 1)), last);
        at = vary->low + steps * vary->step;
    }
    print_value(at, value);
}

static bool keep_value(struct vary *vary, double value, struct arena *arena, struct err *err) {
    char text[VARY_VALUE_BYTES];
    print_value(value, text);
    vary->values[vary->count] = arena_strdup(arena, text, err);
    return vary->values[vary->count++] != NULL;
}

static bool read_steps(struct vary *vary, const char *text, struct arena *arena, struct err *err) {
    const double steps = floor((vary->high - vary->low) / vary->step + STEP_SLACK);
    if (!(steps < VARY_VALUES_MAX)) {
        return fail(err, text, "more values than 100,000");
    }
    vary->values = ARENA_ARRAY(arena, const char *, (size_t)steps + 1, "values", err);
    for (uint32_t i = 0; vary->values != NULL && i <= (uint32_t)steps; i++) {
        if (!keep_value(vary, vary->low + (double)i * vary->step, arena, err)) {
            return false;
        }
    }
    return vary->values != NULL;
}

/* Equal factors. */
static bool read_log(struct vary *vary, double count, const char *text, struct arena *arena,
                     struct err *err) {
    if (!(vary->low > 0)) {
        return fail(err, text, "a logarithm needs LOW above 0");
    }
    if (count != floor(count) || count < 2 || count > VARY_VALUES_MAX) {
        return fail(err, text, "COUNT must be a whole number from 2 to 100,000");
    }
    vary->is_log = true;
    vary->values = ARENA_ARRAY(arena, const char *, (size_t)count, "values", err);
    double before = -INFINITY;
    for (uint32_t i = 0; vary->values != NULL && i < (uint32_t)count; i++) {
        double value = vary->low * pow(vary->high / vary->low, (double)i / (count - 1));
        value = vary->is_whole ? round(value) : value;
        if (value > before && !keep_value(vary, value, arena, err)) {
            return false;
        }
        before = value;
    }
    return vary->values != NULL;
}

/* LOW:HIGH, LOW:HIGH:STEP, log:LOW:HIGH:COUNT; false in *is_range when spec is none of them. */
static bool read_range(struct vary *vary, const char *text, const char *spec, bool *is_range,
                       struct arena *arena, struct err *err) {
    const bool is_log = strncmp(spec, "log:", 4) == 0;
    const char *from = is_log ? spec + 4 : spec;
    double numbers[RANGE_PARTS_MAX];
    uint32_t count = 0;
    *is_range = false;
    while (count < RANGE_PARTS_MAX) {
        const size_t length = strcspn(from, ":");
        char part[VARY_VALUE_BYTES];
        if (length == 0 || length >= sizeof part) {
            return true;
        }
        memcpy(part, from, length);
        part[length] = '\0';
        if (value_double(part, &numbers[count++]) != VALUE_OK) {
            return true;
        }
        from += length;
        if (*from == '\0') {
            break;
        }
        from++;
    }
    *is_range = is_log || count == 2 || count == 3;
    if (!*is_range) {
        return true;
    }
    if (*from != '\0' || count < 2 || count > 3 || (is_log && count != 3)) {
        return fail(err, text, is_log ? "'log' takes three numbers" : "too many numbers");
    }
    vary->is_span = true;
    vary->low = numbers[0];
    vary->high = numbers[1];
    vary->is_whole = vary->low == floor(vary->low) && vary->high == floor(vary->high);
    if (!(vary->low < vary->high)) {
        return fail(err, text, "LOW must be below HIGH");
    }
    if (is_log) {
        return read_log(vary, numbers[2], text, arena, err);
    }
    if (count == 2) {
        return true;
    }
    vary->step = numbers[2];
    return vary->step > 0 ? read_steps(vary, text, arena, err)
                          : fail(err, text, "STEP must be above 0");
}

bool vary_read(struct vary *vary, const char *text, struct arena *arena, struct err *err) {
    *vary = (struct vary){.text = text};
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0') {
        return fail(err, text, "a name, '=' and values are needed");
    }
    vary->name = arena_strndup(arena, text, (size_t)(equals - text), err);
    bool is_range = false;
    if (vary->name == NULL || !read_range(vary, text, equals + 1, &is_range, arena, err)) {
        return false;
    }
    return is_range || read_list(vary, text, equals + 1, arena, err);
}
