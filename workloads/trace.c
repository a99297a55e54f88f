#include "workloads/trace.h"

#include "sim/check.h"
#include "workloads/spelling.h"
#include "workloads/trace_values.h"

#include <csv.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)64 << 10)
#define NO_COLUMN UINT32_MAX

/* libcsv calls back for each field and row and cannot be stopped: after a failure what it still
 * gives is dropped. */
struct reader {
    const struct trace_spec *spec;
    const char *size_column;
    struct arena *arena;
    struct err *err;
    bool failed;
    uint32_t line;      /* physical line that is being parsed */
    uint32_t row_line;  /* line on which its row starts */
    uint32_t field;     /* fields of this row so far */
    bool row_ended;     /* since the flag was taken back */
    size_t field_bytes; /* of the file since the last field's end */
    bool names_known;
    bool header_due;          /* the next row is the header */
    struct trace_array names; /* const char * */
    struct interned_column *columns;
    uint32_t column_count, time_at, size_at;
    struct trace_array times_ns, sizes_bytes;
    struct trace_time first;
    sim_ns last_ns;
};

static bool row_error(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool row_error(struct reader *reader, const char *format, ...) {
    char what[ERR_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return err_set(reader->err, ERR_INPUT, "%s:%u: %s", reader->spec->file, reader->row_line, what);
}

static const char *name_at(const struct reader *reader, size_t i) {
    return ((const char *const *)reader->names.elements)[i];
}

/* "a, b, c", cut to what fits. */
static void list_names(const struct reader *reader, char *list, size_t list_bytes) {
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < reader->names.count && used + 1 < list_bytes; i++) {
        int length = snprintf(list + used, list_bytes - used, "%s'%s'", i > 0 ? ", " : "",
                              name_at(reader, i));
        used += length > 0 ? (size_t)length : 0;
    }
}

/* Position of the column that the scenario calls name; what: its role, for the message. */
static bool find_column(struct reader *reader, const char *name, const char *what, uint32_t *at) {
    *at = NO_COLUMN;
    if (name == NULL) {
        return true;
    }
    for (size_t i = 0; i < reader->names.count; i++) {
        if (strcmp(name_at(reader, i), name) == 0) {
            *at = (uint32_t)i;
            return true;
        }
    }
    char list[256];
    list_names(reader, list, sizeof list);
    const char *near = spelling_nearest(name, reader->names.elements, reader->names.count);
    return scenario_error(reader->err, &reader->spec->position,
                          "trace '%s' has no column '%s' for the %s%s%s%s; its columns are %s",
                          reader->spec->file, name, what, near != NULL ? "; did you mean '" : "",
                          near != NULL ? near : "", near != NULL ? "'?" : "", list);
}

static bool names_are_distinct(struct reader *reader) {
    for (size_t i = 0; i < reader->names.count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(name_at(reader, i), name_at(reader, j)) == 0) {
                return scenario_error(reader->err, &reader->spec->position,
                                      "trace '%s' has two columns named '%s', %zu and %zu",
                                      reader->spec->file, name_at(reader, i), j + 1, i + 1);
            }
        }
    }
    return true;
}

/* Once the names are known: one growing column each. */
static bool open_columns(struct reader *reader) {
    reader->names_known = true;
    if (!names_are_distinct(reader) ||
        !find_column(reader, reader->spec->time_column, "time", &reader->time_at) ||
        !find_column(reader, reader->size_column, "item size", &reader->size_at)) {
        return false;
    }
    reader->columns = calloc(reader->names.count, sizeof *reader->columns);
    if (reader->columns == NULL) {
        return err_no_memory(reader->err, "trace");
    }
    for (size_t i = 0; i < reader->names.count; i++) {
        if (!interned_column_init(&reader->columns[i], reader->err)) {
            return false;
        }
        reader->column_count++;
    }
    return true;
}

static bool add_time(struct reader *reader, const char *text, size_t length) {
    struct trace_time time;
    if (!trace_parse_time(text, length, reader->spec->time_unit_ns, &time)) {
        return row_error(reader, "time '%.40s' is not a decimal number", text);
    }
    if (reader->times_ns.count == 0) {
        reader->first = time;
    }
    __extension__ __int128 after_ns = time.ns - reader->first.ns;
    if (after_ns < reader->last_ns) {
        const char *const *texts = reader->columns[reader->time_at].texts.elements;
        const uint32_t *numbers = reader->columns[reader->time_at].numbers.elements;
        return row_error(reader, "time goes back from %.40s to %.40s",
                         texts[numbers[reader->times_ns.count - 1]], text);
    }
    if (after_ns > SIM_NS_MAX) {
        return row_error(reader, "time %.40s is more than ten years after the first row's", text);
    }
    reader->last_ns = (sim_ns)after_ns;
    return trace_array_push(&reader->times_ns, &reader->last_ns, reader->err);
}

