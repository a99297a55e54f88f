"""What the database of a sweep holds, but for its timings: the lines of its dump."""

import sqlite3
import subprocess

TIMINGS = 'INSERT INTO "timings"'

def content(path):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return [line for line in database.iterdump() if not line.startswith(TIMINGS)]


def in_one_piece(program, arguments, folder):
    """The content that one job and two jobs give, which is the same."""
    found = []
    for jobs in ("1", "2"):
        path = f"{folder}/jobs-{jobs}.db"
        subprocess.run([program, "sweep", *arguments, "-q", "-o", path, "--jobs", jobs], check=True)
        found.append(content(path))
    assert found[0] == found[1], "one job and two jobs differ"
    assert len(found[0]) > 100, len(found[0])
    return found[0]
