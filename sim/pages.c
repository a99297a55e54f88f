#include "sim/pages.h"

#include "sim/check.h"

#include <stdint.h>
#include <sys/mman.h>

#define SMALL_PAGE_BYTES_MAX ((size_t)64 << 10) /* of any machine; a multiple of the others' */

static size_t round_up(size_t bytes, size_t unit_bytes) {
    return (bytes + unit_bytes - 1) / unit_bytes * unit_bytes;
}

static void unmap(unsigned char *from, size_t bytes) {
    if (bytes > 0) {
        int failed = munmap(from, bytes);
        SIM_CHECK(failed == 0);
    }
}

/* Maps enough to find an aligned stretch in it, and gives back what lies around. */
void *pages_new(size_t bytes) {
    SIM_CHECK(bytes > 0);
    if (bytes > SIZE_MAX / 2) {
        return NULL;
    }
    size_t wanted_bytes = round_up(bytes, SMALL_PAGE_BYTES_MAX);
    size_t mapped_bytes = wanted_bytes + PAGES_HUGE_BYTES;
    unsigned char *mapped =
        mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        return NULL;
    }
    size_t before_bytes = -(size_t)(uintptr_t)mapped & (PAGES_HUGE_BYTES - 1);
    unsigned char *pages = mapped + before_bytes;
    unmap(mapped, before_bytes);
    unmap(pages + wanted_bytes, mapped_bytes - before_bytes - wanted_bytes);
    (void)madvise(pages, wanted_bytes, MADV_HUGEPAGE); /* only advice: a refusal is no failure */
    return pages;
}

void pages_free(void *pages, size_t bytes) {
    if (pages != NULL) {
        unmap(pages, round_up(bytes, SMALL_PAGE_BYTES_MAX));
    }
}
