"""ssh_hosts.py DDBSIM - a sweep by GNU parallel over two hosts; then another, in which one dies.

The hosts are two sshd that this test starts on loopback addresses.

Nothing under /etc or ~/.ssh is read or written. The databases are those of the sweep in one piece.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from contents import content, in_one_piece
from slurm_nodes import Nodes, find, is_alive, skip

HOSTS = ["127.0.0.11", "127.0.0.12"]
ARGUMENTS = ["leaderboard", "--vary", "shards=1:8:1", "--set", "duration=20s"]
ARGUMENTS += ["--replications", "10"]
SSHD = """ListenAddress {address}
Port {port}
HostKey {folder}/hostkey
AuthorizedKeysFile {folder}/authorized_keys
PidFile {folder}/{address}.pid
StrictModes no
UsePAM no
UseDNS no
PasswordAuthentication no
PermitRootLogin prohibit-password
MaxStartups 100:30:200
MaxSessions 100
SetEnv HOME={folder}
"""
CLIENT = """Host *
  Port {port}
  IdentityFile {folder}/userkey
  UserKnownHostsFile {folder}/known_hosts
  StrictHostKeyChecking yes
  ConnectTimeout 5
"""


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def free_port():
    with socket.socket() as one:
        one.bind((HOSTS[0], 0))
        return one.getsockname()[1]


class Hosts:
    """Two sshd, started when it is entered, ended when it is left."""

    def __init__(self, folder):
        for name in ("sshd", "ssh-keygen", "ssh", "parallel"):
            if find(name) is None:
                skip(f"{name} is not installed")
        self.folder, self.port = folder, free_port()
        os.makedirs("/run/sshd", exist_ok=True)
        for key in ("hostkey", "userkey"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{key}"],
                           check=True)
        shutil.copy(f"{folder}/userkey.pub", f"{folder}/authorized_keys")
        with open(f"{folder}/hostkey.pub", encoding="ascii") as file:
            key = " ".join(file.read().split()[:2])
        write(f"{folder}/known_hosts", "".join(f"[{host}]:{self.port} {key}\n" for host in HOSTS))
        write(f"{folder}/config", CLIENT.format(folder=folder, port=self.port))

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
        for host in HOSTS:
            path = f"{self.folder}/sshd-{host}.conf"
            write(path, SSHD.format(address=host, port=self.port, folder=self.folder))
            done = subprocess.run([find("sshd"), "-f", path, "-E", path + ".log"], check=False)
            if done.returncode != 0:
                self.stop()
                skip("sshd does not start here")
        if not Nodes.wait(lambda: all(map(self.pid, HOSTS)), 10):
            self.stop()
            skip("sshd does not start here")
        return self

    def __exit__(self, *_):
        self.stop()

    def pid(self, host):
        try:
            with open(f"{self.folder}/{host}.pid", encoding="ascii") as file:
                return int(file.read())
        except (FileNotFoundError, ValueError):
            return None

    def kill(self, host):
        """The daemon and the connections that it has taken, with what they run."""
        victims, processes = [self.pid(host)], []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                    processes.append((int(pid), int(file.read().rsplit(")", 1)[1].split()[1])))
            except (FileNotFoundError, ProcessLookupError):
                pass
        for victim in victims:
            victims += [pid for pid, parent in processes if parent == victim]
        for victim in victims:
            if is_alive(victim):
                os.kill(victim, signal.SIGKILL)
        return len(victims)

    def stop(self):
        for host in HOSTS:
            pid = self.pid(host)
            if pid is not None and is_alive(pid):
                os.kill(pid, signal.SIGTERM)


def engine(hosts):
    options = ["--engine", "parallel", "--tasks", "8", "-q"]
    for host in HOSTS:
        options += ["--host", f"1/{host}"]
    return options + [f"--engine-option=--ssh=ssh -F {hosts.folder}/config"]


def joblog(folder, name):
    with open(f"{folder}/{name}.tasks/joblog", encoding="ascii") as file:
        return [line.split("\t") for line in file.read().splitlines()[1:]]


def main(program):
    with tempfile.TemporaryDirectory(prefix="ddbsim-ssh-") as folder:
        os.environ["HOME"] = folder  # where GNU parallel keeps what it knows
        whole = in_one_piece(program, ARGUMENTS, folder)
        with Hosts(folder) as hosts:
            command = [program, "sweep", *ARGUMENTS, *engine(hosts), "-o"]
            began = time.monotonic()
            subprocess.run([*command, "both.db"], cwd=folder, check=True, timeout=300)
            both_s = time.monotonic() - began
            counts = [sum(host in row[1] for row in joblog(folder, "both.db")) for host in HOSTS]
            assert content(f"{folder}/both.db") == whole, "two hosts give another content"
            assert sum(counts) == 8 and min(counts) >= 1, counts
            began = time.monotonic()
            with subprocess.Popen([*command, "one.db"], cwd=folder) as process:
                time.sleep(1.5)
                killed = hosts.kill(HOSTS[1])
                assert process.wait(300) == 0, "with one host left it is not done"
            one_s = time.monotonic() - began
            assert content(f"{folder}/one.db") == whole, "one host left gives another content"
            rows = [row[1] for row in joblog(folder, "one.db")]
        print(f"two hosts: {counts[0]} + {counts[1]} tasks in {both_s:.1f} s; one of them killed "
              f"({killed} processes): {len(rows)} entries of the log, all done in {one_s:.1f} s")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
