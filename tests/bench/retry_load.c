#include "tests/bench/retry_load.h"

#include "sim/check.h"
#include "sim/hash.h"
#include "sim/random.h"
#include "tests/bench/binary_heap.h"
#include "workloads/zipf.h"

#include <stdbool.h>
#include <stdlib.h>

#define KEYS 1000000
#define EXPONENT 0.99
#define PARTITIONS 64
#define GAP_NS 25000.0
#define TOKEN_NS (SIM_NS_PER_S / 1000) /* a partition admits one request in so long */
#define BURST_NS SIM_NS_PER_S
#define TURNAROUND_NS SIM_NS_PER_MS
#define FIRST_WAIT_NS (50 * SIM_NS_PER_MS)
#define WAIT_NS_MAX (20 * SIM_NS_PER_S)
#define RETRIES_MAX 10
#define STEPS_A_REQUEST 8

struct recording {
    struct retry_load load;
    size_t capacity;
    struct binary_heap pending; /* subject: attempt in the low 8 bits, partition above */
    sim_ns free_ns[PARTITIONS]; /* when a bucket would be full */
    struct random_stream jitter;
};

static void add_step(struct recording *recording, sim_ns step) {
    SIM_CHECK(recording->load.count < recording->capacity);
    recording->load.steps[recording->load.count++] = step;
}

static bool admit(struct recording *recording, uint32_t partition, sim_ns now_ns) {
    sim_ns *free_ns = &recording->free_ns[partition];
    sim_ns next_ns = (*free_ns > now_ns ? *free_ns : now_ns) + TOKEN_NS;
    if (next_ns > now_ns + BURST_NS) {
        return false;
    }
    *free_ns = next_ns;
    return true;
}

static void send(struct recording *recording, uint32_t partition, uint32_t attempt, sim_ns now_ns) {
    if (admit(recording, partition, now_ns)) {
        return;
    }
    recording->load.first_refusals += attempt == 0;
    if (attempt == RETRIES_MAX) {
        return;
    }
    sim_ns most_ns = FIRST_WAIT_NS << attempt;
    most_ns = most_ns < WAIT_NS_MAX ? most_ns : WAIT_NS_MAX;
    sim_ns jitter_ns = (sim_ns)random_below(&recording->jitter, (uint64_t)most_ns);
    sim_ns at_ns = now_ns + TURNAROUND_NS + jitter_ns;
    add_step(recording, at_ns);
    binary_heap_push(&recording->pending, at_ns, 0, (uint64_t)partition << 8 | (attempt + 1));
    if (recording->pending.count > recording->load.pending_max) {
        recording->load.pending_max = recording->pending.count;
    }
}

static void retry_until(struct recording *recording, sim_ns until_ns) {
    while (recording->pending.count > 0 && recording->pending.timers[0].at_ns <= until_ns) {
        struct timer timer = binary_heap_pop(&recording->pending);
        add_step(recording, RETRY_LOAD_POP);
        recording->load.pops++;
        send(recording, (uint32_t)(timer.subject >> 8), (uint32_t)timer.subject & 255, timer.at_ns);
    }
}

struct retry_load retry_load_record(uint64_t requests, uint64_t seed) {
    struct recording recording = {.load = {.requests = requests}};
    struct err err = {ERR_NONE, ""};
    struct arena arena;
    struct zipf zipf;
    struct random_stream keys, gaps;
    arena_init(&arena);
    random_init(&keys, &(struct random_name){seed, 0, "retries", "key"});
    random_init(&gaps, &(struct random_name){seed, 0, "retries", "arrivals"});
    random_init(&recording.jitter, &(struct random_name){seed, 0, "retries", "jitter"});
    recording.capacity = requests * STEPS_A_REQUEST;
    recording.load.steps = malloc(recording.capacity * sizeof(sim_ns));
    recording.pending.capacity = requests;
    recording.pending.timers = malloc(requests * sizeof(struct timer));
    bool ready = recording.load.steps != NULL && recording.pending.timers != NULL &&
                 zipf_init(&zipf, &arena, KEYS, EXPONENT, &err);
    SIM_CHECK(ready);
    sim_ns now_ns = 0;
    for (uint64_t i = 0; i < requests; i++) {
        uint64_t key;
        now_ns += (sim_ns)(random_exponential(&gaps) * GAP_NS);
        retry_until(&recording, now_ns);
        zipf_fill(&zipf, &keys, &key, 1);
        send(&recording, (uint32_t)(hash_mix(key) % PARTITIONS), 0, now_ns);
    }
    free(recording.pending.timers);
    arena_fini(&arena);
    return recording.load;
}

void retry_load_fini(struct retry_load *load) {
    free(load->steps);
    *load = (struct retry_load){.steps = NULL};
}
