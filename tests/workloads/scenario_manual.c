/* docs/scenario.md: each of its examples is a scenario that is read. */
#include "tests/suite.h"
#include "workloads/scenario.h"
#include "workloads/scenario_parts.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANUAL_BYTES_MAX 65536
#define BLOCK_BYTES_MAX 8192

struct block {
    char text[BLOCK_BYTES_MAX];
    int line;
};

static char *read_manual(void) {
    static const char path[] = DDBSIM_SOURCE_DIR "/docs/scenario.md";
    char *text = calloc(MANUAL_BYTES_MAX, 1);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL && text != NULL, "%s", path);
    size_t bytes = fread(text, 1, MANUAL_BYTES_MAX - 1, file);
    ck_assert(bytes > 0 && bytes < MANUAL_BYTES_MAX - 1);
    fclose(file);
    return text;
}

/* The next fenced block of that language after *at; false when there is none. */
static bool next_block(const char *manual, const char **at, const char *fence,
                       struct block *block) {
    const char *begin = strstr(*at, fence);
    if (begin == NULL) {
        return false;
    }
    begin += strlen(fence);
    const char *end = strstr(begin, "\n```");
    ck_assert_ptr_nonnull(end);
    size_t bytes = (size_t)(end - begin) + 1;
    ck_assert_uint_lt(bytes, BLOCK_BYTES_MAX);
    memcpy(block->text, begin, bytes);
    block->text[bytes] = '\0';
    block->line = 1;
    for (const char *c = manual; c < begin; c++) {
        block->line += *c == '\n';
    }
    *at = end + 4;
    return true;
}

/* Whether the block has a top-level key like that of line. */
static bool has_key(const char *block, const char *line) {
    size_t bytes = strcspn(line, ":") + 1;
    for (const char *at = block; at != NULL && *at != '\0'; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, line, bytes) == 0) {
            return true;
        }
    }
    return false;
}

/* base without the sections that the block has, then the block. */
static void combine(const char *base, const char *block, char *whole) {
    bool is_replaced = false;
    whole[0] = '\0';
    for (const char *line = base; *line != '\0'; line += strcspn(line, "\n") + 1) {
        if (line[0] != ' ') {
            is_replaced = has_key(block, line);
        }
        if (!is_replaced) {
            strncat(whole, line, strcspn(line, "\n") + 1);
        }
    }
    strcat(whole, block);
}

START_TEST(reads_each_example_of_the_manual) {
    char folder[] = "/tmp/ddbsim-manual-XXXXXX", json_path[64], path[64];
    static char whole[2 * BLOCK_BYTES_MAX];
    static struct block base, block;
    char *manual = read_manual();
    const char *at = manual;
    int count = 0;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(json_path, sizeof json_path, "%s/table.json", folder);
    snprintf(path, sizeof path, "%s/manual.yaml", folder);
    ck_assert(next_block(manual, &at, "\n```json\n", &block));
    FILE *file = fopen(json_path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(block.text, file);
    fclose(file);
    at = manual;
    ck_assert(next_block(manual, &at, "\n```yaml\n", &base));
    block = base;
    do {
        struct scenario scenario;
        struct err err = {.kind = ERR_NONE};
        combine(base.text, block.text, whole);
        ck_assert_msg(scenario_read_text(&scenario, path, whole, strlen(whole), NULL, 0, &err),
                      "example in line %d: %s", block.line, err.text);
        scenario_fini(&scenario);
        count++;
    } while (next_block(manual, &at, "\n```yaml\n", &block));
    ck_assert_int_ge(count, 10);
    unlink(json_path);
    rmdir(folder);
    free(manual);
}
END_TEST

START_TEST(names_each_key_of_the_top_level) {
    char *manual = read_manual(), quoted[READER_NAME_BYTES_MAX + 3];
    for (size_t i = 0; scenario_top_keys.known[i] != NULL; i++) {
        snprintf(quoted, sizeof quoted, "`%s`", scenario_top_keys.known[i]);
        ck_assert_msg(strstr(manual, quoted) != NULL, "%s is not in the manual", quoted);
    }
    free(manual);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_manual");
    TCase *tcase = tcase_create("manual");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, reads_each_example_of_the_manual);
    tcase_add_test(tcase, names_each_key_of_the_top_level);
    return suite_run(suite);
}
