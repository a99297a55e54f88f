#include "cli/units_index.h"

#include "analysis/words.h"
#include "cli/options.h"
#include "workloads/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const change_names[INDEX_CHANGE_COUNT] = {
#define INDEX_CHANGE_NAME(id, name) name,
    INDEX_CHANGES(INDEX_CHANGE_NAME)
#undef INDEX_CHANGE_NAME
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

bool units_size(const char *option, const char *text, uint32_t *bytes, struct err *err) {
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

static const char *option_of(const struct units_index *index) {
    return index->is_local ? "--local-index" : "--index";
}

static bool parse_change(struct units_index *index, const char *text, size_t length,
                         struct err *err) {
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
             text);
    for (int change = 0; change < INDEX_CHANGE_COUNT; change++) {
        if (strcmp(change_names[change], word) == 0) {
            index->change = (enum index_change)change;
            return true;
        }
    }
    char suggestion[64];
    options_suggestion(word, change_names, INDEX_CHANGE_COUNT, suggestion, sizeof suggestion);
    return err_set(err, ERR_INPUT,
                   "%s: no change '%s', expected unchanged, inserted, removed, moved or changed%s",
                   option_of(index), word, suggestion);
}

bool units_index_parse(struct units_index *index, const char *text, bool is_local,
                       struct err *err) {
    char size[32];
    *index = (struct units_index){.is_local = is_local};
    size_t length = strcspn(text, ":");
    if (!parse_change(index, text, length, err)) {
        return false;
    }
    uint32_t *const sizes[] = {&index->entries.new_bytes, &index->entries.old_bytes};
    bool *const has[] = {&index->has_new, &index->has_old};
    for (size_t i = 0; text[length] == ':'; i++) {
        text += length + 1;
        length = strcspn(text, ":");
        if (i == 2) {
            return err_set(err, ERR_INPUT, "%s: expected KIND, KIND:NEW or KIND:NEW:OLD",
                           option_of(index));
        }
        snprintf(size, sizeof size, "%.*s", (int)(length < sizeof size ? length : sizeof size - 1),
                 text);
        if (!units_size(option_of(index), size, sizes[i], err)) {
            return false;
        }
        *has[i] = true;
        if (*sizes[i] == 0) {
            return err_set(err, ERR_INPUT, "%s: an entry has at least 1 B", option_of(index));
        }
    }
    return true;
}

static bool check_entry(const struct units_index *index, uint32_t entry_bytes, uint32_t item_bytes,
                        const char *when, struct err *err) {
    return entry_bytes <= item_bytes ||
           err_set(err, ERR_INPUT,
                   "%s: an entry of %s %s the write, expected at most its item's %s "
                   "(KIND:NEW:OLD gives both sizes)",
                   option_of(index), words_bytes(entry_bytes).text, when,
                   words_bytes(item_bytes).text);
}

bool units_index_complete(struct units_index *index, uint32_t old_bytes, uint32_t new_bytes,
                          struct err *err) {
    struct index_entries *entries = &index->entries;
    const bool had = index->change != INDEX_INSERTED, has = index->change != INDEX_REMOVED;
    if (index->change == INDEX_REMOVED && !index->has_old) {
        /* its one size is that of the entry that goes */
        index->has_old = index->has_new;
        entries->old_bytes = entries->new_bytes;
    }
    if (!index->has_old) {
        entries->old_bytes = index->has_new ? entries->new_bytes : old_bytes;
    }
    if (!index->has_new) {
        entries->new_bytes = new_bytes;
    }
    entries->old_bytes = had ? entries->old_bytes : 0;
    entries->new_bytes = has ? entries->new_bytes : 0;
    entries->key_changed = index->change == INDEX_MOVED;
    entries->projection_changed = index->change == INDEX_CHANGED;
    if (index->change != INDEX_UNCHANGED &&
        ((had && (entries->old_bytes == 0 || old_bytes == 0)) ||
         (has && (entries->new_bytes == 0 || new_bytes == 0)))) {
        return err_set(err, ERR_INPUT,
                       "%s: '%s' needs an item %s the write (--old-size is its size before)",
                       option_of(index), change_names[index->change],
                       had && old_bytes == 0 ? "before" : "after");
    }
    return check_entry(index, entries->old_bytes, old_bytes, "before", err) &&
           check_entry(index, entries->new_bytes, new_bytes, "after", err);
}

int64_t units_index_ncu(const struct units_index *index) {
    return index_delete_ncu(index->change, &index->entries) +
           index_put_ncu(index->change, &index->entries);
}

void units_index_explain(const struct units_index *index, uint32_t number, uint64_t writes) {
    const struct index_entries *entries = &index->entries;
    printf("  %sindex %u, entry %s: %s WCU", index->is_local ? "local " : "", (unsigned)number,
           change_names[index->change], words_units(units_index_ncu(index) * (int64_t)writes).text);
    switch (index->change) {
    case INDEX_MOVED:
        printf(" (delete of %s, put of %s)", words_bytes(entries->old_bytes).text,
               words_bytes(entries->new_bytes).text);
        break;
    case INDEX_INSERTED: printf(" (put of %s)", words_bytes(entries->new_bytes).text); break;
    case INDEX_REMOVED: printf(" (delete of %s)", words_bytes(entries->old_bytes).text); break;
    case INDEX_CHANGED:
        printf(" (the larger of %s and %s)", words_bytes(entries->old_bytes).text,
               words_bytes(entries->new_bytes).text);
        break;
    case INDEX_UNCHANGED:
    case INDEX_CHANGE_COUNT: break;
    }
    printf("%s\n", index->is_local ? ", on the table" : ", on the index");
}

void units_index_json(const struct units_index *index, uint64_t writes, struct json *json) {
    json_begin(json, '{');
    json_key(json, "change");
    json_string(json, change_names[index->change]);
    json_key(json, "local");
    json_bool(json, index->is_local);
    json_key(json, "wcu");
    json_ncu(json, units_index_ncu(index) * (int64_t)writes);
    json_end(json, '}');
}
