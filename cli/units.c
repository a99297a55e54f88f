#include "cli/command.h"

#include "analysis/words.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/units_index.h"
#include "models/capacity_units.h"
#include "models/spec.h"
#include "workloads/value.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    KEY_SIZE = 1000,
    KEY_OLD_SIZE,
    KEY_CONSISTENT,
    KEY_MISSING,
    KEY_ITEMS,
    KEY_TRANSACTION,
    KEY_INDEX,
    KEY_LOCAL_INDEX,
    KEY_FORMAT
};

#define ITEMS_MAX 1000000000

/* The API's calls by what the model prices them as. */
struct call_row {
    const char *name;
    enum ddb_operation operation; /* of each of its members */
    uint32_t members_max;         /* 1: no batch */
    bool is_transaction;
};

static const struct call_row call_rows[] = {
    {"GetItem", DDB_GET_ITEM, 1, false},
    {"PutItem", DDB_PUT_ITEM, 1, false},
    {"UpdateItem", DDB_UPDATE_ITEM, 1, false},
    {"DeleteItem", DDB_DELETE_ITEM, 1, false},
    {"Query", DDB_QUERY, 1, false},
    {"Scan", DDB_QUERY, 1, false},
    {"BatchGetItem", DDB_GET_ITEM, BATCH_GETS_MAX, false},
    {"BatchWriteItem", DDB_PUT_ITEM, BATCH_WRITES_MAX, false},
    {"TransactGetItems", DDB_GET_ITEM, TRANSACTION_ITEMS_MAX, true},
    {"TransactWriteItems", DDB_PUT_ITEM, TRANSACTION_ITEMS_MAX, true},
};
#define CALL_COUNT (sizeof call_rows / sizeof *call_rows)

struct units_options {
    const char *operation_name;
    const struct call_row *call;
    enum ddb_operation operation;
    bool has_size, has_old_size, has_items, consistent, missing, transaction;
    uint64_t items; /* that a Query evaluates; of a batch */
    uint32_t size_bytes, old_size_bytes;
    struct units_index indexes[UNITS_INDEXES_MAX];
    uint32_t index_count;
    enum output_format format;
    struct err *err;
};

static bool parse_operation(struct units_options *options, const char *name) {
    const char *names[CALL_COUNT];
    if (options->operation_name != NULL) {
        return err_set(options->err, ERR_INPUT, "units prices one operation, '%s' is too many",
                       name);
    }
    options->operation_name = name;
    for (size_t i = 0; i < CALL_COUNT; i++) {
        names[i] = call_rows[i].name;
        if (strcmp(names[i], name) == 0) {
            options->call = &call_rows[i];
            options->operation = call_rows[i].operation;
            return true;
        }
    }
    char suggestion[64];
    options_suggestion(name, names, CALL_COUNT, suggestion, sizeof suggestion);
    return err_set(options->err, ERR_INPUT,
                   "no operation '%s', expected one of the API's, such as PutItem or Query%s", name,
                   suggestion);
}

