# The job array of a sweep, submitted to a stand-in for sbatch: it notes what it gets, gives numbers
# from 7 on and, with RUN set, runs the tasks at once, each twice.
$ cp "$TESTS/base.yaml" . && mkdir bin && cat >bin/sbatch <<'END'
> #!/bin/bash
> echo "sbatch $*" | sed "s|$PWD|HERE|g" >>sbatch.log
> [ -e fails ] && echo 'sbatch: error: invalid partition' >&2 && exit 1
> script=${!#}
> [ "${RUN-}" ] && for range in $(sed -n 's/^#SBATCH --array=//p' "$script" | tr , ' '); do
>     for i in $(seq "${range%-*}" "${range#*-}"); do
>         SLURM_ARRAY_TASK_ID=$i sh "$script" && SLURM_ARRAY_TASK_ID=$i sh "$script"
>     done
> done
> [[ "${RUN-}" && $script == *merge* ]] && sh "$script" && sh "$script"
> echo "$(($(wc -l <sbatch.log) + 6))${CLUSTER-}"
> END
> chmod +x bin/sbatch; cat >sweep <<'END'
> PATH=$PWD/bin:$PATH ddbsim sweep base.yaml --vary rate=5,10,20 --replications 2 "$@"
> END
> bash sweep -o out.db --engine slurm --tasks 2 --partition sim --time 1:00:00 --engine-option=--mem=2G
> cat sbatch.log; ls out.db out.db.tasks
array job 7: 2 of 2 tasks, by 'out.db.tasks/array.sbatch'
merge job 8: makes 'out.db' when all tasks are done; 'squeue' tells how far they are
sbatch --parsable HERE/out.db.tasks/array.sbatch
sbatch --parsable --kill-on-invalid-dep=yes --dependency=afterok:7 HERE/out.db.tasks/merge.sbatch
out.db.tasks:
array.sbatch
merge.sbatch
merge.sh
plan
task.sh
! ls: cannot access 'out.db': No such file or directory
[2]

$ sed "s|$PWD|HERE|; s|^[^ ]*/ddbsim|DDBSIM|" out.db.tasks/array.sbatch out.db.tasks/task.sh
#!/bin/sh
#SBATCH --job-name=ddbsim-sweep
#SBATCH --array=1-2
#SBATCH --cpus-per-task=1
#SBATCH --output="HERE/out.db.tasks/task-%a.log"
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --partition=sim
#SBATCH --time=1:00:00
#SBATCH --mem=2G
exec sh HERE/out.db.tasks/task.sh "$SLURM_ARRAY_TASK_ID"
#!/bin/sh
# task.sh I - makes part I of 2: part-I.db, complete or absent.
# Run again, or twice at a time, it does no harm.
set -u
cd HERE || exit 3
folder=HERE/out.db.tasks
made=$folder/part-$1.db
[ -e "$made" ] && exit 0
try=$folder/part-$1.try-$(uname -n)-$$
trap 'rm -f "$try" "$try".*' EXIT
DDBSIM sweep --quiet \
    --vary rate=5,10,20 \
    --replications 2 --jobs 1 \
    --part "$1/2" --output "$try" -- base.yaml
status=$?
# 1: some runs could not be made; that is recorded, and the merge tells it
[ "$status" -le 1 ] || exit "$status"
mv -f "$try" "$made"

# what is there already is left, and the rest is submitted
$ bash sweep -o out.db --engine slurm --tasks 2
! ddbsim: error: 'out.db.tasks' exists: an unfinished sweep; --resume goes on with it, --force begins anew
[2]

$ bash sweep -o out.db --engine slurm --tasks 3 --resume
! ddbsim: error: 'out.db.tasks' belongs to another sweep (another scenario, values, seed, number of tasks or version of ddbsim); remove it, or choose another output
[2]

$ sh out.db.tasks/task.sh 1 && bash sweep -o out.db --engine slurm --tasks 2 --resume
> grep array= out.db.tasks/array.sbatch; ls out.db.tasks/part-*
array job 9: 1 of 2 tasks, by 'out.db.tasks/array.sbatch'
merge job 10: makes 'out.db' when all tasks are done; 'squeue' tells how far they are
#SBATCH --array=2
out.db.tasks/part-1.db

# nothing is missing: the merge alone; tasks and merge run twice
$ sh out.db.tasks/task.sh 2 & sh out.db.tasks/task.sh 2; wait
> RUN=1 CLUSTER=';east' bash sweep -o out.db --engine slurm --tasks 2 --resume && tail -1 sbatch.log
> bash sweep -o whole.db -q; cat >rows <<'END'
> for table in scenarios points runs metrics failures parts; do ddbsim export "$1" $table; done
> END
> bash rows whole.db >whole && bash rows out.db | cmp - whole && ls out.db.tasks
merge job 11: makes 'out.db' when all tasks are done; 'squeue' tells how far they are
~ sbatch --parsable *merge.sbatch
array.sbatch
merge.sbatch
merge.sh
merged
plan
task.sh

$ bash sweep -o out.db --engine slurm --tasks 2
! ddbsim: error: 'out.db' exists; --force overwrites it
[2]

$ RUN=1 bash sweep -o out.db --engine slurm --tasks 3 --force -q && bash rows out.db | cmp - whole

# a folder with blanks and quotes; a point that fails is told by the merge, and stops nothing
$ mkdir "it's a folder" && cp base.yaml bin -r "it's a folder" && cd "it's a folder"
> RUN=1 PATH=$PWD/bin:$PATH ddbsim sweep base.yaml --vary 'rate=5,fast,10' --set 'about=it'"'"'s' --replications 1 -o 'my out.db' --engine slurm -q
> ddbsim export 'my out.db' failures | cut -d, -f1,2; ls
point,replication
1,0
base.yaml
bin
my out.db
my out.db.tasks
sbatch.log

# what Slurm says
$ touch fails; bash sweep -o no.db --engine slurm; rm fails
! sbatch: error: invalid partition
! ddbsim: error: sbatch did not take 'no.db.tasks/array.sbatch' (exit status 1)

$ printf '#!/bin/sh\necho submitted\n' >bin/sbatch; bash sweep -o no.db --engine slurm --resume
! ddbsim: error: sbatch: expected the number of a job, got 'submitted'
[3]

$ printf '#!/bin/sh\ncase $* in *merge*) exit 1 ;; esac\necho 5\n' >bin/sbatch; bash sweep -o no.db --engine slurm --resume
! ddbsim: the array, job 5, is submitted, its merge is not: 'scancel 5' ends it, or run 'no.db.tasks/merge.sh' when it is done
! ddbsim: error: sbatch did not take 'no.db.tasks/merge.sbatch' (exit status 1)
[3]

$ rm bin/sbatch; PATH=$(dirname "$(command -v ddbsim)"):/nowhere ddbsim sweep base.yaml -o no.db --engine slurm --force
! ddbsim: error: there is no 'sbatch' in PATH: Slurm's commands are not installed here; GNU parallel needs no Slurm (--engine parallel)
[3]

$ mkdir mine.db.tasks; touch mine.db.tasks/notes; bash sweep -o mine.db --engine slurm --force; ls mine.db.tasks
notes
! ddbsim: error: 'mine.db.tasks' exists, and no sweep has made it

# GNU parallel, here a stand-in that runs one after another; its script is printed without a run
$ bash sweep -o par.db --engine parallel --tasks 2 --host node1 --host 4/node2 --engine-option=--nice --engine-option=5 --jobs 3 --dry-run |
>     sed -n "s|$PWD|HERE|; /^exec parallel/,/:::/p"; ls par.db*
exec parallel --will-cite --retries 3 --joblog "$folder/joblog" --jobs 3 \
    --sshlogin node1 \
    --sshlogin 4/node2 \
    --nice \
    5 \
    'sh HERE/par.db.tasks/task.sh {}' ::: 1 2
! ls: cannot access 'par.db*': No such file or directory
[2]

$ cat >bin/parallel <<'END'
> #!/bin/bash
> while [ "$1" != ::: ]; do command=$1; shift; done
> for task in "${@:2}"; do [ -e fails ] && exit 1; sh -c "${command/\{\}/$task}"; done
> END
> chmod +x bin/parallel; touch fails; bash sweep -o par.db --engine parallel --tasks 2; rm fails
> bash sweep -o par.db --engine parallel --tasks 2 --resume && bash rows par.db | cmp - whole
'par.db' is made, of 2 tasks
! ddbsim: error: not all tasks were done, see 'par.db.tasks/joblog'; the same command with --resume runs those that were not

# what does not go together
$ bash sweep --engine slurm; bash sweep -o x.db --engine slurm --part 1/2; bash sweep -o x.db --tasks 2
> bash sweep -o x.db --engine slurm --tasks 4; bash sweep -o x.db --engine slurm --host a
> bash sweep -o x.db --engine parallel --time 5; bash sweep -o x.db --engine slurn
> bash sweep -o x.db --engine slurm --partition 'a b'; bash sweep -o x.db --engine slurm --engine-option ''
! ddbsim: error: --engine needs -o OUT.db: what the parts are joined to
! ddbsim: error: --engine contradicts --part: it makes the parts
! ddbsim: error: --tasks, --partition, --time, --host, --engine-option and --dry-run are for --engine slurm or parallel
! ddbsim: error: --tasks: expected at most one a point, of which there are 3, got '4'
! ddbsim: error: --host is for --engine parallel
! ddbsim: error: --partition and --time are for --engine slurm
! ddbsim: error: --engine: expected local, slurm or parallel, got 'slurn'; did you mean 'slurm'?
! ddbsim: error: --partition: expected a word without blanks, got 'a b'
! ddbsim: error: --engine-option: expected one line that is not empty
[2]
