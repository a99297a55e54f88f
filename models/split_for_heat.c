#include "models/split_for_heat.h"

#include "sim/check.h"
#include "sim/hash.h"

#include <stdlib.h>

#define PARTITIONS_CHUNK 64
#define SEQUENCE_OF_SPLIT UINT64_MAX /* beside those of accesses */

void split_for_heat_init(struct split_for_heat *heat, struct arena *arena,
                         const struct split_for_heat_setup *setup) {
    const struct model_parameters *parameters = setup->parameters;
    SIM_CHECK(parameters->split_duration_min <= parameters->split_duration_max);
    *heat = (struct split_for_heat){
        .arena = arena,
        .sample_size = (uint32_t)parameters->heat_sample,
        .windows = (uint32_t)((parameters->heat_window + HEAT_WINDOW_NS - 1) / HEAT_WINDOW_NS),
        .threshold_ppm = parameters->heat_threshold,
        .single_ppm = parameters->single_item_share,
        .sequential_ppm = parameters->sequential_share,
        .duration_min_ns = parameters->split_duration_min,
        .duration_max_ns = parameters->split_duration_max,
        .stream = setup->stream,
        .has_sort_keys = setup->has_sort_keys,
        .has_local_index = setup->has_local_index,
    };
    grow_array_init(&heat->partitions, arena, sizeof(struct heat_partition), PARTITIONS_CHUNK);
}

static struct heat_partition *state_of(const struct split_for_heat *heat, uint32_t partition) {
    return grow_array_at(&heat->partitions, partition);
}

bool split_for_heat_is_splitting(const struct split_for_heat *heat, uint32_t partition) {
    return state_of(heat, partition)->is_splitting;
}

/* part >= ppm / 1e6 * whole */
__extension__ static bool is_share(int64_t part, int64_t ppm, __int128 whole) {
    return (__int128)part * PARAMETER_FRACTION_ONE >= whole * ppm;
}

static bool open_sample(struct split_for_heat *heat, struct heat_partition *state,
                        struct err *err) {
    struct heat_sample *sample = heat->free_samples;
    if (sample != NULL) {
        heat->free_samples = sample->next_free;
        *sample = (struct heat_sample){.accesses = sample->accesses};
    } else {
        sample = ARENA_ARRAY(heat->arena, struct heat_sample, 1, "sample of a hot partition", err);
        if (sample == NULL) {
            return false;
        }
        sample->accesses = ARENA_ARRAY(heat->arena, struct heat_access, heat->sample_size,
                                       "sample of a hot partition", err);
        if (sample->accesses == NULL) {
            return false;
        }
    }
    state->sample = sample;
    heat->sample_count++;
    return true;
}

static void close_sample(struct split_for_heat *heat, struct heat_partition *state) {
    if (state->sample != NULL) {
        state->sample->next_free = heat->free_samples;
        heat->free_samples = state->sample;
        state->sample = NULL;
        heat->sample_count--;
    }
}

static struct heat_key *find_key(struct heat_sample *sample, uint64_t hash) {
    for (uint32_t i = 0; i < sample->key_count; i++) {
        if (sample->keys[i].hash == hash) {
            return &sample->keys[i];
        }
    }
    return NULL;
}

/* The place of a key that is not followed yet: a free one, or that of the lightest, whose weight it
 * takes over (Metwally et al., "Efficient Computation of Frequent and Top-k Elements", 2005). */
static struct heat_key *follow_key(struct heat_sample *sample,
                                   const struct partition_place *place) {
    struct heat_key *key = &sample->keys[0];
    int64_t weight = 0;
    if (sample->key_count < HEAT_KEYS) {
        key = &sample->keys[sample->key_count++];
    } else {
        for (uint32_t i = 1; i < HEAT_KEYS; i++) {
            key = sample->keys[i].weight < key->weight ? &sample->keys[i] : key;
        }
        weight = key->weight;
    }
    *key = (struct heat_key){
        .hash = place->hash, .sort_lo = place->sort, .sort_hi = place->sort, .weight = weight};
    return key;
}

static void observe_key(struct heat_sample *sample, const struct heat_access *access) {
    const uint64_t sort = access->place.sort;
    struct heat_key *key = find_key(sample, access->place.hash);
    if (key == NULL) {
        key = follow_key(sample, &access->place);
    } else if (key->weight == 0) { /* its first of the window */
        key->sort_lo = sort;
        key->sort_hi = sort;
    }
    key->sort_lo = sort < key->sort_lo ? sort : key->sort_lo;
    key->sort_hi = sort > key->sort_hi ? sort : key->sort_hi;
    key->weight += access->weight;
    if (key->has_before && (sort > key->before_hi || sort < key->before_lo)) {
        key->beyond += access->weight;
    }
}

