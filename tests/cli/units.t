# The calculator against AWS's rules: reads by 4 KB, writes by 1 KB, rounded up.
$ ddbsim units GetItem --size 3500 --consistent
GetItem: 1 RCU
  counted: the whole item, 3,500 B, whatever is asked of it
  rounded up to whole 4 KB: 1

$ for size in 4096 4097; do ddbsim units GetItem --size $size --consistent --format json; done
{"rcu":1,"wcu":0,"indexes":[]}
{"rcu":2,"wcu":0,"indexes":[]}

$ ddbsim units GetItem --size 8KB
GetItem: 1 RCU
  counted: the whole item, 8 KB, whatever is asked of it
  rounded up to whole 4 KB: 2
  halved: an eventually consistent read (--consistent prices a strong one)

$ ddbsim units GetItem --missing --format json
{"rcu":0.5,"wcu":0,"indexes":[]}

$ ddbsim units GetItem --size 0 --consistent
GetItem: 1 RCU
  counted: a missing item costs as much as the smallest

$ ddbsim units PutItem --size 1.6KB --format json
{"rcu":0,"wcu":2,"indexes":[]}

$ ddbsim units PutItem --size 1KB --old-size 3.5KB
PutItem: 4 WCU
  counted: the larger of before (3.5 KB) and after (1 KB)
  rounded up to whole 1 KB: 4

$ ddbsim units UpdateItem --size=200B
UpdateItem: 1 WCU
  counted: the new item, 200 B
  rounded up to whole 1 KB: 1

$ ddbsim units DeleteItem --size 2500
DeleteItem: 3 WCU
  counted: the item that is deleted, 2,500 B
  rounded up to whole 1 KB: 3

$ ddbsim units DeleteItem --missing --format json
{"rcu":0,"wcu":1,"indexes":[]}

$ ddbsim units PutItem --size 400KB --format json
{"rcu":0,"wcu":400,"indexes":[]}

$ ddbsim units PutItem --size 409601
! ddbsim: error: --size: '409601' is over the 400 KB that an item may have
[2]

$ ddbsim units PutItem --size 1TB
! ddbsim: error: --size: expected a size such as 400B or 1.5KB, got '1TB'
[2]

$ ddbsim units PutItem --size -1
! ddbsim: error: --size: expected a size such as 400B or 1.5KB, got '-1'
[2]

$ ddbsim units PutItem
! ddbsim: error: no --size given, expected one such as 400B or 1.5KB
[2]

$ ddbsim units PutItem --size 0
! ddbsim: error: --size: an item that is written has at least 1 B
[2]

$ ddbsim units
! ddbsim: error: no operation given, expected one of the API's, such as PutItem or Query
[2]

$ ddbsim units PutItm --size 1
! ddbsim: error: no operation 'PutItm', expected one of the API's, such as PutItem or Query; did you mean 'PutItem'?
[2]

# 5,000 items of 1,042 B were measured at 128.5 units a full page.
$ ddbsim units Query --items 5000 --size 1042
Query: 638 RCU
  counted: all that is evaluated, 5 MB, before any filter or projection
  rounded up to whole 4 KB once a page; a page ends with the item that crosses 1 MB
  pages: 5
  a full page: 1,007 items, 128.5 RCU
  halved: an eventually consistent read (--consistent prices a strong one)

$ ddbsim units Query --items 1500 --size 64 --consistent
Query: 24 RCU
  counted: all that is evaluated, 93.8 KB, before any filter or projection
  rounded up to whole 4 KB once a page; a page ends with the item that crosses 1 MB
  pages: 1

$ ddbsim units Query --items 0 --format json
{"rcu":0.5,"wcu":0,"indexes":[]}

$ ddbsim units Query --size 1
! ddbsim: error: no --items given: how many items does the Query evaluate?
[2]

$ ddbsim units Query --items 3
! ddbsim: error: no --size of an item given, expected one such as 400B or 1.5KB
[2]

$ ddbsim units Query --items 3 --size 1KB --old-size 1KB
! ddbsim: error: a Query has --size and --items only; --items 0 finds nothing
[2]

$ ddbsim units GetItem --items 3 --size 1KB
! ddbsim: error: --items is for Query, Scan and batches, 'GetItem' has one item
[2]

$ ddbsim units Scan --size 1
! ddbsim: error: no --items given: how many items does the Scan evaluate?
[2]

$ ddbsim units Scan --items 2000 --size 1KB --format json
{"rcu":250,"wcu":0,"indexes":[]}

$ ddbsim units PutItem --size 1 --consistent
! ddbsim: error: --consistent is for reads, 'PutItem' writes
[2]

$ ddbsim units GetItem --size 1 --old-size 1
! ddbsim: error: --old-size is for writes that keep the item, 'GetItem' has --size only
[2]

