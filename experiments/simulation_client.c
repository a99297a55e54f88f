/*
 * Client objects: what calls of one SDK client share. Used only when they share something, or when
 * more than the service's capacity decides what becomes of an attempt (client_has_state, a leader
 * that is lost):
 *
 *   send ─▶ rate limiter ─▶ connection ─▶ service ─▶ answer ─▶ done, or quota ─▶ wait ─▶ send
 *            (adaptive)      (limited)                (or error, time-out)
 *
 * Both queues are first in, first out. A call that waits for its next attempt holds no connection.
 * An operation still ends, for the counts, when its last attempt is admitted and will be heard of.
 */
#include "experiments/simulation_parts.h"

#include "workloads/rate_limiter.h"
#include "workloads/retry_quota.h"

/* What the client hears of an attempt. */
#define HEARD_SUCCESS RETRY_FAILURES

/* One member on its way, from its first attempt to the last answer. */
struct call {
    struct attempt attempt; /* first: slab.h */
    sim_ns queued_at_ns;
    uint32_t object;
    uint32_t next;        /* in a queue */
    uint32_t quota_taken; /* by its last retry */
    uint32_t heard;       /* enum retry_failure or HEARD_SUCCESS */
    bool is_waiting;      /* for its next attempt, not for an answer */
    bool is_retried;      /* its number does not say: what a batch hands back is a new call */
};

struct queue {
    uint32_t head, tail; /* calls; SLAB_NONE: empty */
};

struct client_object {
    struct retry_quota quota;
    struct rate_limiter limiter;
    struct queue limiter_queue, connection_queue;
    sim_ns token_timer_ns; /* the one that counts; INT64_MAX: none */
    uint32_t connections_left;
};

struct simulation_clients {
    struct slab calls;
    struct client_object *objects;
    bool hears_success; /* an answer that is a success changes something too */
};

static struct call *call_at(const struct simulation *simulation, uint32_t index) {
    return slab_at(&simulation->clients->calls, index);
}

static struct workload_bin *counts(struct simulation *simulation, const struct call *call) {
    return &simulation->recorder.workloads[call->attempt.workload].second;
}

bool simulation_clients_init(struct simulation *simulation, struct err *err) {
    const struct client_spec *spec = &simulation->config.scenario->client;
    if (!client_has_state(spec) && !scenario_loses_leaders(simulation->config.scenario)) {
        return true;
    }
    struct simulation_clients *clients =
        ARENA_ARRAY(&simulation->arena, struct simulation_clients, 1, "clients", err);
    if (clients == NULL) {
        return false;
    }
    slab_init(&clients->calls, &simulation->arena, sizeof(struct call));
    clients->hears_success =
        spec->retry.quota_capacity > 0 || spec->retry.is_adaptive || spec->connections > 0;
    clients->objects =
        ARENA_ARRAY(&simulation->arena, struct client_object, spec->count, "client objects", err);
    if (clients->objects == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < spec->count; i++) {
        clients->objects[i] = (struct client_object){
            .quota = retry_quota_full(spec->retry.quota_capacity),
            .limiter = rate_limiter_new(0),
            .limiter_queue = {SLAB_NONE, SLAB_NONE},
            .connection_queue = {SLAB_NONE, SLAB_NONE},
            .token_timer_ns = INT64_MAX,
            .connections_left = spec->connections,
        };
    }
    simulation->clients = clients;
    return true;
}

static void enqueue(struct simulation *simulation, struct queue *queue, uint32_t index) {
    struct call *call = call_at(simulation, index);
    call->queued_at_ns = simulation->loop.now_ns;
    call->next = SLAB_NONE;
    if (queue->head == SLAB_NONE) {
        queue->head = index;
    } else {
        call_at(simulation, queue->tail)->next = index;
    }
    queue->tail = index;
}

static uint32_t dequeue(struct simulation *simulation, struct queue *queue) {
    const uint32_t index = queue->head;
    queue->head = call_at(simulation, index)->next;
    return index;
}

static uint64_t waited_ns(const struct simulation *simulation, const struct call *call) {
    return (uint64_t)(simulation->loop.now_ns - call->queued_at_ns);
}

