"""sweep_resume.py DDBSIM - ends a sweep by signals, goes on with it, and compares what comes out.

The database of a sweep that was interrupted, killed, and whose file was torn is that of one that
ran through, but for its timings; so is that of one thread, and that of four parts merged.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ARGUMENTS = ["sweep", "leaderboard", "--vary", "shards=1:5:1", "--set", "duration=20s"]
ARGUMENTS += ["--replications", "6", "-q", "-o"]


def content(path):
    """All rows but the timings."""
    with sqlite3.connect(path) as database:
        return [line for line in database.iterdump() if '"timings"' not in line]


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
