# Four parts make the whole, in any order; a run that failed is in it.
$ cp "$TESTS/base.yaml" . && cat >sweep <<'END'
> ddbsim sweep base.yaml --vary rate=5,10,fast,20,25 --replications 2 -q "$@"
> END
> cat >dump <<'END'
> ddbsim export "$1" points && ddbsim export "$1" runs && ddbsim export "$1" metrics
> ddbsim export "$1" failures && ddbsim export "$1" parts && ddbsim export "$1" scenarios
> END
> bash sweep -o whole.db --jobs 1
> for i in 1 2 3 4; do bash sweep -o part-$i.db --part $i/4; done
> ddbsim merge -o merged.db part-3.db part-1.db part-4.db part-2.db
> bash dump whole.db >whole && bash dump merged.db | diff whole - && wc -l <whole
5 points, 8 runs; 2 could not be made ('ddbsim export merged.db failures')
~ *[0-9]*

# more parts than points: some are empty
$ for i in 1 2 3; do ddbsim sweep base.yaml --vary rate=5,10 --replications 1 -q -o few-$i.db --part $i/3; done
> ddbsim merge -o few.db few-*.db
2 points, 2 runs

$ ddbsim merge -o all.db part-1.db part-2.db part-4.db
! ddbsim: error: part 3/4 is missing: 3 of 4 parts are given
[2]

$ ddbsim merge -o all.db part-1.db part-2.db part-2.db part-3.db part-4.db
! ddbsim: error: 'part-2.db' is given twice
[2]

$ cp part-2.db copy.db; ddbsim merge -o all.db part-1.db part-2.db copy.db part-3.db part-4.db
! ~ ddbsim: error: '*.db' and '*.db' are both part 2/4
[2]

$ ddbsim merge -o all.db part-1.db few-2.db
! ddbsim: error: 'few-2.db' is of another sweep than 'part-1.db': 'replications 1', not 'replications 2'
[2]

$ bash sweep -o seed-2.db --part 2/2 --seed 9; bash sweep -o half-2.db --part 2/2
> ddbsim merge -o all.db part-1.db seed-2.db; ddbsim merge -o all.db part-1.db half-2.db
! ddbsim: error: 'seed-2.db' is of another sweep than 'part-1.db': 'seed 9', not 'seed of the scenario'
! ddbsim: error: 'half-2.db' is one of 2 parts, 'part-1.db' is one of 4; parts of one division are merged
[2]

$ sed 's/^source:.*/source: elsewhere/' base.yaml >other.yaml
> ddbsim sweep other.yaml --vary rate=5,10,fast,20,25 --replications 2 -q -o other-2.db --part 2/4
> ddbsim merge -o all.db part-1.db other-2.db part-3.db part-4.db
! ~ ddbsim: error: 'other-2.db' is of another sweep than 'part-1.db': 'scenario *', not 'scenario *'
[2]

$ sqlite3 few-2.db "UPDATE parts SET plan = replace(plan, 'version 0', 'version 9')"
> ddbsim merge -o all.db few-1.db few-2.db few-3.db
! ~ ddbsim: error: 'few-2.db' is of another sweep than 'few-1.db': 'version 9.*', not 'version 0.*'
[2]

$ sqlite3 part-2.db "PRAGMA user_version = 99"; ddbsim merge -o all.db part-1.db part-2.db
! ddbsim: error: 'part-2.db' has schema version 99, this ddbsim reads version 2; simulate again
[2]

# what is no part, or not whole
$ ddbsim run base.yaml -q -o run.db; ddbsim merge -o all.db run.db
! ddbsim: error: 'run.db' is no part of a sweep; expected what 'ddbsim sweep --part I/N' has written
[2]

$ ddbsim merge -o all.db base.yaml
! ddbsim: error: 'base.yaml' is not a results database
[2]

$ sqlite3 part-4.db "DELETE FROM runs"; ddbsim merge -o all.db copy.db part-1.db part-3.db part-4.db
! ddbsim: error: 'part-4.db' is not whole: no run of point 3
[2]

$ sqlite3 part-1.db "DELETE FROM points WHERE point = 4"; ddbsim merge -o all.db copy.db part-1.db part-3.db part-4.db
! ddbsim: error: 'part-4.db' is not whole: no run of point 3
[2]

$ ddbsim merge -o all.db missing.db; ls all.db* merged.db
merged.db
! ddbsim: error: cannot read 'missing.db': No such file or directory
! ls: cannot access 'all.db*': No such file or directory
[2]

$ ddbsim merge -o merged.db whole.db
! ddbsim: error: 'merged.db' exists; --force overwrites it
[2]

$ ddbsim merge whole.db
! ddbsim: error: merge needs -o OUT.db: the database to write
[2]

$ ddbsim merge -o all.db
! ddbsim: error: no part given; see 'ddbsim merge --help'
[2]

# a trace that has changed makes another sweep, whether it goes on or is merged; also one of several
$ sed 's/^parameters:.*/parameters: {rate: 5, day: monday}/; /^expect:/,$d' base.yaml >traced.yaml
> sed -i "/^workload:/a\\
>   - name: replay\\
>     operation: GetItem\\
>     trace: {file: '\${day}.csv', header: true, time: at}\\
>     item: {PK: '{who}'}\\
>     exists: false" traced.yaml
> printf 'at,who\n0,ann\n1,bob\n' >monday.csv; cp monday.csv friday.csv
> cat >traced <<'END'
> ddbsim sweep traced.yaml --vary day=monday,friday --vary rate=5,10 --replications 1 -q "$@"
> END
> bash traced -o half-1.db --part 1/2; printf '2,eve\n' >>friday.csv; bash traced -o half-2.db --part 2/2 --force
> ddbsim merge -o all.db half-1.db half-2.db; ddbsim export half-2.db parts | grep -c '^file'
2
! ~ ddbsim: error: 'half-2.db' is of another sweep than 'half-1.db': 'file friday.csv *', not 'file friday.csv *'
