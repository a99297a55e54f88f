#include "cli/run_report.h"

#include "analysis/verdict.h"
#include "analysis/words.h"
#include "cli/plot_words.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define LINE_COLUMNS 96
#define KEYS_SHOWN 5
#define KEY_COLUMNS 32
#define KEY_STANDS_OUT 0.01 /* of a table's units */

static double share(uint64_t part, uint64_t whole) {
    return words_share((double)part, (double)whole);
}

/* text, then blanks up to width columns. */
static void put_left(FILE *out, const char *text, size_t width) {
    const size_t columns = plot_columns(text);
    fprintf(out, "%s%*s", text, width > columns ? (int)(width - columns) : 0, "");
}

/* The name of a key, which is no text of ours, in width columns. */
static void put_name(FILE *out, const char *name, size_t width) {
    char text[PLOT_NAME_BYTES];
    put_left(out, plot_clean(name, width, true, text), width);
}

/* One paragraph, broken between words, each line indented. */
static void put_wrapped(FILE *out, const char *text, size_t length, int indent) {
    int column = 0;
    while (length > 0) {
        size_t word = 0;
        int columns = 0;
        for (; word < length && text[word] != ' '; word++) {
            columns += ((unsigned char)text[word] & 0xc0) != 0x80;
        }
        if (column == 0 || column + 1 + columns > LINE_COLUMNS) {
            fprintf(out, "%s%*s", column == 0 ? "" : "\n", indent + (column == 0 ? 0 : 2), "");
            column = indent + (column == 0 ? 0 : 2);
        } else {
            fputc(' ', out);
            column++;
        }
        fwrite(text, 1, word, out);
        column += columns;
        const size_t skipped = word < length ? word + 1 : word;
        text += skipped;
        length -= skipped;
    }
    fputc('\n', out);
}

static void put_paragraphs(FILE *out, const char *text, int indent) {
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        put_wrapped(out, text, length, indent);
        text += text[length] == '\n' ? length + 1 : length;
    }
}

static void put_operations(FILE *out, const struct summary *summary) {
    const struct workload_bin *total = &summary->total;
    fprintf(out, "  operations  %s offered, %s succeeded", words_count(total->offered).text,
            words_count(total->succeeded).text);
    const struct {
        uint64_t count;
        const char *what;
    } others[] = {{total->condition_failed, "failed their condition"},
                  {total->rejected, "rejected"},
                  {total->gave_up, "given up"},
                  {summary->in_flight, "in flight at the end"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].count > 0) {
            fprintf(out, ", %s %s (%s)", words_count(others[i].count).text, others[i].what,
                    words_percent(share(others[i].count, total->offered)).text);
        }
    }
    if (total->unprocessed > 0) {
        fprintf(out, "; %s members of batches left unprocessed",
                words_count(total->unprocessed).text);
    }
    fputc('\n', out);
}

static void put_attempts(FILE *out, const struct summary *summary) {
    const struct workload_bin *total = &summary->total;
    fprintf(out, "  attempts    %s, %s throttled (%s)", words_count(total->attempts).text,
            words_count(total->throttled).text,
            words_percent(share(total->throttled, total->attempts)).text);
    if (summary->first_throttle_s >= 0) {
        fprintf(out, ", first in second %s", words_count((uint64_t)summary->first_throttle_s).text);
    }
    fputc('\n', out);
    if (summary->latency_ms_p50 >= 0) {
        fprintf(out, "  latency     p50 %s ms, p99 %s ms, max %s ms of operations that succeeded\n",
                words_rate(summary->latency_ms_p50).text, words_rate(summary->latency_ms_p99).text,
                words_rate(summary->latency_ms_max).text);
    }
}

/* One direction of a table's figures. */
struct direction_row {
    const char *name, *unit;
    int64_t provisioned, consumed_ncu, peak_minute_ncu, burst_ncu;
    uint64_t throttled;
};

static void put_direction(FILE *out, const struct direction_row *row, double duration_s) {
    const double minute_s = duration_s < 60 ? duration_s : 60;
    const double mean = duration_s > 0 ? (double)row->consumed_ncu / 1e9 / duration_s : 0;
    const double peak = minute_s > 0 ? (double)row->peak_minute_ncu / 1e9 / minute_s : 0;
    fprintf(out, "    %-8s%14s%14s%14s%14s%14s  %s\n", row->name,
            row->provisioned < 0 ? "-" : words_count((uint64_t)row->provisioned).text,
            words_rate(mean).text, words_rate(peak).text, words_units(row->burst_ncu).text,
            words_count(row->throttled).text, row->unit);
}

