/* Each fault of a scenario is refused with one sentence and its place. */
#include "tests/workloads/scenario_fixture.h"

#include "tests/suite.h"

#include <stdio.h>

#define ROWS(table) (sizeof(table) / sizeof *(table))

struct refusal {
    const char *from, *to; /* one place of the fixture changed */
    const char *message;
};

static const struct refusal top[] = {
    {"name: hot\n", "naem: hot\n", "hot.yaml:1:1: unknown key 'naem'; did you mean 'name'?"},
    {"name: hot\n", "zzz: hot\n",
     "hot.yaml:1:1: unknown key 'zzz'; expected name, about, source, start, duration, seed, "
     "tables, fields, workload, client, replications, parameters, model, expect, quotas, actions "
     "or "
     "pricing"},
    {"name: hot\n", "name: [hot]\n", "hot.yaml:1:7: 'name' must be a text, got a list"},
    {"name: hot\n", "name:\n", "hot.yaml:1:1: 'name' must be a text, got nothing"},
    {"name: hot\n", "name: \"a\\nb\"\n",
     "hot.yaml:1:8: 'name' must be one line of 1 to 255 bytes, got 'a b'"},
    {"name: hot\n", "name: ''\n",
     "hot.yaml:1:8: 'name' must be one line of 1 to 255 bytes, got ''"},
    {"name: hot\n", "actions: 1\n", "hot.yaml:1:10: 'actions' must be a list, got '1'"},
    {"name: hot\n", "name: hot\nname: cold\n",
     "hot.yaml:2:1: key 'name' stands twice; the first is in line 1"},
    {"name: hot\n", "start: 2026-02-30\n",
     "hot.yaml:1:8: 'start' must be a time such as 2026-01-01T00:00:00Z, got '2026-02-30'"},
    {"name: hot\n", "start: [1]\n",
     "hot.yaml:1:8: 'start' must be a time such as 2026-01-01T00:00:00Z, got a list"},
    {"name: hot\n", "start: 9999-01-01\n", "hot.yaml:1:8: 'start' must be before the year 9970"},
    {"10m", "10",
     "hot.yaml:2:11: 'duration' must be a duration such as 250ms or 10m, got '10' (no unit)"},
    {"10m", "10min",
     "hot.yaml:2:11: 'duration' must be a duration such as 250ms or 10m, got '10min'"},
    {"10m", "0", "hot.yaml:2:11: 'duration' is 0, outside of 1ns … 3660d"},
    {"10m", "-1s", "hot.yaml:2:11: 'duration' is -1s, outside of 1ns … 3660d"},
    {"10m", "99999999999d", "hot.yaml:2:11: 'duration' is 99999999999d, outside of 1ns … 3660d"},
    {"10m", "0.5ns",
     "hot.yaml:2:11: 'duration' must be a duration such as 250ms or 10m, got '0.5ns' (finer than 1 "
     "ns)"},
    {"seed: 7", "seed: four", "hot.yaml:3:7: 'seed' must be a whole number, got 'four'"},
    {"seed: 7", "seed: 1.5", "hot.yaml:3:7: 'seed' must be a whole number, got '1.5'"},
    {"seed: 7", "seed: -1", "hot.yaml:3:7: 'seed' is -1, outside of 0 … 9223372036854775807"},
    {"seed: 7", "seed: 9223372036854775808",
     "hot.yaml:3:7: 'seed' is 9223372036854775808, outside of 0 … 9223372036854775807"},
    {"seed: 7", "replications: 0", "hot.yaml:3:15: 'replications' is 0, outside of 1 … 1000000"},
    {"seed: 7", "seed: !!int 7", "hot.yaml:3:13: tag '!!int' is not supported"},
};

