#include "workloads/generator.h"

#include "sim/check.h"

#include <stdio.h>
#include <string.h>

static bool has_trace(const struct generator *generator) {
    return generator->workload->trace.file != NULL;
}

static bool has_schedule(const struct workload_spec *workload) {
    return workload->arrivals == ARRIVALS_POISSON || workload->arrivals == ARRIVALS_UNIFORM;
}

/* Fisher and Yates's shuffle. */
static bool shuffle_rows(struct generator *generator, struct arena *arena,
                         const struct random_name *name, struct err *err) {
    const uint32_t row_count = generator->trace.row_count;
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, row_count, "rows", err);
    if (order == NULL) {
        return false;
    }
    struct random_name own = *name;
    own.variable = "trace order";
    struct random_stream stream;
    random_init(&stream, &own);
    for (uint32_t i = 0; i < row_count; i++) {
        const uint32_t other = (uint32_t)random_below(&stream, (uint64_t)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    generator->row_order = order;
    return true;
}

/* Rows and length of the whole replay. A repeat begins one mean gap after the last row. */
static bool open_trace(struct generator *generator, struct arena *arena,
                       const struct random_name *name, struct err *err) {
    const struct workload_spec *workload = generator->workload;
    const struct trace_spec *spec = &workload->trace;
    bool has_sizes = workload->item_size.law == SIZE_COLUMN;
    const char *size_column = has_sizes ? workload->item_size.column : NULL;
    SIM_CHECK(spec->repeat >= 1);
    if (!trace_read(&generator->trace, arena, spec, size_column, err)) {
        return false;
    }
    uint64_t row_count = generator->trace.row_count;
    generator->column_count = generator->trace.column_count;
    generator->rows_below = row_count * spec->repeat;
    if (workload->arrivals != ARRIVALS_TRACE) {
        return !spec->is_shuffled || shuffle_rows(generator, arena, name, err);
    }
    SIM_CHECK(!spec->is_shuffled);
    SIM_CHECK(generator->trace.times_ns != NULL);
    sim_ns last_ns = generator->trace.times_ns[row_count - 1];
    sim_ns gap_ns = row_count > 1 ? last_ns / (sim_ns)(row_count - 1) : 0;
    generator->period_ns = last_ns + gap_ns;
    __extension__ __int128 whole_ns = (__int128)generator->period_ns * (spec->repeat - 1) + last_ns;
    if (whole_ns > SIM_NS_MAX) {
        return scenario_error(
            err, &spec->position,
            "trace '%s' lasts %.0f s, %u times over more than a run can (ten years)", spec->file,
            (double)last_ns / (double)SIM_NS_PER_S, spec->repeat);
    }
    return true;
}

/* variable: "field:player", in the arena as names may be of any length. */
static bool open_field(struct field *field, struct arena *arena, const struct field_spec *spec,
                       const struct random_name *name, struct err *err) {
    size_t bytes = strlen("field:") + strlen(spec->name) + 1;
    char *variable = arena_alloc(arena, bytes, 1, "field", err);
    if (variable == NULL) {
        return false;
    }
    snprintf(variable, bytes, "field:%s", spec->name);
    struct random_name own = *name;
    own.variable = variable;
    return field_init(field, arena, spec, &own, err);
}

static bool open_fields(struct generator *generator, struct arena *arena,
                        const struct scenario *scenario, const struct random_name *name,
                        struct err *err) {
    uint32_t drawn = scenario->field_count;
    uint32_t columns = generator->column_count;
    uint32_t count = drawn + columns;
    generator->field_count = count;
    generator->fields = ARENA_ARRAY(arena, struct field, count, "fields", err);
    generator->values =
        ARENA_ARRAY(arena, uint64_t, (size_t)count * GENERATOR_BATCH, "field numbers", err);
    generator->rows = ARENA_ARRAY(arena, const uint64_t *, count, "field numbers", err);
    generator->column_used = ARENA_ARRAY(arena, bool, columns, "columns", err);
    generator->digest_parts =
        drawn + (generator->workload->arrivals != ARRIVALS_CLOSED) + (has_trace(generator) ? 1 : 0);
    size_t words = (size_t)generator->digest_parts * GENERATOR_BATCH;
    generator->digest_words = ARENA_ARRAY(arena, uint64_t, words, "digest", err);
    if (generator->fields == NULL || generator->values == NULL || generator->rows == NULL ||
        generator->column_used == NULL || generator->digest_words == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        generator->rows[i] = generator->values + (size_t)i * GENERATOR_BATCH;
    }
    for (uint32_t i = 0; i < drawn; i++) {
        if (!open_field(&generator->fields[i], arena, &scenario->fields[i], name, err)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < columns; i++) {
        field_init_column(&generator->fields[drawn + i], &generator->trace.columns[i]);
    }
    return true;
}

/* A template's columns are those that are taken from the trace. */
static void note_columns(struct generator *generator, const struct key_template *key_template) {
    const uint32_t drawn = generator->field_count - generator->column_count;
    for (uint32_t i = 0; i < generator->column_count; i++) {
        generator->column_used[i] |= key_template_uses(key_template, drawn + i);
    }
}

/* Names of streams: a workload of its own for each attribute, as templates name only theirs. */
static const char *attribute_stream(struct arena *arena, const char *workload, bool is_held,
                                    const char *attribute, struct err *err) {
    const size_t bytes = strlen(workload) + strlen(attribute) + sizeof ":attribute:";
    char *name = arena_alloc(arena, bytes, 1, "attribute", err);
    if (name != NULL) {
        snprintf(name, bytes, "%s:%s:%s", workload, is_held ? "exists" : "attribute", attribute);
    }
    return name;
}

static bool open_attribute(struct generator *generator, struct arena *arena,
                           struct generator_attribute *attribute, bool is_held,
                           const struct random_name *of_workload, int64_t start_epoch_s,
                           struct err *err) {
    const struct attribute_spec *spec = attribute->spec;
    const struct scenario_text no_range = {.text = NULL};
    struct random_name name = *of_workload;
    name.variable = "size";
    name.workload = attribute_stream(arena, of_workload->workload, is_held, spec->name, err);
    if (name.workload == NULL) {
        return false;
    }
    if (spec->template.text != NULL) {
        attribute->numbers = ARENA_ARRAY(arena, uint64_t, GENERATOR_BATCH + 1, "attributes", err);
        return attribute->numbers != NULL &&
               key_template_compile(&attribute->key_template, arena, &spec->template, &no_range,
                                    generator->fields, generator->field_count, &name, start_epoch_s,
                                    err);
    }
    attribute->sizes_bytes = ARENA_ARRAY(arena, uint32_t, GENERATOR_BATCH + 1, "attributes", err);
    return attribute->sizes_bytes != NULL &&
           item_size_init(&attribute->size, arena, &spec->size, &name, err);
}

static bool open_attributes(struct generator *generator, struct arena *arena,
                            const struct random_name *name, int64_t start_epoch_s,
                            struct err *err) {
    const struct workload_spec *workload = generator->workload;
    const uint32_t count = workload->given_count + workload->held_count;
    generator->attributes =
        ARENA_ARRAY(arena, struct generator_attribute, count, "attributes", err);
    if (generator->attributes == NULL) {
        return false;
    }
    generator->attribute_count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct generator_attribute *attribute = &generator->attributes[i];
        attribute->spec = &workload->attributes[i];
        if (!open_attribute(generator, arena, attribute, i >= workload->given_count, name,
                            start_epoch_s, err)) {
            return false;
        }
        if (attribute->numbers != NULL) {
            note_columns(generator, &attribute->key_template);
        }
    }
    return true;
}

static bool open_template(struct generator *generator, struct arena *arena,
                          const struct scenario *scenario, const struct random_name *name,
                          struct err *err) {
    const struct workload_spec *workload = generator->workload;
    if (!key_template_compile(&generator->key_template, arena, &workload->hash_key,
                              &workload->range_key, generator->fields, generator->field_count, name,
                              scenario->start_epoch_s, err)) {
        return false;
    }
    note_columns(generator, &generator->key_template);
    return true;
}

bool generator_init(struct generator *generator, struct arena *arena,
                    const struct scenario *scenario, uint32_t workload, uint64_t seed,
                    uint64_t replication, struct err *err) {
    SIM_CHECK(workload < scenario->workload_count);
    const struct workload_spec *spec = &scenario->workloads[workload];
    *generator = (struct generator){
        .workload = spec, .members = spec->batch > 1 ? spec->batch : 1, .start_ns = -1};
    SIM_CHECK(spec->arrivals != ARRIVALS_STEP && generator->members <= GENERATOR_BATCH);
    struct random_name name = {
        .seed = seed, .replication = replication, .workload = spec->name, .variable = "arrivals"};
    if (has_schedule(spec)) {
        arrivals_init(&generator->arrivals, spec, 0, &name);
    }
    SIM_CHECK(has_trace(generator) || spec->arrivals != ARRIVALS_TRACE);
    SIM_CHECK(has_trace(generator) || spec->item_size.law != SIZE_COLUMN);
    name.variable = "size";
    if (!digest_init(&generator->digest, err) ||
        !item_size_init(&generator->size, arena, &spec->item_size, &name, err) ||
        (has_trace(generator) && !open_trace(generator, arena, &name, err)) ||
        !open_fields(generator, arena, scenario, &name, err) ||
        !open_template(generator, arena, scenario, &name, err) ||
        !open_attributes(generator, arena, &name, scenario->start_epoch_s, err)) {
        return false;
    }
    if (spec->after == SCENARIO_NONE) {
        generator_start(generator, spec->start_ns);
    }
    return true;
}

bool generator_init_step(struct generator *generator, struct generator *root, struct arena *arena,
                         const struct scenario *scenario, uint32_t workload, uint64_t seed,
                         uint64_t replication, struct err *err) {
    SIM_CHECK(workload < scenario->workload_count);
    const struct workload_spec *spec = &scenario->workloads[workload];
    SIM_CHECK(spec->arrivals == ARRIVALS_STEP && root->members == 1);
    *generator = (struct generator){
        .workload = spec,
        .members = 1,
        .fields = root->fields,
        .field_count = root->field_count,
        .column_count = root->column_count,
        .rows = root->rows,
        .column_used = root->column_used, /* what the step wants the root fills too */
        .start_ns = -1,
    };
    struct random_name name = {
        .seed = seed, .replication = replication, .workload = spec->name, .variable = "size"};
    const struct scenario_text *range_key = &spec->range_key;
    if (!digest_init(&generator->digest, err) ||
        !item_size_init(&generator->size, arena, &spec->item_size, &name, err) ||
        (spec->item_size.law == SIZE_COLUMN &&
         !trace_read(&generator->trace, arena, &spec->trace, spec->item_size.column, err)) ||
        !key_template_compile(&generator->key_template, arena, &spec->hash_key, range_key,
                              generator->fields, generator->field_count, &name,
                              scenario->start_epoch_s, err)) {
        return false;
    }
    note_columns(generator, &generator->key_template);
    return open_attributes(generator, arena, &name, scenario->start_epoch_s, err);
}

void generator_fini(struct generator *generator) {
    digest_fini(&generator->digest);
}

void generator_start(struct generator *generator, sim_ns start_ns) {
    SIM_CHECK(generator->start_ns < 0);
    SIM_CHECK(start_ns >= 0 && start_ns <= SIM_NS_MAX);
    generator->start_ns = start_ns;
    if (has_schedule(generator->workload)) {
        arrivals_start(&generator->arrivals, start_ns);
    }
}

/* The next count rows, and the numbers of the trace's columns in them. */
static void take_rows(struct generator *generator, uint32_t count) {
    const uint32_t drawn = generator->field_count - generator->column_count;
    const uint32_t row_count = generator->trace.row_count;
    const uint32_t *const order = generator->row_order;
    uint32_t *const rows = generator->rows_taken;
    uint32_t row = (uint32_t)(generator->row % row_count);
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = order == NULL ? row : order[row];
        row = row + 1 == row_count ? 0 : row + 1;
    }
    for (uint32_t c = 0; c < generator->column_count; c++) {
        if (!generator->column_used[c]) {
            continue;
        }
        const uint32_t *numbers = generator->trace.columns[c].numbers;
        uint64_t *values = generator->values + (size_t)(drawn + c) * GENERATOR_BATCH;
        for (uint32_t i = 0; i < count; i++) {
            values[i] = numbers[rows[i]];
        }
    }
}

