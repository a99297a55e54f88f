/* asprintf */
#define _GNU_SOURCE
#include "cli/scenario_source.h"

#include "cli/builtin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* folder/name, allocated; NULL with *err set when memory is short. */
static char *join(const char *folder, const char *name, struct err *err) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        err_no_memory(err, "path");
        return NULL;
    }
    return path;
}

static bool write_file(const char *folder, const struct builtin_file *file, struct err *err) {
    char *path = join(folder, file->file_name, err);
    if (path == NULL) {
        return false;
    }
    errno = 0;
    FILE *out = fopen(path, "wb");
    bool written = out != NULL && fwrite(file->bytes, 1, file->size, out) == file->size;
    written = (out == NULL || fclose(out) == 0) && written;
    if (!written) {
        err_set(err, ERR_IO, "cannot write '%s': %s", path, strerror(errno));
    }
    free(path);
    return written;
}

/* A scenario and the files that may stand beside it: all that are no scenarios. */
static bool unpack(struct scenario_source *source, const struct builtin_file *scenario,
                   struct err *err) {
    const char *temporary = getenv("TMPDIR");
    source->folder =
        join(temporary == NULL || *temporary == '\0' ? "/tmp" : temporary, "ddbsim-XXXXXX", err);
    if (source->folder == NULL) {
        return false;
    }
    if (mkdtemp(source->folder) == NULL) {
        err_set(err, ERR_IO, "cannot make the folder '%s': %s", source->folder, strerror(errno));
        free(source->folder);
        source->folder = NULL;
        return false;
    }
    source->path = join(source->folder, scenario->file_name, err);
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    bool ok = source->path != NULL;
    for (size_t i = 0; i < count && ok; i++) {
        if (&files[i] == scenario || !builtin_is_scenario(&files[i])) {
            ok = write_file(source->folder, &files[i], err);
        }
    }
    return ok;
}

/* Whether a scenario reads a file that is embedded with it. */
static bool needs_files(const struct builtin_file *scenario) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    for (size_t i = 0; i < count; i++) {
        if (!builtin_is_scenario(&files[i]) &&
            memmem(scenario->bytes, scenario->size, files[i].file_name,
                   strlen(files[i].file_name)) != NULL) {
            return true;
        }
    }
    return false;
}

static bool no_such_scenario(const char *word, struct err *err) {
    char name[64];
    if (strchr(word, '/') != NULL || builtin_nearest(word, name, sizeof name) == NULL) {
        return err_set(err, ERR_IO, "cannot read '%s': no such file, and no built-in scenario",
                       word);
    }
    return err_set(err, ERR_IO,
                   "cannot read '%s': no such file, and no built-in scenario; did you mean '%s'?",
                   word, name);
}

static bool locate(struct scenario_source *source, const char *word, struct err *err) {
    struct stat status;
    const struct builtin_file *builtin = builtin_scenario(word);
    const bool missing = stat(word, &status) != 0 && errno == ENOENT;
    if (missing && builtin != NULL && needs_files(builtin)) {
        return unpack(source, builtin, err);
    }
    if (missing && builtin != NULL) {
        source->builtin = builtin;
        source->path = strdup(builtin->file_name);
        return source->path != NULL || err_no_memory(err, "path");
    }
    if (missing) {
        return no_such_scenario(word, err);
    }
    source->path = strdup(word);
    return source->path != NULL || err_no_memory(err, "path");
}

bool scenario_source_read(struct scenario_source *source, const char *word,
                          const struct scenario_override *overrides, size_t override_count,
                          struct err *err) {
    *source = (struct scenario_source){.folder = NULL};
    if (!locate(source, word, err)) {
        scenario_source_close(source);
        return false;
    }
    source->is_read = true;
    const struct builtin_file *builtin = source->builtin;
    const bool read =
        builtin == NULL
            ? scenario_read(&source->scenario, source->path, overrides, override_count, err)
            : scenario_read_text(&source->scenario, source->path, (const char *)builtin->bytes,
                                 builtin->size, overrides, override_count, err);
    if (!read) {
        scenario_source_close(source);
        return false;
    }
    return true;
}

static void remove_folder(const char *folder) {
    size_t count;
    const struct builtin_file *files = builtin_files(&count);
    for (size_t i = 0; i < count; i++) {
        struct err err = {ERR_NONE, ""};
        char *path = join(folder, files[i].file_name, &err);
        if (path != NULL) {
            unlink(path);
            free(path);
        }
    }
    rmdir(folder);
}

struct design_source scenario_source_design(const struct scenario_source *source) {
    return (struct design_source){
        .path = source->path,
        .text = source->scenario.text,
        .length = strlen(source->scenario.text),
        .name = source->scenario.name,
    };
}

void scenario_source_close(struct scenario_source *source) {
    if (source->is_read) {
        scenario_fini(&source->scenario);
        source->is_read = false;
    }
    if (source->folder != NULL) {
        remove_folder(source->folder);
    }
    free(source->folder);
    free(source->path);
    source->folder = source->path = NULL;
}
