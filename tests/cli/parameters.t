# Every number of the model with its source.
$ ddbsim parameters
...
model.part_max_w = 1000 units/s    (1 units/s … 1000000 units/s)
    write capacity units per second of one partition
    source: DOC AWS guide, partition key design
...
model.routers = 8    (0 … 64)
...
client.retry = botocore-legacy    (none|botocore-legacy|aws-sdk-js-legacy|aws-sdk-go-v1|aws-sdk-java-v2|aws-sdk-standard|aws-sdk-adaptive|aws-sdk-2026|custom)
...

$ ddbsim parameters --format json | python3 -c '
> import json, sys
> rows = json.load(sys.stdin)
> assert all(row["source"] and row["about"] and row["range"] for row in rows)
> print({row["name"]: row["default"] for row in rows if row["name"] in ("model.gac_refresh", "client.latency")})'
{'model.gac_refresh': '5s', 'client.latency': '{lognormal: {median: 3ms, p99: 9ms}}'}

# what is listed can be set, at its default and at its bounds
$ ddbsim parameters --format json | python3 -c '
> import json, sys
> for row in json.load(sys.stdin):
>     if row["name"].startswith(("model.", "pricing.")):
>         print(row["name"] + "=" + row["default"].split()[0].split("/")[0])' | while read -r set; do
>     ddbsim run "$TESTS/base.yaml" --quiet --set "$set" || echo "$set"
> done