static const struct refusal parameters[] = {
    {"{shards: 4,", "{seed: 4,",
     "hot.yaml:4:14: a parameter may not have the name of a top-level key, 'seed'"},
    {"{shards: 4,", "{a-b: 4,",
     "hot.yaml:4:14: a parameter's name is letters, digits and '_', at most 64; got 'a-b'"},
    {"{shards: 4,", "{shards: [4],", "hot.yaml:4:22: 'shards' must be a text, got a list"},
    {"{shards: 4,", "{shard: 4,",
     "hot.yaml:20:35: '${shards}' is no parameter; did you mean '${shard}'?"},
    {"{shards: 4,", "{shards: \"${rate}\",",
     "hot.yaml:4:23: '${rate}' is no parameter that stands before this one"},
    {"{shards: 4, rate: 2500}", "[]",
     "hot.yaml:4:13: 'parameters' must be a mapping of keys, got a list"},
    {"\"${rate}\"", "${rate", "hot.yaml:19:11: '${' without '}'"},
    {"\"${rate}\"", "x${zzz}", "hot.yaml:19:12: '${zzz}' is no parameter"},
    {"\"${rate}\"", "${}", "hot.yaml:19:11: '${}' is no parameter"},
};

static const struct refusal fields[] = {
    {"{zipf: {n: 1000, s: 0.99}}", "{zipff: {n: 1000, s: 0.99}}",
     "hot.yaml:15:12: unknown field law 'zipff'; did you mean 'zipf'?"},
    {"{zipf: {n: 1000, s: 0.99}}", "{hotest: {n: 9}}",
     "hot.yaml:15:12: unknown field law 'hotest'; did you mean 'hotset'?"},
    {"{zipf: {n: 1000, s: 0.99}}", "5",
     "hot.yaml:15:11: 'player' must be one law such as {zipf: {n: 1000, s: 0.99}}, got '5'"},
    {"{zipf: {n: 1000, s: 0.99}}", "{zipf: {n: 9, s: 1}, uniform: {n: 9}}",
     "hot.yaml:15:32: a field has one law; 'player' has 'zipf' and 'uniform'"},
    {"n: 1000, ", "", "hot.yaml:15:18: 'n' is missing"},
    {"n: 1000, ", "n: 0, ", "hot.yaml:15:22: 'n' is 0, outside of 1 … 281474976710656"},
    {"s: 0.99", "s: 21", "hot.yaml:15:31: 's' is 21, outside of 0 … 20"},
    {"s: 0.99", "s: nan", "hot.yaml:15:31: 's' must be a number, got 'nan'"},
    {"s: 0.99", "s: 0.99, m: 1", "hot.yaml:15:37: unknown key 'm'; expected n, s or first"},
    {"{zipf: {n: 1000, s: 0.99}}", "{uniform: {min: 3}}",
     "hot.yaml:15:21: 'uniform' needs 'n', or 'min' and 'max'"},
    {"{zipf: {n: 1000, s: 0.99}}", "{uniform: {min: 3, max: 2}}",
     "hot.yaml:15:35: 'max' must be 'min' or up to 2^48 - 1 above it"},
    {"{zipf: {n: 1000, s: 0.99}}", "{choice: []}", "hot.yaml:15:20: 'choice' has no values"},
    {"{zipf: {n: 1000, s: 0.99}}", "{choice: {a: -1}}",
     "hot.yaml:15:24: 'a' is -1, outside of 0 … 1000000000000"},
    {"{zipf: {n: 1000, s: 0.99}}", "{choice: {a: 0}}",
     "hot.yaml:15:20: all weights of 'choice' are 0"},
    {"{zipf: {n: 1000, s: 0.99}}", "{constant: ''}",
     "hot.yaml:15:23: 'constant' must be a text of 1 to 2048 bytes, got ''"},
    {"  player: {", "  seq: {",
     "hot.yaml:15:3: a field's name is letters, digits and '_', at most 64, and not hash, random, "
     "each, now or seq; got 'seq'"},
};

