/* recorder.h, what the model does of its own: partitions that appear, events. */
#include "analysis/recorder.h"

#include "sim/check.h"

#include <string.h>

#define EVENT_WORDS 3 /* and a kind's numbers */
/* Stands in the digest where an attempt has its sequence. */
#define EVENT_MARK (UINT64_MAX - 1)

/* A copy of count elements with room for more, in place of *array. */
static bool widen(struct arena *arena, void **array, uint32_t count, uint32_t room,
                  size_t element_bytes, const char *what, struct err *err) {
    void *wider = arena_array(arena, room, element_bytes, CACHE_LINE_BYTES, what, err);
    if (wider == NULL) {
        return false;
    }
    memcpy(wider, *array, count * element_bytes);
    *array = wider;
    return true;
}

bool recorder_grow_partitions(struct recorder *recorder, uint16_t resource, uint32_t count,
                              struct err *err) {
    SIM_CHECK(resource < recorder->resource_count);
    struct recorder_resource *of = &recorder->resources[resource];
    const uint32_t before = of->partition_count;
    SIM_CHECK(count >= before);
    if (count > of->partition_capacity) {
        const uint32_t room = 2 * count;
        void *bins = of->partitions, *totals = of->partition_totals;
        void *refusals = of->partition_refusals, *touched = of->touched_partitions;
        struct arena *arena = &recorder->arena;
        if (!widen(arena, &bins, before, room, sizeof *of->partitions, "partitions' seconds",
                   err) ||
            !widen(arena, &totals, before, room, sizeof *of->partition_totals, "partitions' totals",
                   err) ||
            !widen(arena, &refusals, before, room, sizeof *of->partition_refusals,
                   "partitions' refusals", err) ||
            !widen(arena, &touched, before, room, sizeof *of->touched_partitions,
                   "touched partitions", err)) {
            return false;
        }
        of->partitions = bins;
        of->partition_totals = totals;
        of->partition_refusals = refusals;
        of->touched_partitions = touched;
        of->partition_capacity = room;
    }
    of->partition_count = count;
    return true;
}

void recorder_event(struct recorder *recorder, const struct model_event *event) {
    const uint32_t numbers = model_event_numbers(event->kind);
    uint64_t *words = digest_room(&recorder->digest, EVENT_WORDS + numbers);
    words[0] = (uint64_t)event->at_ns;
    words[1] = EVENT_MARK;
    words[2] = (uint64_t)event->resource << 48 | (uint64_t)event->kind;
    for (uint32_t i = 0; i < numbers; i++) {
        words[EVENT_WORDS + i] = (uint64_t)event->numbers[i];
    }
}
