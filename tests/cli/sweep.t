# Points of a sweep: every combination, each with its interval; the first scenario's seed for all.
$ cp "$TESTS/base.yaml" . && ddbsim sweep base.yaml --vary rate=5,40 --replications 2
base: 2 points, 2 replications each; means with 95 % intervals
~     rate  throttled_share *failed_share *latency_ms_p99 *layouts that throttle
~        5  0 % \[0, 0\] *0 % \[0, 0\] *3 \[3, 3\] *0 of 2 \[0 %, 84 %\]
~       40  0 % \[0, 0\] *0 % \[0, 0\] *3 \[3, 3\] *0 of 2 \[0 %, 84 %\]

$ ddbsim sweep base.yaml --vary rate=5:15:5 --vary model.burst_initial_s=0,60 --replications 1 --metric offered --jobs 2 --format json
{"point":0,"parameters":{"rate":"5","model.burst_initial_s":"0"},"replications":1,"failed":0,"metrics":{"offered":{"mean":10,"low":null,"high":null,"runs":1}},"layouts_that_throttle":{"count":1,"share":1,"low":0.025000000000000022,"high":1}}
~ {"point":1,"parameters":{"rate":"5","model.burst_initial_s":"60"},*
~ {"point":2,"parameters":{"rate":"10","model.burst_initial_s":"0"},*
~ {"point":3,"parameters":{"rate":"10","model.burst_initial_s":"60"},*
~ {"point":4,"parameters":{"rate":"15","model.burst_initial_s":"0"},*
~ {"point":5,"parameters":{"rate":"15","model.burst_initial_s":"60"},*"count":0,"share":0,*

# the database holds points, runs and metrics; it is there when it is whole
$ ddbsim sweep base.yaml --vary rate=5,40 --replications 2 -o out.db -q && ls out.db*
> ddbsim export out.db points && ddbsim export out.db runs | cut -d, -f1-5
> ddbsim export out.db metrics | grep offered
out.db
point,parameters
0,"{""rate"":""5""}"
1,"{""rate"":""40""}"
run_id,scenario,point,seed,replication
1,base,0,7,0
2,base,0,7,1
3,base,1,7,0
4,base,1,7,1
1,offered,10
2,offered,10
3,offered,80
4,offered,80

$ ddbsim sweep base.yaml --vary rate=5,40 --replications 2 -o out.db -q
! ddbsim: error: 'out.db' exists; --force overwrites it
[2]

$ ddbsim sweep base.yaml --vary rate=5,40 --replications 3 -o out.db -q --force && ddbsim export out.db runs | wc -l
7

# parts make the whole; each has its own points
$ ddbsim sweep base.yaml --vary rate=5,10,15 --replications 1 --part 2/2 --metric offered --format json
~ {"point":1,"parameters":{"rate":"10"},*"mean":20,*

# a point that cannot be run is told, and stops nothing else
$ ddbsim sweep base.yaml --vary rate=5,fast,10 --replications 2 --metric offered -o mixed.db
> ddbsim export mixed.db failures
base: 3 points, 2 replications each; means with 95 % intervals
~     rate  offered *layouts that throttle
~        5  10 \[10, 10\] *0 of 2 \[0 %, 84 %\]
~     fast  none *0 of 0
    2 of 2 runs failed: base.yaml:20:12: 'rate' must be a number, got 'fast' (from --set rate=fast)
~       10  20 \[20, 20\] *0 of 2 \[0 %, 84 %\]
point,replication,message
~ 1,0,*fast*
~ 1,1,*fast*

$ ddbsim sweep base.yaml --vary rate=5,fast --replications 1 -q
[1]

# replications until the first metric is known well enough: five are the least
$ ddbsim sweep base.yaml --vary rate=20 --set 'workload.write.arrivals=poisson' --metric offered --precision 50% --format json
~ {"point":0,*"replications":5,*
$ ddbsim sweep base.yaml --vary rate=1:9 --design sobol:3 --replications 1 --metric offered --format json
~ {"point":0,"parameters":{"rate":"5"},*
~ {"point":1,"parameters":{"rate":"7"},*
~ {"point":2,"parameters":{"rate":"3"},*

$ ddbsim sweep base.yaml --vary rat=1,2
! ddbsim: error: --set rat=1: unknown parameter or key 'rat'; did you mean 'rate'?
[2]

$ ddbsim sweep base.yaml --vary rate=9:1:1
! ddbsim: error: --vary rate=9:1:1: LOW must be below HIGH; expected K=1,2,4 or K=LOW:HIGH:STEP or K=log:LOW:HIGH:COUNT
[2]

$ ddbsim sweep base.yaml --vary rate=1:9
! ddbsim: error: --vary 'rate' has no steps; expected LOW:HIGH:STEP, or a design that picks points (--design sobol:N)
[2]

$ ddbsim sweep base.yaml --vary rate=1,2 --vary rate=3
! ddbsim: error: --vary 'rate' is given twice
[2]

$ ddbsim sweep base.yaml --vary rate=1 --metric throtled
! ddbsim: error: --metric: no metric 'throtled'; did you mean 'throttled'?
[2]

$ ddbsim sweep base.yaml --vary rate=1 --part 3/2
! ddbsim: error: --part: expected a whole number from 1 to 2, got '3'
[2]

$ ddbsim sweep base.yaml --vary rate=1 --precision much
! ddbsim: error: --precision: expected a share such as 1% or 0.01, got 'much'
[2]

$ ddbsim sweep base.yaml base.yaml
! ddbsim: error: one scenario is taken, 'base.yaml' is too many
[2]

$ ddbsim sweep base.yaml --vary rate=1 --resume
! ddbsim: error: --resume needs -o OUT.db: what it goes on with
[2]

$ echo 'my notes' >notes.db.part; ddbsim sweep base.yaml --vary rate=1 -o notes.db --resume; cat notes.db.part
my notes
! ddbsim: error: 'notes.db.part' is no unfinished sweep; remove it, or choose another output

$ echo mine >mine.db; ddbsim sweep base.yaml --vary rate=1 -o mine.db --force; ls mine.db*
mine.db
! ddbsim: error: 'mine.db' exists and is no database; --force does not overwrite it

$ ddbsim sweep base.yaml --vary rate=1 -o .
! ddbsim: error: '.' is a folder; expected a file name
[2]

$ ddbsim sweep base.yaml --vary rate=1 -o missing/out.db
! ddbsim: error: cannot create 'missing/out.db.part': No such file or directory
[3]

# its picture; and what no sweep has
$ ddbsim sweep base.yaml --vary rate=5,10,20 --vary model.routers=0,8 --replications 2 --metric offered -o two.db -q
> ddbsim plot two.db sweep --metric offered -o two.png && head -c 4 two.png | tail -c 3; echo
> COLUMNS=70 ddbsim plot two.db sweep --metric offered | head -2
PNG
base: offered over the points of a sweep
~ least at rate 5, model.routers 0: 10 operations; most at rate 20,*

$ ddbsim plot two.db throttling
! ddbsim: error: 'two.db': run 1 keeps no tables, as those of a sweep; expected the kind 'sweep', or the database of 'ddbsim run'
[2]

$ ddbsim run base.yaml -o run.db -q; ddbsim plot run.db sweep
! ddbsim: error: 'run.db' holds no sweep; 'ddbsim sweep' makes one
[2]

$ ddbsim plot two.db sweep --metric ofered
! ddbsim: error: --metric: no metric 'ofered'; did you mean 'offered'?
[2]

$ ddbsim plot two.db sweep --from 5s
! ddbsim: error: metrics of a sweep are counted over the whole run: --from and --to do not apply
[2]

$ ddbsim plot run.db keys --metric offered
! ddbsim: error: --metric is for sweeps: 'ddbsim plot OUT.db sweep' or 'compare'
[2]