static bool parse_index(struct units_options *options, const char *text, bool is_local) {
    return options->index_count == UNITS_INDEXES_MAX
               ? err_set(options->err, ERR_INPUT, "more than %d indexes", UNITS_INDEXES_MAX)
               : units_index_parse(&options->indexes[options->index_count++], text, is_local,
                                   options->err);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct units_options *options = state->input;
    bool ok = true;
    switch (key) {
    case KEY_SIZE:
        options->has_size = true;
        ok = units_size("--size", argument, &options->size_bytes, options->err);
        break;
    case KEY_OLD_SIZE:
        options->has_old_size = true;
        ok = units_size("--old-size", argument, &options->old_size_bytes, options->err);
        break;
    case KEY_CONSISTENT: options->consistent = true; break;
    case KEY_MISSING: options->missing = true; break;
    case KEY_ITEMS:
        options->has_items = true;
        ok = options_uint64("--items", argument, 0, ITEMS_MAX, &options->items, options->err);
        break;
    case KEY_FORMAT: ok = options_format(argument, &options->format, options->err); break;
    case KEY_TRANSACTION: options->transaction = true; break;
    case KEY_INDEX: ok = parse_index(options, argument, false); break;
    case KEY_LOCAL_INDEX: ok = parse_index(options, argument, true); break;
    case ARGP_KEY_ARG: ok = parse_operation(options, argument); break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static bool check_query(const struct units_options *options) {
    struct err *err = options->err;
    if (options->has_old_size || options->missing) {
        return err_set(err, ERR_INPUT, "a %s has --size and --items only; --items 0 finds nothing",
                       options->operation_name);
    }
    if (options->transaction || options->index_count > 0) {
        return err_set(err, ERR_INPUT, "--transaction and --index are not for %s",
                       options->operation_name);
    }
    if (!options->has_items) {
        return err_set(err, ERR_INPUT, "no --items given: how many items does the %s evaluate?",
                       options->operation_name);
    }
    if (options->items > 0 && (!options->has_size || options->size_bytes == 0)) {
        return err_set(err, ERR_INPUT,
                       "no --size of an item given, expected one such as 400B or 1.5KB");
    }
    return true;
}

/* --items of a batch, 1 when absent. */
static bool check_members(struct units_options *options) {
    const uint32_t most = options->call->members_max;
    if (!options->has_items) {
        options->items = 1;
        return true;
    }
    if (most == 1) {
        return err_set(options->err, ERR_INPUT,
                       "--items is for Query, Scan and batches, '%s' has one item",
                       options->operation_name);
    }
    return (options->items >= 1 && options->items <= most) ||
           err_set(options->err, ERR_INPUT, "--items: '%s' takes 1 to %u items",
                   options->operation_name, (unsigned)most);
}

/* What the write does to each index, when it can do that. */
static bool check_indexes(struct units_options *options) {
    const bool removes = options->operation == DDB_DELETE_ITEM;
    const uint32_t old_bytes = removes ? options->size_bytes : options->old_size_bytes;
    if (options->index_count > 0 && !ddb_operation_writes(options->operation)) {
        return err_set(options->err, ERR_INPUT, "--index is for writes, '%s' reads",
                       options->operation_name);
    }
    for (uint32_t i = 0; i < options->index_count; i++) {
        if (!units_index_complete(&options->indexes[i], old_bytes,
                                  removes ? 0 : options->size_bytes, options->err)) {
            return false;
        }
    }
    return true;
}

/* Options that contradict each other or the operation. */
static bool check_options(struct units_options *options) {
    struct err *err = options->err;
    if (options->operation_name == NULL) {
        return err_set(err, ERR_INPUT,
                       "no operation given, expected one of the API's, such as PutItem or Query");
    }
    const bool writes = ddb_operation_writes(options->operation);
    const bool removes = options->operation == DDB_DELETE_ITEM;
    if (options->operation == DDB_QUERY) {
        return check_query(options);
    }
    options->transaction = options->transaction || options->call->is_transaction;
    if (!check_members(options)) {
        return false;
    }
    if (options->consistent && writes) {
        return err_set(err, ERR_INPUT, "--consistent is for reads, '%s' writes",
                       options->operation_name);
    }
    if (options->has_old_size && (!writes || removes)) {
        return err_set(err, ERR_INPUT,
                       "--old-size is for writes that keep the item, '%s' has --size "
                       "only",
                       options->operation_name);
    }
    if (options->missing && writes && !removes) {
        return err_set(err, ERR_INPUT,
                       "--missing is for GetItem and DeleteItem; without --old-size "
                       "'%s' makes a new item",
                       options->operation_name);
    }
    if (options->missing && options->has_size && options->size_bytes != 0) {
        return err_set(err, ERR_INPUT, "an item that is missing has no --size");
    }
    if (!options->has_size && !options->missing) {
        return err_set(err, ERR_INPUT, "no --size given, expected one such as 400B or 1.5KB");
    }
    if (writes && !removes && options->size_bytes == 0) {
        return err_set(err, ERR_INPUT, "--size: an item that is written has at least 1 B");
    }
    return check_indexes(options);
}

static void print_json(const struct units_options *options, int64_t ncu, bool writes) {
    struct json json = {.out = stdout};
    json_begin(&json, '{');
    json_key(&json, "rcu");
    json_ncu(&json, writes ? 0 : ncu);
    json_key(&json, "wcu");
    json_ncu(&json, writes ? ncu : 0);
    json_key(&json, "indexes");
    json_begin(&json, '[');
    for (uint32_t i = 0; i < options->index_count; i++) {
        units_index_json(&options->indexes[i], options->items, &json);
    }
    json_end(&json, ']');
    json_end(&json, '}');
    putchar('\n');
}

/* What is counted: the larger of before and after. */
static void explain_size(const struct units_options *options, uint32_t bytes) {
    if (options->operation == DDB_DELETE_ITEM) {
        printf("  counted: the item that is deleted, %s\n", words_bytes(bytes).text);
    } else if (!ddb_operation_writes(options->operation)) {
        printf("  counted: the whole item, %s, whatever is asked of it\n", words_bytes(bytes).text);
    } else if (options->old_size_bytes == 0) {
        printf("  counted: the new item, %s\n", words_bytes(bytes).text);
    } else {
        printf("  counted: the larger of before (%s) and after (%s)\n",
               words_bytes(options->old_size_bytes).text, words_bytes(options->size_bytes).text);
    }
}

static int64_t query_pages(const struct units_options *options) {
    if (options->items == 0) {
        return 1;
    }
    const uint64_t most = capacity_units_page_items(options->size_bytes);
    return (int64_t)((options->items + most - 1) / most);
}

/* All pages of a Query together. */
static int64_t query_ncu(const struct units_options *options) {
    const uint32_t most = options->items == 0 ? 1 : capacity_units_page_items(options->size_bytes);
    const int64_t full = query_pages(options) - 1;
    const uint32_t last = (uint32_t)(options->items - (uint64_t)full * most);
    const uint32_t bytes = options->size_bytes;
    return full * capacity_units_page_ncu(options->consistent, most * bytes) +
           capacity_units_page_ncu(options->consistent, last * bytes);
}

static void explain_query(const struct units_options *options, int64_t ncu) {
    const int64_t pages = query_pages(options);
    const uint64_t bytes = (uint64_t)options->items * options->size_bytes;
    printf("%s: %s RCU\n", options->operation_name, words_units(ncu).text);
    if (options->items == 0) {
        printf("  counted: nothing is found, which costs as much as the smallest item\n");
    } else {
        printf("  counted: all that is evaluated, %s, before any filter or projection\n",
               words_bytes(bytes).text);
        printf("  rounded up to whole 4 KB once a page; a page ends with the item that crosses "
               "1 MB\n");
        printf("  pages: %s\n", words_count((uint64_t)pages).text);
        if (pages > 1) {
            const uint32_t most = capacity_units_page_items(options->size_bytes);
            printf("  a full page: %s items, %s RCU\n", words_count(most).text,
                   words_units(
                       capacity_units_page_ncu(options->consistent, most * options->size_bytes))
                       .text);
        }
    }
    if (!options->consistent) {
        printf("  halved: an eventually consistent read (--consistent prices a strong one)\n");
    }
}

static void explain(const struct units_options *options, int64_t ncu) {
    const bool writes = ddb_operation_writes(options->operation);
    const bool eventual = !writes && !options->consistent && !options->transaction;
    const char *unit = writes ? "WCU" : "RCU";
    printf("%s: %s %s\n", options->operation_name, words_units(ncu).text, unit);
    const uint32_t old_bytes = options->old_size_bytes;
    const uint32_t bytes = options->size_bytes > old_bytes ? options->size_bytes : old_bytes;
    if (bytes == 0) {
        printf("  counted: a missing item costs as much as the smallest\n");
    } else {
        const uint32_t step = writes ? WRITE_UNIT_BYTES : READ_UNIT_BYTES;
        explain_size(options, bytes);
        printf("  rounded up to whole %s: %u\n", words_bytes(step).text,
               (unsigned)((bytes + step - 1) / step));
    }
    if (eventual) {
        printf("  halved: an eventually consistent read (--consistent prices a strong one)\n");
    }
    if (options->transaction) {
        printf("  doubled: a transaction prepares and commits\n");
    }
    if (options->items > 1) {
        printf("  times %s items, each rounded up by itself\n", words_count(options->items).text);
    }
    for (uint32_t i = 0; i < options->index_count; i++) {
        units_index_explain(&options->indexes[i], i + 1, options->items);
    }
}

/* The table's units of all members, local indexes' included. */
static int64_t table_ncu(const struct units_options *options) {
    const bool removes = options->operation == DDB_DELETE_ITEM;
    const bool reads = !ddb_operation_writes(options->operation);
    const uint32_t old_bytes = reads || removes ? options->size_bytes : options->old_size_bytes;
    int64_t ncu =
        capacity_units_ncu(options->operation, options->consistent || options->transaction,
                           old_bytes, reads || removes ? 0 : options->size_bytes);
    ncu *= options->transaction ? 2 : 1;
    for (uint32_t i = 0; i < options->index_count; i++) {
        ncu += options->indexes[i].is_local ? units_index_ncu(&options->indexes[i]) : 0;
    }
    return ncu * (int64_t)options->items;
}

static const struct argp_option option_rows[] = {
    {"size", KEY_SIZE, "S", 0,
     "Size of the item with the names of its attributes: bytes, or with B, KB (1024-based); for "
     "DeleteItem, of the item that is deleted",
     0},
    {"old-size", KEY_OLD_SIZE, "S", 0, "Size of the item before a write, when there was one", 0},
    {"consistent", KEY_CONSISTENT, NULL, 0, "A strongly consistent read", 0},
    {"missing", KEY_MISSING, NULL, 0, "The item does not exist (as --size 0)", 0},
    {"items", KEY_ITEMS, "N", 0,
     "Items of that size that a Query or Scan evaluates, before its filter (0: it finds none), or "
     "that a batch or transaction has",
     0},
    {"transaction", KEY_TRANSACTION, NULL, 0,
     "One item of a transaction: doubles the table's units", 0},
    {"index", KEY_INDEX, "KIND[:NEW[:OLD]]", 0,
     "What a write does to a global index, once an index: unchanged, inserted, removed, moved or "
     "changed; sizes of the entry after and before (default: as the item)",
     0},
    {"local-index", KEY_LOCAL_INDEX, "KIND[:NEW[:OLD]]", 0,
     "The same for a local index, whose units are the table's", 0},
    {"format", KEY_FORMAT, "text|json", 0, "How to print", 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

int command_units(int argc, char **argv) {
    static const struct argp argp = {
        .options = option_rows,
        .parser = parse_option,
        .args_doc = "OPERATION",
        .doc = "Price one call in capacity units, by the model's own code. OPERATION is GetItem, "
               "PutItem, UpdateItem, DeleteItem, Query, Scan, BatchGetItem, BatchWriteItem, "
               "TransactGetItems or TransactWriteItems.\v"
               "Examples: ddbsim units PutItem --size 1.4KB --old-size 600B\n"
               "ddbsim units UpdateItem --size 3KB --old-size 3KB --index moved:400B",
    };
    struct err err = {ERR_NONE, ""};
    struct units_options options = {.operation = DDB_OPERATION_COUNT, .err = &err};
    switch (options_parse(&argp, argc, argv, &options, &err)) {
    case OPTIONS_FAULT: return command_fail(&err);
    case OPTIONS_HELP_SHOWN: return EXIT_STATUS_DONE;
    case OPTIONS_READ: break;
    }
    if (!check_options(&options)) {
        return command_fail(&err);
    }
    if (options.operation == DDB_QUERY) {
        const int64_t ncu = query_ncu(&options);
        options.format == FORMAT_JSON ? print_json(&options, ncu, false)
                                      : explain_query(&options, ncu);
        return EXIT_STATUS_DONE;
    }
    const int64_t ncu = table_ncu(&options);
    if (options.format == FORMAT_JSON) {
        print_json(&options, ncu, ddb_operation_writes(options.operation));
    } else {
        explain(&options, ncu);
    }
    return EXIT_STATUS_DONE;
}