static void draw_sizes(struct generator *generator, struct operation_batch *batch) {
    const struct size_spec *size = &generator->workload->item_size;
    uint32_t *sizes_bytes = batch->sizes_bytes;
    const uint32_t count = batch->draws;
    if (size->law == SIZE_COLUMN) {
        for (uint32_t i = 0; i < count; i++) {
            sizes_bytes[i] = generator->trace.size_bytes[generator->rows_taken[i]];
        }
        return;
    }
    item_size_fill(&generator->size, sizes_bytes, count);
}

static void draw_attributes(struct generator *generator, const sim_ns *times_ns, uint32_t draws) {
    for (uint32_t i = 0; i < generator->attribute_count; i++) {
        struct generator_attribute *attribute = &generator->attributes[i];
        if (attribute->numbers != NULL) {
            key_template_fill(&attribute->key_template, generator->rows, times_ns,
                              generator->sequence, attribute->numbers, draws);
        } else if (!attribute->spec->is_removed) {
            item_size_fill(&attribute->size, attribute->sizes_bytes, draws);
        }
    }
}

/* Column by column into the words of a batch, then all at once: 1 ns less a word. */
static void feed_digest(struct generator *generator, const sim_ns *times_ns, uint32_t count) {
    const uint32_t parts = generator->digest_parts;
    uint64_t *word = generator->digest_words;
    uint64_t *const words = word;
    if (generator->workload->arrivals != ARRIVALS_CLOSED) {
        for (uint32_t i = 0; i < count; i++) {
            word[(size_t)i * parts] = (uint64_t)times_ns[i];
        }
        word++;
    }
    for (uint32_t f = 0; f < generator->field_count - generator->column_count; f++) {
        const uint64_t *values = generator->rows[f];
        for (uint32_t i = 0; i < count; i++) {
            word[(size_t)i * parts] = values[i];
        }
        word++;
    }
    for (uint32_t i = 0; i < count && has_trace(generator); i++) {
        word[(size_t)i * parts] = generator->rows_taken[i];
    }
    digest_words(&generator->digest, words, (size_t)count * parts);
}

