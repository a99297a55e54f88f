/*
 * Any bytes as a file that TableFrom names: a CloudFormation template with its intrinsic functions,
 * a GlobalTable, what describe-table prints or create-table takes, as YAML or JSON. A table that is
 * read keeps the rules of models/spec.h. A first line "#NAME" asks for that resource or table;
 * "#json" in place of it, or after it, makes the file JSON.
 */
#define _GNU_SOURCE
#include "tests/fuzz/input.h"
#include "workloads/scenario.h"

#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>

#define NAME_BYTES_MAX 64
#define FILE_DESCRIPTOR 100
#define FILE_PATH "/proc/self/fd/100"

int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__lsan_default_suppressions(void);

/* libfyaml 0.7 loses the text of a scalar that a syntax error cuts off (docs/adr/0006). */
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml";
}

static char folder[PATH_MAX];

static void remove_folder(void) {
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/t.json", folder);
    unlink(path);
    rmdir(folder);
}

/* A name that ends in ".json" for the file that has none. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *base = getenv("TMPDIR");
    char path[PATH_MAX + 16];
    snprintf(folder, sizeof folder, "%s/fuzz-table-XXXXXX", base == NULL ? "/tmp" : base);
    SIM_CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/t.json", folder);
    SIM_CHECK(symlink(FILE_PATH, path) == 0);
    SIM_CHECK(atexit(remove_folder) == 0);
    return 0;
}

/* Takes the line "#…" off that the bytes begin with; its text, "" when there is none. */
static bool take_line(const uint8_t **data, size_t *size, char *text, size_t text_bytes) {
    text[0] = '\0';
    if (*size == 0 || (*data)[0] != '#') {
        return false;
    }
    const uint8_t *end = memchr(*data, '\n', *size);
    const size_t length = end == NULL ? *size - 1 : (size_t)(end - *data) - 1;
    const size_t kept = length < text_bytes - 1 ? length : text_bytes - 1;
    memcpy(text, *data + 1, kept);
    text[kept] = '\0';
    const size_t taken = end == NULL ? *size : length + 2;
    *data += taken;
    *size -= taken;
    return true;
}

/* What "file#NAME" may say without becoming other YAML. */
static void clean_name(char *name) {
    for (char *at = name; *at != '\0'; at++) {
        *at = (*at >= '0' && *at <= '9') || ((*at | 32) >= 'a' && (*at | 32) <= 'z') ? *at : '_';
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char name[NAME_BYTES_MAX], text[PATH_MAX + 512];
    bool is_json = false, has_name = take_line(&data, &size, name, sizeof name);
    if (has_name && strcmp(name, "json") == 0) {
        is_json = true;
        has_name = take_line(&data, &size, name, sizeof name);
    }
    clean_name(name);
    const int descriptor = memfd_create("table", 0);
    SIM_CHECK(descriptor >= 0);
    input_write(descriptor, data, size);
    SIM_CHECK(dup2(descriptor, FILE_DESCRIPTOR) == FILE_DESCRIPTOR);
    close(descriptor);
    /* A workload that names no key: whatever table is read, its message is the last one. */
    const int length =
        snprintf(text, sizeof text,
                 "duration: 1m\nparameters: {Stage: prod, Read: 7}\ntables:\n"
                 "  - {TableFrom: '%s%s%s%s'}\n"
                 "workload:\n  - {name: w, operation: GetItem, rate: 1, item: {PK: a, SK: b}}\n",
                 is_json ? folder : FILE_PATH, is_json ? "/t.json" : "", has_name ? "#" : "", name);
    SIM_CHECK(length > 0 && (size_t)length < sizeof text);
    struct scenario scenario;
    struct err err = {.kind = ERR_NONE};
    if (scenario_read_text(&scenario, "fuzz.yaml", text, (size_t)length, NULL, 0, &err)) {
        SIM_CHECK(err.kind == ERR_NONE && scenario.table_count == 1);
    } else {
        input_check_refused(&err);
    }
    for (uint32_t i = 0; i < scenario.table_count; i++) {
        input_check_table(&scenario.tables[i]);
    }
    scenario_fini(&scenario);
    close(FILE_DESCRIPTOR);
    return 0;
}
