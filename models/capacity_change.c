#include "models/capacity_change.h"

#include "models/partition.h"
#include "sim/check.h"
#include "sim/hash.h"
#include "sim/lognormal.h"

#define HOUR_NS (3600 * SIM_NS_PER_S)
#define DAY_NS (24 * HOUR_NS)
#define HOURS_A_DAY 24
#define NO_SWITCH INT64_MIN

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static int64_t utc_hour(const struct capacity_change *change, sim_ns now_ns) {
    const int64_t now_s = change->start_epoch_s + now_ns / SIM_NS_PER_S;
    return floor_div(now_s, HOUR_NS / SIM_NS_PER_S);
}

static struct capacity_units highest_of(struct capacity_units a, struct capacity_units b) {
    return (struct capacity_units){a.read > b.read ? a.read : b.read,
                                   a.write > b.write ? a.write : b.write};
}

void capacity_change_init(struct capacity_change *change, const struct change_setup *setup) {
    const struct table_spec *table = setup->table;
    SIM_CHECK(table->global_index_count < UPDATE_POSITIONS);
    *change = (struct capacity_change){
        .account = setup->account,
        .parameters = setup->parameters,
        .resource_count = 1 + table->global_index_count,
        .billing_mode = table->billing_mode,
        .start_epoch_s = setup->start_epoch_s,
        .stream = setup->stream,
        .done_ns = SIM_NS_MAX,
    };
    for (uint32_t i = 0; i < TABLE_SWITCHES_MAX; i++) {
        change->switches_ns[i] = NO_SWITCH;
    }
    for (uint32_t i = 0; i < change->resource_count; i++) {
        const struct index_spec *index = i == 0 ? NULL : &table->indexes[i - 1];
        const struct throughput_spec *throughput = table_throughput(table, i);
        struct change_resource *resource = &change->resources[i];
        *resource = (struct change_resource){
            .max_on_demand = throughput->max_on_demand,
            .highest = highest_of(throughput->warm, throughput->highest_provisioned),
            .partitions = 1,
            .decreases = CHANGE_DECREASES_MAX,
            .decreases_hour = utc_hour(change, 0),
        };
        if (table->billing_mode == BILLING_PROVISIONED) {
            resource->provisioned = (struct capacity_units){
                index == NULL ? table->read_capacity_units : index->read_capacity_units,
                index == NULL ? table->write_capacity_units : index->write_capacity_units};
        }
        resource->highest = highest_of(resource->highest, resource->provisioned);
        setup->account->provisioned.read += resource->provisioned.read;
        setup->account->provisioned.write += resource->provisioned.write;
    }
}

int64_t capacity_change_decreases(const struct capacity_change *change, uint32_t position,
                                  sim_ns now_ns) {
    SIM_CHECK(position < change->resource_count);
    const struct change_resource *resource = &change->resources[position];
    const int64_t hour = utc_hour(change, now_ns);
    if (floor_div(hour, HOURS_A_DAY) != floor_div(resource->decreases_hour, HOURS_A_DAY)) {
        return CHANGE_DECREASES_MAX;
    }
    const int64_t stored = resource->decreases + (hour - resource->decreases_hour);
    return stored < CHANGE_DECREASES_MAX ? stored : CHANGE_DECREASES_MAX;
}

int64_t capacity_change_partitions(const struct capacity_change *change,
                                   struct capacity_units units) {
    const struct table_spec table = {
        .billing_mode = BILLING_PROVISIONED,
        .read_capacity_units = units.read,
        .write_capacity_units = units.write,
        .table_size_bytes = SPEC_UNKNOWN,
    };
    return partition_count_initial(&table, change->parameters);
}

static int64_t kept_or(int64_t asked, int64_t kept) {
    return asked == UPDATE_KEEPS ? kept : asked;
}

/* What a position has when the call is in force. */
static struct capacity_units after(struct capacity_units asked, struct capacity_units now) {
    return (struct capacity_units){kept_or(asked.read, now.read), kept_or(asked.write, now.write)};
}

static bool same(struct capacity_units a, struct capacity_units b) {
    return a.read == b.read && a.write == b.write;
}

static bool asks(struct capacity_units units) {
    return units.read != UPDATE_KEEPS || units.write != UPDATE_KEEPS;
}

