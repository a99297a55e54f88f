#include "experiments/design_files.h"

#include "sim/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 65536

struct search {
    const struct design *design;
    FILE *out;
    struct arena arena;
    const char **names; /* that are printed already */
    uint32_t name_count, name_room;
};

static bool is_known(const struct search *search, const char *name) {
    for (uint32_t i = 0; i < search->name_count; i++) {
        if (strcmp(search->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool hash_file(const struct scenario_file *file, struct hash128 *hash, bool *absent,
                      struct err *err) {
    FILE *in = fopen(file->path, "rbe");
    *absent = in == NULL && errno == ENOENT;
    *hash = (struct hash128){0, 0};
    if (in == NULL) {
        return *absent || err_set(err, ERR_IO, "cannot read '%s': %s", file->path, strerror(errno));
    }
    char *block = malloc(BLOCK_BYTES);
    if (block == NULL) {
        (void)fclose(in);
        return err_no_memory(err, "file");
    }
    for (size_t got; (got = fread(block, 1, BLOCK_BYTES, in)) > 0;) {
        *hash = hash128(block, got, hash_mix(hash->low) ^ hash->high);
    }
    const bool whole = ferror(in) == 0;
    (void)fclose(in);
    free(block);
    return whole || err_set(err, ERR_IO, "cannot read '%s'", file->path);
}

static bool add_name(struct search *search, const char *name, struct err *err) {
    if (search->name_count == search->name_room) {
        const uint32_t room = search->name_room == 0 ? 16 : 2 * search->name_room;
        const char **names = realloc(search->names, room * sizeof *names);
        if (names == NULL) {
            return err_no_memory(err, "files");
        }
        search->names = names;
        search->name_room = room;
    }
    const char *kept = arena_strdup(&search->arena, name, err);
    search->names[search->name_count] = kept;
    search->name_count += kept != NULL;
    return kept != NULL;
}

static bool add_file(struct search *search, const struct scenario_file *file, struct err *err) {
    struct hash128 hash;
    bool absent;
    if (is_known(search, file->name)) {
        return true;
    }
    if (!hash_file(file, &hash, &absent, err) || !add_name(search, file->name, err)) {
        return false;
    }
    char text[HASH128_TEXT_BYTES];
    hash128_text(hash, text);
    fprintf(search->out, "file %s %s\n", file->name, absent ? "absent" : text);
    return true;
}

static bool look_at(struct search *search, uint64_t point, struct err *err) {
    struct scenario scenario;
    struct err fault = {ERR_NONE, ""};
    bool done = true;
    if (design_read(search->design, point, &scenario, &fault)) {
        for (const struct scenario_file *file = scenario.newest_file; file != NULL && done;
             file = file->older) {
            done = add_file(search, file, err);
        }
    }
    scenario_fini(&scenario);
    return done;
}

static bool look_at_all(struct search *search, struct err *err) {
    for (uint64_t point = 0; point < search->design->point_count; point++) {
        if (!look_at(search, point, err)) {
            return false;
        }
    }
    return true;
}

/* Each value of each vary beside the first values of the others. */
static bool look_along_each(struct search *search, struct err *err) {
    const struct design *design = search->design;
    uint64_t stride = design->point_count / design->source_count;
    uint32_t deciding = 0;
    for (uint32_t vary = 0; vary < design->vary_count; vary++) {
        const uint32_t before = search->name_count;
        stride /= design->varies[vary].count;
        for (uint32_t value = 1; value < design->varies[vary].count; value++) {
            if (!look_at(search, value * stride, err)) {
                return false;
            }
        }
        deciding += search->name_count > before;
    }
    return deciding < 2 || look_at_all(search, err);
}

bool design_files_print(const struct design *design, FILE *out, struct err *err) {
    struct search search = {.design = design, .out = out};
    arena_init(&search.arena);
    bool done = look_at(&search, 0, err);
    if (done && search.name_count > 0) {
        done = design->sobol_count > 0 ? look_at_all(&search, err) : look_along_each(&search, err);
    }
    free(search.names);
    arena_fini(&search.arena);
    return done;
}
