"""sweep_resume.py DDBSIM - ends a sweep by signals, goes on with it, and compares what comes out;
what it shows on a terminal, and how much memory it holds.

The database of a sweep that was interrupted, killed, and whose file was torn is that of one that
ran through, but for its timings; so is that of one thread, and that of four parts merged.
"""

import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cluster"))
from contents import content

ARGUMENTS = ["sweep", "leaderboard", "--vary", "shards=1:5:1", "--set", "duration=20s"]
ARGUMENTS += ["--replications", "6", "-q", "-o"]

TRACED = """workload:
  - name: replay
    operation: GetItem
    trace: {file: rows.csv, header: true, time: at}
    item: {PK: "{who}"}
    exists: false
"""


def sweep(program, output, *options):
    return subprocess.Popen([program, *ARGUMENTS, output, *options], stderr=subprocess.PIPE)


def end_by(program, output, sig, records_at_least, *options):
    """Sends a signal when the log has grown to some records; the exit status."""
    part = output + ".part"
    process = sweep(program, output, *options)
    while process.poll() is None and (
        not os.path.exists(part) or os.path.getsize(part) < records_at_least * 1000
    ):
        time.sleep(0.005)
    process.send_signal(sig)
    message = process.communicate()[1].decode()
    return process.returncode, message


def memory_kb(program, folder, points):
    """The most that a sweep of so many points holds at a time."""
    output = os.path.join(folder, f"points-{points}.db")
    command = [program, "sweep", "counter", "--vary", f"rate=1:{points}:1", "--set", "duration=1s"]
    child = os.fork()
    if child == 0:
        os.execv(program, [*command, "--replications", "1", "--jobs", "2", "-q", "-o", output])
    _, status, usage = os.wait4(child, 0)
    assert status == 0, status
    os.remove(output)
    return usage.ru_maxrss


def check_memory(program, folder):
    with open(program, "rb") as file:
        if b"__asan_init" in file.read():
            return  # it keeps what is freed
    few, many = memory_kb(program, folder, 20), memory_kb(program, folder, 400)
    assert many < few + 2048, f"20 points take {few} KiB, 400 points {many} KiB"


def check_terminal(program, folder):
    """A line tells rate and time left; Ctrl-C ends the sweep and says how to go on."""
    output = os.path.join(folder, "long.db")
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execv(program, [program, "sweep", "leaderboard", "--vary", "shards=1:9:1",
                           "--replications", "100000", "-o", output])
    shown, end = b"", time.monotonic() + 120
    while b" left" not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 4096)
    assert b" of 900,000 runs, " in shown and b" runs/s, " in shown, shown
    os.write(terminal, b"\x03")
    while True:
        try:
            block = os.read(terminal, 4096)
        except OSError:  # how Linux tells the end
            break
        if not block:
            break
        shown += block
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 130 and b"--resume goes on" in shown, (status, shown)
    assert os.path.exists(output + ".part") and not os.path.exists(output)
    os.remove(output + ".part")


def check_trace(program, folder):
    """An unfinished sweep is not gone on with when the rows that it reads are others."""
    here = os.path.dirname(os.path.abspath(__file__))
    scenario, rows = os.path.join(folder, "traced.yaml"), os.path.join(folder, "rows.csv")
    output = os.path.join(folder, "traced.db")
    with open(os.path.join(here, "base.yaml"), encoding="utf-8") as file:
        text = file.read().split("expect:")[0].replace("workload:\n", TRACED)
    with open(scenario, "w", encoding="utf-8") as file:
        file.write(text)
    with open(rows, "w", encoding="ascii") as file:
        file.write("at,who\n0,ann\n1,bob\n")
    command = [program, "sweep", scenario, "--replications", "100000", "-q", "-o", output]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not os.path.exists(output + ".part"):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    with open(rows, "a", encoding="ascii") as file:
        file.write("1.5,eve\n")
    again = subprocess.run([*command, "--resume"], capture_output=True, check=False)
    assert b"another sweep" in again.stderr and again.returncode == 2, again
    for path in (scenario, rows, output + ".part"):
        os.remove(path)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        whole, one = os.path.join(folder, "whole.db"), os.path.join(folder, "one.db")
        torn = os.path.join(folder, "torn.db")
        assert sweep(program, whole).wait() == 0
        assert sweep(program, one, "--jobs", "1").wait() == 0
        assert content(whole) == content(one), "one thread and several differ"

        parts = [os.path.join(folder, f"part-{number}.db") for number in range(1, 5)]
        for number, part in enumerate(parts, 1):
            assert sweep(program, part, "--part", f"{number}/4").wait() == 0
        merged = os.path.join(folder, "merged.db")
        subprocess.run([program, "merge", "-q", "-o", merged, *reversed(parts)], check=True)
        assert content(merged) == content(whole), "four parts merged differ"
        for path in [merged, *parts]:
            os.remove(path)

        check_memory(program, folder)
        check_terminal(program, folder)
        check_trace(program, folder)

        status, message = end_by(program, torn, signal.SIGINT, 2)
        assert status == 130 and "--resume goes on" in message, (status, message)
        assert not os.path.exists(torn)
        status, message = end_by(program, torn, signal.SIGKILL, 8, "--resume")
        assert status == -signal.SIGKILL, (status, message)
        with open(torn + ".part", "ab") as part:
            part.write(b"half a record")
        again = sweep(program, torn)
        assert b"--resume goes on with it" in again.communicate()[1] and again.returncode == 2
        other = sweep(program, torn, "--resume", "--seed", "9")
        assert b"another sweep" in other.communicate()[1] and other.returncode == 2
        assert sweep(program, torn, "--resume").wait() == 0
        assert content(torn) == content(whole), "a resumed sweep differs"
        assert sorted(os.listdir(folder)) == ["one.db", "torn.db", "whole.db"]


if __name__ == "__main__":
    main(sys.argv[1])
