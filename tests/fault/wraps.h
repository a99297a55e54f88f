/*
 * wraps.h - Faults on demand: the n-th call of a kind fails, as that function fails.
 *
 * The linker puts these functions in place of those that our code calls (--wrap), so libraries
 * themselves work on: libfyaml crashes when its own memory fails (docs/adr/0006). A count of all
 * calls tells when there is no n-th one any more.
 *
 * Owns: nothing; the state is the caller's, in memory shared with the child that is armed.
 */
#ifndef DDBSIM_TESTS_FAULT_WRAPS_H
#define DDBSIM_TESTS_FAULT_WRAPS_H

#include <stdbool.h>
#include <stdint.h>

enum fault_kind { FAULT_MEMORY, FAULT_FILE, FAULT_SQLITE };

struct fault {
    enum fault_kind kind;
    uint32_t at;          /* which call of the kind fails, from 0 */
    bool lasting;         /* and all behind it */
    uint32_t calls;       /* of the kind, so far */
    const char *function; /* that has failed first; NULL: none has */
};

/* From now on, until it is called with NULL. */
void fault_arm(struct fault *fault);

#endif
