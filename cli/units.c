#include "cli/command.h"

#include "analysis/words.h"
#include "cli/json.h"
#include "cli/options.h"
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
    KEY_FORMAT,
    KEY_LATER
};

#define ITEMS_MAX 1000000000

struct units_options {
    const char *operation_name;
    enum ddb_operation operation;
    bool has_size, has_old_size, has_items, consistent, missing;
    uint64_t items; /* that a Query evaluates */
    uint32_t size_bytes, old_size_bytes;
    enum output_format format;
    struct err *err;
};

/* "1.6KB" is no whole number of bytes: the next larger one costs the same or is what is meant. */
static enum value_fault round_size(const char *text, int64_t *bytes) {
    char *unit = NULL;
    const double number = strtod(text, &unit);
    char one[VALUE_TEXT_BYTES];
    snprintf(one, sizeof one, "1%.8s", unit);
    int64_t factor = 0;
    const enum value_fault fault = value_bytes(one, &factor);
    if (fault == VALUE_OK && number >= 0 && number * (double)factor <= 2.0 * ITEM_BYTES_MAX) {
        *bytes = (int64_t)ceil(number * (double)factor);
        return VALUE_OK;
    }
    return fault == VALUE_OK ? VALUE_TOO_LARGE : fault;
}

static bool parse_size(const char *option, const char *text, uint32_t *bytes, struct err *err) {
    int64_t value = 0;
    enum value_fault fault = value_bytes(text, &value);
    if (fault == VALUE_NOT_WHOLE) {
        fault = round_size(text, &value);
    }
    if (fault == VALUE_TOO_LARGE || (fault == VALUE_OK && value > ITEM_BYTES_MAX)) {
        return err_set(err, ERR_INPUT, "%s: '%s' is over the 400 KB that an item may have", option,
                       text);
    }
    if (fault != VALUE_OK || value < 0) {
        return err_set(err, ERR_INPUT, "%s: expected a size such as 400B or 1.5KB, got '%s'",
                       option, text);
    }
    *bytes = (uint32_t)value;
    return true;
}