/* Everything of the operations but their times, from so many draws. */
static void draw(struct generator *generator, struct operation_batch *batch, const sim_ns *times_ns,
                 uint32_t draws) {
    uint32_t drawn = generator->field_count - generator->column_count;
    batch->draws = draws;
    batch->first_sequence = generator->operations;
    for (uint32_t f = 0; f < drawn; f++) {
        field_fill(&generator->fields[f], generator->values + (size_t)f * GENERATOR_BATCH, draws);
    }
    if (has_trace(generator)) {
        take_rows(generator, draws);
    }
    key_template_fill(&generator->key_template, generator->rows, times_ns, generator->sequence,
                      batch->numbers, draws);
    draw_sizes(generator, batch);
    draw_attributes(generator, times_ns, draws);
    feed_digest(generator, times_ns, draws);
    generator->sequence += draws;
    generator->operations += batch->count;
    generator->row += has_trace(generator) ? draws : 0;
}

static void draw_operations(struct generator *generator, struct operation_batch *batch) {
    const uint32_t members = generator->members;
    if (members == 1) {
        draw(generator, batch, batch->times_ns, batch->count);
        return;
    }
    sim_ns times_ns[GENERATOR_BATCH];
    uint64_t draws = (uint64_t)batch->count * members;
    const uint64_t left = generator->rows_below - generator->row;
    draws = has_trace(generator) && draws > left ? left : draws;
    for (uint32_t i = 0; i < draws; i++) {
        times_ns[i] = batch->times_ns[i / members];
    }
    draw(generator, batch, times_ns, (uint32_t)draws);
}