void split_for_heat_observe(struct split_for_heat *heat, uint32_t partition,
                            const struct heat_access *access) {
    struct heat_sample *sample = state_of(heat, partition)->sample;
    SIM_CHECK(sample != NULL && access->weight > 0);
    uint64_t at = sample->seen++;
    if (at >= heat->sample_size) { /* Algorithm R: each access so far is in it with equal odds */
        at = hash_below(hash_draw(heat->stream, partition, at), at + 1);
    }
    if (at < heat->sample_size) {
        sample->accesses[at] = *access;
        sample->count += sample->count == at;
    }
    if (heat->has_sort_keys) {
        observe_key(sample, access);
    }
}

static void close_keys(const struct split_for_heat *heat, struct heat_sample *sample) {
    for (uint32_t i = 0; i < sample->key_count; i++) {
        struct heat_key *key = &sample->keys[i];
        if (key->weight == 0) {
            continue;
        }
        key->is_sequential =
            key->has_before && is_share(key->beyond, heat->sequential_ppm, key->weight);
        key->before_lo = key->sort_lo;
        key->before_hi = key->sort_hi;
        key->has_before = true;
        key->weight = 0;
        key->beyond = 0;
    }
    sample->windows++;
}

static int compare_accesses(const void *a, const void *b) {
    const struct heat_access *x = a, *y = b;
    if (x->place.hash != y->place.hash) {
        return x->place.hash < y->place.hash ? -1 : 1;
    }
    if (x->place.sort != y->place.sort) {
        return x->place.sort < y->place.sort ? -1 : 1;
    }
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Sorts the sample and makes one access of those to one place. */
static void gather(struct heat_sample *sample) {
    uint32_t places = 0;
    qsort(sample->accesses, sample->count, sizeof sample->accesses[0], compare_accesses);
    for (uint32_t i = 0; i < sample->count; i++) {
        struct heat_access *last = &sample->accesses[places == 0 ? 0 : places - 1];
        const struct heat_access *next = &sample->accesses[i];
        if (places > 0 && last->place.hash == next->place.hash &&
            last->place.sort == next->place.sort) {
            last->weight += next->weight;
        } else {
            sample->accesses[places++] = *next;
        }
    }
    sample->count = places;
}

/* Whether a cut may come between two places of one partition key. */
static enum split_refusal refusal_within(const struct split_for_heat *heat,
                                         struct heat_sample *sample, uint64_t hash) {
    if (heat->has_local_index) {
        return SPLIT_LOCAL_INDEX;
    }
    const struct heat_key *key = find_key(sample, hash);
    return key != NULL && key->is_sequential ? SPLIT_SEQUENTIAL : SPLIT_NO_REFUSAL;
}

/* What is looked at in search of a cut. */
struct search {
    const struct split_for_heat *heat;
    struct heat_sample *sample;
    const struct partition_set *set;
    uint32_t partition;
    int64_t total;
    struct heat_decision *decision;
    enum split_refusal refusal; /* of the boundaries so far */
};

/* Cuts between two places if that may be: at the upper one, right behind the lower one when that
 * is to end alone; between partition keys where the upper or the next one begins. */
static bool try_cut(struct search *search, const struct partition_place *below,
                    const struct partition_place *above, bool behind) {
    struct partition_place cut = *above;
    if (below->hash == above->hash) {
        cut.sort = behind ? below->sort + 1 : above->sort;
        const enum split_refusal refusal =
            refusal_within(search->heat, search->sample, above->hash);
        if (refusal != SPLIT_NO_REFUSAL) {
            search->refusal = refusal;
            return false;
        }
    } else {
        cut = (struct partition_place){.hash = behind ? below->hash + 1 : above->hash};
    }
    if (!partition_set_may_split(search->set, search->partition, &cut)) {
        return false;
    }
    search->decision->cut = cut;
    search->decision->splits = true;
    return true;
}

/* The boundary that parts the weight most evenly, of those where a cut may be. */
static void cut_at_median(struct search *search) {
    const struct heat_access *accesses = search->sample->accesses;
    int64_t below = 0, best = INT64_MAX;
    for (uint32_t i = 1; i < search->sample->count; i++) {
        below += accesses[i - 1].weight;
        const int64_t apart = llabs(2 * below - search->total);
        if (apart < best && try_cut(search, &accesses[i - 1].place, &accesses[i].place, false)) {
            best = apart;
        }
    }
}

/* Parts one place from what is on its heavier side, or from the other side's. */
static void cut_beside(struct search *search, uint32_t item) {
    const struct heat_access *accesses = search->sample->accesses;
    const struct partition_place *place = &accesses[item].place;
    int64_t below = 0;
    for (uint32_t i = 0; i < item; i++) {
        below += accesses[i].weight;
    }
    const int64_t above = search->total - below - accesses[item].weight;
    const bool has_below = below > 0, has_above = above > 0;
    if (has_below && below >= above && try_cut(search, &accesses[item - 1].place, place, false)) {
        return;
    }
    if (has_above && try_cut(search, place, &accesses[item + 1].place, true)) {
        return;
    }
    if (has_below) {
        (void)try_cut(search, &accesses[item - 1].place, place, false);
    }
}

/* Looks for a cut of a partition that has been hot for long. */
static void decide(struct search *search) {
    struct heat_sample *sample = search->sample;
    uint32_t heaviest = 0;
    gather(sample);
    for (uint32_t i = 0; i < sample->count; i++) {
        search->total += sample->accesses[i].weight;
        if (sample->accesses[i].weight > sample->accesses[heaviest].weight) {
            heaviest = i;
        }
    }
    const int64_t weight = sample->accesses[heaviest].weight;
    if (is_share(weight - 1, search->heat->single_ppm, search->total)) { /* more than */
        cut_beside(search, heaviest);
    } else {
        cut_at_median(search);
    }
}

bool split_for_heat_open(struct split_for_heat *heat, const struct partition_set *set,
                         struct err *err) {
    const uint32_t known = heat->partitions.count;
    uint32_t first;
    if (known == set->count) {
        return true;
    }
    if (!grow_array_append(&heat->partitions, set->count - known, &first, err)) {
        return false;
    }
    for (uint32_t i = known; i < set->count; i++) {
        *state_of(heat, i) = (struct heat_partition){.refusal = SPLIT_NO_REFUSAL};
    }
    return true;
}

/* Whether a whole window's reads or writes come near the cap. */
__extension__ static bool is_hot(const struct split_for_heat *heat,
                                 const struct partition *partition, struct heat_partition *state) {
    const uint64_t read_ncu = partition_taken_ncu(partition, false);
    const uint64_t write_ncu = partition_taken_ncu(partition, true);
    const int64_t reads_ncu = (int64_t)(read_ncu - state->read_mark_ncu);
    const int64_t writes_ncu = (int64_t)(write_ncu - state->write_mark_ncu);
    state->read_mark_ncu = read_ncu;
    state->write_mark_ncu = write_ncu;
    return is_share(reads_ncu, heat->threshold_ppm,
                    (__int128)partition->read.rate_cu_per_s * HEAT_WINDOW_NS) ||
           is_share(writes_ncu, heat->threshold_ppm,
                    (__int128)partition->write.rate_cu_per_s * HEAT_WINDOW_NS);
}

static sim_ns draw_duration(const struct split_for_heat *heat, uint32_t partition) {
    const uint64_t draw = hash_draw(heat->stream, SEQUENCE_OF_SPLIT, partition);
    return hash_between(draw, heat->duration_min_ns, heat->duration_max_ns);
}

static void conclude(struct split_for_heat *heat, struct heat_partition *state,
                     const struct partition_set *set, uint32_t partition,
                     struct heat_decision *decision) {
    struct search search = {
        .heat = heat,
        .sample = state->sample,
        .set = set,
        .partition = partition,
        .decision = decision,
        .refusal = SPLIT_SINGLE_ITEM,
    };
    decide(&search);
    if (decision->splits) {
        decision->duration_ns = draw_duration(heat, partition);
        state->is_splitting = true;
        close_sample(heat, state);
        return;
    }
    if (state->refusal != search.refusal) {
        state->refusal = search.refusal;
        decision->refusal = search.refusal;
    }
    state->sample->count = 0; /* a fresh sample, in case that the traffic changes */
    state->sample->seen = 0;
}

bool split_for_heat_close_window(struct split_for_heat *heat, const struct partition_set *set,
                                 uint32_t partition, struct heat_decision *decision,
                                 struct err *err) {
    struct heat_partition *state = state_of(heat, partition);
    *decision = (struct heat_decision){.refusal = SPLIT_NO_REFUSAL};
    if (!partition_is_open(&set->partitions[partition]) || state->is_splitting) {
        close_sample(heat, state); /* split otherwise */
        return true;
    }
    if (!is_hot(heat, &set->partitions[partition], state)) {
        state->hot_windows = 0;
        close_sample(heat, state);
        return true;
    }
    state->hot_windows++;
    if (state->sample == NULL) {
        return open_sample(heat, state, err);
    }
    close_keys(heat, state->sample);
    if (state->hot_windows >= heat->windows && state->sample->windows >= 2 &&
        state->sample->count > 0) {
        conclude(heat, state, set, partition, decision);
    }
    return true;
}