static const struct refusal workloads[] = {
    {"workload:\n", "workload: []\nfields2:\n",
     "hot.yaml:17:1: unknown key 'fields2'; did you mean 'fields'?"},
    {"name: score", "nmae: score", "hot.yaml:17:5: unknown key 'nmae'; did you mean 'name'?"},
    {"name: score", "name: a.b",
     "hot.yaml:17:11: 'name' must be a name of letters, digits, '_' and '-', at most 64, got "
     "'a.b'"},
    {"name: score\n", "name: score\n    actions: x\n",
     "hot.yaml:18:5: key 'actions' is not supported yet"},
    {"UpdateItem", "UpdateItme",
     "hot.yaml:18:16: unknown operation 'UpdateItme'; did you mean 'UpdateItem'?"},
    {"    operation: UpdateItem\n", "", "hot.yaml:17:5: 'operation' is missing"},
    {"UpdateItem\n", "UpdateItem\n    table: oders\n",
     "hot.yaml:19:12: unknown table 'oders'; did you mean 'orders'?"},
    {"\"${rate}\"", "0", "hot.yaml:19:11: 'rate' is 0: a constant rate must be above 0"},
    {"\"${rate}\"", "-1", "hot.yaml:19:11: 'rate' is -1, outside of 0 … 100000000"},
    {"\"${rate}\"", "1e-7", "hot.yaml:19:11: a rate below 0.000001 per second"},
    {"\"${rate}\"", "fast", "hot.yaml:19:11: 'rate' must be a number, got 'fast'"},
    {"\"${rate}\"", "{a: b}",
     "hot.yaml:19:11: 'rate' must be a number per second or a schedule [[0s, 0], [1m, 4000]], got "
     "a mapping"},
    {"\"${rate}\"", "[]", "hot.yaml:19:11: a schedule has 1 … 100000 points"},
    {"\"${rate}\"", "[[0s, 0], [1m, 0]]",
     "hot.yaml:19:11: every rate of the schedule is 0: nothing would arrive"},
    {"\"${rate}\"", "[[1m, 5], [0s, 5]]", "hot.yaml:19:22: a schedule's times may not go back"},
    {"\"${rate}\"", "[[1m, 5], [1m, 6], [1m, 7]]",
     "hot.yaml:19:31: three points at one time; two are a step, a third means nothing"},
    {"\"${rate}\"", "[[1m, -5]]", "hot.yaml:19:17: -5 is outside of 0 … 100000000"},
    {"\"${rate}\"", "[[1m]]",
     "hot.yaml:19:12: expected a pair [time, rate] such as [1m, 4000], got a list"},
    {"    rate: \"${rate}\"\n", "",
     "hot.yaml:17:5: 'rate' is missing (or 'arrivals: {closed: …}', or 'time' of a trace)"},
    {"\"${rate}\"", "5\n    arrivals: bursty",
     "hot.yaml:20:15: 'bursty' needs its bursts: {bursty: {on: 10s, off: 50s}}"},
    {"\"${rate}\"", "5\n    arrivals: {bursty: {}}", "hot.yaml:20:24: 'on' is missing"},
    {"\"${rate}\"", "5\n    arrivals: poison",
     "hot.yaml:20:15: unknown arrivals 'poison'; did you mean 'poisson'?"},
    {"\"${rate}\"", "5\n    arrivals: closed",
     "hot.yaml:20:15: 'closed' needs its clients: {closed: {clients: N, think: 5ms}}"},
    {"\"${rate}\"", "5\n    arrivals: {closed: {clients: 1}}",
     "hot.yaml:19:5: a closed loop has no 'rate': its clients set the pace"},
    {"    rate: \"${rate}\"\n", "    arrivals: {closed: {clients: 0}}\n",
     "hot.yaml:19:34: 'clients' is 0, outside of 1 … 1000000"},
    {"\"${rate}\"", "5\n    start: 10m",
     "hot.yaml:20:12: 'start' is not before the end of the run ('duration')"},
    {"\"${rate}\"", "5\n    start: 2m\n    stop: 1m",
     "hot.yaml:21:11: 'stop' must be later than 'start'"},
    {"\"${rate}\"", "5\n    start: 1m\n    after: score",
     "hot.yaml:20:5: 'start' and 'after' exclude one another; write 'after: OTHER + 30s'"},
    {"\"${rate}\"", "5\n    after: scor",
     "hot.yaml:20:12: unknown workload 'scor'; did you mean 'score'?"},
    {"\"${rate}\"", "5\n    after: score",
     "hot.yaml:20:12: workload 'score' never ends: it needs a trace, 'stop', or a rate that ends "
     "at 0"},
    {"\"${rate}\"", "5\n    stop: 1m\n    after: score + 1s",
     "hot.yaml:21:12: workloads wait for one another in a circle"},
    {"\"${rate}\"", "5\n    after: score + soon",
     "hot.yaml:20:12: 'after' must be 'OTHER' or 'OTHER + 30s', got 'score + soon'"},
    {"client:\n",
     "  - name: score\n    operation: PutItem\n    rate: 1\n    item_size: 1\n"
     "    item: {PK: a, SK: b}\nclient:\n",
     "hot.yaml:22:11: two workloads are named 'score'"},
};

