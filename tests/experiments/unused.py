#!/usr/bin/env python3
"""unused.py ROOT DDBSIM - what a scenario does not use costs it nothing: no request calls it.

Two scenarios run under callgrind. In the plain one (Zipf reads and writes, pool, caps, counters of
keys) no function of the files below is called more often than set-up and the close of a second
need. The other one uses all of them, and then each file is called: so the names are right.

77, skipped: valgrind is not installed. Functions are told by the file that the debugging
information names, so a new one needs no line here. In builds that inline them, instructions of the
file's lines tell that it is used.
"""

import collections
import pathlib
import shutil
import subprocess
import sys
import tempfile

SECONDS, REQUESTS_A_SECOND = 5, 2000
# A few calls a workload, a resource or a second; a hundredth of the requests.
CALLS_MAX = 100

# Files of features, by patterns: functions of each are used by the second scenario.
UNUSED = [
    "models/secondary_index*.c", "models/index_*", "models/service_index.c",
    "models/adaptive_capacity.*", "models/service_shares.c",
    "experiments/simulation_client.c", "experiments/simulation_chains.c",
    "experiments/simulation_batches.c", "experiments/simulation_indexes.c",
    "workloads/rate_limiter.*", "workloads/retry_quota.*", "workloads/retry_policy.c",
    "workloads/bursts.*", "workloads/delay.*",
    "sim/timer_ladder.*",
]
# What the second scenario does not call as well: 1e5 pending timers, what is set up once, inline
# functions.
NOT_SHOWN = {"sim/timer_ladder.*", "models/service_shares.c", "workloads/retry_quota.*"}
INSTRUCTIONS = "instructions"
DIGITS = "0123456789+-*"
# Those of the files that are there for everybody: a new key has a name.
FOR_ALL = {"simulation_add_keys"}

TABLE = """
  - TableName: {name}
    ProvisionedThroughput: {{ReadCapacityUnits: 2000, WriteCapacityUnits: 1000}}
    AttributeDefinitions: [{{AttributeName: PK, AttributeType: S}}{attributes}]
    KeySchema: [{{AttributeName: PK, KeyType: HASH}}]
    state: {{Partitions: 4, BurstSeconds: 0}}
"""
PLAIN = f"""
name: plain
source: own
duration: {SECONDS}s
tables: {TABLE.format(name="items", attributes="")}
fields:
  product: {{zipf: {{n: 10000, s: 0.99}}}}
workload:
  - {{name: read, operation: GetItem, rate: {REQUESTS_A_SECOND / 2}, item: {{PK: "P#{{product}}"}},
     item_size: 200B}}
  - {{name: write, operation: UpdateItem, rate: {REQUESTS_A_SECOND / 2},
     item: {{PK: "P#{{product}}"}}, item_size: 200B}}
client: {{retry: none}}
"""
INDEX = """
    GlobalSecondaryIndexes:
      - IndexName: byState
        KeySchema: [{AttributeName: state, KeyType: HASH}]
        Projection: {ProjectionType: ALL}
        ProvisionedThroughput: {ReadCapacityUnits: 1000, WriteCapacityUnits: 1000}
"""
ALL = f"""
name: all
source: own
duration: {SECONDS}s
tables: {TABLE.format(name="items", attributes=", {AttributeName: state, AttributeType: S}")}{INDEX}
workload:
  - name: put
    operation: PutItem
    rate: {REQUESTS_A_SECOND}
    arrivals: {{bursty: {{on: 10ms, off: 10ms}}}}
    item: {{PK: "P#{{seq}}"}}
    item_size: 2KB
    attributes: {{state: "S{{random % 10}}"}}
    then:
      - name: move
        operation: UpdateItem
        delay: {{exponential: {{mean: 100ms}}}}
        item: {{PK: "P#{{seq}}"}}
        item_size: 200B
        attributes: {{state: T}}
  - {{name: load, operation: BatchWriteItem, batch: 5, rate: 200, item: {{PK: "B#{{seq}}"}},
     item_size: 200B, attributes: {{state: S}}}}
client: {{retry: {{profile: aws-sdk-adaptive, attempts: 5}}, connections: 50, count: 200}}
model: {{era: adaptive}}
"""


def calls_by_function(ddbsim, folder, text):
    """{(file, function): calls} of one run, as callgrind has seen them; with function "" the
    instructions of a file's lines, wherever they were inlined."""
    scenario, out = folder / "scenario.yaml", folder / "calls"
    scenario.write_text(text, "utf-8")
    subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                    "--compress-strings=no", ddbsim, "run", scenario, "--format", "json"],
                   check=True, stdout=subprocess.DEVNULL)
    calls = collections.Counter()
    own, called, function, lines_of, is_of_call = "", "", "", "", False
    for line in out.read_text("utf-8", "replace").splitlines():
        key, _, value = line.partition("=")
        if key in ("fl", "fi", "fe"):
            own = value if key == "fl" else own
            lines_of = value
        elif key in ("cfi", "cfl"):
            called = value
        elif key == "cfn":
            function = value
        elif key == "calls":
            calls[(called or own, function)] += int(value.split()[0])
            called = ""
        cost = line.split()
        if not is_of_call and len(cost) == 2 and cost[1].isdigit() and cost[0][0] in DIGITS:
            calls[(lines_of, "")] += int(cost[1])
        is_of_call = key == "calls"
    return calls


def of_files(calls, root, pattern):
    """The calls of functions in the project's files that match."""
    found = {}
    for (file, function), count in calls.items():
        path = pathlib.Path(file)
        path = path.relative_to(root) if path.is_relative_to(root) else path
        if path.match(pattern) and function not in FOR_ALL:
            found[f"{path}: {function or INSTRUCTIONS}"] = count
    return found


def main(root, ddbsim):
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return 77
    faults = []
    with tempfile.TemporaryDirectory() as name:
        plain = calls_by_function(ddbsim, pathlib.Path(name), PLAIN)
        everything = calls_by_function(ddbsim, pathlib.Path(name), ALL)
    for pattern in UNUSED:
        for function, count in of_files(plain, root, pattern).items():
            if count > CALLS_MAX and not function.endswith(INSTRUCTIONS):
                faults.append(f"{function} is called {count} times and not used")
        used = of_files(everything, root, pattern)
        if pattern not in NOT_SHOWN and max(used.values(), default=0) <= CALLS_MAX:
            faults.append(f"{pattern}: nothing of it is called when it is used: {used}")
    requests = sum(count for function, count in of_files(plain, root, "models/*").items()
                   if not function.endswith(INSTRUCTIONS))
    if requests < SECONDS * REQUESTS_A_SECOND:
        faults.append(f"only {requests} calls of the model: callgrind's output looks different")
    print(*faults, f"{len(plain)} functions, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
