# A table of a database as CSV and as JSON.
$ ddbsim run "$TESTS/base.yaml" -o base.db --quiet --replications 2

$ ddbsim export base.db resources
run_id,resource_id,table_name,index_name
1,0,orders,
2,0,orders,

$ ddbsim export base.db resources --run 2 --format json
{"run_id":2,"resource_id":0,"table_name":"orders","index_name":null}

$ ddbsim export base.db cloudwatch --run=1 | sed 3q
run_id,minute,metric,resource,value
1,0,ConsumedReadCapacityUnits,orders,0
1,0,ConsumedWriteCapacityUnits,orders,20

# every table that the help names is there, and every one that is there is named
$ ddbsim export --help | sed -n '/^TABLE is one of/,/^$/s/^  \([a-z_]*\)  .*/\1/p' >tables
> while read -r table; do
>     ddbsim export base.db "$table" >"$table.csv" && ddbsim export base.db "$table" --format=json >"$table.json"
> done <tables
> python3 - <<'END'
> import csv, json, sqlite3
> db = sqlite3.connect("base.db")
> there = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type <> 'index'")}
> named = open("tables").read().split()
> assert there == set(named), there ^ set(named)
> rows = 0
> for table in named:
>     cursor = db.execute(f"SELECT * FROM {table}")
>     names = [column[0] for column in cursor.description]
>     wanted = cursor.fetchall()
>     found = [json.loads(line) for line in open(table + ".json", encoding="utf-8")]
>     assert all(list(row) == names for row in found), table
>     key = lambda row: row[:4] if table == "cloudwatch" else 0
>     found = sorted((tuple(row.values()) for row in found), key=key)
>     assert found == sorted(wanted, key=key), table
>     text = list(csv.reader(open(table + ".csv", newline="", encoding="utf-8")))
>     assert text[0] == names and len(text) == 1 + len(wanted), table
>     rows += len(found)
> assert rows > 40, rows
> END

# what spreadsheets stumble over comes back the same
$ python3 - <<'END'
> import csv, json, sqlite3, subprocess
> key = 'a,"b"\r\nc\\ é€ \x01\t'
> db = sqlite3.connect("base.db")
> db.execute("INSERT INTO keys VALUES (9, 0, ?, ?, 0, 0.1, 1e300, 0, 0)", (key, 2**63 - 1))
> db.commit()
> def export(form):
>     words = ["ddbsim", "export", "base.db", "keys", "--format", form]
>     return subprocess.run(words, capture_output=True, check=True).stdout.decode()
> row = list(csv.reader(export("csv").splitlines(keepends=True)))[-1]
> assert row[2] == key and row[3] == "9223372036854775807" and float(row[6]) == 1e300, row
> row = json.loads(export("json").splitlines()[-1])
> assert row["key"] == key and row["reads"] == 2**63 - 1 and row["consumed_rcu"] == 0.1, row
> END

# files: whole or absent, and only replaced on demand
$ ddbsim export base.db runs -o a.csv && cmp a.csv runs.csv

$ ddbsim export base.db runs -o runs.csv
! ddbsim: error: 'runs.csv' exists; --force overwrites it
[2]

$ ln -s runs.csv link.csv && ddbsim export base.db keys -o link.csv --force && head -n 1 runs.csv && ls -l link.csv | grep -c -- '-> runs.csv'
run_id,resource_id,key,reads,writes,consumed_rcu,consumed_wcu,throttled_reads,throttled_writes
1

$ ddbsim export base.db keys -o base.db --force
! ddbsim: error: output 'base.db' is the database itself
[2]

$ ddbsim export base.db keys -o . --force
! ddbsim: error: '.' is a folder; expected a file name
[2]

$ ddbsim export base.db keys -o /dev/null --force
! ddbsim: error: '/dev/null' is not a regular file; expected a file name
[2]

$ ddbsim export base.db keys -o nowhere/keys.csv
~ ! ddbsim: error: cannot write 'nowhere/keys.csv': No such file or directory
[3]

