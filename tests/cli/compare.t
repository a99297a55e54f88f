# Values of a parameter, and scenarios, under the same arrivals.
$ cp "$TESTS/base.yaml" . && ddbsim compare base.yaml --vary rate=10,5 --metric offered --replications 3
3 replications of each of 2 designs; means with 95 % intervals, differences with intervals that hold
together at 95 %

offered (operations that arrived)
~           rank  mean *difference to the first
~ rate 10      2  20 \[20, 20\] *the first
~ rate 5       1  10 \[10, 10\] *-10 \[-10, -10\]

layouts that throttle
rate 10   0 of 3 [0 %, 71 %]
rate 5    0 of 3 [0 %, 71 %]

note: the designs do not see the same arrivals, so differences are less sharp

$ ddbsim compare base.yaml --vary model.routers=0,8 --metric throttled_share --replications 2 --format json
~ {"design":"model.routers 0","rank":1,"replications":2,"failed":0,"layouts_that_throttle":0,"same_arrivals":true,"metrics":{"throttled_share":{"value":{"mean":0,"low":0,"high":0},"difference":{"mean":0,"low":0,"high":0}}}}
~ {"design":"model.routers 8","rank":1,*

$ sed 's/^name: base/name: other/' base.yaml >other.yaml; ddbsim compare base.yaml other.yaml --metric offered --replications 2
2 replications of each of 2 designs; means with 95 % intervals, differences with intervals that hold
together at 95 %

offered (operations that arrived)
~           rank  mean *difference to the first
~ base         1  20 \[20, 20\] *the first
~ other        1  20 \[20, 20\] *no difference shown

layouts that throttle
base      0 of 2 [0 %, 84 %]
other     0 of 2 [0 %, 84 %]

$ ddbsim compare base.yaml
! ddbsim: error: one scenario alone compares with nothing; expected a second one, or --vary K=A,B
[2]

$ ddbsim compare base.yaml --vary rate=1,much
! ddbsim: error: base.yaml:20:12: 'rate' must be a number, got 'much' (from --set rate=much)
[2]

$ ddbsim compare
! ddbsim: error: no scenario given; see 'ddbsim compare --help'
[2]

$ ddbsim compare base.yaml none.yaml
! ddbsim: error: cannot read 'none.yaml': no such file, and no built-in scenario
[3]

# sharding strategies: one table of what they differ in; a star stands for built-in scenarios
$ ddbsim compare strategy-none 'strategy-c*y' --sharding --set duration=1s --replications 2 | tr -s ' '
2 replications of each of 2 designs; means with half the width of their 95 % intervals

 write_throttled requests_per read_latency_ms rcu_per_read wcu_per_write cost_usd_per
 _share _read _p99 _month layouts that throttle
~ strategy-none * % ±* 1 ±0 * 2.5 ±0 1 ±0 *of 2 \[*
~ strategy-composite-key * % ±* 1 ±0 * 2.5 ±0 1 ±0 *of 2 \[*

$ ddbsim compare base.yaml 'strange-*'
! ddbsim: error: no built-in scenario matches 'strange-*'
[2]

# a database of points, runs and metrics, which plot draws by scenario
$ ddbsim compare base.yaml other.yaml --metric offered --replications 2 -q -o designs.db && ls designs.db*
> ddbsim export designs.db points && ddbsim plot designs.db sweep --metric offered | sed -n 1,2p
designs.db
point,parameters
0,"{""scenario"":""base""}"
1,"{""scenario"":""other""}"
offered of 2 scenarios
~ least at scenario base: 20 operations; most at scenario base: 20*

$ ddbsim compare base.yaml other.yaml --metric offered --replications 2 -q -o designs.db
~ ! ddbsim: error: *designs.db*--force*
[2]
