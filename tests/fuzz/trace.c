/*
 * Any bytes as a CSV file: a trace that is read keeps its own rules, one that is not says one
 * sentence with its place. The first byte chooses what the scenario asks of the file.
 */
#define _GNU_SOURCE
#include "workloads/trace.h"
#include "tests/fuzz/input.h"

#include <stdio.h>
#include <sys/mman.h>

enum wish {
    WISH_TIME = 1,
    WISH_SIZE = 2,
    WISH_HEADER = 4,
    WISH_NAMES = 8,
    WISH_SMALL_UNIT = 16,
};

static void check_trace(const struct trace *trace) {
    SIM_CHECK(trace->row_count >= 1 && trace->column_count >= 1);
    for (uint32_t c = 0; c < trace->column_count; c++) {
        const struct trace_column *column = &trace->columns[c];
        SIM_CHECK(trace_find(trace, column->name) == column);
        SIM_CHECK(column->n >= 1 && column->n <= trace->row_count);
        for (uint32_t row = 0; row < trace->row_count; row++) {
            SIM_CHECK(column->numbers[row] < column->n);
        }
        for (uint32_t number = 0; number < column->n; number++) {
            size_t length = strlen(column->texts[number]);
            SIM_CHECK(length >= column->shortest_bytes && length <= column->longest_bytes);
            SIM_CHECK(number == 0 || strcmp(column->texts[0], column->texts[number]) != 0);
        }
    }
    for (uint32_t row = 0; row < trace->row_count; row++) {
        if (trace->times_ns != NULL) {
            sim_ns before_ns = row > 0 ? trace->times_ns[row - 1] : 0;
            SIM_CHECK(trace->times_ns[row] >= before_ns && trace->times_ns[row] <= SIM_NS_MAX);
        }
        if (trace->size_bytes != NULL) {
            SIM_CHECK(trace->size_bytes[row] >= 1 && trace->size_bytes[row] <= ITEM_BYTES_MAX);
        }
    }
}

/* The bytes as a file that has a path. */
static int open_file(const uint8_t *data, size_t size, char *path, size_t path_bytes) {
    int descriptor = memfd_create("trace", 0);
    SIM_CHECK(descriptor >= 0);
    input_write(descriptor, data, size);
    snprintf(path, path_bytes, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"t", "size"};
    if (size == 0) {
        return 0;
    }
    uint8_t wishes = data[0];
    char path[64];
    int descriptor = open_file(data + 1, size - 1, path, sizeof path);
    const struct trace_spec spec = {
        .file = path,
        .columns = (wishes & WISH_NAMES) != 0 ? names : NULL,
        .column_count = (wishes & WISH_NAMES) != 0 ? 2 : 0,
        .has_header = (wishes & (WISH_HEADER | WISH_NAMES)) != WISH_NAMES,
        .time_column = (wishes & WISH_TIME) != 0 ? "t" : NULL,
        .time_unit_ns = (wishes & WISH_SMALL_UNIT) != 0 ? 1 : SIM_NS_PER_S,
        .repeat = 1,
        .position = {"fuzz.yaml", 1, 1},
    };
    struct arena arena;
    struct trace trace;
    struct err err = {.kind = ERR_NONE};
    arena_init(&arena);
    if (trace_read(&trace, &arena, &spec, (wishes & WISH_SIZE) != 0 ? "size" : NULL, &err)) {
        SIM_CHECK(err.kind == ERR_NONE);
        check_trace(&trace);
    } else {
        SIM_CHECK(err.kind == ERR_INPUT && err.text[0] != '\0');
    }
    arena_fini(&arena);
    close(descriptor);
    return 0;
}
