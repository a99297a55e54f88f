#include "workloads/item_size.h"

#include "sim/check.h"

#define CHUNK 512

bool item_size_init(struct item_size *size, struct arena *arena, const struct size_spec *spec,
                    const struct random_name *name, struct err *err) {
    *size = (struct item_size){.spec = spec};
    random_init(&size->stream, name);
    if (spec->law != SIZE_DRAWN) {
        return true;
    }
    const struct field_spec *spread = spec->spread;
    SIM_CHECK(spread != NULL && spread->first == (int64_t)spec->min_bytes);
    SIM_CHECK(spread->n == (uint64_t)spec->max_bytes - spec->min_bytes + 1);
    size->field = ARENA_NEW(arena, struct field, "size", err);
    return size->field != NULL && field_init(size->field, arena, spread, name, err);
}

void item_size_fill(struct item_size *size, uint32_t *sizes_bytes, size_t count) {
    const struct size_spec *spec = size->spec;
    const uint32_t min_bytes = spec->min_bytes;
    if (spec->law == SIZE_CONSTANT) {
        for (size_t i = 0; i < count; i++) {
            sizes_bytes[i] = min_bytes;
        }
        return;
    }
    SIM_CHECK(spec->law != SIZE_COLUMN);
    SIM_CHECK(spec->min_bytes <= spec->max_bytes);
    uint64_t draws[CHUNK];
    const uint64_t sizes = (uint64_t)spec->max_bytes - min_bytes + 1;
    for (size_t done = 0; done < count;) {
        const size_t taken = count - done < CHUNK ? count - done : CHUNK;
        if (size->field != NULL) {
            field_fill(size->field, draws, taken);
        } else {
            field_fill_below(&size->stream, sizes, draws, taken);
        }
        for (size_t i = 0; i < taken; i++) {
            sizes_bytes[done + i] = min_bytes + (uint32_t)draws[i];
        }
        done += taken;
    }
}
