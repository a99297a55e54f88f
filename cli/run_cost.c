#include "cli/run_report.h"

#include "analysis/words.h"
#include "models/pricing.h"

#include <inttypes.h>

#define MILLIONTHS 1e6

/* Whether provisioned capacity is a part of the bill. */
static bool has_hours(const struct summary_resource *resource) {
    const struct pricing_flow *flows = resource->use.flows;
    return flows[RECORDER_READS].provisioned_unit_s > 0 ||
           flows[RECORDER_WRITES].provisioned_unit_s > 0;
}

static bool is_provisioned(const struct summary *summary) {
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        if (has_hours(&summary->resources[i])) {
            return true;
        }
    }
    return false;
}

static void put_on_demand(FILE *out, const struct pricing_bill *bill) {
    const int64_t on_demand_nusd =
        pricing_add(bill->on_demand[RECORDER_READS], bill->on_demand[RECORDER_WRITES]);
    const int64_t throughput_nusd =
        pricing_add(bill->flows[RECORDER_READS], bill->flows[RECORDER_WRITES]);
    fprintf(out, "%s on demand", words_usd(on_demand_nusd).text);
    if (throughput_nusd > 0) {
        fprintf(out, " (%s times)",
                words_rate((double)on_demand_nusd / (double)throughput_nusd).text);
    }
}

/* "orders: $6.00, reads $1.00, writes $4.75, storage of 26 GB $0.25; $3.50 on demand". */
static void put_line(FILE *out, const struct summary_resource *resource) {
    const struct pricing_bill *bill = &resource->bill;
    fprintf(out, "    %s%s%s: %s, reads %s, writes %s", resource->table_name,
            resource->index_name == NULL ? "" : ".",
            resource->index_name == NULL ? "" : resource->index_name,
            words_usd(pricing_bill_sum(bill)).text, words_usd(bill->flows[RECORDER_READS]).text,
            words_usd(bill->flows[RECORDER_WRITES]).text);
    if (resource->use.bytes > 0) {
        fprintf(out, ", storage of %s %s", words_bytes((uint64_t)resource->use.bytes).text,
                words_usd(bill->storage).text);
    }
    if (has_hours(resource)) {
        fputs("; ", out);
        put_on_demand(out, bill);
    }
    fputc('\n', out);
}

/* How much of what is provisioned was in use, and where on demand pays. */
static void put_use(FILE *out, const struct summary *summary, bool writes) {
    double consumed = 0, provisioned = 0;
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        const struct pricing_flow *flow = &summary->resources[i].use.flows[writes];
        if (flow->provisioned_unit_s > 0) {
            consumed += (double)(flow->consumed_ncu - flow->on_demand_ncu) / (double)NCU_PER_CU;
            provisioned += (double)flow->provisioned_unit_s;
        }
    }
    const int64_t even = pricing_break_even(summary->pricing, writes);
    if (provisioned > 0 && even >= 0) {
        fprintf(out, "    %s use %s of what is provisioned; on demand costs less below %s\n",
                writes ? "writes" : "reads", words_percent(consumed / provisioned).text,
                words_percent((double)even / MILLIONTHS).text);
    }
}

void run_report_cost(FILE *out, const struct summary *summary) {
    if (summary->pricing == NULL) {
        return;
    }
    const struct pricing_bill *bill = &summary->bill;
    fprintf(out, "\ncost: %s a month at this rate (%s)\n", words_usd(pricing_bill_sum(bill)).text,
            pricing_list_name(summary->pricing));
    if (summary->resource_count > 1 || bill->storage > 0) {
        for (uint32_t i = 0; i < summary->resource_count; i++) {
            put_line(out, &summary->resources[i]);
        }
    }
    if (!is_provisioned(summary)) {
        return;
    }
    put_use(out, summary, false);
    put_use(out, summary, true);
    fputs("    the same units ", out);
    put_on_demand(out, bill);
    fputc('\n', out);
}

static void put_nusd(struct json *json, const char *key, int64_t nusd) {
    json_key(json, key);
    json_ncu(json, nusd);
}

static void put_bill(struct json *json, const struct pricing_bill *bill) {
    put_nusd(json, "usd_per_month", pricing_bill_sum(bill));
    put_nusd(json, "reads_usd_per_month", bill->flows[RECORDER_READS]);
    put_nusd(json, "writes_usd_per_month", bill->flows[RECORDER_WRITES]);
    put_nusd(json, "storage_usd_per_month", bill->storage);
    put_nusd(json, "on_demand_usd_per_month",
             pricing_add(bill->on_demand[RECORDER_READS], bill->on_demand[RECORDER_WRITES]));
}

static void put_break_even(struct json *json, const char *key, int64_t millionths) {
    json_key(json, key);
    if (millionths < 0) {
        json_null(json);
    } else {
        json_double(json, (double)millionths / MILLIONTHS);
    }
}

void run_report_cost_json(struct json *json, const struct summary *summary) {
    json_key(json, "cost");
    if (summary->pricing == NULL) {
        json_null(json);
        return;
    }
    json_begin(json, '{');
    json_key(json, "prices");
    json_string(json, pricing_list_name(summary->pricing));
    put_bill(json, &summary->bill);
    put_break_even(json, "break_even_reads", pricing_break_even(summary->pricing, false));
    put_break_even(json, "break_even_writes", pricing_break_even(summary->pricing, true));
    json_key(json, "resources");
    json_begin(json, '[');
    for (uint32_t i = 0; i < summary->resource_count; i++) {
        const struct summary_resource *resource = &summary->resources[i];
        json_begin(json, '{');
        json_key(json, "table");
        json_string(json, resource->table_name);
        json_key(json, "index");
        json_string(json, resource->index_name);
        put_bill(json, &resource->bill);
        json_end(json, '}');
    }
    json_end(json, ']');
    json_end(json, '}');
}