$ ddbsim units PutItem --missing
! ddbsim: error: --missing is for GetItem and DeleteItem; without --old-size 'PutItem' makes a new item
[2]

$ ddbsim units GetItem --missing --size 5
! ddbsim: error: an item that is missing has no --size
[2]

# An update that changes an index's key: 400 B out of the index and 400 B into it, 3 KB on the table.
$ ddbsim units UpdateItem --size 3KB --old-size 3KB --index moved:400B
UpdateItem: 3 WCU
  counted: the larger of before (3 KB) and after (3 KB)
  rounded up to whole 1 KB: 3
  index 1, entry moved: 2 WCU (delete of 400 B, put of 400 B), on the index

# 1.4 KB with entries of 600 B and 1.2 KB: three bills for one write.
$ ddbsim units PutItem --size 1.4KB --index inserted:600B --index inserted:1.2KB --format json
{"rcu":0,"wcu":2,"indexes":[{"change":"inserted","local":false,"wcu":1},{"change":"inserted","local":false,"wcu":2}]}

$ for change in unchanged changed moved; do
> ddbsim units UpdateItem --size 900 --old-size 2500 --index $change --format json; done
{"rcu":0,"wcu":3,"indexes":[{"change":"unchanged","local":false,"wcu":0}]}
{"rcu":0,"wcu":3,"indexes":[{"change":"changed","local":false,"wcu":3}]}
{"rcu":0,"wcu":3,"indexes":[{"change":"moved","local":false,"wcu":4}]}

$ ddbsim units DeleteItem --size 2500 --index removed:300B --local-index removed --format json
{"rcu":0,"wcu":6,"indexes":[{"change":"removed","local":false,"wcu":1},{"change":"removed","local":true,"wcu":3}]}

# A transaction doubles the table's units, not the index's.
$ ddbsim units UpdateItem --size 1900 --old-size 1900 --transaction --index moved:1517:1517
UpdateItem: 4 WCU
  counted: the larger of before (1,900 B) and after (1,900 B)
  rounded up to whole 1 KB: 2
  doubled: a transaction prepares and commits
  index 1, entry moved: 4 WCU (delete of 1,517 B, put of 1,517 B), on the index

$ ddbsim units TransactWriteItems --items 3 --size 500 --format json
{"rcu":0,"wcu":6,"indexes":[]}

$ ddbsim units GetItem --size 8KB --transaction --format json
{"rcu":4,"wcu":0,"indexes":[]}

$ ddbsim units BatchGetItem --items 2 --size 6.5KB --consistent
BatchGetItem: 4 RCU
  counted: the whole item, 6.5 KB, whatever is asked of it
  rounded up to whole 4 KB: 2
  times 2 items, each rounded up by itself

$ ddbsim units BatchWriteItem --items 26 --size 1KB
! ddbsim: error: --items: 'BatchWriteItem' takes 1 to 25 items
[2]

$ ddbsim units PutItem --size 1 --index moved
! ddbsim: error: --index: 'moved' needs an item before the write (--old-size is its size before)
[2]

$ ddbsim units UpdateItem --size 3KB --old-size 3KB --index moved:3KB:4KB
! ddbsim: error: --index: an entry of 4 KB before the write, expected at most its item's 3 KB (KIND:NEW:OLD gives both sizes)
[2]

$ ddbsim units UpdateItem --size 3KB --old-size 1KB --index moved:2KB
! ddbsim: error: --index: an entry of 2 KB before the write, expected at most its item's 1 KB (KIND:NEW:OLD gives both sizes)
[2]

$ ddbsim units PutItem --size 1KB --local-index inserted:1025
! ddbsim: error: --local-index: an entry of 1,025 B after the write, expected at most its item's 1 KB (KIND:NEW:OLD gives both sizes)
[2]

$ ddbsim units DeleteItem --size 300 --index removed:300 --format json
{"rcu":0,"wcu":1,"indexes":[{"change":"removed","local":false,"wcu":1}]}

$ ddbsim units PutItem --size 1 --index mvoed
! ddbsim: error: --index: no change 'mvoed', expected unchanged, inserted, removed, moved or changed; did you mean 'moved'?
[2]

$ ddbsim units PutItem --size 1 --index inserted:0
! ddbsim: error: --index: an entry has at least 1 B
[2]

$ ddbsim units PutItem --size 1 --index inserted:1:1:1
! ddbsim: error: --index: expected KIND, KIND:NEW or KIND:NEW:OLD
[2]

$ ddbsim units GetItem --size 1 --index unchanged
! ddbsim: error: --index is for writes, 'GetItem' reads
[2]

$ ddbsim units Query --items 3 --size 1KB --transaction
! ddbsim: error: --transaction and --index are not for Query
[2]

$ ddbsim units PutItem GetItem --size 1
! ddbsim: error: units prices one operation, 'GetItem' is too many
[2]
