# One page of a run: what it has, in order; texts of the scenario are no markup.
$ cp "$TESTS/base.yaml" . && sed -i 's/CUSTOMER#/<b id=x>\&'"'"'/; s/^name: base/name: page/' base.yaml
> ddbsim run base.yaml -q -o page.db --set rate=20 && ddbsim report page.db -o page.html && ls
> grep -o '<title>.*\|<h[123]>.*</h[123]>' page.html
base.yaml
page.db
page.html
<title>page - ddbsim</title>
<h1>page</h1>
<h2>Verdict</h2>
<h2>Pictures</h2>
<h3>Table orders</h3>
<h3>All operations</h3>
<h2>Tables</h2>
<h3>Workloads</h3>
<h3>Tables and indexes</h3>
<h3>Keys</h3>
<h3>Partitions</h3>
<h2>How to make it again</h2>
<h2>Parameters</h2>
<h3>Every number of the model, and where it is from</h3>

$ grep -c '<b id=x>' page.html; grep -o '<td>&lt;b id=x&gt;&amp;&#39;[01]' page.html | sort
0
<td>&lt;b id=x&gt;&amp;&#39;0
<td>&lt;b id=x&gt;&amp;&#39;1

# The command that it gives makes the run again, to the digest.
$ grep -o 'ddbsim run page.yaml.*OUT.db' page.html | sed "s/&#39;/'/g" >again && cat again && cp base.yaml page.yaml
> sed 's/OUT/again/' again | sh >/dev/null && ddbsim export again.db runs >2.csv && ddbsim export page.db runs >1.csv && cmp 1.csv 2.csv
ddbsim run page.yaml --seed 7 --set rate='20' -o OUT.db

# Of a sweep: its points with their intervals, what differs between them, and all that it depends on.
$ ddbsim sweep base.yaml --vary rate=10,40 --replications 2 -q -o sweep.db >/dev/null && ddbsim report sweep.db -o sweep.html
> grep -o '<title>.*\|<h[123]>.*</h[123]>\|<th .*</th>\|<img alt="[^;]*' sweep.html; grep '^vary\|^replications' sweep.html
<title>page - ddbsim</title>
<h1>page: a sweep</h1>
<h2>Points</h2>
~ <img alt="page: consumed_wcu over the points of a sweep.*
...
<h3>Means and their 95 % intervals</h3>
~ <th scope="col">rate</th><th scope="col" class="n">runs</th>*
<h2>How to make it again</h2>
replications 2
vary rate=10,40

# Another run; one that is not there; what is not to be lost.
$ ddbsim run base.yaml -q --replications 2 -o two.db && ddbsim report two.db --run 2 -o 2.html && grep -o 'replication [0-9]*\|run 2 of 2' 2.html
replication 1
run 2 of 2

$ ddbsim report two.db --run 3 -o 3.html; ls 3.html* 2>/dev/null
~ ! ddbsim: error: *
[2]

$ ddbsim report page.db -o page.html
! ddbsim: error: 'page.html' exists; --force overwrites it
[2]

$ ddbsim report page.db -o page.db --force
! ddbsim: error: output 'page.db' is the database itself
[2]

$ ddbsim report page.db
! ddbsim: error: expected -o REPORT.html; see 'ddbsim report --help'
[2]

$ ddbsim report -o x.html
! ddbsim: error: expected a results database; see 'ddbsim report --help'
[2]

$ ddbsim report nothing.db -o x.html; ls x.html* 2>/dev/null
~ ! ddbsim: error: *nothing.db*
[2]

$ ddbsim report base.yaml -o x.html; ls x.html* 2>/dev/null
~ ! ddbsim: error: *
[2]

$ ddbsim report page.db -o nowhere/x.html
! ddbsim: error: cannot write 'nowhere/x.html': No such file or directory
[3]

$ PATH=/nowhere "$(command -v ddbsim)" report page.db -o x.html; ls x.html* 2>/dev/null
~ ! ddbsim: error: gnuplot is not installed*
[2]

$ mkdir slow && printf '#!/bin/sh\nexec sleep 30\n' >slow/gnuplot && chmod +x slow/gnuplot
> PATH=$PWD/slow:$PATH env --default-signal=INT ddbsim report page.db -o y.html &
> sleep 0.5
> kill -s INT $!
> wait $!
> echo $?; ls y.html* 2>/dev/null
130
! ddbsim: interrupted, no file was written
[2]
