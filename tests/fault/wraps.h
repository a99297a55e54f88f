/*
 * wraps.h - Faults on demand: the n-th call of a kind fails, as that function fails.
 *
 * The linker puts these functions in place of those that our code calls (--wrap), so libraries
 * themselves work on. FAULT_LIBRARY goes further: the program's own malloc, calloc and realloc take
 * the place of libc's, so that every allocation fails, libfyaml's, SQLite's and libc's too; a build
 * with AddressSanitizer, which brings its own, has none of that. A count of all calls tells when
 * there is no n-th one any more.
 *
 * Owns: nothing; the state is the caller's, in memory shared with the child that is armed.
 */
#ifndef DDBSIM_TESTS_FAULT_WRAPS_H
#define DDBSIM_TESTS_FAULT_WRAPS_H

#include <stdbool.h>
#include <stdint.h>

/* FAULT_WRITE: those of FAULT_FILE that write, sync, cut or rename a file. */
enum fault_kind { FAULT_MEMORY, FAULT_FILE, FAULT_SQLITE, FAULT_LIBRARY, FAULT_WRITE };

#define FAULT_STATUS_DIED 97

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAULT_HAS_SANITIZER
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define FAULT_HAS_SANITIZER
#endif

struct fault {
    enum fault_kind kind;
    uint32_t at;          /* which call of the kind fails, from 0 */
    bool lasting;         /* and all behind it */
    bool dies;            /* it does not fail: the program ends there, in the middle of a write */
    uint32_t calls;       /* of the kind, so far */
    const char *function; /* that has failed first; NULL: none has */
};

/* From now on, until it is called with NULL. */
void fault_arm(struct fault *fault);

/* SQLite's own writes are calls of kind FAULT_WRITE, too. */
void fault_meet_sqlite(void);

#endif