static void put_directions(FILE *out, const struct summary_resource *resource, double duration_s) {
    const struct resource_bin *total = resource->total;
    const struct recorder_direction *directions = resource->directions;
    const struct direction_row reads = {
        .name = "reads",
        .unit = "RCU",
        .provisioned = resource->provisioned_rcu,
        .consumed_ncu = total->consumed_rncu,
        .peak_minute_ncu = directions[RECORDER_READS].peak_minute_ncu,
        .burst_ncu = resource->last_sample.burst_rncu,
        .throttled = total->throttled_reads,
    };
    const struct direction_row writes = {
        .name = "writes",
        .unit = "WCU",
        .provisioned = resource->provisioned_wcu,
        .consumed_ncu = total->consumed_wncu,
        .peak_minute_ncu = directions[RECORDER_WRITES].peak_minute_ncu,
        .burst_ncu = resource->last_sample.burst_wncu,
        .throttled = total->throttled_writes,
    };
    fprintf(out, "            %14s%14s%14s%14s%14s\n", "provisioned/s", "mean used/s",
            "peak minute/s", "burst left", "throttled");
    put_direction(out, &reads, duration_s);
    put_direction(out, &writes, duration_s);
    if (resource->index_name != NULL) {
        const struct resource_sample *last = &resource->last_sample;
        fprintf(out, "    %s entries written, %s WCU waiting at the end, %s WCU of debt\n",
                words_count(total->index_writes).text, words_units(last->buffered_wncu).text,
                words_units(last->debt_wncu).text);
        if (resource->lag_ms_max >= 0) {
            fprintf(out, "    entries late by %s at the 99th percentile, at most %s\n",
                    words_duration(resource->lag_ms_p99 / 1000).text,
                    words_duration(resource->lag_ms_max / 1000).text);
        }
    }
    for (int reason = 0; reason < THROTTLE_REASON_COUNT; reason++) {
        if (total->events[reason] > 0) {
            fprintf(out, "    %s %s\n", throttle_reason_name((enum throttle_reason)reason),
                    words_count(total->events[reason]).text);
        }
    }
}

static void put_key(FILE *out, const struct summary_key *key, double duration_s) {
    const struct key_counters *counters = &key->counters;
    const uint64_t throttled = counters->throttled_reads + counters->throttled_writes;
    const uint64_t attempts = counters->reads + counters->writes + throttled;
    const double scale = duration_s > 0 ? 1e9 * duration_s : 1e9;
    fputs("    ", out);
    put_name(out, key->name, KEY_COLUMNS);
    fprintf(out, "%10" PRIu32 "%14s%14s%14s%9s\n", key->partition,
            words_rate((double)counters->consumed_rncu / scale).text,
            words_rate((double)counters->consumed_wncu / scale).text, words_count(throttled).text,
            words_percent(share(throttled, attempts)).text);
}

static void put_keys(FILE *out, const char *heading, const struct summary_key *keys, uint32_t count,
                     double duration_s) {
    if (count == 0) {
        return;
    }
    fputs("    ", out);
    put_left(out, heading, KEY_COLUMNS);
    fprintf(out, "%10s%14s%14s%14s\n", "partition", "RCU/s", "WCU/s", "throttled");
    for (uint32_t i = 0; i < count && i < KEYS_SHOWN; i++) {
        put_key(out, &keys[i], duration_s);
    }
}

static int64_t units_of(const struct summary_key *key) {
    return key->counters.consumed_rncu + key->counters.consumed_wncu;
}

/* The keys that use most, if any stands out among the others. */
static void put_hottest(FILE *out, const struct summary_resource *resource, double duration_s) {
    const struct resource_bin *total = resource->total;
    const double all = (double)(total->consumed_rncu + total->consumed_wncu);
    if (resource->hottest_count == 0 || all <= 0) {
        return;
    }
    const double top = (double)units_of(&resource->hottest[0]) / all;
    if (top < KEY_STANDS_OUT) {
        fprintf(out, "    no key stands out: the hottest, %s, has %s of the units\n",
                resource->hottest[0].name, words_percent(top).text);
        return;
    }
    put_keys(out, "hottest keys", resource->hottest, resource->hottest_count, duration_s);
}

/* Whether the second list names a key that the first, as far as it is shown, does not. */
static bool adds_keys(const struct summary_resource *resource) {
    for (uint32_t i = 0; i < resource->throttled_count && i < KEYS_SHOWN; i++) {
        bool found = false;
        for (uint32_t k = 0; k < resource->hottest_count && k < KEYS_SHOWN; k++) {
            found = found || resource->hottest[k].key == resource->throttled[i].key;
        }
        if (!found) {
            return true;
        }
    }
    return false;
}

