/*
 * input.h - What fuzz targets share: bytes as a file with a path, bytes as choices, and the rules
 * that a table keeps once it is read.
 *
 * Owns: nothing; a file is closed by whoever made it.
 */
#ifndef DDBSIM_TESTS_FUZZ_INPUT_H
#define DDBSIM_TESTS_FUZZ_INPUT_H

#include "models/spec.h"
#include "sim/check.h"
#include "sim/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes the bytes to an open file. */
static inline void input_write(int descriptor, const void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        const ssize_t written = write(descriptor, (const char *)bytes + done, size - done);
        SIM_CHECK(written > 0);
        done += (size_t)written;
    }
}

/* A failure is one line. */
static inline void input_check_refused(const struct err *err) {
    SIM_CHECK(err->kind != ERR_NONE && err->text[0] != '\0');
    SIM_CHECKF(strpbrk(err->text, "\r\n") == NULL, "more than one line: '%s'", err->text);
}

/* Bytes as choices; when there are none left, each is the first. */
struct choices {
    const uint8_t *at, *end;
};

static inline bool choices_left(const struct choices *choices) {
    return choices->at < choices->end;
}

/* 0 … n - 1; n at most 65536. */
static inline uint32_t choices_below(struct choices *choices, uint32_t n) {
    uint32_t value = 0;
    for (uint32_t room = 1; room < n && choices_left(choices); room <<= 8) {
        value = value << 8 | *choices->at++;
    }
    return value % n;
}

static inline void input_check_key(const struct key_attribute *key) {
    SIM_CHECK(key->name != NULL && key->name[0] != '\0' && strchr("SNB", key->type) != NULL);
}

/* On demand nothing is provisioned. */
static inline void input_check_units(const struct table_spec *table, int64_t units) {
    SIM_CHECK(table->billing_mode == BILLING_PAY_PER_REQUEST
                  ? units == 0
                  : units >= 1 && units <= TABLE_CAPACITY_UNITS_MAX);
}

static inline void input_check_index(const struct table_spec *table, uint32_t number) {
    const struct index_spec *index = &table->indexes[number];
    SIM_CHECK(index->index_name != NULL &&
              index->is_global == (number < table->global_index_count));
    input_check_key(&index->hash_key);
    if (index->range_key.name != NULL) {
        input_check_key(&index->range_key);
    }
    if (index->is_global) {
        input_check_units(table, index->read_capacity_units);
        input_check_units(table, index->write_capacity_units);
    } else {
        SIM_CHECK(strcmp(index->hash_key.name, table->hash_key.name) == 0);
    }
    SIM_CHECK((index->projection == PROJECTION_INCLUDE) == (index->non_key_attribute_count > 0));
    for (uint32_t i = 0; i < number; i++) {
        SIM_CHECK(strcmp(table->indexes[i].index_name, index->index_name) != 0);
    }
}

static inline void input_check_table(const struct table_spec *table) {
    SIM_CHECK(table->table_name != NULL && table->table_name[0] != '\0');
    input_check_units(table, table->read_capacity_units);
    input_check_units(table, table->write_capacity_units);
    input_check_key(&table->hash_key);
    if (table->range_key.name != NULL) {
        input_check_key(&table->range_key);
        SIM_CHECK(strcmp(table->range_key.name, table->hash_key.name) != 0);
    }
    SIM_CHECK(table->item_count >= SPEC_UNKNOWN && table->table_size_bytes >= SPEC_UNKNOWN);
    SIM_CHECK(table->global_index_count <= table->index_count);
    SIM_CHECK(table->global_index_count <= GLOBAL_INDEXES_MAX);
    SIM_CHECK(table->index_count - table->global_index_count <= LOCAL_INDEXES_MAX);
    for (uint32_t i = 0; i < table->index_count; i++) {
        input_check_index(table, i);
    }
}

#endif
