# The smallest value that meets a goal: each candidate with its evidence, and those up to twice it.
$ cp "$TESTS/base.yaml" . && ddbsim advise base.yaml --vary rate=10:40:5 --goal 'offered>=50' --replications 60
base: the smallest rate of 10:40:5 with which offered>=50
holds in at least 95 % of layouts, by exact bounds at 95 % confidence

  rate  layouts that meet it        shown               a month
    10  0 of 3 [0 %, 63 %]          no                    $5.69
    15  0 of 3 [0 %, 63 %]          no                    $5.69
    20  0 of 3 [0 %, 63 %]          no                    $5.69
    25  60 of 60 [95 %, 100 %]      yes                   $5.69
    30  60 of 60 [95 %, 100 %]      yes                   $5.69
    35  60 of 60 [95 %, 100 %]      yes                   $5.69
    40  60 of 60 [95 %, 100 %]      yes                   $5.69

answer: rate 25, in at least 95 % of layouts, for $5.69 a month

# from above; two goals; rows that say the same are one
$ ddbsim advise base.yaml --vary rate=5:60:5 --largest --goal 'offered<=90' --goal 'throttled<=0' --replications 59 | sed -n '4,$p' | tr -s ' '
 rate layouts that meet it shown a month
 60 0 of 3 [0 %, 63 %] no $5.69
 55 0 of 3 [0 %, 63 %] no $5.69
 50 0 of 3 [0 %, 63 %] no $5.69
 45 59 of 59 [95 %, 100 %] yes $5.69
 40 ... 25 59 of 59 [95 %, 100 %] yes $5.69

answer: rate 45, in at least 95 % of layouts, for $5.69 a month

# Where arithmetic has the answer: shards on 8 partitions, of which 10 hold in 97 % of layouts and 7 in 64 % only (more is not
# always better); a floor whose burst lasts two minutes of 20 a second; one that outlasts the scaler; one item takes 1,000.
$ ddbsim advise leaderboard --vary shards=3,4,6,7,10,20 --goal 'throttled_share<=0.1%' --share 80% --set rate=250 --set model.part_max_w=100 --set duration=30s --replications 100 | sed -n '5,$s/^ *\([0-9]*\) .*\(yes\|no\) .*/\1 \2/p; /^answer/p'
3 no
4 no
6 no
7 no
10 yes
20 yes
~ answer: shards 10, *

$ ddbsim advise c17-floor-of-one --vary floor=4:7 --goal 'throttled<=0' --share 80% --replications 14 | grep ^answer
~ answer: floor 6, *

$ ddbsim advise c15-spike-from-a-floor --vary floor=2000,2100 --goal 'throttled<=0' --share 50% --replications 5 | grep ^answer
~ answer: floor 2100, *

$ ddbsim advise counter --vary rate=940:1060:20 --largest --goal 'throttled_share<=0.1%' --set duration=60s --share 60% --replications 8 | grep ^answer
~ answer: rate 1000, *

# 150 units/s and 45,000 saved ones last 1,000 s at 195 a second, but for what is on its way through the request routers.
$ ddbsim advise d2-burst-duration --vary workload.read.rate=190:200:1 --largest --goal 'throttled<=0' --share 50% --replications 5 | grep ^answer
~ answer: workload.read.rate 194, *

# one object for programs
$ ddbsim advise base.yaml --vary rate=20,25 --goal 'offered>=50' --replications 60 --jobs 1 --format json | python3 -c '
> import json, sys
> advice = json.load(sys.stdin)
> print(*advice)
> print(advice["answer"], [(row["value"], row["met"], row["shown"]) for row in advice["candidates"]])'
scenario parameter goals share confidence largest answer candidates why sensitivity
25 [('20', 0, 'no'), ('25', 60, 'yes')]

# when no value can: why, by the verdict of a run; what cannot be run at all
$ ddbsim advise leaderboard --vary tables.leaderboard.ProvisionedThroughput.WriteCapacityUnits=4000,8000,50000 --goal 'throttled_share<=1%' --set duration=1s --replications 59 | tr -s '\n ' ' '
~ *4000 0 of 3 \[0 %, 63 %\] no *8000 0 of 3* 50000 cannot be run - *quota*no tables.leaderboard*of these does*with tables.*8000, verdict of replication 0 throttled: TableWriteKeyRangeThroughputExceeded on key LEADERBOARD#0:*

$ ddbsim advise leaderboard --vary shards=1,2 --goal 'throttled<=0' --set duration=1s --replications 59 >/dev/null
[1]

# which unpublished parameters matter
$ ddbsim advise base.yaml --vary rate=20:40:10 --goal 'throttled<=0' --largest --set duration=25s --set model.burst_initial_s=30 --share 50% --replications 5 --sensitivity | sed -n '/^answer/,$p'
~ answer: rate 20, *
  not decided, more replications would tell: 40, 30

unpublished parameters that would change it
~   model.burst_initial_s: 0ns not enough, *the one before it does, 1h the one before it does
...

# what is wrong with the question
$ ddbsim advise base.yaml --vary rate=1:9
! ddbsim: error: expected --goal 'METRIC<=X'; see 'ddbsim advise --help'
[2]

$ ddbsim advise base.yaml --goal 'throttled<=0'
! ddbsim: error: expected one --vary K=LOW:HIGH; see 'ddbsim advise --help'
[2]

$ ddbsim advise base.yaml --vary rate=1:9 --goal 'throtled<=0'
! ddbsim: error: --goal: no metric 'throtled'; did you mean 'throttled'?
[2]

$ ddbsim advise base.yaml --vary rate=1:9 --goal 'throttled'
! ddbsim: error: --goal 'throttled': expected a metric, one of <= < >= > ==, and a number such as 25 or 1%
[2]

$ ddbsim advise base.yaml --vary rate=1:9 --goal 'throttled<=0' --replications 20
! ddbsim: error: 20 replications show no share of 95 % at 95 % confidence; at least 59 are needed
[2]

$ ddbsim advise base.yaml --vary rate=a,b --goal 'throttled<=0'
! ddbsim: error: --vary 'rate=a,b': expected numbers, which have an order, got 'a'
[2]

$ ddbsim advise base.yaml --vary rat=1:9 --goal 'throttled<=0'
! ddbsim: error: --set rat=1: unknown parameter or key 'rat'; did you mean 'rate'?
[2]

$ ddbsim advise base.yaml --vary rate=1:9 --goal 'throttled<=0' --share 1.5
! ddbsim: error: --share: expected a share such as 95% or 0.95, got '1.5'
[2]