static const struct refusal items[] = {
    {", SK: \"{player}\"}", "}", "hot.yaml:20:11: 'SK' is missing"},
    {"SK: \"{player}\"}", "SX: \"{player}\"}",
     "hot.yaml:20:48: unknown key attribute 'SX'; expected PK or SK"},
    {"SK: \"{player}\"}", "SKK: \"{player}\"}",
     "hot.yaml:20:48: unknown key attribute 'SKK'; did you mean 'SK'?"},
    {"SK: \"{player}\"}", "SK: \"{plyer}\"}",
     "hot.yaml:20:54: unknown field 'plyer'; did you mean 'player'?"},
    {"% ${shards}}", "% ${shards}}-{plyer}",
     "hot.yaml:20:47: unknown field 'plyer'; did you mean 'player'?"},
    {"% ${shards}}", "% ${shards}/2}",
     "hot.yaml:20:35: N of {hash(field) % N} is '4/2', expected a whole number from 1 to 1048576"},
    {"SK: \"{player}\"}", "SK: ''}", "hot.yaml:20:53: a key may not be empty"},
    {"200B", "200B\n    condition: atribute_exists",
     "hot.yaml:22:16: unknown condition 'atribute_exists'; did you mean 'attribute_exists'?"},
    {"200B", "200B\n    condition: fails",
     "hot.yaml:22:16: unknown condition 'fails'; expected attribute_exists, attribute_not_exists "
     "or {fails: P}"},
    {"SK: \"{player}\"}", "SK: [a]}", "hot.yaml:20:52: 'SK' must be a text, got a list"},
    {"200B", "401KB",
     "hot.yaml:21:16: an item of 410624 bytes: DynamoDB takes at most 400 KB (409600 bytes)"},
    {"200B", "0", "hot.yaml:21:16: an item has at least 1 byte"},
    {"200B", "200 B",
     "hot.yaml:21:16: 'item_size' must be a size such as 200B or 4KB, got '200 B'"},
    {"200B", "0.3B",
     "hot.yaml:21:16: 'item_size' must be a size such as 200B or 4KB, got '0.3B' (finer than 1 "
     "byte)"},
    {"200B", "{normal: {}}", "hot.yaml:21:25: 'mean' is missing"},
    {"200B", "{lognormel: {}}",
     "hot.yaml:21:17: unknown key 'lognormel'; did you mean 'lognormal'?"},
    {"200B", "{lognormal: {median: 2KB, p99: 1KB, min: 1B, max: 4KB}}",
     "hot.yaml:21:47: 'p99' must be above 'median'"},
    {"200B", "{exponential: {mean: 2KB, min: 4KB, max: 1KB}}",
     "hot.yaml:21:57: 'max' is below 'min'"},
    {"200B", "{normal: {mean: 2KB, sd: 0, min: 1, max: 1KB}}",
     "hot.yaml:21:41: an item has at least 1 byte"},
    {"200B", "{zipf: {s: 21, min: 1, max: 1KB}}", "hot.yaml:21:27: 's' is 21, outside of 0 … 20"},
    {"200B", "{choice: {small: 1}}",
     "hot.yaml:21:26: 'small' must be a size of 1B to 400KB, such as 200B or 4KB"},
    {"200B", "{choice: {200B: 0}}", "hot.yaml:21:25: all weights of 'choice' are 0"},
    {"200B", "{choice: []}", "hot.yaml:21:25: 'choice' has no sizes"},
    {"200B", "{choice: 200B}",
     "hot.yaml:21:25: 'choice' must be a list of sizes or a mapping of their weights, got '200B'"},
    {"200B", "{histogram: [200B]}",
     "hot.yaml:21:29: expected [size, weight] or [[min, max], weight], got '200B'"},
    {"200B", "{histogram: [[[2KB, 1KB], 1]]}",
     "hot.yaml:21:36: the end of a range, 1024, lies before its begin, 2048"},
    {"200B", "{uniform: {min: 2, max: 1}}", "hot.yaml:21:40: 'max' is below 'min'"},
    {"200B", "{uniform: {min: 2, max: 1MB}}",
     "hot.yaml:21:40: an item of 1048576 bytes: DynamoDB takes at most 400 KB (409600 bytes)"},
    {"200B", "{column: bytes}", "hot.yaml:21:17: 'column' needs a 'trace'"},
    {"    item_size: 200B\n", "", "hot.yaml:17:5: 'item_size' is missing: UpdateItem needs it"},
    {"200B\n", "200B\n    exists: maybe\n",
     "hot.yaml:22:13: 'exists' must be true or false, got 'maybe'"},
    {"200B\n", "200B\n    ConsistentRead: true\n",
     "hot.yaml:22:5: 'ConsistentRead' is for reads; UpdateItem writes"},
    {"200B\n", "200B\n    trace: {file: a.csv}\n",
     "hot.yaml:22:12: 'trace' needs 'columns: [NAME, …]', or 'header: true' when the file's first "
     "line names them"},
    {"200B\n", "200B\n    trace: {file: a.csv, columns: [a, b], time: aa}\n",
     "hot.yaml:22:49: unknown column 'aa'; expected a or b"},
    {"200B\n", "200B\n    trace: {file: a.csv, columns: [a, a]}\n",
     "hot.yaml:22:39: column 'a' is named twice"},
    {"200B\n", "200B\n    trace: {file: a.csv, columns: [a], unit: s}\n",
     "hot.yaml:22:40: 'unit' is the unit of 'time', which is missing"},
    {"200B\n", "200B\n    trace: {file: a.csv, columns: [a], time: a}\n",
     "hot.yaml:19:5: the trace's 'time' says when operations come; leave 'rate' out, or 'time'"},
    {"200B\n", "200B\n    trace: {file: a.csv, columns: [a], order: shuffle}\n",
     "hot.yaml:22:47: unknown order 'shuffle'; did you mean 'shuffled'?"},
    {"200B\n", "200B\n    trace: {file: a.csv, columns: [a], time: a, order: shuffled}\n",
     "hot.yaml:22:49: the trace's 'time' gives the order of its rows; leave 'order' out, or "
     "'time'"},
    {"200B\n", "200B\n    trace: {columns: [a]}\n", "hot.yaml:22:12: 'file' is missing"},
};

