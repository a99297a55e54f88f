"""Runs the examples of README.md, docs/ and the manual: each ends with status 0, in their order.

Usage: examples.py ROOT DDBSIM

A scenario is run, too: a ```yaml block with a name, tables and a workload. Else an example is a
command of ddbsim in a ```sh block, or in an .nf block of the manual's EXAMPLES. A
plain block right below is what the commands above it print: each of its lines must be there. Those
that need files of the reader's own (PATH/...) are left out. Many replications say no more about a
command than one, and take longer: one is run. Files in a folder of the document's name are there.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

OF_THE_READER = "PATH/"


def markdown_blocks(text):
    """Yields (line, language, lines) of each fenced block, and (line, None, [text]) between."""
    language, start, block = None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if language is None:
                language, start, block = line[3:], number, []
            else:
                yield start, language, block
                language = None
        elif language is not None:
            block.append(line)
        elif line.strip():
            yield number, None, [line]


def manual_blocks(text):
    """The .nf blocks of the section EXAMPLES, as markdown_blocks gives them."""
    within, block, start = False, None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(".SH"):
            within = line.split(maxsplit=1)[1].strip('"') == "EXAMPLES"
        elif within and line == ".nf":
            block, start = [], number
        elif within and line == ".fi":
            yield start, "sh", block
            block = None
        elif block is not None:
            block.append(line.replace("\\e", "\\").replace("\\-", "-"))


def commands(start, block):
    """Yields (line, command) of each command of ddbsim in a block; \\ at the end goes on."""
    command, number = "", start
    for offset, line in enumerate(block, 1):
        if not command:
            number = start + offset
        command += line
        if command.endswith("\\"):
            command = command[:-1]
            continue
        if command.startswith("ddbsim ") and OF_THE_READER not in command:
            yield number, command
        command = ""


def run(command, folder, environment):
    """Output and failure (None: it went well) of one command, with one replication only; for advise
    with a share of layouts that one can show."""
    one = "--replications 1"
    one += " --share 1% --confidence 50%" if command.startswith("ddbsim advise") else ""
    shortened = re.sub(r"--replications[ =]\d+", one, command)
    done = subprocess.run(["bash", "-c", shortened], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout, None
    return done.stdout, f"{command}: status {done.returncode}\n{done.stderr}"


def is_scenario(block):
    """Whether a yaml block is a whole scenario."""
    keys = {line.split(":")[0] for line in block}
    return {"name", "tables", "workload"} <= keys


def check(name, blocks, folder, environment):
    """Runs all commands of one document; returns their number and what went wrong."""
    count, failures, output = 0, [], None
    for start, language, block in blocks:
        if language == "sh":
            output = ""
            for number, command in commands(start, block):
                count += 1
                printed, failure = run(command, folder, environment)
                output += printed
                if failure:
                    failures.append(f"{name}:{number}: {failure}")
        elif language == "yaml" and is_scenario(block):
            count += 1
            (Path(folder) / "example.yaml").write_text("\n".join(block) + "\n", "utf-8")
            _, failure = run("ddbsim run example.yaml", folder, environment)
            if failure:
                failures.append(f"{name}:{start}: {failure}")
        elif language == "" and output:
            printed_lines = output.splitlines()
            failures += [f"{name}:{start + offset}: not printed by the commands above: {line}"
                         for offset, line in enumerate(block, 1) if line not in printed_lines]
        else:
            output = None
    return count, failures


def main(root, ddbsim):
    """Checks every document in a folder of its own; 1 when an example fails."""
    documents = {path: markdown_blocks for path in [root / "README.md", *root.glob("docs/**/*.md")]}
    documents[root / "docs/man/ddbsim.1"] = manual_blocks
    environment = dict(os.environ, PATH=f"{ddbsim.parent}:{os.environ['PATH']}")
    total, failures = 0, []
    for path, blocks in documents.items():
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "workloads").symlink_to(root / "workloads")
            for file in path.with_suffix("").glob("*"):  # a document's own files
                shutil.copy(file, folder)
            count, found = check(path.relative_to(root), blocks(path.read_text("utf-8")), folder,
                                 environment)
        total += count
        failures += found
    print(*failures, f"{total} examples, {len(failures)} faults", sep="\n")
    return 1 if failures or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
