# What cannot be drawn gets one sentence, and nothing is written.
$ ddbsim run "$TESTS/base.yaml" -o base.db --quiet && mkdir out

$ ddbsim plot base.db key
! ddbsim: error: 'key' is no kind of picture; did you mean 'keys'?
[2]

$ ddbsim plot base.db keys -o out/keys.gif
! ddbsim: error: 'out/keys.gif' does not end in .svg, .png or .pdf
[2]

$ ddbsim plot base.db keys --run 2
! ddbsim: error: 'base.db' has no run 2; its only run is 1
[2]

$ ddbsim plot base.db keys --table order
! ddbsim: error: run 1 has no table 'order'; did you mean 'orders'?
[2]

$ ddbsim plot base.db capacity --from 1m
! ddbsim: error: --from is not before the end of the run, 0:00:02
[2]

$ echo mine >out/keys.png; ddbsim plot base.db keys -o out/keys.png
! ddbsim: error: 'out/keys.png' exists; --force overwrites it
[2]

# several runs in one picture
$ ddbsim run "$TESTS/base.yaml" --set model.routers=0 -o fluid.db --quiet; ddbsim run "$TESTS/base.yaml" --replications 2 -o two.db --quiet

$ COLUMNS=80 LINES=30 ddbsim plot base.db throttling --over fluid.db | sed -n '1,2p;/\*\*\*\*\*/p;/#####/p' | sed 's/^ *//' | head -4
base: consumed, provisioned and throttled, table orders, 2 runs
routers 8: none throttled; routers 0: none throttled
*****routers 8
#####routers 0

$ ddbsim run d4-mode-switch -o modes.db --quiet; ddbsim plot modes.db capacity | tr -s '\n' ' ' | grep -o 'mean .* on-demand mean [^,]*'
mean 65.3 of 100 WCU/s (65 %), on-demand mean 650 WCU/s

$ ddbsim plot two.db capacity --run 1 --run 2 | sed -n 2p
two.db, run 1: none throttled; two.db, run 2: none throttled

$ ddbsim plot base.db keys --over two.db
! ddbsim: error: several runs in one picture are drawn as throttling or capacity, not as keys
[2]

$ ddbsim plot base.db throttling --over missing.db
! ddbsim: error: cannot read 'missing.db': No such file or directory
[3]

$ ddbsim plot two.db throttling --run 1 --run 3
! ddbsim: error: 'two.db' has no run 3; its 2 runs are from 1 to 2
[2]

$ sed 's/orders/others/' "$TESTS/base.yaml" >others.yaml; ddbsim run others.yaml -o others.db --quiet; ddbsim plot base.db capacity --over others.db
! ddbsim: error: 'others.db': run 1 has no table 'orders' to draw over it
[2]

$ ddbsim plot base.db throttling --over two.db --over two.db --over two.db --over two.db --over two.db --over two.db
! ddbsim: error: too many runs for one picture, expected at most 6
[2]

# databases that are none, or not ours, or broken
$ ddbsim plot none.db keys
! ddbsim: error: cannot read 'none.db': No such file or directory
[3]

$ ddbsim plot "$TESTS/base.yaml" keys
~ ! ddbsim: error: '*/base.yaml' is not a results database
[3]

$ : >empty.db; ddbsim plot empty.db keys
! ddbsim: error: 'empty.db' is not a results database
[3]

$ head -c 100000 base.db >cut.db; ddbsim plot cut.db keys
! ddbsim: error: 'cut.db': database disk image is malformed
[3]

# the number at byte 60 is the version of the schema
$ cp base.db later.db; printf '\377' | dd of=later.db bs=1 seek=63 conv=notrunc status=none; ddbsim plot later.db keys
~ ! ddbsim: error: 'later.db' has schema version 255, this ddbsim reads version *; simulate again
[3]

# gnuplot is looked for where the shell looks
$ mkdir alone && ln -s "$(command -v ddbsim)" alone/ddbsim && PATH=$PWD/alone ddbsim plot base.db capacity -o out/capacity.png
~ ! ddbsim: error: gnuplot is not installed, *apt-get install gnuplot-nox*
[3]

$ ddbsim plot base.db keys >/dev/full
! ddbsim: error: cannot write to standard output: No space left on device
[3]

$ ls out; cat out/keys.png
keys.png
mine

# Designs in the order of a metric, each beside the first: paired differences, or that there is none.
$ ddbsim sweep leaderboard --vary shards=1,2 --replications 4 --set duration=2s -q -o designs.db >/dev/null && COLUMNS=100 ddbsim plot designs.db compare
throttled_share of 2 designs
~ least: shards 2, *; most: shards 1, *; 4 runs a design

~                                    throttled_share *difference to the first
~ shards 2 *0 % *−4?.? \[−4?.?, −3?.?\]
~ shards 1 *#* % *the first

$ COLUMNS=100 ddbsim plot designs.db compare --metric consumed_rcu | tail -1 | tr -s ' '
~ shards 2 #* +2?.? \[+2?.?, +2?.?\]

$ for end in png pdf; do ddbsim plot designs.db compare -o designs.$end && head -c 4 designs.$end | tr -d '\211'; echo; done
PNG
%PDF

# where the designs do alike, nothing is claimed
$ ddbsim sweep leaderboard --vary shards=4,5 --replications 3 --set rate=100 --set duration=1s -q -o alike.db >/dev/null && COLUMNS=100 ddbsim plot alike.db compare | tr -s ' '
throttled_share of 2 designs
~ least: *; 3 runs a design; 1 shows no difference to the first,
shards 4

~ *difference to the first
shards 4 0 % the first
shards 5 0 % no difference shown

$ ddbsim plot designs.db compare -o designs.svg && grep -c '<svg' designs.svg; ddbsim plot designs.db compare --run 1
1
! ddbsim: error: a sweep is drawn with all of its runs: --run does not apply
[2]

$ ddbsim run "$TESTS/base.yaml" -q -o alone.db; ddbsim plot alone.db compare
! ddbsim: error: 'alone.db' holds no comparison; 'ddbsim compare -o' or 'ddbsim sweep' makes one
[2]

# On a terminal, what has no order in between is not joined by a line.
$ ddbsim compare strategy-none strategy-random-suffix --set duration=1s --replications 2 -q -o c.db >/dev/null
> COLUMNS=70 LINES=24 ddbsim plot c.db sweep --metric requests_per_read >drawn; grep -c '\*A\*' drawn; grep -c '\*\*\*\*' drawn
2
0
[1]

# Marks of several runs in one picture, each in the lane of its run.
$ for points in 1 2; do ddbsim run s2-auto-scaling --set model.as_out_points=$points -q -o scaled-$points.db; done
> ddbsim plot scaled-1.db capacity --over scaled-2.db -o over.svg && grep -o '[0-9]* changes of capacity' over.svg
18 changes of capacity

# Two parameters of many values are a map; on the terminal, numbers in its cells.
$ ddbsim sweep leaderboard --vary shards=1:8:1 --vary rate=500:3500:500 --set duration=1s --replications 1 -q -o map.db >/dev/null
> COLUMNS=90 LINES=30 ddbsim plot map.db sweep | tr -s ' ' | grep 'shards; in\|^ 3500 +-\|^ 500 +-'
~  3500 +-*[1-9]* 0 0 *
 500 +-+ 0 0 0 0 0 0 0 0
~  shards; in the cells: throttled_share (%)
