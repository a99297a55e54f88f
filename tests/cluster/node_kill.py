"""node_kill.py DDBSIM - a node of a Slurm that this test starts dies while it runs a task.

Slurm finds it out, puts the task back, and the other node does it. The database is that of the
sweep in one piece. Takes some minutes: Slurm waits two before it begins a task again.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

from contents import content, in_one_piece
from slurm_nodes import Nodes, is_alive

ARGUMENTS = ["leaderboard", "--vary", "shards=1:4:1", "--set", "duration=10m"]
ARGUMENTS += ["--replications", "12"]
ENGINE = ["--engine", "slurm", "--tasks", "4", "--partition", "sim"]


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""


def processes_on(node, nodes):
    """Ids of what runs on a node for our jobs, and of Slurm's own step daemons above them."""
    found = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        variables = read(f"/proc/{pid}/environ").split(b"\0")
        if (f"SLURMD_NODENAME={node}".encode() in variables
                and f"SLURM_CONF={nodes.folder}/slurm.conf".encode() in variables):
            found.add(int(pid))
    for pid in list(found):
        parent = int(read(f"/proc/{pid}/stat").rsplit(b")", 1)[1].split()[1])
        if read(f"/proc/{parent}/comm").strip() == b"slurmstepd":
            found.add(parent)
    return found


def kill_node(node, nodes):
    victims = processes_on(node, nodes) | {nodes.pid(f"slurmd.{node}")}
    assert len(victims) >= 3, victims  # the daemon, the step, the task
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    assert nodes.wait(lambda: not any(is_alive(pid) for pid in victims), 5)


def main(program):
    with tempfile.TemporaryDirectory(prefix="ddbsim-kill-") as folder:
        with Nodes(folder, node_timeout_s=10) as nodes:
            subprocess.run([program, "sweep", *ARGUMENTS, "-o", f"{folder}/out.db", *ENGINE],
                           cwd=folder, env=nodes.environment, check=True, timeout=30)
            assert nodes.wait(lambda: len(processes_on("n2", nodes)) >= 3, 30), "n2 runs nothing"
            began = time.monotonic()
            kill_node("n2", nodes)
            assert not os.path.exists(f"{folder}/out.db"), "too late: the sweep is done"
            state = ("sinfo", "-h", "-n", "n2", "-o", "%T")
            assert nodes.wait(lambda: "down" in nodes.ask(*state), 90), nodes.ask(*state)
            down = time.monotonic()
            merged = f"{folder}/out.db.tasks/merged"
            assert nodes.wait(lambda: os.path.exists(merged), 420), nodes.ask("squeue")
            done = time.monotonic()
            log = read(f"{folder}/log/slurmctld.log").decode()
            assert "due to failure of node n2" in log, log[-2000:]
            assert content(f"{folder}/out.db") == in_one_piece(program, ARGUMENTS, folder)
        print(f"n2 killed; down after {down - began:.0f} s, its task done by n1 and all merged "
              f"after {done - began:.0f} s; the content is that of one piece")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
