# Secondary indexes in results: a hot key of an index, what waits for it, who is told.
$ ddbsim run status-index --set rate=800 --set model.placement=fixed -o out.db >out.txt; grep -A 5 '^index' out.txt
index byStatus of table jobs: 8 partitions, 2 keys used
             provisioned/s   mean used/s peak minute/s    burst left     throttled
    reads            1,000            20            20       300,000             0  RCU
    writes           8,000         1,438         1,408     2,400,000             0  WCU
    129,462 entries written, 70,538 WCU waiting at the end, 0 WCU of debt
    entries late by 29 s at the 99th percentile, at most 30 s

$ tr -s ' \n' ' ' <out.txt | grep -o 'index behind: .*WCU/s)'
index behind: byStatus of table jobs is owed 2,222 WCU/s and has 8,000, it may be behind by 120,000 WCU, 70,538 WCU wait for partitions that are full (its hottest key, PENDING#0, takes 989 of a partition's 1,000 WCU/s)

$ ddbsim export out.db resources
run_id,resource_id,table_name,index_name
1,0,jobs,
1,1,jobs,byStatus

$ ddbsim export out.db seconds >seconds.csv; head -3 seconds.csv; tail -1 seconds.csv
run_id,resource_id,t_s,consumed_rcu,consumed_wcu,provisioned_rcu,provisioned_wcu,burst_rcu,burst_wcu,partitions,buffered_wcu
1,0,0,0,800,1000,8000,300000,2400000,8,
1,1,0,20,784,1000,8000,300000,2400000,8,16
1,1,89,20,1497,1000,8000,300000,2400000,8,70538

$ ddbsim plot out.db keys --table jobs/byStatus | head -2
status-index: the hottest keys, table jobs, index byStatus
'PENDING#0' took 69 % of the units, and nothing was throttled

$ ddbsim run status-index --format json | grep -o '"indexes":.*\]}\]' | sed 's/"partitions_start".*"index/"index/'
"indexes":[{"name":"byStatus","consumed_rcu":1800,"consumed_wcu":99976,"throttle_events":0,"index_writes":99976,"buffered_wcu":24,"debt_wcu":0,"lag_ms_p99":20,"lag_ms_max":20}]}]

# Beyond the bound it refuses all writes to its table, and the table has no event of its own.
$ ddbsim run c09-index-one-wcu --set duration=40s -o refused.db | tr -s ' \n' ' ' | grep -o 'throttled: index .* of its 1,000 WCU/s'
throttled: index GSI_1: IndexWriteProvisionedThroughputExceeded: writes to table logfile are refused, whatever their key, though it is at 1.4 % of its 1,000 WCU/s

$ ddbsim export refused.db throttles | cut -d, -f2,4 | sort -u
1,IndexWriteProvisionedThroughputExceeded
resource_id,reason

$ ddbsim plot refused.db capacity --table logfile/GSI_1 | tr -s '\n' ' ' | grep -o 'the index was behind by up to 30,000 WCU'
the index was behind by up to 30,000 WCU

# An index that is given too little goes into debt.
$ ddbsim run status-index --set tables.jobs.GlobalSecondaryIndexes.byStatus.ProvisionedThroughput.WriteCapacityUnits=10 | grep -o '[0-9,.]* WCU of debt'
81,079.2 WCU of debt

# It pays that before it saves again: (81,079.2 + 3,000) / 10 seconds.
$ ddbsim run status-index --set tables.jobs.GlobalSecondaryIndexes.byStatus.ProvisionedThroughput.WriteCapacityUnits=10 | tr '\n' ' ' | tr -s ' ' | grep -o 'beyond its saved burst, full again .* after [^,]*'
beyond its saved burst, full again (3,000 WCU) after 2 h 20 min without writes

$ ddbsim run status-index --set workload.poll.IndexName=byState
! ddbsim: error: --set workload.poll.IndexName=byState: unknown index 'byState'; did you mean 'byStatus'?
[2]

$ ddbsim run status-index --set workload.poll.ConsistentRead=true
! ddbsim: error: --set workload.poll.ConsistentRead=true: a global secondary index has no consistent reads (DynamoDB's rule)
[2]

# Two indexes by the table's sort key: a key that a Query on one of them met first has its name in both.
$ cat >inverted.yaml <<'END'
> duration: 3s
> tables:
>   - TableName: orders
>     ProvisionedThroughput: {ReadCapacityUnits: 100, WriteCapacityUnits: 100}
>     AttributeDefinitions: [{AttributeName: PK, AttributeType: S}, {AttributeName: SK, AttributeType: S}]
>     KeySchema: [{AttributeName: PK, KeyType: HASH}, {AttributeName: SK, KeyType: RANGE}]
>     GlobalSecondaryIndexes:
>       - IndexName: one
>         KeySchema: [{AttributeName: SK, KeyType: HASH}]
>         Projection: {ProjectionType: KEYS_ONLY}
>         ProvisionedThroughput: {ReadCapacityUnits: 10, WriteCapacityUnits: 10}
>       - IndexName: two
>         KeySchema: [{AttributeName: SK, KeyType: HASH}, {AttributeName: PK, KeyType: RANGE}]
>         Projection: {ProjectionType: KEYS_ONLY}
>         ProvisionedThroughput: {ReadCapacityUnits: 10, WriteCapacityUnits: 10}
> workload:
>   - {name: find, operation: Query, IndexName: one, rate: 1, arrivals: uniform, item: {SK: order-7}, returns: {items: 1, item_size: 99B}}
>   - {name: put, operation: PutItem, rate: 1, arrivals: uniform, start: 1s, item: {PK: A, SK: order-7}, item_size: 99B}
> END
$ ddbsim run inverted.yaml -o inverted.db >out.txt; ddbsim export inverted.db keys | cut -d, -f2-5
resource_id,key,reads,writes
0,A,0,2
1,order-7,3,1
2,order-7,0,1

# DynamoDB takes 1,024 bytes for a sort key, that of an index too.
$ ddbsim run status-index --set "workload.create.attributes.madeAt=$(head -c 1025 /dev/zero | tr '\0' x)"
! ddbsim: error: table 'jobs': 'madeAt', an index's sort key, of 1025 bytes, expected 1 to 1024 bytes
[2]

# Back-pressure: which index and key, since when, how full the table is, and what cures it.
$ ddbsim run status-index --set rate=800 --set model.placement=fixed --set duration=150s | tr -s ' \n' ' ' | grep -o 'throttled: index .* (from 2 min [0-9]* s\|spread PENDING#0 over [0-9]* values'
throttled: index byStatus: IndexWriteKeyRangeThroughputExceeded on key PENDING#0: writes to table jobs are refused, whatever their key, though it is at 15 % of its 8,000 WCU/s: 1,177 of 1,600 writes/s accepted (from 2 min 24 s
spread PENDING#0 over 4 values
