/* What callers of workloads/ must not do, and the check that stops them; more of it in the tests of
 * the single files. */
#include "tests/death.h"
#include "tests/suite.h"
#include "workloads/arrivals.h"
#include "workloads/client.h"
#include "workloads/delay.h"
#include "workloads/document.h"
#include "workloads/field.h"
#include "workloads/generator.h"
#include "workloads/mass.h"
#include "workloads/rate_limiter.h"
#include "workloads/retry_policy.h"
#include "workloads/trace.h"

#include <check.h>
#include <string.h>

#define REQUIRE(condition) ck_assert_msg((condition), "%s", err.text)

static struct err err;
static struct arena arena;
static struct generator generator, chain;
static struct operation_batch batch;
static struct rate_limiter limiter;
static struct random_stream stream;
static uint64_t numbers[4];

static const struct random_name name = {.workload = "w", .variable = "v"};
static const struct rate_point steady = {0, 1000}, too_late = {SIM_NS_MAX + 1, 1};
static const struct workload_spec poisson = {.name = "w",
                                             .arrivals = ARRIVALS_POISSON,
                                             .points = &steady,
                                             .point_count = 1,
                                             .stop_ns = -1,
                                             .after = SCENARIO_NONE,
                                             .hash_key = {"P", {"s.yaml", 1, 1}},
                                             .item_size = {SIZE_CONSTANT, 100, 100, NULL}};
static struct workload_spec workloads[2];
static const struct scenario scenario = {.workloads = workloads, .workload_count = 2};
static const struct client_spec plain_client = {.retry = {.attempts_max = 1, .multiplier = 1}};

/* An open workload that has begun, and the step behind it. */
static void set_up(void) {
    arena_init(&arena);
    workloads[0] = workloads[1] = poisson;
    workloads[1].arrivals = ARRIVALS_STEP;
    REQUIRE(generator_init(&generator, &arena, &scenario, 0, 1, 0, &err));
    REQUIRE(generator_init_step(&chain, &generator, &arena, &scenario, 1, 1, 0, &err));
    limiter = rate_limiter_new(10);
    random_init(&stream, &name);
}

static void tear_down(void) {
    generator_fini(&chain);
    generator_fini(&generator);
    arena_fini(&arena);
}

static void open_generator(uint32_t workload) {
    death_ignore(generator_init(&generator, &arena, &scenario, workload, 1, 0, &err));
}

static void open_changed(enum arrivals_kind arrivals, enum ddb_operation operation,
                         uint32_t members) {
    workloads[0].arrivals = arrivals;
    workloads[0].operation = operation;
    workloads[0].batch = members;
    open_generator(0);
}

static void start_waiting(sim_ns start_ns) {
    workloads[0].after = 1;
    open_generator(0);
    generator_start(&generator, start_ns);
}

static void draw_odd_size(void) {
    workloads[0].item_size =
        (struct size_spec){.law = SIZE_UNIFORM, .min_bytes = 2, .max_bytes = 1};
    open_generator(0);
    generator_next(&generator, SIM_NS_PER_S, &batch);
}

static void begin_late_schedule(void) {
    struct arrivals arrivals;
    struct workload_spec workload = poisson;
    workload.points = &too_late;
    arrivals_init(&arrivals, &workload, 0, &name);
}

static void open_client(double probability, double lost_replies) {
    struct client client;
    struct client_spec spec = plain_client;
    spec.errors.probability = probability;
    spec.errors.lost_replies = lost_replies;
    death_ignore(client_init(&client, &arena, &spec, 1, 0, &err));
}

static void draw_delay(int law) {
    delay_ns(&(struct delay_spec){.law = (enum delay_law)law}, 0);
}

static void open_field(enum field_law law, uint64_t n, const char *const *values) {
    struct field field;
    const struct field_spec spec = {.name = "f", .law = law, .n = n, .values = values};
    death_ignore(field_init(&field, &arena, &spec, &name, &err));
}

static void view_beyond(void) {
    struct field field;
    const struct field_spec spec = {.name = "f", .law = FIELD_UNIFORM, .n = 2};
    char digits[FIELD_DIGITS_BYTES];
    size_t length;
    REQUIRE(field_init(&field, &arena, &spec, &name, &err));
    field_view(&field, 2, digits, &length);
}

