#include "models/scan.h"

#include "models/capacity_units.h"
#include "sim/check.h"

#include <string.h>

/* floor(a * b / (c + 1)), exact where the result fits. */
static uint64_t part_below(uint64_t a, uint64_t b, uint64_t c) {
    return __extension__(uint64_t)((unsigned __int128)a * b / ((unsigned __int128)c + 1));
}

/* ceil(a * (c + 1) / b), the same. */
static uint64_t part_above(uint64_t a, uint64_t c, uint64_t b) {
    return __extension__(uint64_t)((((unsigned __int128)c + 1) * a + b - 1) / b);
}

bool scan_contents_is_old(const struct scan_contents *contents, const struct partition_set *set,
                          sim_ns now_ns) {
    return !contents->is_counted || contents->partition_count != set->count ||
           now_ns - contents->counted_ns >= SIM_NS_PER_S;
}

bool scan_contents_begin(struct scan_contents *contents, struct arena *arena,
                         const struct partition_set *set, sim_ns now_ns, struct err *err) {
    if (set->count > contents->capacity) {
        const uint32_t capacity = 2 * set->count;
        contents->items = ARENA_ARRAY(arena, uint64_t, capacity, "contents of partitions", err);
        contents->bytes = ARENA_ARRAY(arena, uint64_t, capacity, "contents of partitions", err);
        contents->capacity = contents->items == NULL || contents->bytes == NULL ? 0 : capacity;
        if (contents->capacity == 0) {
            return false;
        }
    }
    memset(contents->items, 0, set->count * sizeof *contents->items);
    memset(contents->bytes, 0, set->count * sizeof *contents->bytes);
    contents->partition_count = set->count;
    contents->counted_ns = now_ns;
    contents->is_counted = true;
    return true;
}

void scan_contents_spread(struct scan_contents *contents, const struct partition_set *set,
                          uint64_t items, uint64_t bytes) {
    uint64_t items_before = 0, bytes_before = 0;
    for (uint32_t i = partition_set_first_open(set), next; i != UINT32_MAX; i = next) {
        next = partition_set_next_open(set, i);
        const bool is_last = next == UINT32_MAX;
        const uint64_t end = is_last ? 0 : set->partitions[next].hash_lo;
        const uint64_t items_until = is_last ? items : part_below(items, end, UINT64_MAX);
        const uint64_t bytes_until = items == 0 ? 0 : part_below(bytes, items_until, items - 1);
        scan_contents_add(contents, i, items_until - items_before, bytes_until - bytes_before);
        items_before = items_until;
        bytes_before = bytes_until;
    }
}

static uint64_t segment_start(uint32_t segment, uint32_t segments) {
    return __extension__(uint64_t)((((unsigned __int128)segment << 64) + segments - 1) / segments);
}

struct scan_range scan_range_of(uint32_t segment, uint32_t segments) {
    SIM_CHECK(segment < segments && segments <= SCAN_SEGMENTS_MAX);
    return (struct scan_range){
        .next = {.hash = segment_start(segment, segments)},
        .hash_end = segment_start(segment + 1, segments) - 1,
    };
}

/* A partition's places as one axis: 0 … span, and what lies between two of them. */
struct axis {
    const struct partition *partition;
    bool is_within_key; /* by sort keys */
    uint64_t span, items, bytes;
};

static struct axis axis_of(const struct scan_contents *contents, const struct partition *of) {
    const bool is_within_key = of->hash_lo == of->hash_hi;
    return (struct axis){
        .partition = of,
        .is_within_key = is_within_key,
        .span = is_within_key ? of->sort_hi - of->sort_lo : of->hash_hi - of->hash_lo,
        .items = contents->items[of->partition_id],
        .bytes = contents->bytes[of->partition_id],
    };
}

/* Items before a place of the partition. */
static uint64_t items_before(const struct axis *axis, const struct partition_place *place) {
    const struct partition *of = axis->partition;
    if (axis->is_within_key) {
        return part_below(axis->items, place->sort - of->sort_lo, axis->span);
    }
    return place->hash <= of->hash_lo
               ? 0
               : part_below(axis->items, place->hash - of->hash_lo, axis->span);
}

