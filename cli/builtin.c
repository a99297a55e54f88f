#include "cli/builtin.h"

#include "workloads/spelling.h"

#include <stdio.h>
#include <string.h>

#define BUILTIN_NAMES_MAX 64
#define BUILTIN_NAME_BYTES 64

static const char suffix[] = ".yaml";

bool builtin_is_scenario(const struct builtin_file *file) {
    const size_t length = strlen(file->file_name);
    return length > strlen(suffix) &&
           strcmp(file->file_name + length - strlen(suffix), suffix) == 0;
}

void builtin_name(const struct builtin_file *file, char *name, size_t name_bytes) {
    const size_t length = strlen(file->file_name);
    const size_t kept = builtin_is_scenario(file) ? length - strlen(suffix) : length;
    snprintf(name, name_bytes, "%.*s", (int)kept, file->file_name);
}

const struct builtin_file *builtin_file(const char *file_name) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(files[i].file_name, file_name) == 0) {
            return &files[i];
        }
    }
    return NULL;
}

const struct builtin_file *builtin_scenario(const char *name) {
    char file_name[BUILTIN_NAME_BYTES + sizeof suffix];
    if (strlen(name) >= BUILTIN_NAME_BYTES) {
        return NULL;
    }
    snprintf(file_name, sizeof file_name, "%s%s", name, suffix);
    return builtin_file(file_name);
}

void builtin_key(const struct builtin_file *file, const char *key, char *value,
                 size_t value_bytes) {
    const char *at = (const char *)file->bytes;
    const char *end = at + file->size;
    const size_t key_length = strlen(key);
    *value = '\0';
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end == NULL ? end : line_end;
        const size_t length = (size_t)(line_end - at);
        if (length > key_length && memcmp(at, key, key_length) == 0 && at[key_length] == ':') {
            const char *text = at + key_length + 1;
            while (text < line_end && *text == ' ') {
                text++;
            }
            snprintf(value, value_bytes, "%.*s", (int)(line_end - text), text);
            return;
        }
        at = line_end + 1;
    }
}

const char *builtin_nearest(const char *word, char *name, size_t name_bytes) {
    char names[BUILTIN_NAMES_MAX][BUILTIN_NAME_BYTES];
    const char *words[BUILTIN_NAMES_MAX];
    size_t count, used = 0;
    const struct builtin_file *files = builtin_files(&count);
    for (size_t i = 0; i < count && used < BUILTIN_NAMES_MAX; i++) {
        if (builtin_is_scenario(&files[i])) {
            builtin_name(&files[i], names[used], sizeof names[used]);
            words[used] = names[used];
            used++;
        }
    }
    const char *nearest = spelling_nearest(word, words, used);
    if (nearest == NULL) {
        return NULL;
    }
    snprintf(name, name_bytes, "%s", nearest);
    return name;
}
