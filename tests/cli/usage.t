# Commands and options that do not exist get the nearest that does; nothing is guessed.
$ ddbsim
! ddbsim: error: no command given; see 'ddbsim --help'
[2]

$ ddbsim rnu
! ddbsim: error: no command 'rnu'; did you mean 'run'?
[2]

$ ddbsim frobnicate
! ddbsim: error: no command 'frobnicate'
[2]

$ ddbsim --frobnicate
! ddbsim: error: expected a command, got option '--frobnicate'; see 'ddbsim --help'
[2]

$ ddbsim --version
~ ddbsim [0-9]*.[0-9]*.[0-9]*

$ ddbsim --help
Usage: ddbsim COMMAND [OPTION]…
...
~   run  *
~   sweep  *
~   merge  *
~   compare  *
~   advise  *
~   plot  *
~   report  *
~   export  *
~   check  *
~   units  *
~   scenarios  *
~   parameters  *
...

$ ddbsim run --frce x.yaml
! ddbsim: error: run has no option '--frce'; did you mean '--force'?
[2]

$ ddbsim run -x
! ddbsim: error: run has no option '-x'
[2]

$ ddbsim run --force=yes x.yaml
! ddbsim: error: option '--force' takes no value
[2]

$ ddbsim run --se=1 x.yaml
! ddbsim: error: '--se=1' could be several options; see 'ddbsim run --help'
[2]

$ ddbsim run x.yaml --set
! ddbsim: error: option '--set' needs a value; see 'ddbsim run --help'
[2]

$ ddbsim run --set=rate x.yaml
! ddbsim: error: --set: expected NAME=VALUE, got 'rate'
[2]

$ ddbsim run
! ddbsim: error: no scenario given; see 'ddbsim run --help'
[2]

$ ddbsim run a.yaml b.yaml
! ddbsim: error: run takes one scenario, 'b.yaml' is too many
[2]

$ ddbsim run a.yaml --seed abc
! ddbsim: error: --seed: expected a whole number from 0 to 18446744073709551615, got 'abc'
[2]

$ ddbsim run a.yaml --seed 18446744073709551616
! ddbsim: error: --seed: expected a whole number from 0 to 18446744073709551615, got '18446744073709551616'
[2]

$ ddbsim run a.yaml --replications 0
! ddbsim: error: --replications: expected a whole number from 1 to 1000000, got '0'
[2]

$ ddbsim run a.yaml --format jsno
! ddbsim: error: --format: expected text or json, got 'jsno'; did you mean 'json'?
[2]

$ ddbsim run a.yaml --quiet --format json
! ddbsim: error: --quiet and --format json contradict each other
[2]

$ ddbsim run nowhere.yaml
! ddbsim: error: cannot read 'nowhere.yaml': no such file, and no built-in scenario
[3]

$ ddbsim run leaderbord
! ddbsim: error: cannot read 'leaderbord': no such file, and no built-in scenario; did you mean 'leaderboard'?
[3]

$ ddbsim check
! ddbsim: error: no scenario given; see 'ddbsim check --help'
[2]

$ ddbsim parameters routers
! ddbsim: error: parameters takes no argument, got 'routers'
[2]

$ for command in run plot export check units scenarios parameters; do ddbsim $command --help | head -n 1; done
Usage: ddbsim run [OPTION...] SCENARIO
Usage: ddbsim plot [OPTION...] OUT.db KIND
Usage: ddbsim export [OPTION...] OUT.db TABLE
Usage: ddbsim check [OPTION...] SCENARIO…
Usage: ddbsim units [OPTION...] OPERATION
Usage: ddbsim scenarios [OPTION...] [NAME]
Usage: ddbsim parameters [OPTION...]