/* Operations that DynamoDB knows and the model does not. */
static bool is_later_operation(const char *name) {
    const char *const later[] = {"Scan", "BatchGetItem", "BatchWriteItem", "TransactGetItems",
                                 "TransactWriteItems"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        if (strcasecmp(name, later[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool parse_operation(struct units_options *options, const char *name) {
    if (options->operation_name != NULL) {
        return err_set(options->err, ERR_INPUT, "units prices one operation, '%s' is too many",
                       name);
    }
    options->operation_name = name;
    options->operation = ddb_operation_by_name(name);
    if (options->operation != DDB_OPERATION_COUNT) {
        return true;
    }
    if (is_later_operation(name)) {
        return err_set(options->err, ERR_INPUT, "operation '%s' is not supported yet", name);
    }
    const char *names[DDB_OPERATION_COUNT];
    for (int i = 0; i < DDB_OPERATION_COUNT; i++) {
        names[i] = ddb_operation_name((enum ddb_operation)i);
    }
    char suggestion[64];
    options_suggestion(name, names, DDB_OPERATION_COUNT, suggestion, sizeof suggestion);
    return err_set(
        options->err, ERR_INPUT,
        "no operation '%s', expected GetItem, PutItem, UpdateItem, DeleteItem or Query%s", name,
        suggestion);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct units_options *options = state->input;
    bool ok = true;
    switch (key) {
    case KEY_SIZE:
        options->has_size = true;
        ok = parse_size("--size", argument, &options->size_bytes, options->err);
        break;
    case KEY_OLD_SIZE:
        options->has_old_size = true;
        ok = parse_size("--old-size", argument, &options->old_size_bytes, options->err);
        break;
    case KEY_CONSISTENT: options->consistent = true; break;
    case KEY_MISSING: options->missing = true; break;
    case KEY_ITEMS:
        options->has_items = true;
        ok = options_uint64("--items", argument, 0, ITEMS_MAX, &options->items, options->err);
        break;
    case KEY_FORMAT: ok = options_format(argument, &options->format, options->err); break;
    case KEY_LATER:
        ok = err_set(options->err, ERR_INPUT, "--transaction and --index are not supported yet");
        break;
    case ARGP_KEY_ARG: ok = parse_operation(options, argument); break;
    case 'h': break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return ok ? 0 : EINVAL;
}

static bool check_query(const struct units_options *options) {
    struct err *err = options->err;
    if (options->has_old_size || options->missing) {
        return err_set(err, ERR_INPUT,
                       "a Query has --size and --items only; --items 0 finds nothing");
    }
    if (!options->has_items) {
        return err_set(err, ERR_INPUT, "no --items given: how many items does the Query evaluate?");
    }
    if (options->items > 0 && (!options->has_size || options->size_bytes == 0)) {
        return err_set(err, ERR_INPUT,
                       "no --size of an item given, expected one such as 400B or 1.5KB");
    }
    return true;
}

/* Options that contradict each other or the operation. */
static bool check_options(struct units_options *options) {
    struct err *err = options->err;
    if (options->operation_name == NULL) {
        return err_set(err, ERR_INPUT,
                       "no operation given, expected GetItem, PutItem, UpdateItem, "
                       "DeleteItem or Query");
    }
    const bool writes = ddb_operation_writes(options->operation);
    const bool removes = options->operation == DDB_DELETE_ITEM;
    if (options->operation == DDB_QUERY) {
        return check_query(options);
    }
    if (options->has_items) {
        return err_set(err, ERR_INPUT, "--items is for Query, '%s' has one item",
                       options->operation_name);
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
    return true;
}

static void print_json(int64_t ncu, bool writes) {
    struct json json = {.out = stdout};
    json_begin(&json, '{');
    json_key(&json, "rcu");
    json_ncu(&json, writes ? 0 : ncu);
    json_key(&json, "wcu");
    json_ncu(&json, writes ? ncu : 0);
    json_key(&json, "indexes");
    json_begin(&json, '[');
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
    printf("Query: %s RCU\n", words_units(ncu).text);
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
    const bool eventual = !writes && !options->consistent;
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
     "Items of that size that a Query evaluates, before its filter; 0: it finds none", 0},
    {"format", KEY_FORMAT, "text|json", 0, "How to print", 0},
    {"transaction", KEY_LATER, NULL, OPTION_HIDDEN, NULL, 0},
    {"index", KEY_LATER, "KIND", OPTION_HIDDEN, NULL, 0},
    OPTIONS_HELP_ROW,
    {NULL, 0, NULL, 0, NULL, 0},
};

int command_units(int argc, char **argv) {
    static const struct argp argp = {
        .options = option_rows,
        .parser = parse_option,
        .args_doc = "OPERATION",
        .doc = "Price one call in capacity units, by the model's own code. OPERATION is GetItem, "
               "PutItem, UpdateItem, DeleteItem or Query.\v"
               "Example: ddbsim units PutItem --size 1.4KB --old-size 600B",
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
        options.format == FORMAT_JSON ? print_json(ncu, false) : explain_query(&options, ncu);
        return EXIT_STATUS_DONE;
    }
    const bool removes = options.operation == DDB_DELETE_ITEM;
    const bool reads = !ddb_operation_writes(options.operation);
    const uint32_t old_bytes = reads || removes ? options.size_bytes : options.old_size_bytes;
    const int64_t ncu = capacity_units_ncu(options.operation, options.consistent, old_bytes,
                                           reads || removes ? 0 : options.size_bytes);
    if (options.format == FORMAT_JSON) {
        print_json(ncu, !reads);
    } else {
        explain(&options, ncu);
    }
    return EXIT_STATUS_DONE;
}
