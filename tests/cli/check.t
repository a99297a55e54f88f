# Expectations that hold, that fail, and files that are broken: each is looked at.
$ cp "$TESTS/base.yaml" . && ddbsim check base.yaml
base.yaml: ok

$ ddbsim check --run base.yaml
base.yaml: ok, 2 of 2 expectations hold
  ok      offered: 20, expected 20
  ok      throttled: 0, expected 0

$ ddbsim check --run base.yaml --set rate=15
base.yaml: FAILED, 1 of 2 expectations hold
  FAILED  offered: 30, expected 20
  ok      throttled: 0, expected 0
[1]

$ sed 's/rate: 10/rate: ten/' base.yaml >broken.yaml; ddbsim check --run broken.yaml base.yaml --format json
~ {"scenario":"broken.yaml","ok":false,"error":"broken.yaml:*"}
~ {"scenario":"base.yaml","ok":true,"error":null,"notes":\[\],"expectations":\[{"metric":"offered","ok":true,"text":"offered: 20, expected 20","values":\[20\]},*\]}
~ ! ddbsim: error: broken.yaml:*
[2]

$ sed 's/metric: offered/metric: offerred/' base.yaml >broken.yaml; ddbsim check broken.yaml
! ddbsim: error: broken.yaml:26:14: no metric 'offerred'; did you mean 'offered'?
[2]

$ sed 's/metric: offered/metric: keys, reason: TableReadKeyRangeThroughputExceeded/' base.yaml >broken.yaml; ddbsim check broken.yaml
! ddbsim: error: broken.yaml:26:5: metric 'keys' has no reason
[2]

$ sed 's/metric: offered/metric: offered, from: 500ms/' base.yaml >broken.yaml; ddbsim check broken.yaml
! ddbsim: error: broken.yaml:26:5: 'from' and 'to' must be whole seconds: metrics are kept by the second
[2]

$ sed 's/metric: offered, equals: 20/metric: partitions, equals: 1/' base.yaml >level.yaml; ddbsim check --run level.yaml
level.yaml: ok, 2 of 2 expectations hold
  ok      partitions: 1, expected 1
  ok      throttled: 0, expected 0

$ sed 's/^seed: 7/&\nreplications: 4/; s/equals: 20/equals: 20, share_of_seeds: 0.5/' base.yaml >several.yaml
> ddbsim check --run several.yaml
several.yaml: ok, 2 of 2 expectations hold
  ok      offered: 20 … 20, expected 20: met by 4 of 4 replications (100 %), at least 50 % expected
  ok      throttled: 0 … 0, expected 0: met by 4 of 4 replications (100 %)

# what a source reports, beside what comes out
$ sed 's/metric: offered, equals: 20/&, published: "twenty | all"/' base.yaml >source.yaml
> ddbsim check --published source.yaml
| scenario | published | metric | simulated | asked | holds |
|---|---|---|---|---|---|
| base | twenty \| all | offered | 20 | 20 | yes |

$ ddbsim check --published source.yaml --set rate=15
| scenario | published | metric | simulated | asked | holds |
|---|---|---|---|---|---|
| base | twenty \| all | offered | 30 | 20 | **no** |
[1]

$ ddbsim check --published source.yaml --format json
! ddbsim: error: --published prints a Markdown table, not JSON
[2]

# What only the model can tell is told without a run as well.
$ sed 's/^fields:/    pin: {"CUSTOMER#1": 1}\n&/' base.yaml >pinned.yaml; ddbsim check pinned.yaml base.yaml
base.yaml: ok
! ddbsim: error: pinned.yaml: key 'CUSTOMER#1' of table 'orders' is pinned to partition 1, expected 0 to 0
[2]

# scenarios are found by name, too, but a file wins
$ ddbsim check counter && cp base.yaml counter && ddbsim check --run counter
counter: ok
counter: ok, 2 of 2 expectations hold
  ok      offered: 20, expected 20
  ok      throttled: 0, expected 0

# With --published no scenario need be named; a lab's files that are not there are said.
$ ddbsim check --published --set duration=1s --format json
! ddbsim: error: --published prints a Markdown table, not JSON
[2]

$ ddbsim check --published k1-partitions
| scenario | published | metric | simulated | asked | holds |
|---|---|---|---|---|---|
| k1-partitions | 2 partitions | partitions | 2 | 2 | yes |

$ ddbsim check
! ddbsim: error: no scenario given; see 'ddbsim check --help'
[2]