static void weigh(enum field_law law, uint64_t n) {
    struct mass mass;
    mass_init(&mass, &(struct field_spec){.name = "f", .law = law, .n = n, .mean = 1, .sd = 1});
}

static void put_into_text(void) {
    const struct source_position place = {"s.yaml", 1, 1};
    struct document_node *text = document_new(&arena, DOCUMENT_SCALAR, "x", &place, &err);
    REQUIRE(text != NULL);
    document_put(text, "key", text);
}

static void read_trace(uint32_t column_count) {
    static const char *const names[] = {"a"};
    struct trace trace;
    const struct trace_spec spec = {
        .file = "/dev/null", .columns = names, .column_count = column_count};
    death_ignore(trace_read(&trace, &arena, &spec, NULL, &err));
}

#define MISUSES(X)                                                                                 \
    X("points[i].at_ns <= SIM_NS_MAX", begin_late_schedule())                                      \
    X("spec->errors.probability >= 0", open_client(-0.1, 0))                                       \
    X("spec->errors.probability <= 1", open_client(1.1, 0))                                        \
    X("spec->errors.lost_replies >= 0", open_client(0, -0.1))                                      \
    X("spec->errors.lost_replies <= 1", open_client(0, 1.1))                                       \
    X("delay law 9", draw_delay(9))                                                                \
    X("mapping->kind == DOCUMENT_MAPPING", put_into_text())                                        \
    X("spec->law != FIELD_CONSTANT || spec->n == 1", open_field(FIELD_CONSTANT, 2, NULL))          \
    X("spec->n <= UINT32_MAX", open_field(FIELD_CHOICE, UINT64_C(1) << 32, NULL))                  \
    X("law 99", open_field((enum field_law)99, 1, NULL))                                           \
    X("n > 0", field_fill_below(&stream, 0, numbers, 1))                                           \
    X("number < field->n", view_beyond())                                                          \
    X("workload < scenario->workload_count", open_generator(2))                                    \
    X("spec->arrivals != ARRIVALS_STEP", open_generator(1))                                        \
    X("generator->members <= GENERATOR_BATCH",                                                     \
      open_changed(ARRIVALS_POISSON, DDB_BATCH_GET_ITEM, GENERATOR_BATCH + 1))                     \
    X("spec->arrivals != ARRIVALS_TRACE", open_changed(ARRIVALS_TRACE, DDB_GET_ITEM, 0))           \
    X("workload < scenario->workload_count",                                                       \
      death_ignore(generator_init_step(&chain, &generator, &arena, &scenario, 2, 1, 0, &err)))     \
    X("spec->arrivals == ARRIVALS_STEP",                                                           \
      death_ignore(generator_init_step(&chain, &generator, &arena, &scenario, 0, 1, 0, &err)))     \
    X("start_ns >= 0", start_waiting(-1))                                                          \
    X("start_ns <= SIM_NS_MAX", start_waiting(SIM_NS_MAX + 1))                                     \
    X("spec->min_bytes <= spec->max_bytes", draw_odd_size())                                       \
    X("arrivals == ARRIVALS_STEP", generator_follow(&generator, &generator, &batch, &batch))       \
    X("spec->n >= 1", weigh(FIELD_NORMAL, 0))                                                      \
    X("spec->n <= ZIPF_N_MAX", weigh(FIELD_NORMAL, ZIPF_N_MAX + 1))                                \
    X("has no masses", weigh(FIELD_UNIFORM, 1))                                                    \
    X("now_ns >= limiter->filled_at_ns", rate_limiter_answered(&limiter, 9, true))                 \
    X("now_ns >= limiter->filled_at_ns", limiter.is_enabled = true,                                \
      rate_limiter_take(&limiter, 9))                                                              \
    X("spec->column_count >= 1", read_trace(0))                                                    \
    X("spec->column_count <= TRACE_COLUMNS_MAX", read_trace(TRACE_COLUMNS_MAX + 1))

DEATHS(MISUSES)

int main(void) {
    Suite *suite = suite_create("workloads/preconditions");
    TCase *tcase = tcase_create("preconditions");
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, misuse_dies_by_its_check);
    return suite_run(suite);
}