void generator_follow(struct generator *generator, const struct generator *root,
                      const struct operation_batch *of, struct operation_batch *batch) {
    SIM_CHECK(generator->workload->arrivals == ARRIVALS_STEP);
    SIM_CHECK(generator->sequence == of->first_sequence && generator->rows == root->rows);
    batch->count = batch->draws = of->count;
    batch->first_sequence = of->first_sequence;
    key_template_fill(&generator->key_template, generator->rows, of->times_ns, of->first_sequence,
                      batch->numbers, of->count);
    draw_sizes(generator, batch); /* of a column: row and sequence count alike */
    draw_attributes(generator, of->times_ns, of->count);
    generator->sequence += of->count;
    generator->row += of->count;
}

void generator_note_attributes(const struct generator *generator, uint32_t position,
                               uint64_t *drawn) {
    SIM_CHECK(position < GENERATOR_BATCH);
    for (uint32_t i = 0; i < generator->attribute_count; i++) {
        const struct generator_attribute *attribute = &generator->attributes[i];
        drawn[i] = attribute->numbers != NULL       ? attribute->numbers[position]
                   : attribute->sizes_bytes != NULL ? attribute->sizes_bytes[position]
                                                    : 0;
    }
}

void generator_recall_attributes(struct generator *generator, const uint64_t *drawn) {
    for (uint32_t i = 0; i < generator->attribute_count; i++) {
        struct generator_attribute *attribute = &generator->attributes[i];
        if (attribute->numbers != NULL) {
            attribute->numbers[GENERATOR_RECALLED] = drawn[i];
        } else if (attribute->sizes_bytes != NULL) {
            attribute->sizes_bytes[GENERATOR_RECALLED] = (uint32_t)drawn[i];
        }
    }
}