/* The first place that has so many items before it; they are fewer than all. */
static struct partition_place place_after(const struct axis *axis, uint64_t items) {
    const uint64_t at = part_above(items, axis->span, axis->items);
    const struct partition *of = axis->partition;
    return axis->is_within_key ? (struct partition_place){of->hash_lo, of->sort_lo + at}
                               : (struct partition_place){.hash = of->hash_lo + at};
}

static uint64_t bytes_before(const struct axis *axis, uint64_t items) {
    return axis->items == 0 ? 0 : part_below(axis->bytes, items, axis->items - 1);
}

/* How many of the partition's items have been read when those after `first` fill `room` bytes. */
static uint64_t items_that_fill(const struct axis *axis, uint64_t first, uint64_t room) {
    if (axis->bytes == 0) {
        return axis->items;
    }
    const uint64_t wanted_bytes = bytes_before(axis, first) + room;
    return wanted_bytes < axis->bytes ? part_above(wanted_bytes, axis->items - 1, axis->bytes)
                                      : axis->items;
}

static uint32_t holder_of(const struct partition_set *set, const struct partition_place *place) {
    return partition_set_descend(set, partition_set_find(set, place->hash), place);
}

/* Goes on to the partition behind; whether that is still in the range. */
static bool go_on(const struct partition_set *set, uint32_t *partition, struct scan_range *rest) {
    const uint32_t next = partition_set_next_open(set, *partition);
    rest->is_done = next == UINT32_MAX || set->partitions[next].hash_lo > rest->hash_end;
    if (!rest->is_done) {
        const struct partition *of = &set->partitions[next];
        rest->next = (struct partition_place){of->hash_lo, of->sort_lo};
        *partition = next;
    }
    return !rest->is_done;
}

/* Items of the partition before the end of the range. */
static uint64_t items_until_end(const struct axis *axis, const struct scan_range *range) {
    const struct partition *of = axis->partition;
    if (range->hash_end >= of->hash_hi) {
        return axis->items;
    }
    const struct partition_place end = {.hash = range->hash_end + 1};
    return items_before(axis, &end);
}

void scan_page_read(const struct scan_contents *contents, const struct partition_set *set,
                    const struct scan_range *range, uint64_t limit, uint32_t parts_max,
                    struct scan_page *page) {
    SIM_CHECK(!range->is_done && contents->is_counted);
    SIM_CHECK(parts_max >= 1 && parts_max <= SCAN_PARTS_MAX);
    uint64_t items_left = limit == 0 ? UINT64_MAX : limit, room = PAGE_BYTES;
    uint32_t partition = holder_of(set, &range->next);
    page->count = 0;
    page->rest = *range;
    for (bool goes_on = true; goes_on;) {
        const struct axis axis = axis_of(contents, &set->partitions[partition]);
        const uint64_t first = items_before(&axis, &page->rest.next);
        const uint64_t end = items_until_end(&axis, range);
        uint64_t until = items_that_fill(&axis, first, room);
        until = until < end ? until : end;
        until = until - first < items_left ? until : first + items_left;
        const uint64_t bytes = bytes_before(&axis, until) - bytes_before(&axis, first);
        page->parts[page->count++] = (struct scan_part){
            .partition = partition,
            .hash = page->rest.next.hash,
            .items = until - first,
            .bytes = bytes,
        };
        items_left -= until - first;
        room = bytes < room ? room - bytes : 0;
        if (until < end) {
            page->rest.next = place_after(&axis, until);
            return;
        }
        goes_on = go_on(set, &partition, &page->rest) && room > 0 && items_left > 0 &&
                  page->count < parts_max;
    }
}

void scan_page_half_units(const struct scan_page *page, bool consistent_read,
                          uint64_t half_units[SCAN_PARTS_MAX]) {
    uint64_t bytes = 0, before = 0;
    for (uint32_t i = 0; i < page->count; i++) {
        bytes += page->parts[i].bytes;
        const uint64_t by_bytes = (bytes + READ_UNIT_BYTES - 1) / READ_UNIT_BYTES;
        const uint64_t units = by_bytes > i + 1 ? by_bytes : i + 1;
        half_units[i] = (units - before) * (consistent_read ? 2 : 1);
        before = units;
    }
}