static bool exceeds(int64_t units, int64_t quota) {
    return quota > 0 && units > quota;
}

static bool exceeds_table(const struct quotas_spec *quotas, struct capacity_units units) {
    return exceeds(units.read, quotas->table_max_read) ||
           exceeds(units.write, quotas->table_max_write);
}

/* Units of a position that are provisioned once the call is in force. */
static struct capacity_units provisioned_after(const struct capacity_change *change,
                                               const struct table_update *update, uint32_t i) {
    const bool is_on_demand =
        (update->sets_billing_mode ? update->billing_mode : change->billing_mode) ==
        BILLING_PAY_PER_REQUEST;
    return is_on_demand ? (struct capacity_units){0, 0}
                        : after(update->provisioned[i], change->resources[i].provisioned);
}

static bool changes_mode(const struct capacity_change *change, const struct table_update *update) {
    return update->sets_billing_mode && update->billing_mode != change->billing_mode;
}

static bool changes_anything(const struct capacity_change *change,
                             const struct table_update *update) {
    bool changes = changes_mode(change, update) || update->creates > 0 || update->deletes > 0;
    for (uint32_t i = 0; i < change->resource_count; i++) {
        const struct change_resource *resource = &change->resources[i];
        changes |= !same(provisioned_after(change, update, i), resource->provisioned);
        changes |= asks(update->warm[i]);
        changes |= change->billing_mode == BILLING_PAY_PER_REQUEST && asks(update->provisioned[i]);
        changes |= !same(after(update->max_on_demand[i], resource->max_on_demand),
                         resource->max_on_demand);
    }
    return changes;
}

/* The rules about the mode. */
static enum change_answer check_mode(const struct capacity_change *change, sim_ns now_ns,
                                     const struct table_update *update, uint32_t i) {
    const enum billing_mode mode =
        update->sets_billing_mode ? update->billing_mode : change->billing_mode;
    const struct capacity_units units = provisioned_after(change, update, i);
    if (mode == BILLING_PAY_PER_REQUEST) {
        const bool wraps = changes_mode(change, update) && i == 0;
        const sim_ns oldest_ns = change->switches_ns[0];
        if (asks(update->provisioned[i])) {
            return CHANGE_ON_DEMAND;
        }
        return wraps && oldest_ns != NO_SWITCH && now_ns - oldest_ns < DAY_NS
                   ? CHANGE_SWITCHES_SPENT
                   : CHANGE_ACCEPTED;
    }
    if (units.read < 1 || units.write < 1) {
        return CHANGE_UNITS_MISSING;
    }
    return asks(update->max_on_demand[i]) ? CHANGE_PROVISIONED : CHANGE_ACCEPTED;
}

static bool lowers(struct capacity_units from, struct capacity_units to) {
    return to.read < from.read || to.write < from.write;
}

static bool is_decrease(const struct capacity_change *change, const struct table_update *update,
                        uint32_t i) {
    return !changes_mode(change, update) && change->billing_mode == BILLING_PROVISIONED &&
           lowers(change->resources[i].provisioned, provisioned_after(change, update, i));
}

struct capacity_units capacity_change_warm(const struct capacity_change *change,
                                           uint32_t position) {
    SIM_CHECK(position < change->resource_count);
    const struct change_resource *resource = &change->resources[position];
    /* a table of few units has warm what it has had, whatever its partitions could carry */
    if (change->billing_mode == BILLING_PROVISIONED) {
        return resource->highest;
    }
    const struct capacity_units carried = {resource->partitions * change->parameters->part_max_r,
                                           resource->partitions * change->parameters->part_max_w};
    return highest_of(resource->highest, carried);
}

static enum change_answer check_position(const struct capacity_change *change, sim_ns now_ns,
                                         const struct table_update *update, uint32_t i) {
    const struct quotas_spec *quotas = &change->account->quotas;
    const struct capacity_units units = provisioned_after(change, update, i);
    const struct capacity_units warm = capacity_change_warm(change, i);
    const struct capacity_units warm_after = after(update->warm[i], warm);
    const struct capacity_units none = {0, 0};
    const struct capacity_units max = after(update->max_on_demand[i], none);
    const enum change_answer answer = check_mode(change, now_ns, update, i);
    if (answer != CHANGE_ACCEPTED) {
        return answer;
    }
    if (exceeds_table(quotas, units) || exceeds_table(quotas, max) ||
        exceeds_table(quotas, after(update->warm[i], none))) { /* what partitions carry may */
        return CHANGE_TABLE_QUOTA;
    }
    if (asks(update->warm[i]) && lowers(warm, warm_after)) {
        return CHANGE_WARM_LOWER;
    }
    return is_decrease(change, update, i) && capacity_change_decreases(change, i, now_ns) == 0
               ? CHANGE_DECREASES_SPENT
               : CHANGE_ACCEPTED;
}

