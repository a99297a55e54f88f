/*
 * service_changes.h - What is done to the tables of a service_life.h: UpdateTable, indexes made and
 * deleted, leaders and nodes lost.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_TESTS_FUZZ_SERVICE_CHANGES_H
#define DDBSIM_TESTS_FUZZ_SERVICE_CHANGES_H

#include "tests/fuzz/service_life.h"

/* One half of a call of UpdateTable; UPDATE_KEEPS when it leaves that alone. */
static inline int64_t changes_setting(struct life *life) {
    return choices_below(life->choices, 2) == 0 ? UPDATE_KEEPS : life_choose_units(life);
}

/* An index is made, or one is deleted; *stage: what it is once the call is accepted. */
static inline enum life_stage *changes_existence(struct life *life, struct life_table *table,
                                                 struct table_update *update,
                                                 enum life_stage *becomes) {
    for (uint32_t i = 0; i < table->spec->global_index_count; i++) {
        if (table->stages[i] == INDEX_GONE || choices_below(life->choices, 4) != 1) {
            continue;
        }
        if (table->stages[i] == INDEX_TO_COME && !table->is_switched) {
            update->creates = 1 + i;
            *becomes = INDEX_THERE;
            return &table->stages[i];
        }
        if (table->stages[i] == INDEX_THERE) {
            update->deletes = 1 + i;
            *becomes = INDEX_GONE;
            return &table->stages[i];
        }
    }
    return NULL;
}

static inline void changes_lose_leader(struct life *life, uint32_t table) {
    const uint32_t partition =
        choices_below(life->choices, service_partition_count(&life->service, table));
    struct err err = {.kind = ERR_NONE};
    bool ready = choices_below(life->choices, 2) == 1
                     ? service_lose_leader(&life->service, life->now_ns, table, partition, &err)
                     : service_lose_node(&life->service, life->now_ns, table, partition,
                                         choices_below(life->choices, 2) == 1, &err);
    SIM_CHECKF(ready, "%s", err.text);
}

/* Any call: what contradicts the rules is refused with a reason of its own. */
static inline void changes_update_table(struct life *life, uint32_t number) {
    struct life_table *table = &life->tables[number];
    struct table_update update = table_update_nothing();
    struct change_reply reply;
    struct err err = {.kind = ERR_NONE};
    if (life->parameters.era != ERA_GAC) {
        return;
    }
    const uint32_t mode = choices_below(life->choices, 6);
    update.sets_billing_mode = mode < 2;
    update.billing_mode = mode == 0 ? BILLING_PAY_PER_REQUEST : BILLING_PROVISIONED;
    for (uint32_t i = 0; i <= table->spec->global_index_count; i++) {
        struct capacity_units *const settings[] = {&update.provisioned[i], &update.warm[i],
                                                   &update.max_on_demand[i]};
        const uint32_t which = choices_below(life->choices, 8);
        if (which < 3 && (i == 0 || table->stages[i - 1] == INDEX_THERE)) {
            settings[which]->read = changes_setting(life);
            settings[which]->write = changes_setting(life);
        }
    }
    table->is_changing = true;
    enum life_stage becomes = INDEX_THERE;
    enum life_stage *stage =
        update.sets_billing_mode ? NULL : changes_existence(life, table, &update, &becomes);
    bool ready = service_update_table(&life->service, life->now_ns, number, &update, &reply, &err);
    SIM_CHECKF(ready, "%s", err.text);
    SIM_CHECK(reply.answer < CHANGE_ANSWER_COUNT);
    SIM_CHECK(reply.position <= table->spec->global_index_count);
    SIM_CHECK(reply.answer != CHANGE_ACCEPTED || reply.done_ns >= life->now_ns);
    if (reply.answer == CHANGE_ACCEPTED) {
        table->is_switched |= update.sets_billing_mode;
        if (stage != NULL) {
            *stage = becomes;
        }
    }
}

#endif
