# The report, its figures, and the same as JSON.
$ cp "$TESTS/base.yaml" . && ddbsim run base.yaml
base
  One key, one partition, a second of traffic.

~   seed 7, replication 0: 2 s simulated in * s
  operations  20 offered, 20 succeeded
  attempts    20, 0 throttled (0 %)
  latency     p50 3 ms, p99 3 ms, max 3 ms of operations that succeeded

table orders: 1 partition, 3 keys used
             provisioned/s   mean used/s peak minute/s    burst left     throttled
    reads               10             0             0         3,000             0  RCU
    writes              10            10            10         3,000             0  WCU
~     hottest keys * partition * RCU/s * WCU/s * throttled
~     CUSTOMER#*
~     CUSTOMER#*
~     CUSTOMER#*

cost: $5.69 a month at this rate (us-east-1, September 2026)
    reads use 0 % of what is provisioned; on demand costs less below 29 %
    writes use 100 % of what is provisioned; on demand costs less below 29 %
    the same units $16.43 on demand (2.88 times)

verdict
~   not throttled: writes use 100 % of 10 WCU/s, the busiest key,*
...

$ ddbsim run base.yaml --quiet

# exactly these keys, in this order
$ ddbsim run base.yaml --format json | python3 -c '
> import json, sys
> run = json.load(sys.stdin)
> print(*run)
> print(*run["latency_ms"], "|", *run["tables"][0], "|", *run["hottest_keys"][0])
> print(run["offered"], run["consumed_wcu"], run["reasons"], run["first_throttle_s"])'
scenario seed replication digest arrivals_digest duration_s offered succeeded condition_failed rejected gave_up in_flight unprocessed attempts admitted throttled errored throttled_share failed_share consumed_rcu consumed_wcu reasons first_throttle_s latency_ms tables hottest_keys cost verdict wall_s requests_per_wall_s peak_rss_bytes
p50 p99 max | name consumed_rcu consumed_wcu throttle_events partitions_start partitions_end indexes | table index key partition reads writes consumed_rcu consumed_wcu throttled_reads throttled_writes
20 20 {} None

# one line each; a replication has its own digest, and the same one every time
$ ddbsim run base.yaml --replications 3 --format json --set workload.write.arrivals=poisson | python3 -c '
> import json, sys
> runs = [json.loads(line) for line in sys.stdin]
> print([run["replication"] for run in runs], len({run["digest"] for run in runs}))'
[0, 1, 2] 3

$ digest() { ddbsim run leaderboard --set duration=1s --format json --seed "$1" | grep -o '"digest":"[0-9a-f]*"'; }
> test "$(digest 7)" = "$(digest 7)" && test "$(digest 7)" != "$(digest 8)" && echo as it should be
as it should be

$ ddbsim run base.yaml --set rate=5 --set workload.write.item_size=2KB --format json |
>     grep -o '"offered":[0-9]*\|"consumed_wcu":[0-9]*' | head -n 2
"offered":10
"consumed_wcu":20

$ ddbsim run base.yaml --set rat=5
! ddbsim: error: --set rat=5: unknown parameter or key 'rat'; did you mean 'rate'?
[2]

$ ddbsim run base.yaml --replications 2 --set model.placement=fixed
base
  One key, one partition, a second of traffic.

~   replication      attempts     throttled       share     gave up  first throttle
~             0            20             0         0 %           0               -
~             1            20             0         0 %           0               -

  throttled in 0 of 2 replications (0 %)
  throttled share of attempts: 0 % … 0 %, mean 0 %
  cost: $5.69 a month at this rate

verdict of replication 0
~   not throttled: *
...

# prices: a list, a price of one's own, replicas; as a metric that is expected
$ ddbsim run base.yaml --set pricing.price_list=us-east-1-2018 --set pricing.replicas=1 | grep '^cost'
cost: $15.18 a month at this rate (us-east-1, 2018 to October 2024)

$ ddbsim run base.yaml --set pricing.provisioned_write_usd_per_hour=0.000735 | grep '^cost'
cost: $6.31 a month at this rate (us-east-1, September 2026)

$ ddbsim run base.yaml --set pricing.price_list=eu-west-1
! ddbsim: error: --set pricing.price_list=eu-west-1: unknown price_list 'eu-west-1'; expected us-east-1 or us-east-1-2018
[2]