static void put_resource(FILE *out, const struct summary_resource *resource, double duration_s) {
    const char *plural = resource->partitions_end == 1 ? "" : "s";
    if (resource->index_name == NULL) {
        fprintf(out, "\ntable %s", resource->table_name);
    } else {
        fprintf(out, "\nindex %s of table %s", resource->index_name, resource->table_name);
    }
    fprintf(out, ": %s partition%s, %s key%s used", words_count(resource->partitions_end).text,
            plural, words_count(resource->keys).text, resource->keys == 1 ? "" : "s");
    if (resource->throttled_keys > 0) {
        fprintf(out, ", %s throttled, on %s partition%s",
                words_count(resource->throttled_keys).text,
                words_count(resource->throttled_partitions).text,
                resource->throttled_partitions == 1 ? "" : "s");
    }
    fputc('\n', out);
    put_directions(out, resource, duration_s);
    put_hottest(out, resource, duration_s);
    if (adds_keys(resource)) {
        put_keys(out, "most throttled keys", resource->throttled, resource->throttled_count,
                 duration_s);
    }
}

void run_report_heading(FILE *out, const struct scenario *scenario) {
    put_wrapped(out, scenario->name, strlen(scenario->name), 0);
    if (scenario->about != NULL && *scenario->about != '\0') {
        put_wrapped(out, scenario->about, strlen(scenario->about), 2);
    }
    for (uint32_t i = 0; i < scenario->note_count; i++) {
        fprintf(out, "  note: %s\n", scenario->notes[i]);
    }
    fputc('\n', out);
}

void run_report_text(FILE *out, const struct summary *summary) {
    fprintf(out, "  seed %" PRIu64 ", replication %" PRIu64 ": %s simulated in %s s\n",
            summary->seed, summary->replication, words_duration(summary->duration_s).text,
            words_rate(summary->wall_s).text);
    put_operations(out, summary);
    put_attempts(out, summary);
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        put_resource(out, &summary->resources[i], summary->duration_s);
    }
    run_report_cost(out, summary);
    fputs("\nverdict\n", out);
    put_paragraphs(out, summary->verdict, 2);
}

void run_report_line(FILE *out, const struct summary *summary, struct run_tally *tally) {
    const struct workload_bin *total = &summary->total;
    const double throttled = share(total->throttled, total->attempts);
    if (tally->runs == 0) {
        fprintf(out, "  %11s%14s%14s%12s%12s%16s\n", "replication", "attempts", "throttled",
                "share", "gave up", "first throttle");
        tally->share_min = throttled;
        tally->share_max = throttled;
    }
    fprintf(out, "  %11" PRIu64 "%14s%14s%12s%12s%16s\n", summary->replication,
            words_count(total->attempts).text, words_count(total->throttled).text,
            words_percent(throttled).text, words_count(total->gave_up).text,
            summary->first_throttle_s < 0 ? "-"
                                          : words_duration((double)summary->first_throttle_s).text);
    tally->runs++;
    tally->throttled_runs += total->throttled > 0;
    tally->share_sum += throttled;
    tally->share_min = throttled < tally->share_min ? throttled : tally->share_min;
    tally->share_max = throttled > tally->share_max ? throttled : tally->share_max;
    if (summary->pricing != NULL) {
        const int64_t cost_nusd = pricing_bill_sum(&summary->bill);
        const bool first = !tally->has_cost;
        tally->has_cost = true;
        tally->cost_min_nusd =
            first || cost_nusd < tally->cost_min_nusd ? cost_nusd : tally->cost_min_nusd;
        tally->cost_max_nusd =
            first || cost_nusd > tally->cost_max_nusd ? cost_nusd : tally->cost_max_nusd;
    }
}

void run_report_tally(FILE *out, const struct run_tally *tally, bool layouts_differ) {
    fprintf(out, "\n  throttled in %s of %s %s (%s)\n", words_count(tally->throttled_runs).text,
            words_count(tally->runs).text, layouts_differ ? "layouts" : "replications",
            words_percent(share(tally->throttled_runs, tally->runs)).text);
    fprintf(out, "  throttled share of attempts: %s … %s, mean %s\n",
            words_percent(tally->share_min).text, words_percent(tally->share_max).text,
            words_percent(tally->share_sum / (double)tally->runs).text);
    if (tally->has_cost) {
        const struct words least = words_usd(tally->cost_min_nusd);
        const struct words most = words_usd(tally->cost_max_nusd);
        const bool same = strcmp(least.text, most.text) == 0;
        fprintf(out, "  cost: %s%s%s a month at this rate\n", least.text, same ? "" : " … ",
                same ? "" : most.text);
    }
}

void run_report_verdict(FILE *out, uint64_t replication, const char *verdict) {
    fprintf(out, "\nverdict of replication %" PRIu64 "\n", replication);
    put_paragraphs(out, verdict, 2);
}
