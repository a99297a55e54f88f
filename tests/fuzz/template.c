/*
 * Any text as a pair of key templates, split at the first line end: one that compiles gives numbers
 * in range that come back as texts DynamoDB takes, or says why not; one that does not says where.
 */
#include "sim/check.h"
#include "workloads/key_template.h"

#include <string.h>

#define FIELDS 5
#define OPERATIONS 8
#define TEXT_BYTES 20000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const words[] = {"red", "", "{x}"};
static const double weights[] = {1, 2, 3};
static const struct field_spec specs[FIELDS] = {
    {.name = "a", .law = FIELD_UNIFORM, .n = 10},
    {.name = "big", .law = FIELD_UNIFORM, .n = UINT64_C(1) << 40, .first = -5},
    {.name = "word", .law = FIELD_CHOICE, .n = 3, .values = words, .weights = weights},
    {.name = "one", .law = FIELD_SEQUENCE, .n = 1},
    {.name = "each", .law = FIELD_SEQUENCE, .n = 7},
};

static void check_render(const struct key_template *key_template, uint64_t number) {
    struct key_template_text text;
    struct err err = {.kind = ERR_NONE};
    SIM_CHECK(key_template->items_below == 0 || number < key_template->items_below);
    if (!key_template_render(key_template, number, &text, &err)) {
        SIM_CHECK(err.kind == ERR_INPUT);
        return;
    }
    SIM_CHECK(text.hash_key_bytes >= 1 && text.hash_key_bytes <= KEY_HASH_BYTES_MAX);
    SIM_CHECK(strlen(text.hash_key) == text.hash_key_bytes);
    SIM_CHECK(text.range_key_bytes <= KEY_RANGE_BYTES_MAX);
    SIM_CHECK(strlen(text.range_key) == text.range_key_bytes);
}

static void check_template(struct key_template *key_template, struct field *fields) {
    uint64_t values[FIELDS][OPERATIONS], numbers[OPERATIONS];
    const uint64_t *rows[FIELDS];
    sim_ns times_ns[OPERATIONS];
    for (size_t f = 0; f < FIELDS; f++) {
        field_fill(&fields[f], values[f], OPERATIONS);
        rows[f] = key_template_uses(key_template, (uint32_t)f) ? values[f] : NULL;
    }
    for (size_t i = 0; i < OPERATIONS; i++) {
        times_ns[i] = (KEY_NOW_NS_MAX - 1) / (OPERATIONS - 1) * (sim_ns)i;
    }
    key_template_fill(key_template, rows, times_ns, KEY_SEQUENCES_MAX - OPERATIONS, numbers,
                      OPERATIONS);
    for (size_t i = 0; i < OPERATIONS; i++) {
        uint64_t last_member = key_template->members - 1;
        check_render(key_template, numbers[i]);
        check_render(key_template, numbers[i] + last_member * key_template->member_stride);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[TEXT_BYTES];
    size_t length = size < TEXT_BYTES - 1 ? size : TEXT_BYTES - 1;
    memcpy(text, data, length);
    text[length] = '\0';
    char *line_end = strchr(text, '\n');
    if (line_end != NULL) {
        *line_end = '\0';
    }
    const struct scenario_text hash_key = {text, {"fuzz.yaml", 1, 1}, NULL};
    const struct scenario_text range_key = {
        line_end != NULL ? line_end + 1 : NULL, {"fuzz.yaml", 2, 1}, NULL};
    const struct random_name name = {1, 0, "fuzz", ""};
    struct arena arena;
    struct err err = {.kind = ERR_NONE};
    struct key_template key_template;
    struct field fields[FIELDS];
    arena_init(&arena);
    for (size_t f = 0; f < FIELDS; f++) {
        bool is_open = field_init(&fields[f], &arena, &specs[f], &name, &err);
        SIM_CHECK(is_open);
    }
    if (key_template_compile(&key_template, &arena, &hash_key, &range_key, fields, FIELDS, &name,
                             INT64_C(1767225599), &err)) {
        check_template(&key_template, fields);
    } else {
        SIM_CHECK(err.kind == ERR_INPUT && err.text[0] != '\0');
    }
    arena_fini(&arena);
    return 0;
}
