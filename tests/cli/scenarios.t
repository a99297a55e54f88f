# Built-in scenarios: listed, printed, run from anywhere.
$ ddbsim scenarios | grep -A 2 '^leaderboard$'
leaderboard
    One LEADERBOARD item collection against N write shards.
~     source: *

$ ddbsim scenarios leaderboard | cmp - "$SCENARIOS/leaderboard.yaml"

$ ddbsim scenarios access-log-1.csv | cmp - "$SCENARIOS/access-log-1.csv"

$ ddbsim scenarios | grep -c '^[a-z]' | grep -qx "$(ls "$SCENARIOS"/*.yaml | wc -l)"

$ ddbsim scenarios --format json | grep '"name":"leaderboard"' | sed 's/"source".*//'
{"name":"leaderboard","about":"One LEADERBOARD item collection against N write shards.",

$ ddbsim scenarios --format xml
! ddbsim: error: --format: expected text or json, got 'xml'
[2]

# the schema for editors: JSON, with keys of every depth
$ ddbsim scenarios --schema | python3 -c 'import json, sys; print(json.load(sys.stdin)["title"])'
ddbsim scenario

$ ddbsim scenarios --schema | grep -c '"item_size"\|"ReadCapacityUnits"\|"zipf"\|"think"' | grep -qv '^0'

$ ddbsim scenarios --schema leaderboard
! ddbsim: error: --schema is of the whole language, 'leaderboard' is too many
[2]

$ ddbsim scenarios leaderbord
! ddbsim: error: no built-in scenario 'leaderbord'; did you mean 'leaderboard'?
[2]

$ ddbsim scenarios xyzzy
! ddbsim: error: no built-in scenario 'xyzzy'; 'ddbsim scenarios' lists them
[2]

$ ddbsim scenarios a b
! ddbsim: error: scenarios prints one scenario, 'b' is too many
[2]

# one that comes with files of its own, one that reads files of the user's
$ ddbsim run access-log --quiet && ls

$ ddbsim run lab-w3
! ddbsim: error: cannot open trace 'logfile_medium1.csv': No such file or directory
[3]

$ for id in 1 2 3; do echo "$id,h,d,1,z,GET,/,200,5,agent"; done >three.csv
> ddbsim run lab-w3 --set log2=three.csv | grep '^  operations'
  operations  3 offered, 3 succeeded

$ ddbsim run access-log --set wcuu=3
! ddbsim: error: --set wcuu=3: unknown parameter or key 'wcuu'; did you mean 'wcu'?
[2]

$ TMPDIR=/nowhere ddbsim run access-log
~ ! ddbsim: error: cannot make the folder '/nowhere/ddbsim-??????': No such file or directory
[3]