static const struct refusal others[] = {
    {"retry: none", "retry: nonee", "hot.yaml:23:10: unknown retry 'nonee'; did you mean 'none'?"},
    {"retry: none", "latency: 0", "hot.yaml:23:12: 'latency' is 0, outside of 1us … 1h"},
    {"retry: none", "latency: {lognormal: {median: 5ms, p99: 1ms}}",
     "hot.yaml:23:43: 'p99' (1ms) is below 'median' (5ms)"},
    {"retry: none", "latency: {}",
     "hot.yaml:23:12: 'latency' needs one of 'constant' and 'lognormal'"},
    {"retry: none", "count: 0", "hot.yaml:23:10: 'count' is 0, outside of 1 … 1000000"},
    {"routers: 2", "roters: 2", "hot.yaml:25:3: unknown key 'roters'; did you mean 'routers'?"},
    {"routers: 2", "routers: 65", "hot.yaml:25:12: 'routers' is 65, outside of 0 … 64"},
    {"routers: 2", "era: statik", "hot.yaml:25:8: unknown era 'statik'; did you mean 'static'?"},
    {"routers: 2", "adaptive_delay_min: 31m",
     "hot.yaml:25:23: 'adaptive_delay_min' is 31m, above 'adaptive_delay_max', which is 30m"},
    {"routers: 2", "adaptive_delay_max: 90s",
     "hot.yaml:25:23: 'adaptive_delay_min' is 5m, above 'adaptive_delay_max', which is 90s"},
    {"routers: 2", "adaptive_gain: 1.5",
     "hot.yaml:25:18: 'adaptive_gain' is 1.5, outside of 0.01 … 1"},
    {"routers: 2", "adaptive_gain: -0.5",
     "hot.yaml:25:18: 'adaptive_gain' is -0.5, outside of 0.01 … 1"},
    {"routers: 2", "adaptive_gain: half",
     "hot.yaml:25:18: 'adaptive_gain' must be a number such as 0.5, with at most six decimal "
     "places, got 'half'"},
    {"routers: 2", "adaptive_gain: 0.1234567",
     "hot.yaml:25:18: 'adaptive_gain' must be a number such as 0.5, with at most six decimal "
     "places, got '0.1234567'"},
    {"routers: 2", "era: gack", "hot.yaml:25:8: unknown era 'gack'; did you mean 'gac'?"},
    {"routers: 2", "gac_refresh: 0", "hot.yaml:25:16: 'gac_refresh' is 0, outside of 1ms … 10m"},
    {"routers: 2", "gac_refresh: soon",
     "hot.yaml:25:16: 'gac_refresh' must be a duration such as 5s, or seconds, got 'soon'"},
    {"routers: 2", "part_max_bytes: 1KB",
     "hot.yaml:25:19: 'part_max_bytes' is 1KB, outside of 1MB … 16384GB"},
    {", max: 0.001", "", "hot.yaml:27:5: an expectation needs 'min', 'max' or 'equals'"},
    {"metric: throttled_share, ", "", "hot.yaml:27:5: 'metric' is missing"},
    {"max: 0.001", "maks: 0.001",
     "hot.yaml:27:31: unknown key 'maks'; expected metric, table, index, workload, key, reason, "
     "from, to, per, stat, min, max, equals, tolerance, share_of_seeds or published"},
    {"max: 0.001", "max: 1, min: 2", "hot.yaml:27:36: 'max' is below 'min'"},
    {"max: 0.001", "max: 1, tolerance: 0.1",
     "hot.yaml:27:39: 'tolerance' belongs to 'equals', which is missing"},
    {"max: 0.001", "max: 1, share_of_seeds: 0", "hot.yaml:27:55: 'share_of_seeds' must be above 0"},
    {"max: 0.001", "max: 1, per: hour",
     "hot.yaml:27:44: unknown per 'hour'; expected run, second or minute"},
    {"max: 0.001", "max: 1, stat: men", "hot.yaml:27:45: unknown stat 'men'; did you mean 'mean'?"},
    {"max: 0.001", "max: 1, from: 2m, to: 1m", "hot.yaml:27:53: 'to' must be later than 'from'"},
    {"max: 0.001", "max: 1, table: order",
     "hot.yaml:27:46: unknown table 'order'; did you mean 'orders'?"},
    {"max: 0.001", "max: 1, workload: scores",
     "hot.yaml:27:49: unknown workload 'scores'; did you mean 'score'?"},
    {"max: 0.001", "max: 1, reason: TableWriteKeyRange",
     "hot.yaml:27:47: unknown reason 'TableWriteKeyRange'"},
    {"max: 0.001", "max: 1, reason: TableWriteKeyRangeThroughputExceded",
     "hot.yaml:27:47: unknown reason 'TableWriteKeyRangeThroughputExceded'; did you mean "
     "'TableWriteKeyRangeThroughputExceeded'?"},
    {"max: 0.001", "max: 1, index: byHost", "hot.yaml:27:46: unknown index 'byHost'"},
};