/* What the account has more of, or less, when the call is in force. */
static struct capacity_units account_change(const struct capacity_change *change,
                                            const struct table_update *update, int sign) {
    struct capacity_units sum = {0, 0};
    for (uint32_t i = 0; i < change->resource_count; i++) {
        const struct capacity_units now = change->resources[i].provisioned;
        const struct capacity_units then = provisioned_after(change, update, i);
        sum.read += (then.read - now.read) * sign > 0 ? then.read - now.read : 0;
        sum.write += (then.write - now.write) * sign > 0 ? then.write - now.write : 0;
    }
    return sum;
}

static bool exceeds_account(const struct change_account *account, struct capacity_units more) {
    return (more.read > 0 &&
            exceeds(account->provisioned.read + more.read, account->quotas.account_max_read)) ||
           (more.write > 0 &&
            exceeds(account->provisioned.write + more.write, account->quotas.account_max_write));
}

/* Doublings until a resource carries what the call asks for. */
static uint32_t doublings(const struct capacity_change *change, const struct table_update *update,
                          uint32_t i) {
    const int64_t for_units =
        capacity_change_partitions(change, provisioned_after(change, update, i));
    const struct capacity_units none = {0, 0};
    const int64_t for_warm = partition_count_for(after(update->warm[i], none), change->parameters);
    const int64_t needed = for_units > for_warm ? for_units : for_warm;
    uint32_t count = 0;
    for (int64_t have = change->resources[i].partitions; have < needed; have *= 2) {
        count++;
    }
    return count;
}

/* The resources change side by side: the one with most doublings takes longest. */
static sim_ns draw_time_ns(const struct capacity_change *change,
                           const struct table_update *update) {
    const struct model_parameters *parameters = change->parameters;
    if (changes_mode(change, update)) {
        return parameters->mode_switch_time;
    }
    const uint64_t draw = hash_draw(change->stream, change->calls, 0);
    sim_ns time_ns =
        lognormal_ns(draw, parameters->update_table_median, parameters->update_table_p99);
    uint32_t most = 0;
    for (uint32_t i = 0; i < change->resource_count; i++) {
        const uint32_t count = doublings(change, update, i);
        most = count > most ? count : most;
    }
    for (uint32_t i = 0; i < most; i++) {
        time_ns += hash_between(hash_draw(change->stream, change->calls, 1 + i),
                                parameters->split_duration_min, parameters->split_duration_max);
    }
    return time_ns < SIM_NS_MAX / 2 ? time_ns : SIM_NS_MAX / 2;
}

static void accept(struct capacity_change *change, sim_ns now_ns,
                   const struct table_update *update) {
    const struct capacity_units more = account_change(change, update, 1);
    change->account->provisioned.read += more.read;
    change->account->provisioned.write += more.write;
    for (uint32_t i = 0; i < change->resource_count; i++) {
        struct change_resource *resource = &change->resources[i];
        resource->decreases = capacity_change_decreases(change, i, now_ns);
        resource->decreases_hour = utc_hour(change, now_ns);
        resource->decreases -= is_decrease(change, update, i);
        SIM_CHECK(resource->decreases >= 0);
    }
    if (changes_mode(change, update) && update->billing_mode == BILLING_PAY_PER_REQUEST) {
        for (uint32_t i = 0; i + 1 < TABLE_SWITCHES_MAX; i++) {
            change->switches_ns[i] = change->switches_ns[i + 1];
        }
        change->switches_ns[TABLE_SWITCHES_MAX - 1] = now_ns;
    }
    change->done_ns = now_ns + draw_time_ns(change, update);
    change->calls++;
    change->pending = *update;
}

