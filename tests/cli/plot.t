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
