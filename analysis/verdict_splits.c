#include "analysis/verdict_splits.h"

static bool has_any(const struct summary_splits *splits) {
    return splits->completed > 0 || splits->in_flight > 0 || splits->refusal != SPLIT_NO_REFUSAL;
}

bool verdict_has_splits(const struct summary *summary) {
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (has_any(&summary->resources[i].splits)) {
            return true;
        }
    }
    return false;
}

static void say_name(const struct summary_resource *resource, struct phrase *phrase) {
    if (resource->index_name != NULL) {
        phrase_add(phrase, "index %s of ", resource->index_name);
    }
    phrase_add(phrase, "table %s: ", resource->table_name);
}

static void say_cause(const struct summary_splits *splits, uint32_t count, const char *cause,
                      struct phrase *phrase) {
    if (count > 0) {
        phrase_add(phrase, ", %s for %s",
                   count == splits->completed ? "all" : words_count(count).text, cause);
    }
}

static void say_completed(const struct summary_resource *resource, struct phrase *phrase) {
    const struct summary_splits *splits = &resource->splits;
    phrase_add(phrase, "%s partition%s split", words_count(splits->completed).text,
               splits->completed == 1 ? " was" : "s were");
    say_cause(splits, splits->for_heat, "heat", phrase);
    say_cause(splits, splits->for_size, "size", phrase);
    phrase_add(phrase, ", at %s", words_duration(splits->first_s).text);
    if (splits->completed > 1) {
        phrase_add(phrase, " to %s", words_duration(splits->last_s).text);
    }
    phrase_add(phrase, ", from %u to %u open", (unsigned)resource->partitions_start,
               (unsigned)resource->partitions_end);
}

/* What the reason of an event means, and what helps. */
static const char *words_of_refusal(enum split_refusal refusal) {
    switch (refusal) {
    case SPLIT_SINGLE_ITEM:
        return "a single item takes the traffic, and one item never gets more than a partition "
               "gives: spread it over several items, or cache it";
    case SPLIT_SEQUENTIAL:
        return "ascending or descending sort key: all traffic goes to one end, so no cut would "
               "part it; spread it over several partition keys";
    case SPLIT_LOCAL_INDEX:
        return "the table has a local secondary index, so a partition key's items stay together: "
               "spread them over several partition keys";
    case SPLIT_NO_REFUSAL: break;
    }
    return "";
}

static void say_resource(const struct summary_resource *resource, struct phrase *phrase) {
    const struct summary_splits *splits = &resource->splits;
    const char *separator = "";
    say_name(resource, phrase);
    if (splits->completed > 0) {
        say_completed(resource, phrase);
        separator = "; ";
    }
    if (splits->in_flight > 0) {
        phrase_add(phrase, "%snext split at %s", separator, words_duration(splits->next_s).text);
        separator = "; ";
    }
    if (splits->refusal != SPLIT_NO_REFUSAL) {
        phrase_add(phrase, "%spartition %u cannot be split (%s): %s", separator,
                   (unsigned)splits->refused_partition, words_duration(splits->refused_s).text,
                   words_of_refusal(splits->refusal));
    }
}

void verdict_say_splits(const struct summary *summary, struct phrase *phrase) {
    const char *separator = "splits: ";
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (has_any(&summary->resources[i].splits)) {
            phrase_add(phrase, "%s", separator);
            say_resource(&summary->resources[i], phrase);
            separator = "; ";
        }
    }
}

bool verdict_has_rejections(const struct summary *summary) {
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (summary->resources[i].rejections > 0 || summary->resources[i].early_reads > 0) {
            return true;
        }
    }
    return false;
}

static void say_full(const struct summary_resource *resource, struct phrase *phrase) {
    phrase_add(phrase, "%s writes to table %s, ItemCollectionSizeLimitExceededException",
               words_count(resource->rejections).text, resource->table_name);
    if (resource->rejected_s >= 0) {
        phrase_add(phrase, ", since %s", words_duration(resource->rejected_s).text);
    }
    phrase_add(phrase,
               ": the table has a local secondary index, so the items of a partition key, with "
               "their index entries, stay below %.3g GB; spread them over several partition "
               "keys, or use a global index",
               (double)resource->collection_max_bytes / (double)(INT64_C(1) << 30));
}

static void say_early(const struct summary_resource *resource, struct phrase *phrase) {
    phrase_add(phrase, "%s Queries of index %s, which was not ACTIVE",
               words_count(resource->early_reads).text, resource->index_name);
    if (resource->active_s >= 0) {
        phrase_add(phrase, " before %s", words_duration(resource->active_s).text);
    }
    phrase_add(phrase, ": an index that is being built, or is deleted, cannot be read");
}

void verdict_say_rejections(const struct summary *summary, struct phrase *phrase) {
    const char *separator = "rejected: ";
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        const struct summary_resource *resource = &summary->resources[i];
        if (resource->rejections > 0) {
            phrase_add(phrase, "%s", separator);
            say_full(resource, phrase);
            separator = "; ";
        }
        if (resource->early_reads > 0) {
            phrase_add(phrase, "%s", separator);
            say_early(resource, phrase);
            separator = "; ";
        }
    }
}
