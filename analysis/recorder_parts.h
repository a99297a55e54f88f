/*
 * recorder_parts.h - The inside of the recorder, shared by recorder*.c and nobody else.
 *
 * Owns: nothing.
 */
#ifndef DDBSIM_ANALYSIS_RECORDER_PARTS_H
#define DDBSIM_ANALYSIS_RECORDER_PARTS_H

#include "analysis/recorder.h"

#include <stdbool.h>

/* A key's first use in the minute. */
bool recorder_touch_key(struct recorder *recorder, struct recorder_resource *resource, uint32_t key,
                        struct err *err) ERR_WARN_UNUSED;

#endif
