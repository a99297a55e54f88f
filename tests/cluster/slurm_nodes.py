"""A Slurm of two nodes on this machine, for tests: in one folder, on loopback, nothing under /etc.

Ends only the processes that it has started, by their ids. Where Slurm is not installed, or its
daemons do not start here, skip() says so.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

SKIPPED = 77
NEEDED = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scontrol", "scancel"]
CONFIGURATION = """ClusterName=ddbsim
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/run/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/state/spool.%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/log/jobs.txt
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
SlurmctldTimeout=60
SlurmdTimeout={node_timeout_s}
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 RealMemory=1000
PartitionName=sim Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def find(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def is_alive(pid):
    """A zombie, which nobody may reap here, has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Nodes:
    """Started when it is entered, ended when it is left."""

    def __init__(self, folder, node_timeout_s=60):
        missing = [name for name in NEEDED if find(name) is None]
        if missing:
            skip(f"Slurm is not installed ({', '.join(missing)})")
        self.folder = folder
        self.environment = dict(os.environ, SLURM_CONF=f"{folder}/slurm.conf")
        os.chmod(folder, 0o755)  # munged wants its socket to be in reach of all
        for name in ["state", "state/spool.n1", "state/spool.n2", "log", "run"]:
            os.makedirs(f"{folder}/{name}")
        key = os.open(f"{folder}/munge.key", os.O_WRONLY | os.O_CREAT, 0o400)
        os.write(key, os.urandom(128))
        os.close(key)
        with open(f"{folder}/slurm.conf", "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                folder=folder, host=socket.gethostname().split(".")[0], ports=free_ports(3),
                user=subprocess.check_output(["id", "-un"], text=True).strip(),
                node_timeout_s=node_timeout_s))

    def start(self, *command):
        command = [find(command[0]), *command[1:]]
        done = subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30,
                              text=True)
        if done.returncode != 0:
            self.stop()
            skip(f"{command[0]} does not start here: {done.stdout.strip()}")

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
        folder = self.folder
        self.start("munged", f"--key-file={folder}/munge.key",
                   f"--socket={folder}/run/munge.socket", f"--pid-file={folder}/run/munged.pid",
                   f"--log-file={folder}/log/munged.log", f"--seed-file={folder}/state/munge.seed",
                   "--num-threads=2")
        self.start("slurmctld", "-f", f"{folder}/slurm.conf")
        for node in ("n1", "n2"):
            self.start("slurmd", "-f", f"{folder}/slurm.conf", "-N", node)
        idle = ("sinfo", "-h", "-N", "-t", "idle", "-o", "%N")
        if not self.wait(lambda: self.ask(*idle) == "n1\nn2", 20):
            state = self.ask("sinfo", "-N", "-l")
            self.stop()
            skip(f"the nodes do not become idle: {state}")
        return self

    def __exit__(self, *_):
        self.stop()

    def ask(self, *command):
        """What one of Slurm's commands prints; they wait long when the controller is gone."""
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True,
                                  timeout=10)
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.strip()

    @staticmethod
    def wait(is_so, limit_s):
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            if is_so():
                return True
            time.sleep(0.1)
        return is_so()

    def is_empty(self):
        return self.ask("squeue", "-h", "-o", "%i") == ""

    def pid(self, name):
        try:
            with open(f"{self.folder}/run/{name}.pid", encoding="ascii") as file:
                return int(file.read())
        except (FileNotFoundError, ValueError):
            return None

    def jobs(self):
        """Lines of the jobs that have ended: JobId=… JobState=… NodeList=…"""
        with open(f"{self.folder}/log/jobs.txt", encoding="utf-8") as file:
            return file.read().splitlines()

    def stop(self):
        if self.pid("slurmctld") is not None:
            self.ask("scancel", "-u", str(os.getuid()))
            self.wait(self.is_empty, 10)
        for name in ("slurmd.n1", "slurmd.n2", "slurmctld", "munged"):
            pid = self.pid(name)
            if pid is not None and is_alive(pid):
                os.kill(pid, signal.SIGTERM)
                if not self.wait(lambda: not is_alive(pid), 10):
                    os.kill(pid, signal.SIGKILL)
