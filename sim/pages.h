/*
 * pages.h - Large zeroed memory straight from the kernel, on huge pages where it has them.
 *
 * Random access to millions of keys misses the TLB on small pages, most of all in a virtual
 * machine. Huge pages need an aligned address, which malloc does not give.
 *
 * Source:  Linux, Documentation/admin-guide/mm/transhuge.rst.
 * Owns:    nothing; the caller gives the memory back with its size.
 * Cost:    two or three system calls; pages are made as they are touched.
 */
#ifndef DDBSIM_SIM_PAGES_H
#define DDBSIM_SIM_PAGES_H

#include <stddef.h>

#define PAGES_HUGE_BYTES ((size_t)2 << 20) /* of x86-64 and of arm64 with 4 KiB pages */

/* bytes of zeroes (at least 1) aligned to PAGES_HUGE_BYTES, or NULL. */
void *pages_new(size_t bytes);
void pages_free(void *pages, size_t bytes);

#endif