/* What the client will hear of an attempt that is sent now, and when. */
static sim_ns hear(const struct simulation *simulation, const struct client_attempt *attempt,
                   enum client_fault fault, const struct simulation_reply *reply, uint32_t *heard) {
    const struct client_spec *spec = simulation->client.spec;
    sim_ns after_ns;
    const bool meets_no_leader = reply->fate == FATE_ERRORED && reply->ends != OPERATION_REJECTED;
    if (fault != CLIENT_FAULT_NONE || meets_no_leader) {
        *heard = RETRY_AFTER_ERROR;
        after_ns = spec->errors.latency_ns;
    } else if (reply->fate == FATE_THROTTLED) {
        *heard = RETRY_AFTER_THROTTLE;
        after_ns = spec->throttle_latency_ns;
    } else {
        *heard = HEARD_SUCCESS;
        after_ns = client_latency_ns(&simulation->client, attempt->workload, attempt->sequence,
                                     attempt->member, attempt->number);
    }
    if (spec->timeout_ns > 0 && after_ns > spec->timeout_ns) {
        *heard = RETRY_AFTER_TIMEOUT;
        after_ns = spec->timeout_ns;
    }
    return simulation->loop.now_ns + after_ns;
}

/* The call has all that it needs to be sent. */
static bool transmit(struct simulation *simulation, uint32_t index, struct err *err) {
    struct call *call = call_at(simulation, index);
    const struct client_attempt attempt = simulation_client_attempt(&call->attempt);
    const enum client_fault fault =
        client_fault(&simulation->client, &attempt, simulation->loop.now_ns);
    struct simulation_reply reply;
    if (!simulation_call(simulation, &call->attempt, fault != CLIENT_FAULT_REQUEST, &reply, err)) {
        return false;
    }
    const sim_ns answer_ns = hear(simulation, &attempt, fault, &reply, &call->heard);
    struct workload_bin *bin = counts(simulation, call);
    bin->timed_out += call->heard == RETRY_AFTER_TIMEOUT;
    bin->lost_replies += call->heard != HEARD_SUCCESS && reply.fate == FATE_ADMITTED;
    if (call->heard == HEARD_SUCCESS) {
        if (!simulation_answer(simulation, &call->attempt, reply.ends, answer_ns, err)) {
            return false;
        }
        if (!simulation->clients->hears_success) {
            slab_give(&simulation->clients->calls, index);
            return true;
        }
    }
    return loop_schedule(&simulation->loop, answer_ns, TIMER_CALL, index, err);
}

static bool take_connection(struct simulation *simulation, uint32_t index, struct err *err) {
    const struct call *call = call_at(simulation, index);
    struct client_object *object = &simulation->clients->objects[call->object];
    if (simulation->client.spec->connections == 0) {
        return transmit(simulation, index, err);
    }
    if (object->connections_left == 0) {
        enqueue(simulation, &object->connection_queue, index);
        return true;
    }
    object->connections_left--;
    return transmit(simulation, index, err);
}

/* A connection is free: for who waits longest, if anybody does. */
static bool give_connection(struct simulation *simulation, struct client_object *object,
                            struct err *err) {
    if (simulation->client.spec->connections == 0) {
        return true;
    }
    if (object->connection_queue.head == SLAB_NONE) {
        object->connections_left++;
        return true;
    }
    const uint32_t index = dequeue(simulation, &object->connection_queue);
    const struct call *call = call_at(simulation, index);
    counts(simulation, call)->queued++;
    counts(simulation, call)->queued_ns += waited_ns(simulation, call);
    return transmit(simulation, index, err);
}

/* Sees to it that a timer comes when the limiter has a token for the head of its queue. One that an
 * earlier one has replaced is ignored when it comes; when the limiter slows down, the timer comes
 * too early and is set again. */
static bool await_token(struct simulation *simulation, uint32_t number, struct err *err) {
    struct client_object *object = &simulation->clients->objects[number];
    const sim_ns at_ns = rate_limiter_next_ns(&object->limiter, simulation->loop.now_ns);
    if (object->limiter_queue.head == SLAB_NONE || at_ns >= object->token_timer_ns) {
        return true;
    }
    object->token_timer_ns = at_ns;
    return loop_schedule(&simulation->loop, at_ns, TIMER_TOKEN, number, err);
}

/* A new attempt of a call. */
static bool start_call(struct simulation *simulation, uint32_t index, struct err *err) {
    const struct call *call = call_at(simulation, index);
    struct client_object *object = &simulation->clients->objects[call->object];
    if (simulation->client.spec->retry.is_adaptive &&
        (object->limiter_queue.head != SLAB_NONE ||
         !rate_limiter_take(&object->limiter, simulation->loop.now_ns))) {
        enqueue(simulation, &object->limiter_queue, index);
        return await_token(simulation, call->object, err);
    }
    return take_connection(simulation, index, err);
}