$ ddbsim export base.db keys >/dev/full
! ddbsim: error: cannot write to standard output: No space left on device
[3]

$ ddbsim export base.db keys >&-
! ddbsim: error: cannot write to standard output: Bad file descriptor
[3]

# faults
$ ddbsim export base.db key
! ddbsim: error: a results database has no table 'key'; did you mean 'keys'?
[2]

$ ddbsim export base.db sqlite_schema
! ddbsim: error: a results database has no table 'sqlite_schema'; 'ddbsim export --help' lists them
[2]

$ ddbsim export base.db
! ddbsim: error: expected a table; see 'ddbsim export --help'
[2]

$ ddbsim export
! ddbsim: error: expected a database and a table; see 'ddbsim export --help'
[2]

$ ddbsim export base.db keys seconds
! ddbsim: error: 'seconds' is one argument too many; see 'ddbsim export --help'
[2]

$ ddbsim export base.db keys --run 7
! ddbsim: error: 'base.db' has no run 7; its 2 runs are from 1 to 2
[2]

$ ddbsim export base.db keys --run one
! ddbsim: error: --run: 'one' is no number
[2]

$ ddbsim export base.db scenarios --run 1
! ddbsim: error: the rows of 'scenarios' belong to no run: it is read as a whole
[2]

$ ddbsim export base.db keys --format jsn
! ddbsim: error: --format: expected csv or json, got 'jsn'; did you mean 'json'?
[2]

$ ddbsim export nowhere.db keys
! ddbsim: error: cannot read 'nowhere.db': No such file or directory
[3]

# a long table: a closed pipe, a full disk and a signal end it at once, and memory stays small
$ python3 - <<'END'
> import sqlite3
> db = sqlite3.connect("base.db")
> db.execute("""WITH RECURSIVE t(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM t WHERE n < 499999)
>     INSERT INTO keys SELECT 1, 0, printf('CUSTOMER#%060d', n), n, n, n / 2.0, n / 3.0, 0, 0 FROM t""")
> db.commit()
> END

$ (ddbsim export base.db keys; echo $? >&2) | head -n 2 | cut -c 1-20
run_id,resource_id,k
1,0,CUSTOMER#1,0,7,0
! ddbsim: error: cannot write to standard output: Broken pipe
! 3

$ (ulimit -f 64; ddbsim export base.db keys -o full.csv); echo $?; compgen -G "full.csv*"
3
! ddbsim: error: cannot write 'full.csv': File too large
[1]

# twice the rows in the same memory: 48 MB of text through 24 MB above the program itself
$ python3 - <<'END'
> import subprocess, sys
> base = 'import resource, subprocess; subprocess.run(["ddbsim", "export", "base.db", %r],' \
>     ' stdout=subprocess.DEVNULL, check=True);' \
>     ' print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
> small, large = (int(subprocess.run([sys.executable, "-c", base % table], capture_output=True,
>     check=True).stdout) for table in ("runs", "keys"))
> print("small" if large - small < 24 * 1024 else f"{small} and {large} KiB")
> END
small

# the reader at the other end sleeps: the signal is heard all the same
$ cat >interrupt <<'END'
> mkfifo pipe
> sleep 60 <pipe &
> reader=$!
> env --default-signal=INT ddbsim export base.db keys >pipe &
> writer=$!
> sleep 0.5
> kill -s INT $writer
> wait $writer
> status=$?
> kill $reader
> exit $status
> END
> timeout 20 bash interrupt
! ddbsim: interrupted
[130]

$ cat >interrupt <<'END'
> env --default-signal=TERM ddbsim export base.db keys -o long.csv &
> for ((tries = 0; tries < 1200; tries++)); do
>     compgen -G 'long.csv.tmp-*' >/dev/null && break
>     sleep 0.01
> done
> kill -s TERM $!
> wait $!
> END
> bash interrupt; echo $?; compgen -G "long.csv*"
130
! ddbsim: interrupted, no file was written
[1]