static bool add_size(struct reader *reader, const char *text, size_t length) {
    uint32_t size_bytes = 0;
    bool valid = length > 0;
    for (size_t i = 0; i < length && valid; i++) {
        valid = text[i] >= '0' && text[i] <= '9';
        size_bytes = valid ? size_bytes * 10 + (uint32_t)(text[i] - '0') : 0;
        valid = valid && size_bytes <= ITEM_BYTES_MAX;
    }
    if (!valid || size_bytes == 0) {
        return row_error(reader,
                         "item size '%.40s' in column '%s' is not a whole number of bytes "
                         "from 1 to %d",
                         text, name_at(reader, reader->size_at), ITEM_BYTES_MAX);
    }
    return trace_array_push(&reader->sizes_bytes, &size_bytes, reader->err);
}

static bool add_field(struct reader *reader, const char *text, size_t length) {
    uint32_t at = reader->field;
    if (strlen(text) != length) {
        return row_error(reader, "a NUL byte");
    }
    if (!reader->names_known) {
        if (at >= TRACE_COLUMNS_MAX) {
            return row_error(reader, "more than %d columns", TRACE_COLUMNS_MAX);
        }
        const char *name = arena_strndup(reader->arena, text, length, reader->err);
        return name != NULL && trace_array_push(&reader->names, &name, reader->err);
    }
    if (reader->header_due || at >= reader->column_count) {
        return true; /* end_row says what is wrong with the number of fields */
    }
    if (at == reader->time_at && !add_time(reader, text, length)) {
        return false;
    }
    if (at == reader->size_at && !add_size(reader, text, length)) {
        return false;
    }
    return interned_column_add(&reader->columns[at], reader->arena, text, length, reader->err);
}

static bool end_row(struct reader *reader) {
    if (!reader->names_known) {
        reader->header_due = false;
        return open_columns(reader);
    }
    if (reader->field != reader->column_count) {
        return row_error(
            reader, "%u fields, expected %u as %s", reader->field, reader->column_count,
            reader->spec->columns != NULL ? "the scenario names columns" : "in the header");
    }
    if (reader->header_due) {
        reader->header_due = false;
        return true;
    }
    if (reader->columns[0].numbers.count >= UINT32_MAX - 1) {
        return row_error(reader, "more than %u rows", UINT32_MAX - 1);
    }
    return true;
}

static void on_field(void *text, size_t length, void *data) {
    struct reader *reader = data;
    reader->failed = reader->failed || !add_field(reader, text, length);
    reader->field++;
    reader->field_bytes = 0;
}

static void on_row(int terminator, void *data) {
    (void)terminator;
    struct reader *reader = data;
    reader->failed = reader->failed || !end_row(reader);
    reader->field = 0;
    reader->row_ended = true;
    reader->field_bytes = 0;
}

static bool parse_error(struct reader *reader, struct csv_parser *parser) {
    if (csv_error(parser) == CSV_EPARSE) {
        return row_error(reader, "a quote inside a field that is not quoted, or text after a "
                                 "closing quote (write \"\" for a quote)");
    }
    return err_no_memory(reader->err, "trace");
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0') {
            return false;
        }
    }
    return true;
}

/* Parses one block, line by line, as libcsv does not count lines. *in_row: a row has begun on this
 * or an earlier line; *after_cr: the last byte was a carriage return. */
struct line_state {
    bool in_row, after_cr;
};

static bool parse_block(struct reader *reader, struct csv_parser *parser, const char *block,
                        size_t length, struct line_state *state) {
    for (size_t begin = 0; begin < length;) {
        size_t end = begin;
        while (end < length && block[end] != '\n' && block[end] != '\r') {
            end++;
        }
        bool terminated = end < length;
        end += terminated;
        bool second_of_crlf = state->after_cr && block[begin] == '\n';
        if (!state->in_row) {
            reader->row_line = reader->line;
        }
        reader->row_ended = false;
        reader->field_bytes += end - begin;
        if (csv_parse(parser, block + begin, end - begin, on_field, on_row, reader) !=
            end - begin) {
            return parse_error(reader, parser);
        }
        if (reader->failed) {
            return false;
        }
        if (reader->field_bytes > TRACE_TEXT_BYTES_MAX) {
            return row_error(reader, "a field of more than %d bytes; is a quote not closed?",
                             TRACE_TEXT_BYTES_MAX);
        }
        state->in_row =
            !reader->row_ended && (state->in_row || !is_blank(block + begin, end - begin));
        state->after_cr = terminated && block[end - 1] == '\r';
        reader->line += terminated && !second_of_crlf;
        begin = end;
    }
    return true;
}