static void check_refusal(const struct refusal *row) {
    char *text = fixture_edit(row->from, row->to);
    struct scenario scenario;
    struct err err;
    ck_assert_msg(!fixture_read(&scenario, text, NULL, &err), "taken: %s", row->to);
    ck_assert_int_eq(err.kind, ERR_INPUT);
    ck_assert_str_eq(err.text, row->message);
    scenario_fini(&scenario);
    free(text);
}

START_TEST(takes_the_fixture) {
    struct scenario scenario;
    struct err err;
    ck_assert_msg(fixture_read(&scenario, FIXTURE_TEXT, NULL, &err), "%s", err.text);
    scenario_fini(&scenario);
}
END_TEST

START_TEST(refuses_faults_of_the_top_level) {
    for (size_t i = 0; i < ROWS(top); i++) {
        check_refusal(&top[i]);
    }
}
END_TEST

START_TEST(refuses_faults_of_parameters) {
    for (size_t i = 0; i < ROWS(parameters); i++) {
        check_refusal(&parameters[i]);
    }
}
END_TEST

START_TEST(refuses_faults_of_fields) {
    for (size_t i = 0; i < ROWS(fields); i++) {
        check_refusal(&fields[i]);
    }
}
END_TEST

START_TEST(refuses_faults_of_workloads) {
    for (size_t i = 0; i < ROWS(workloads); i++) {
        check_refusal(&workloads[i]);
    }
}
END_TEST