struct change_reply capacity_change_request(struct capacity_change *change, sim_ns now_ns,
                                            const struct table_update *update) {
    struct change_reply reply = {.answer = CHANGE_ACCEPTED, .done_ns = SIM_NS_MAX};
    if (change->done_ns != SIM_NS_MAX) {
        SIM_CHECK(now_ns <= change->done_ns);
        reply.answer = CHANGE_IN_USE;
    } else if (!changes_anything(change, update)) {
        reply.answer = CHANGE_NOTHING;
    } else if (change->is_building && (update->creates > 0 || update->deletes > 0)) {
        reply.answer = CHANGE_INDEX_BUILDING;
        reply.position = update->creates > 0 ? update->creates : update->deletes;
        return reply;
    }
    for (uint32_t i = 0; i < change->resource_count && reply.answer == CHANGE_ACCEPTED; i++) {
        reply.answer = check_position(change, now_ns, update, i);
        reply.position = reply.answer == CHANGE_ACCEPTED ? 0 : i;
    }
    if (reply.answer == CHANGE_ACCEPTED &&
        exceeds_account(change->account, account_change(change, update, 1))) {
        reply.answer = CHANGE_ACCOUNT_QUOTA;
    }
    if (reply.answer == CHANGE_ACCEPTED) {
        accept(change, now_ns, update);
        reply.done_ns = change->done_ns;
    }
    return reply;
}

bool capacity_change_complete(struct capacity_change *change, sim_ns now_ns,
                              struct table_update *done) {
    if (now_ns < change->done_ns) {
        return false;
    }
    *done = change->pending;
    const struct capacity_units less = account_change(change, done, -1);
    change->account->provisioned.read += less.read;
    change->account->provisioned.write += less.write;
    for (uint32_t i = 0; i < change->resource_count; i++) {
        struct change_resource *resource = &change->resources[i];
        resource->provisioned = provisioned_after(change, done, i);
        resource->max_on_demand = after(done->max_on_demand[i], resource->max_on_demand);
        resource->highest = highest_of(resource->highest, resource->provisioned);
        resource->highest = highest_of(resource->highest, done->warm[i]);
    }
    change->billing_mode = done->sets_billing_mode ? done->billing_mode : change->billing_mode;
    change->done_ns = SIM_NS_MAX;
    return true;
}

struct answer_words {
    const char *exception, *rule;
};

static const struct answer_words words[CHANGE_ANSWER_COUNT] = {
    [CHANGE_ACCEPTED] = {"", "accepted"},
    [CHANGE_NOTHING] = {"ValidationException", "it asks for what is there already"},
    [CHANGE_IN_USE] = {"ResourceInUseException",
                       "the table is UPDATING, and takes one change at a time"},
    [CHANGE_DECREASES_SPENT] = {"LimitExceededException",
                                "decreases are used up: 4 at 0:00 UTC, 1 more an hour, at most 4 "
                                "stored"},
    [CHANGE_TABLE_QUOTA] = {"LimitExceededException", "it is above the quota of a table or index"},
    [CHANGE_ACCOUNT_QUOTA] = {"LimitExceededException",
                              "it is above the account's quota of provisioned units"},
    [CHANGE_SWITCHES_SPENT] = {"LimitExceededException",
                               "a table switches to on-demand at most 4 times in 24 hours"},
    [CHANGE_ON_DEMAND] = {"ValidationException", "an on-demand table has no ProvisionedThroughput"},
    [CHANGE_UNITS_MISSING] = {"ValidationException",
                              "BillingMode PROVISIONED needs ProvisionedThroughput for the table "
                              "and each global index"},
    [CHANGE_PROVISIONED] = {"ValidationException", "OnDemandThroughput is for on-demand tables"},
    [CHANGE_INDEX_BUILDING] = {"LimitExceededException",
                               "one index of a table is created or deleted at a time"},
    [CHANGE_WARM_LOWER] = {"ValidationException", "warm throughput cannot be lowered"},
};

const char *capacity_change_rule(enum change_answer answer) {
    SIM_CHECK(answer < CHANGE_ANSWER_COUNT);
    return words[answer].rule;
}

const char *capacity_change_exception(enum change_answer answer) {
    SIM_CHECK(answer < CHANGE_ANSWER_COUNT);
    return words[answer].exception;
}
