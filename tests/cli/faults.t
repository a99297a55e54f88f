# Wrong input gets one sentence with its place, exit status 2, and nothing is written.
$ cp "$TESTS/base.yaml" .
> cat >try <<'END'
> sed "$1" base.yaml >bad.yaml
> cmp -s base.yaml bad.yaml && echo "nothing was changed"
> ddbsim run bad.yaml -o bad.db
> status=$?
> ls bad.db* 2>/dev/null
> exit $status
> END

$ bash try 's/item_size/item_sise/'
! ddbsim: error: bad.yaml:23:5: unknown key 'item_sise'; did you mean 'item_size'?
[2]

$ bash try 's/duration: 2s/duration: [1]/'
! ddbsim: error: bad.yaml:5:11: 'duration' must be a duration such as 250ms or 10m, got a list
[2]

$ bash try 's/ReadCapacityUnits: 10/ReadCapacityUnits: 0/'
! ddbsim: error: bad.yaml:10:48: 'ReadCapacityUnits' is 0, outside of 1 … 1000000
[2]

$ bash try 's/^seed: 7/&\nseed: 8/'
! ddbsim: error: bad.yaml:7:1: key 'seed' stands twice; the first is in line 6
[2]

$ bash try 's/^    operation/\toperation/'
~ ! ddbsim: error: bad.yaml:19:*: *tab*
[2]

$ bash try 's/customer}"/customer}/'
~ ! ddbsim: error: bad.yaml:22:*quote*
[2]

$ bash try 's/"${rate}"/"${rat}"/'
! ddbsim: error: bad.yaml:20:12: '${rat}' is no parameter; did you mean '${rate}'?
[2]

$ bash try 's/#{customer}/#{custmer}/'
! ddbsim: error: bad.yaml:22:27: unknown field 'custmer'; did you mean 'customer'?
[2]

$ bash try 's/200B/401KB/'
~ ! ddbsim: error: bad.yaml:23:16: *400 KB*
[2]

$ bash try 's/rate: 10/rate: 0/'
~ ! ddbsim: error: bad.yaml:20:12: *rate*0*
[2]

$ bash try 's/PutItem/Scans/'
~ ! ddbsim: error: bad.yaml:19:*unknown*'Scans'; did you mean 'Scan'*
[2]

# bytes that are no text, nothing at all, aliases that grow without bound
$ head -c 200 /bin/sh >binary.yaml; ddbsim run binary.yaml -o bad.db
~ ! ddbsim: error: binary.yaml:1:*
[2]

$ : >empty.yaml; ddbsim run empty.yaml -o bad.db
~ ! ddbsim: error: empty.yaml:1:1: *
[2]

$ { echo 'a: &a [x,x,x,x,x,x,x,x,x]'; last=a; for next in b c d e f g h i; do
>     echo "$next: &$next [*$last,*$last,*$last,*$last,*$last,*$last,*$last,*$last,*$last]"; last=$next
> done; } >bomb.yaml; timeout 10 ddbsim run bomb.yaml -o bad.db
~ ! ddbsim: error: bomb.yaml:*
[2]

# traces
$ printf 'id,at\n1,0\n2,5\n3,4\n' >back.csv; printf 'id\n1\n' >short.csv
> bash try 's/rate: "${rate}"/trace: {file: back.csv, header: true, time: at}/; /arrivals/d; s/{customer}/{id}/'
~ ! ddbsim: error: *back.csv:4*
[2]

$ bash try 's/rate: "${rate}"/trace: {file: short.csv, header: true, time: at}/; /arrivals/d; s/{customer}/{id}/'
~ ! ddbsim: error: *short.csv*'at'*
[2]

$ bash try 's/rate: "${rate}"/&\n    trace: {file: short.csv, header: true}/; s/{customer}/{missing}/'
~ ! ddbsim: error: bad.yaml:*'missing'*
[2]

$ bash try 's/rate: "${rate}"/trace: {file: none.csv, header: true, time: at}/; /arrivals/d; s/{customer}/{id}/'
! ddbsim: error: cannot open trace 'none.csv': No such file or directory
[3]

$ ls
back.csv
bad.yaml
base.yaml
binary.yaml
bomb.yaml
empty.yaml
short.csv
try