$ ddbsim run base.yaml --set pricing.replicas=-1
! ddbsim: error: --set pricing.replicas=-1: 'replicas' is -1, outside of 0 … 40
[2]

$ ddbsim run base.yaml --set pricing.storage_usd_per_gb_month=0.1234567891
! ddbsim: error: --set pricing.storage_usd_per_gb_month=0.1234567891: 'storage_usd_per_gb_month' must be dollars such as 0.625, with at most nine decimal places, got '0.1234567891'
[2]

# a hot key: the verdict names limit, key, figures, cure
$ ddbsim run leaderboard --set duration=1m | sed -n '/^verdict/,$p' | tr -s '\n ' ' '
~ verdict throttled: TableWriteKeyRangeThroughputExceeded on key LEADERBOARD#0: 1,0?? of 2,[45]?? writes/s accepted, the table is at 25 % of its 4,000 WCU/s (from ? s to the end, in * of 60 s); one partition gives 1,000 WCU/s, whatever is provisioned; 3 shards would do if they land apart (66 % of layouts on 8 partitions), 8 hold in 91 % failed: *

# what AWS knows and the model does not is accepted and named
$ sed 's/^  - TableName: orders/&\n    StreamSpecification: {StreamViewType: NEW_IMAGE}/' base.yaml >noted.yaml
> ddbsim run noted.yaml | sed -n 3p
~   note: noted.yaml:*StreamSpecification*

# keys of any bytes are shown as what they are, in their column; nothing where nothing is said
$ printf 'id\n"a\nb"\n\033[31mred\n\377\n\342\200\256abc\n\346\274\242\n' >odd.csv
> sed 's/rate: "${rate}"/trace: {file: odd.csv, header: true}\n    rate: 10/; s/CUSTOMER#{customer}/{id}/
>     /^about/d; s/^parameters.*//; /^expect/,$d' base.yaml >odd.yaml
> ddbsim run odd.yaml | sed -n '1,3p; /hottest keys/,/^$/p'
base

~   seed 7, replication 0: *
~     hottest keys  *
    a\x0ab                                   0             0           0.5             0      0 %
    \x1b[31mred                              0             0           0.5             0      0 %
    \xff                                     0             0           0.5             0      0 %
    \u202Eabc                                0             0           0.5             0      0 %
    漢                                       0             0           0.5             0      0 %

# A hot key whose sort keys are random is split, one with ascending sort keys is not: mechanism, time and cure.
$ ddbsim run c29-sort-key-and-splits --set duration=16m --set model.placement=fixed | tr -s ' \n' ' ' | grep -o 'throttled: .* on key sensor\|splits: .* open'
throttled: TableWriteKeyRangeThroughputExceeded on key sensor
splits: table series: 1 partition was split, all for heat, at 13 min 16 s, from 4 to 5 open

$ ddbsim run j1-ascending-sort-key --set duration=6m --set model.placement=fixed | tr -s ' \n' ' ' | grep -o 'splits: .* partition keys'
splits: table loaded: partition 3 cannot be split (5 min): ascending or descending sort key: all traffic goes to one end, so no cut would part it; spread it over several partition keys

# A partition without a leader: which, for how long, what came of it; one that the table has not.
$ ddbsim run leader-lost | tr -s ' \n' ' ' | grep -o 'leader lost: .* at 60 s'
leader lost: partition 0 of table sessions took no writes and no consistent reads for 2 s, at 60 s

$ ddbsim run leader-lost --set actions.0.LeaderLost.partition=2
! ddbsim: error: --set actions.0.LeaderLost.partition=2: partition 2 of table 'sessions', expected 0 to 1, which it has at the start
[2]

# A node: with one of three seeds, in the long run, it had the partition's leader.
$ sed 's/LeaderLost/NodeLost/; s/^duration.*/duration: 65s/; /^expect/,$d' $SCENARIOS/leader-lost.yaml >node.yaml
> for seed in 1 2 3 4 5 6 7 8 9; do
>     ddbsim run node.yaml --seed $seed | tr -s ' \n' ' ' | grep -o 'leader lost:\|node lost: [^;]*;'
> done | sort | uniq -c | sed 's/^ *//'
2 leader lost:
7 node lost: 1 replica, no leader of a partition: two of three go on, and nobody notices;
