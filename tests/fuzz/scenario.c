/*
 * Any bytes as a scenario: one that is read keeps the rules of workloads/scenario.h, one that is
 * not says one sentence. Lines "--set PATH=VALUE" before the text are settings; "#json" as first
 * line makes the text a JSON file; what follows a line "#file" is the table's file FILE_PATH.
 */
#define _GNU_SOURCE
#include "workloads/scenario.h"
#include "tests/fuzz/input.h"

#include <sys/mman.h>

#define SETTINGS_MAX 8
#define FILE_DESCRIPTOR 100
#define FILE_PATH "/proc/self/fd/100"

const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 loses the text of a scalar that a syntax error cuts off; leaks of our own, which lie
 * in arenas, are still found. */
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml";
}

struct input {
    char *bytes; /* NUL-terminated */
    const char *path, *text;
    size_t text_bytes;
    struct scenario_override settings[SETTINGS_MAX];
    size_t setting_count;
};

/* Puts what follows "\n#file\n" behind FILE_PATH and cuts it off. */
static int make_file(char *bytes, size_t *size) {
    static const char mark[] = "\n#file\n";
    const char *at = memmem(bytes, *size, mark, sizeof mark - 1);
    if (at == NULL) {
        return -1;
    }
    int descriptor = memfd_create("table", 0);
    SIM_CHECK(descriptor >= 0);
    const char *body = at + sizeof mark - 1;
    size_t body_bytes = *size - (size_t)(body - bytes);
    input_write(descriptor, body, body_bytes);
    SIM_CHECK(dup2(descriptor, FILE_DESCRIPTOR) == FILE_DESCRIPTOR);
    close(descriptor);
    *size = (size_t)(at - bytes) + 1;
    return FILE_DESCRIPTOR;
}

/* Splits the first lines off. */
static void split_input(struct input *input, char *bytes, size_t size) {
    static const char json[] = "#json\n", set[] = "--set ";
    *input = (struct input){.bytes = bytes, .path = "fuzz.yaml", .text = bytes, .text_bytes = size};
    char *end = bytes + size, *line = bytes;
    if (size >= sizeof json - 1 && memcmp(bytes, json, sizeof json - 1) == 0) {
        input->path = "fuzz.json";
        line += sizeof json - 1;
    }
    while (input->setting_count < SETTINGS_MAX && (size_t)(end - line) >= sizeof set - 1 &&
           memcmp(line, set, sizeof set - 1) == 0) {
        char *line_end = memchr(line, '\n', (size_t)(end - line));
        char *equals = line_end == NULL ? NULL : memchr(line, '=', (size_t)(line_end - line));
        if (equals == NULL) {
            break;
        }
        *line_end = *equals = '\0';
        input->settings[input->setting_count++] =
            (struct scenario_override){line + sizeof set - 1, equals + 1};
        line = line_end + 1;
    }
    input->text = line;
    input->text_bytes = (size_t)(end - line);
}

static void check_workload(const struct scenario *scenario, const struct workload_spec *workload) {
    SIM_CHECK(workload->name != NULL && workload->table < scenario->table_count);
    SIM_CHECK(workload->operation < DDB_OPERATION_COUNT);
    SIM_CHECK(workload->hash_key.text != NULL && workload->hash_key.text[0] != '\0');
    bool has_range = scenario->tables[workload->table].range_key.name != NULL;
    SIM_CHECK((workload->range_key.text != NULL) ==
              (has_range && workload->operation != DDB_QUERY));
    SIM_CHECK(workload->after == SCENARIO_NONE || workload->after < scenario->workload_count);
    SIM_CHECK(workload->start_ns >= 0 && workload->start_ns <= SIM_NS_MAX);
    SIM_CHECK(workload->stop_ns >= -1 && workload->stop_ns <= SIM_NS_MAX);
    if (workload->item_size.law != SIZE_COLUMN) {
        SIM_CHECK(workload->item_size.min_bytes >= 1);
        SIM_CHECK(workload->item_size.min_bytes <= workload->item_size.max_bytes);
        SIM_CHECK(workload->item_size.max_bytes <= ITEM_BYTES_MAX);
    }
    switch (workload->arrivals) {
    case ARRIVALS_POISSON:
    case ARRIVALS_UNIFORM: SIM_CHECK(workload->point_count >= 1); break;
    case ARRIVALS_CLOSED: SIM_CHECK(workload->clients >= 1); break;
    case ARRIVALS_STEP:
        SIM_CHECK(workload->root < scenario->workload_count);
        SIM_CHECK(scenario->workloads[workload->root].arrivals != ARRIVALS_STEP);
        break;
    case ARRIVALS_TRACE: SIM_CHECK(workload->trace.time_column != NULL); break;
    }
    for (uint32_t i = 0; i < workload->point_count; i++) {
        SIM_CHECK(workload->points[i].rate_per_s >= 0);
        SIM_CHECK(i == 0 || workload->points[i].at_ns >= workload->points[i - 1].at_ns);
    }
}

static void check_scenario(const struct scenario *scenario) {
    SIM_CHECK(scenario->name != NULL && scenario->about != NULL && scenario->source != NULL);
    SIM_CHECK(scenario->duration_ns == -1 ||
              (scenario->duration_ns > 0 && scenario->duration_ns <= SIM_NS_MAX));
    SIM_CHECK(scenario->replications >= 1);
    SIM_CHECK(scenario->table_count >= 1 && scenario->table_count <= SCENARIO_TABLES_MAX);
    SIM_CHECK(scenario->workload_count >= 1 && scenario->workload_count <= SCENARIO_WORKLOADS_MAX);
    for (uint32_t i = 0; i < scenario->table_count; i++) {
        input_check_table(&scenario->tables[i]);
    }
    for (uint32_t i = 0; i < scenario->field_count; i++) {
        SIM_CHECK(scenario->fields[i].n >= 1 && scenario->fields[i].name != NULL);
    }
    for (uint32_t i = 0; i < scenario->workload_count; i++) {
        check_workload(scenario, &scenario->workloads[i]);
    }
    size_t row_count;
    const struct parameter_row *rows = model_parameter_rows(&row_count);
    for (size_t i = 0; i < row_count; i++) {
        int64_t value = model_parameters_get(&scenario->model, &rows[i]);
        SIM_CHECK(value >= rows[i].min && value <= rows[i].max);
    }
    for (uint32_t i = 0; i < scenario->expect_count; i++) {
        const struct expect_spec *expect = &scenario->expects[i];
        SIM_CHECK(expect->metric.text != NULL);
        SIM_CHECK(expect->has_min || expect->has_max || expect->has_equals);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = malloc(size + 1);
    SIM_CHECK(bytes != NULL);
    memcpy(bytes, data, size);
    bytes[size] = '\0';
    int descriptor = make_file(bytes, &size);
    struct input input;
    split_input(&input, bytes, size);
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    if (scenario_read_text(&scenario, input.path, input.text, input.text_bytes, input.settings,
                           input.setting_count, &err)) {
        SIM_CHECK(err.kind == ERR_NONE);
        check_scenario(&scenario);
    } else {
        input_check_refused(&err);
    }
    scenario_fini(&scenario);
    free(bytes);
    if (descriptor >= 0) {
        close(descriptor);
    }
    return 0;
}
