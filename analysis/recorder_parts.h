/*
 * recorder_parts.h - The inside of the recorder, shared by recorder*.c and nobody else.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_ANALYSIS_RECORDER_PARTS_H
#define DDBSIM_ANALYSIS_RECORDER_PARTS_H

#include "analysis/recorder.h"

#include <stdbool.h>

#define RECORDER_MINUTE_S 60

/* What tallies of keys are marked with in the open minute: differs within ten years, never 0. */
uint32_t recorder_minute_mark(const struct recorder *recorder);

/* Before a key is counted whose tally has not the minute's mark. */
bool recorder_touch_key(struct recorder_resource *resource, uint32_t mark, uint32_t key,
                        struct key_tally *tally, struct err *err) ERR_WARN_UNUSED;

#endif
