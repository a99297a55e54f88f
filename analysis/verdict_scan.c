#include "analysis/verdict_scan.h"

#define SHARE_MIN 0.2 /* of the units read: a Scan with less is not what reads were refused for */

/* Scans are the only operation without a key. */
static double scan_share(const struct summary_resource *resource) {
    return words_share((double)resource->parts->keyless.consumed_rncu,
                       (double)resource->total->consumed_rncu);
}

static bool takes(const struct summary_resource *resource) {
    return resource->parts != NULL && resource->total->throttled_reads > 0 &&
           scan_share(resource) >= SHARE_MIN;
}

bool verdict_has_scans(const struct summary *summary) {
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (takes(&summary->resources[i])) {
            return true;
        }
    }
    return false;
}

static void say_resource(const struct summary_resource *resource, struct phrase *phrase) {
    const struct partition_bin *scans = &resource->parts->keyless;
    const uint64_t others = resource->total->throttled_reads - scans->throttled_reads;
    phrase_add(phrase, "%s%s%s %s: Scans took %s of its units read (%s RCU)",
               resource->index_name == NULL ? "table" : "index ",
               resource->index_name == NULL ? "" : resource->index_name,
               resource->index_name == NULL ? "" : " of table", resource->table_name,
               words_percent(scan_share(resource)).text, words_units(scans->consumed_rncu).text);
    phrase_add(phrase, ", %s of the %s refused reads were those of others",
               words_count(others).text, words_count(resource->total->throttled_reads).text);
}

void verdict_say_scans(const struct summary *summary, struct phrase *phrase) {
    const char *separator = "scan: ";
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (takes(&summary->resources[i])) {
            phrase_add(phrase, "%s", separator);
            say_resource(&summary->resources[i], phrase);
            separator = "; ";
        }
    }
    phrase_add(phrase,
               "; a Scan is let in while anything is left, and leaves a debt: pause between "
               "its pages (page_delay), ask for smaller ones (Limit), give it an hour or a "
               "copy of its own, or export the table");
}