START_TEST(refuses_faults_of_items_and_traces) {
    for (size_t i = 0; i < ROWS(items); i++) {
        check_refusal(&items[i]);
    }
}
END_TEST

START_TEST(refuses_faults_of_client_model_and_expectations) {
    for (size_t i = 0; i < ROWS(others); i++) {
        check_refusal(&others[i]);
    }
}
END_TEST

START_TEST(stops_texts_that_double) {
    char text[4000] = "parameters:\n  p0: aaaaaaaaaaaaaaaa\n";
    for (int i = 1; i < 40; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "  p%d: \"${p%d}${p%d}\"\n", i, i - 1, i - 1);
    }
    struct scenario scenario;
    struct err err;
    ck_assert(!fixture_read(&scenario, text, NULL, &err));
    ck_assert_str_eq(err.text,
                     "hot.yaml:15:9: the text is longer than 65536 bytes after substitution");
    scenario_fini(&scenario);
}
END_TEST

START_TEST(shows_long_texts_cut) {
    char *text =
        fixture_edit("seed: 7", "seed: "
                                "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
                                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    struct scenario scenario;
    struct err err;
    ck_assert(!fixture_read(&scenario, text, NULL, &err));
    ck_assert_str_eq(err.text, "hot.yaml:3:7: 'seed' must be a whole number, got "
                               "'\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
                               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'");
    scenario_fini(&scenario);
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("workloads/scenario_refusals");
    TCase *tcase = tcase_create("refusals");
    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, takes_the_fixture);
    tcase_add_test(tcase, refuses_faults_of_the_top_level);
    tcase_add_test(tcase, refuses_faults_of_parameters);
    tcase_add_test(tcase, refuses_faults_of_fields);
    tcase_add_test(tcase, refuses_faults_of_workloads);
    tcase_add_test(tcase, refuses_faults_of_items_and_traces);
    tcase_add_test(tcase, refuses_faults_of_client_model_and_expectations);
    tcase_add_test(tcase, stops_texts_that_double);
    tcase_add_test(tcase, shows_long_texts_cut);
    return suite_run(suite);
}
