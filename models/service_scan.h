/*
 * service_scan.h - One reader of a table or an index: pages of a Scan, through the service.
 *
 * A page is one attempt. It takes its units from the table's (or the global index's) capacity as
 * one, and from each partition that it reads what it reads there; all admit it or none pays. As a
 * Query, it is admitted as long as anything is left of each, and may leave a debt.
 *
 * Source:  scan.h, service.h.
 * Owns:    what was counted, in the service's arena.  Cost: scan.h.
 */
#ifndef DDBSIM_MODELS_SERVICE_SCAN_H
#define DDBSIM_MODELS_SERVICE_SCAN_H

#include "models/scan.h"
#include "models/service.h"

#include <stdbool.h>
#include <stdint.h>

#define SERVICE_SCAN_TABLE UINT32_MAX /* no index */

struct service_scan {
    uint32_t table, index; /* index: its position in the table's spec, or SERVICE_SCAN_TABLE */
    uint32_t resource;     /* whose capacity it takes: the table, or a global index */
    /* before the run; 0 when the spec does not say */
    uint64_t item_count, size_bytes;
    struct scan_contents contents;
};

/* spec is the table's. */
void service_scan_init(struct service_scan *scan, const struct service *service, uint32_t table,
                       uint32_t index, const struct table_spec *spec);

/* A page that is asked for. */
struct service_scan_request {
    const struct scan_range *range; /* not done (checked) */
    uint64_t limit;                 /* items; 0: none */
    uint32_t router;
    bool consistent_read; /* not of a global index (checked) */
};

/* Submits it at now (never before an earlier attempt). Fills outcomes, one for each partition that
 * was read, or the one of a refusal; *count of them, at most SCAN_PARTS_MAX; and what is left after
 * the page, which is all of it when it was refused. False on no memory. */
bool service_scan_page(struct service *service, struct service_scan *scan, sim_ns now_ns,
                       const struct service_scan_request *request, struct outcome *outcomes,
                       uint32_t *count, struct scan_range *rest, struct err *err) ERR_WARN_UNUSED;

#endif
