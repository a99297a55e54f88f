"""lint.py ROOT BUILD - clang-tidy on each C file of the product, two at a time.

Uses BUILD/compile_commands.json. A file that passed is not looked at again until it, a header that
it includes, its command or .clang-tidy changes (BUILD/lint/ keeps the hashes). 77: no clang-tidy.
"""

import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys

import includes
import tree


def project_files(root, path, seen):
    """Adds path and all project files that it includes, directly or not, to seen."""
    if path not in seen and os.path.isfile(os.path.join(root, path)):
        seen.add(path)
        for _, quote, target in includes.included(root, path):
            if quote == '"':
                project_files(root, target, seen)
    return seen


def fingerprint(root, path, command):
    digest = hashlib.sha256(command.encode())
    for name in [".clang-tidy", *sorted(project_files(root, path, set()))]:
        with open(os.path.join(root, name), "rb") as file:
            digest.update(name.encode() + b"\0" + file.read())
    return digest.hexdigest()


def lint(root, build, path, command):
    """The complaints about one file, empty when it is clean."""
    stamp = os.path.join(build, "lint", path.replace("/", "_"))
    expected = fingerprint(root, path, command)
    if os.path.isfile(stamp) and open(stamp, encoding="ascii").read() == expected:
        return ""
    done = subprocess.run(
        ["clang-tidy", "--quiet", "-p", build, os.path.join(root, path)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0 or done.stdout.strip():
        return done.stdout.strip() or done.stderr.strip()
    with open(stamp, "w", encoding="ascii") as file:
        file.write(expected)
    return ""


def commands(root, build):
    """(path, command) of each C file of the product, relative to root."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    for entry in entries:
        path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), root)
        if path.endswith(".c") and path.split("/")[0] in tree.FOLDERS and path[:6] != "tests/":
            yield path, entry["command"]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: lint.py ROOT BUILD")
    root, build = map(os.path.abspath, sys.argv[1:])
    if not shutil.which("clang-tidy"):
        print("skipped: clang-tidy is not installed")
        sys.exit(77)
    os.makedirs(os.path.join(build, "lint"), exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        items = sorted(set(commands(root, build)))
        jobs = [pool.submit(lint, root, build, *item) for item in items]
        found = [job.result() for job in jobs]
    complaints = [text for text in found if text]
    print("\n".join(complaints) or f"{len(found)} files are clean")
    sys.exit(1 if complaints or not found else 0)


if __name__ == "__main__":
    main()