bool simulation_clients_token(struct simulation *simulation, uint32_t number, struct err *err) {
    struct client_object *object = &simulation->clients->objects[number];
    if (simulation->loop.now_ns != object->token_timer_ns) {
        return true;
    }
    object->token_timer_ns = INT64_MAX;
    while (object->limiter_queue.head != SLAB_NONE &&
           rate_limiter_take(&object->limiter, simulation->loop.now_ns)) {
        const uint32_t index = dequeue(simulation, &object->limiter_queue);
        const struct call *call = call_at(simulation, index);
        counts(simulation, call)->held_back++;
        counts(simulation, call)->held_back_ns += waited_ns(simulation, call);
        if (!take_connection(simulation, index, err)) {
            return false;
        }
    }
    return await_token(simulation, number, err);
}

/* The client object of open-loop operations goes by their number, that of closed-loop clients by
 * theirs. */
static uint32_t object_of(const struct simulation *simulation, const struct attempt *attempt) {
    const uint32_t count = simulation->client.spec->count;
    if (attempt->client == SIMULATION_NONE) {
        return (uint32_t)(attempt->sequence % count);
    }
    return (simulation->workloads[attempt->workload].router_base + attempt->client) % count;
}

bool simulation_clients_send(struct simulation *simulation, const struct attempt *attempt,
                             struct err *err) {
    uint32_t index;
    struct call *call = slab_take(&simulation->clients->calls, &index, err);
    if (call == NULL) {
        return false;
    }
    *call = (struct call){.attempt = *attempt, .object = object_of(simulation, attempt)};
    if (attempt->values != NULL &&
        !simulation_keep_values(simulation, index, &call->attempt, err)) {
        return false;
    }
    return start_call(simulation, index, err);
}

/* The last attempt has failed: another one after a wait, or the member has failed. */
static bool fail(struct simulation *simulation, uint32_t index, struct client_object *object,
                 struct err *err) {
    struct call *call = call_at(simulation, index);
    const struct client_attempt attempt = simulation_client_attempt(&call->attempt);
    const enum retry_failure failure = (enum retry_failure)call->heard;
    const struct retry_policy *policy = &simulation->client.spec->retry;
    const sim_ns wait_ns = client_retry_wait_ns(&simulation->client, &attempt, failure);
    bool goes_on =
        wait_ns != CLIENT_GIVES_UP &&
        (failure != RETRY_AFTER_THROTTLE || !simulation_is_cancelled(simulation, &call->attempt));
    if (goes_on && policy->quota_capacity > 0) {
        call->quota_taken = policy->quota_costs[failure];
        goes_on = retry_quota_take(&object->quota, call->quota_taken);
        counts(simulation, call)->quota_stops += !goes_on;
    }
    if (goes_on) {
        call->attempt.number++;
        call->is_waiting = true;
        call->is_retried = true;
        return loop_schedule(&simulation->loop, simulation->loop.now_ns + wait_ns, TIMER_CALL,
                             index, err);
    }
    const struct attempt failed = call->attempt;
    slab_give(&simulation->clients->calls, index);
    return simulation_end_member(simulation, &failed, OPERATION_GAVE_UP, simulation->loop.now_ns,
                                 err);
}

static bool answered(struct simulation *simulation, uint32_t index, struct err *err) {
    const struct call *call = call_at(simulation, index);
    const uint32_t number = call->object;
    struct client_object *object = &simulation->clients->objects[number];
    if (simulation->client.spec->retry.is_adaptive) {
        rate_limiter_answered(&object->limiter, simulation->loop.now_ns,
                              call->heard == RETRY_AFTER_THROTTLE);
        if (!await_token(simulation, number, err)) {
            return false;
        }
    }
    if (call->heard == HEARD_SUCCESS) {
        retry_quota_refund(&object->quota, call->is_retried, call->quota_taken);
        slab_give(&simulation->clients->calls, index);
    } else if (!fail(simulation, index, object, err)) {
        return false;
    }
    return give_connection(simulation, object, err);
}

bool simulation_clients_call(struct simulation *simulation, uint32_t index, struct err *err) {
    struct call *call = call_at(simulation, index);
    if (!call->is_waiting) {
        return answered(simulation, index, err);
    }
    call->is_waiting = false;
    return start_call(simulation, index, err);
}
