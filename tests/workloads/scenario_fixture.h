/*
 * scenario_fixture.h - A small good scenario, edited and read: each test changes one place of it.
 *
 * Owns: nothing; the edited text is malloc'ed for the caller.
 */
#ifndef DDBSIM_TESTS_WORKLOADS_SCENARIO_FIXTURE_H
#define DDBSIM_TESTS_WORKLOADS_SCENARIO_FIXTURE_H

#include "workloads/scenario.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURE_TEXT                                                                               \
    "name: hot\n"                           /*  1 */                                               \
    "duration: 10m\n"                       /*  2 */                                               \
    "seed: 7\n"                             /*  3 */                                               \
    "parameters: {shards: 4, rate: 2500}\n" /*  4 */                                               \
    "tables:\n"                             /*  5 */                                               \
    "  - TableName: orders\n"               /*  6 */                                               \
    "    ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 6}\n"                   \
    "    AttributeDefinitions:\n"                                          /*  8 */                \
    "      - {AttributeName: PK, AttributeType: S}\n"                      /*  9 */                \
    "      - {AttributeName: SK, AttributeType: N}\n"                      /* 10 */                \
    "    KeySchema:\n"                                                     /* 11 */                \
    "      - {AttributeName: PK, KeyType: HASH}\n"                         /* 12 */                \
    "      - {AttributeName: SK, KeyType: RANGE}\n"                        /* 13 */                \
    "fields:\n"                                                            /* 14 */                \
    "  player: {zipf: {n: 1000, s: 0.99}}\n"                               /* 15 */                \
    "workload:\n"                                                          /* 16 */                \
    "  - name: score\n"                                                    /* 17 */                \
    "    operation: UpdateItem\n"                                          /* 18 */                \
    "    rate: \"${rate}\"\n"                                              /* 19 */                \
    "    item: {PK: \"L#{hash(player) % ${shards}}\", SK: \"{player}\"}\n" /* 20 */                \
    "    item_size: 200B\n"                                                /* 21 */                \
    "client:\n"                                                            /* 22 */                \
    "  retry: none\n"                                                      /* 23 */                \
    "model:\n"                                                             /* 24 */                \
    "  routers: 2\n"                                                       /* 25 */                \
    "expect:\n"                                                            /* 26 */                \
    "  - {metric: throttled_share, max: 0.001}\n"                          /* 27 */

/* FIXTURE_TEXT with the only occurrence of `from` replaced; "" appends. */
static inline char *fixture_edit(const char *from, const char *to) {
    static const char text[] = FIXTURE_TEXT;
    const char *at = from[0] == '\0' ? text + strlen(text) : strstr(text, from);
    ck_assert_msg(at != NULL, "'%s' is not in the fixture", from);
    size_t before = (size_t)(at - text), to_bytes = strlen(to);
    char *edited = malloc(sizeof text + to_bytes);
    ck_assert_ptr_nonnull(edited);
    memcpy(edited, text, before);
    memcpy(edited + before, to, to_bytes);
    strcpy(edited + before + to_bytes, at + strlen(from));
    return edited;
}

/* Reads text as "hot.yaml"; the first override's path NULL ends the list. */
static inline bool fixture_read(struct scenario *scenario, const char *text,
                                const struct scenario_override *overrides, struct err *err) {
    size_t count = 0;
    while (overrides != NULL && overrides[count].path != NULL) {
        count++;
    }
    *err = (struct err){.kind = ERR_NONE};
    return scenario_read_text(scenario, "hot.yaml", text, strlen(text), overrides, count, err);
}

#endif
