"""slurm.py DDBSIM - a sweep by a job array on two nodes of a Slurm that this test starts.

The database is that of the sweep in one piece. The array is submitted a second time while the first
one runs: tasks that are repeated do no harm.
"""

import os
import subprocess
import sys
import tempfile
import time

from contents import content, in_one_piece
from slurm_nodes import Nodes

ARGUMENTS = ["leaderboard", "--vary", "shards=1:6:1", "--set", "duration=5s"]
ARGUMENTS += ["--replications", "4"]
ENGINE = ["--engine", "slurm", "--tasks", "4", "--partition", "sim", "--time", "5"]


def main(program):
    with tempfile.TemporaryDirectory(prefix="ddbsim-slurm-") as folder:
        began = time.monotonic()
        with Nodes(folder) as nodes:
            idle = time.monotonic()
            said = subprocess.run(
                [program, "sweep", *ARGUMENTS, "-o", f"{folder}/out.db", *ENGINE], cwd=folder,
                env=nodes.environment, capture_output=True, text=True, timeout=30)
            assert said.returncode == 0, said
            assert "4 of 4 tasks" in said.stdout, said
            again = nodes.ask("sbatch", "--parsable", f"{folder}/out.db.tasks/array.sbatch")
            assert again.isdigit(), again
            merged = f"{folder}/out.db.tasks/merged"
            assert nodes.wait(lambda: os.path.exists(merged), 60), nodes.ask("squeue")
            done = time.monotonic()
            assert nodes.wait(nodes.is_empty, 30), nodes.ask("squeue")
            assert content(f"{folder}/out.db") == in_one_piece(program, ARGUMENTS, folder)
            jobs = nodes.jobs()
            assert all("JobState=COMPLETED" in job for job in jobs), jobs
            assert len(jobs) == 9, jobs
            assert any("NodeList=n1 " in job for job in jobs), jobs
            assert any("NodeList=n2 " in job for job in jobs), jobs
        print(f"two nodes idle after {idle - began:.1f} s; four tasks and the merge took "
              f"{done - idle:.1f} s, with the four again; in all {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