static bool read_blocks(struct reader *reader, struct csv_parser *parser, FILE *file) {
    char *block = malloc(BLOCK_BYTES);
    if (block == NULL) {
        return err_no_memory(reader->err, "trace");
    }
    struct line_state state = {.in_row = false};
    bool good = true, at_start = true;
    while (good) {
        size_t length = fread(block, 1, BLOCK_BYTES, file);
        if (length == 0) {
            break;
        }
        size_t mark = at_start && length >= 3 && memcmp(block, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        at_start = false;
        good = parse_block(reader, parser, block + mark, length - mark, &state);
    }
    free(block);
    if (good && ferror(file)) {
        return err_set(reader->err, ERR_IO, "cannot read trace '%s': %s", reader->spec->file,
                       strerror(errno));
    }
    if (good && csv_fini(parser, on_field, on_row, reader) != 0) {
        return row_error(reader, "a quote that is not closed");
    }
    return good && !reader->failed;
}

static bool read_file(struct reader *reader) {
    const struct trace_spec *spec = reader->spec;
    FILE *file = fopen(spec->file, "rb");
    if (file == NULL) {
        return err_set(reader->err, ERR_IO, "cannot open trace '%s': %s", spec->file,
                       strerror(errno));
    }
    struct csv_parser parser;
    bool good = csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) == 0;
    if (good) {
        good = read_blocks(reader, &parser, file);
        csv_free(&parser);
    } else {
        err_no_memory(reader->err, "trace");
    }
    fclose(file);
    return good;
}

static bool take_named_columns(struct reader *reader) {
    const struct trace_spec *spec = reader->spec;
    SIM_CHECK(spec->file != NULL);
    SIM_CHECK(spec->time_column == NULL || spec->time_unit_ns >= 1);
    if (spec->columns == NULL) {
        return true;
    }
    SIM_CHECK(spec->column_count >= 1 && spec->column_count <= TRACE_COLUMNS_MAX);
    for (uint32_t i = 0; i < spec->column_count; i++) {
        if (!trace_array_push(&reader->names, &spec->columns[i], reader->err)) {
            return false;
        }
    }
    reader->header_due = spec->has_header;
    return open_columns(reader);
}

static bool seal(struct reader *reader, struct trace *trace) {
    if (reader->column_count == 0 || reader->columns[0].numbers.count == 0) {
        return err_set(reader->err, ERR_INPUT, "trace '%s' has no rows", reader->spec->file);
    }
    *trace = (struct trace){
        .row_count = (uint32_t)reader->columns[0].numbers.count,
        .column_count = reader->column_count,
    };
    trace->columns =
        ARENA_ARRAY(reader->arena, struct trace_column, trace->column_count, "trace", reader->err);
    if (trace->columns == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trace->column_count; i++) {
        trace->columns[i].name = name_at(reader, i);
        if (!interned_column_seal(&reader->columns[i], reader->arena, &trace->columns[i],
                                  reader->err)) {
            return false;
        }
    }
    if (reader->time_at != NO_COLUMN) {
        trace->times_ns = trace_array_seal(&reader->times_ns, reader->arena, reader->err);
    }
    if (reader->size_at != NO_COLUMN) {
        trace->size_bytes = trace_array_seal(&reader->sizes_bytes, reader->arena, reader->err);
    }
    return (reader->time_at == NO_COLUMN || trace->times_ns != NULL) &&
           (reader->size_at == NO_COLUMN || trace->size_bytes != NULL);
}

bool trace_read(struct trace *trace, struct arena *arena, const struct trace_spec *spec,
                const char *size_column, struct err *err) {
    struct reader reader = {
        .spec = spec,
        .size_column = size_column,
        .arena = arena,
        .err = err,
        .line = 1,
        .row_line = 1,
        .time_at = NO_COLUMN,
        .size_at = NO_COLUMN,
        .names = {.element_bytes = sizeof(const char *)},
        .times_ns = {.element_bytes = sizeof(sim_ns)},
        .sizes_bytes = {.element_bytes = sizeof(uint32_t)},
    };
    bool good = take_named_columns(&reader) && read_file(&reader) && seal(&reader, trace);
    for (uint32_t i = 0; i < reader.column_count; i++) {
        interned_column_fini(&reader.columns[i]);
    }
    free(reader.columns);
    trace_array_fini(&reader.names);
    trace_array_fini(&reader.times_ns);
    trace_array_fini(&reader.sizes_bytes);
    return good;
}

const struct trace_column *trace_find(const struct trace *trace, const char *name) {
    for (uint32_t i = 0; i < trace->column_count; i++) {
        if (strcmp(trace->columns[i].name, name) == 0) {
            return &trace->columns[i];
        }
    }
    return NULL;
}