/* Operations for the rows that are left, at most a batch; without a trace, a batch. */
static uint32_t batch_limit(const struct generator *generator) {
    const uint32_t members = generator->members;
    const uint64_t left = (generator->rows_below - generator->row + members - 1) / members;
    const uint32_t most = GENERATOR_BATCH / members;
    return has_trace(generator) && left < most ? (uint32_t)left : most;
}

static uint32_t take_trace_times(const struct generator *generator, sim_ns until_ns,
                                 sim_ns *times_ns) {
    uint32_t limit = batch_limit(generator);
    uint32_t row_count = generator->trace.row_count;
    sim_ns stop_ns = generator->workload->stop_ns;
    sim_ns end_ns = stop_ns >= 0 && stop_ns < until_ns ? stop_ns : until_ns;
    sim_ns base_ns =
        generator->start_ns + (sim_ns)(generator->row / row_count) * generator->period_ns;
    uint32_t row = (uint32_t)(generator->row % row_count);
    uint32_t count = 0;
    while (count < limit) {
        sim_ns time_ns = base_ns + generator->trace.times_ns[row];
        if (time_ns >= end_ns) {
            break;
        }
        times_ns[count++] = time_ns;
        if (++row == row_count) {
            row = 0;
            base_ns += generator->period_ns;
        }
    }
    return count;
}

/* Arrivals before until_ns; the others are kept for a later call. */
static uint32_t take_arrivals(struct generator *generator, sim_ns until_ns, sim_ns *times_ns) {
    uint32_t limit = batch_limit(generator);
    if (generator->later_next == generator->later_count) {
        size_t filled = arrivals_fill(&generator->arrivals, times_ns, limit);
        if (filled == 0 || times_ns[filled - 1] < until_ns) {
            return (uint32_t)filled;
        }
        memcpy(generator->later_ns, times_ns, filled * sizeof *times_ns);
        generator->later_next = 0;
        generator->later_count = (uint32_t)filled;
    }
    uint32_t count = 0;
    while (count < limit && generator->later_next < generator->later_count &&
           generator->later_ns[generator->later_next] < until_ns) {
        times_ns[count++] = generator->later_ns[generator->later_next++];
    }
    return count;
}

void generator_next(struct generator *generator, sim_ns until_ns, struct operation_batch *batch) {
    SIM_CHECK(generator->workload->arrivals != ARRIVALS_CLOSED);
    SIM_CHECK(generator->start_ns >= 0);
    batch->count = generator->workload->arrivals == ARRIVALS_TRACE
                       ? take_trace_times(generator, until_ns, batch->times_ns)
                       : take_arrivals(generator, until_ns, batch->times_ns);
    draw_operations(generator, batch);
}

bool generator_draw(struct generator *generator, sim_ns now_ns, struct operation_batch *batch) {
    SIM_CHECK(generator->workload->arrivals == ARRIVALS_CLOSED);
    SIM_CHECK(generator->start_ns >= 0 && now_ns >= generator->start_ns);
    SIM_CHECK(now_ns < KEY_NOW_NS_MAX);
    sim_ns stop_ns = generator->workload->stop_ns;
    batch->count = 0;
    if ((stop_ns >= 0 && now_ns >= stop_ns) || batch_limit(generator) == 0) {
        return false;
    }
    batch->times_ns[0] = now_ns;
    batch->count = 1;
    draw_operations(generator, batch);
    return true;
}

bool generator_is_finite(const struct generator *generator) {
    const struct workload_spec *workload = generator->workload;
    return has_trace(generator) || workload->stop_ns >= 0 ||
           (has_schedule(workload) &&
            workload->points[workload->point_count - 1].rate_per_s == 0.0);
}

void generator_digest_text(struct generator *generator, char text[DIGEST_TEXT_BYTES]) {
    digest_text(&generator->digest, text);
}
