# The database is complete or absent, whatever goes wrong.
$ cp "$TESTS/base.yaml" . && ddbsim run base.yaml -o new.db --quiet && ls
base.yaml
new.db

$ ddbsim run base.yaml -o new.db
! ddbsim: error: 'new.db' exists; --force overwrites it
[2]

$ cp new.db before.db && ddbsim run base.yaml -o new.db --force --quiet --seed 8 && ! cmp -s new.db before.db

$ ddbsim run base.yaml -o nowhere/new.db
~ ! ddbsim: error: cannot create 'nowhere/new.db'*
[3]

$ ddbsim run base.yaml -o base.yaml --force
! ddbsim: error: output 'base.yaml' is the scenario itself
[2]

# --force is for results, not for logs
$ printf 'id,url\n1,/\n' >log.csv; ddbsim run base.yaml -o log.csv; echo $?; ddbsim run base.yaml -o log.csv --force; echo $?; cat log.csv; rm log.csv
2
2
id,url
1,/
! ddbsim: error: 'log.csv' exists; --force overwrites it
! ddbsim: error: 'log.csv' exists and is no database; --force does not overwrite it

$ : >empty.db; ddbsim run base.yaml -o empty.db --force --quiet && ls; rm empty.db
base.yaml
before.db
empty.db
new.db

$ ddbsim run base.yaml -o . --force
! ddbsim: error: '.' is a folder; expected a file name
[2]

# an unwritable folder, before anything is simulated
$ [ "$(id -u)" = 0 ] && exec setpriv --reuid 65534 --clear-groups bash -c '
>     ddbsim run "$TESTS/base.yaml" -o /new.db --set duration=3000d' 2>&1
> ddbsim run "$TESTS/base.yaml" -o /new.db --set duration=3000d
~ *ddbsim: error: *'/new.db'*
[3]

# a file that may not grow stands for a full disk
$ (ulimit -f 16; ddbsim run base.yaml -o full.db --set rate=5000 --set duration=60s --quiet); echo $?; ls
3
base.yaml
before.db
new.db
~ ! ddbsim: error: *full.db*

$ ddbsim run base.yaml >/dev/full
! ddbsim: error: cannot write to standard output: No space left on device
[3]

$ ddbsim run base.yaml --format json >/dev/full
! ddbsim: error: cannot write to standard output: No space left on device
[3]

$ (ddbsim units PutItem --size 1; echo $? >&2) | true
! ddbsim: error: cannot write to standard output: Broken pipe
! 3

$ ddbsim --help >/dev/full
! ddbsim: error: cannot write to standard output: No space left on device
[3]

# an interrupted run leaves nothing; the signal comes once the temporary file is there
$ cat >interrupt <<'END'
> signal=$1
> shift
> env --default-signal="$signal" ddbsim run "$@" -o long.db &
> for ((tries = 0; tries < 1200; tries++)); do
>     compgen -G 'long.db.tmp-*' >/dev/null && break
>     sleep 0.05
> done
> kill -s "$signal" $!
> wait $!
> END

$ bash interrupt INT base.yaml --set rate=1000 --set duration=3000d --quiet
! ddbsim: interrupted, no database was written
[130]

$ bash interrupt TERM access-log --set duration=3000d --set 'workload.first.trace.repeat=1000000'
! ddbsim: interrupted, no database was written
[130]

# nor does one within a simulated second that takes long
$ bash interrupt INT base.yaml --set rate=100000000 --quiet
! ddbsim: interrupted, no database was written
[130]

$ sed 's/rate: "${rate}"/arrivals: {closed: {clients: 1000000}}/; /arrivals: uniform/d' base.yaml >many.yaml
> bash interrupt TERM many.yaml --quiet; status=$?; rm many.yaml; exit $status
! ddbsim: interrupted, no database was written
[130]

$ ls
base.yaml
before.db
interrupt
new.db

# progress is for terminals, when a run takes longer than a second
$ TERM=xterm script -qfec 'exec ddbsim run base.yaml --set duration=3000d --set rate=1000 >/dev/null' \
>     shown >/dev/null 2>&1 &
> for ((tries = 0; tries < 1200; tries++)); do
>     grep -qs attempts/s shown && break
>     sleep 0.05
> done
> kill $!
> wait
> tr '\r' '\n' <shown | grep -c -m 1 attempts/s
1

$ TERM=dumb script -qec 'env --default-signal=INT timeout -s INT 3 ddbsim run base.yaml \
>     --set duration=3000d --set rate=1000 >/dev/null' /dev/null | tr '\r' '\n' | grep -c attempts/s
0
[1]
