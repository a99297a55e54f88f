"""What other programs say of the tree: clang-format, shellcheck, groff. Skipped where absent."""

import os
import shutil
import subprocess

import tree


class Skip(Exception):
    """The program is not on this machine."""


def complaints(root, program, arguments, paths):
    """Yields the lines in which the program complains of the files."""
    if not shutil.which(program):
        raise Skip(f"{program} is not installed")
    if not paths:
        return
    done = subprocess.run(
        [program, *arguments, *paths], cwd=root, capture_output=True, text=True, check=False
    )
    said = (done.stdout + done.stderr).strip()
    if done.returncode != 0 or said:
        yield said or f"{program} fails with status {done.returncode}"


def format_problems(root):
    paths = list(tree.files(root, tree.CODE))
    arguments = ["--style=file", "--dry-run", "-Werror", "--ferror-limit=3"]
    yield from complaints(root, "clang-format", arguments, paths)


def shell_problems(root):
    paths = [path for path in tree.files(root) if (tree.text(root, path) or "").startswith("#!")]
    paths = [path for path in paths if "sh" in tree.text(root, path).split("\n")[0].split("/")[-1]]
    yield from complaints(root, "shellcheck", ["--format=gcc"], paths)


def manual_problems(root):
    paths = [path for path in tree.files(root, (".1",)) if path.startswith("docs/man/")]
    # -z formats without printing; -ww warns of everything that groff can warn of.
    yield from complaints(root, "groff", ["-man", "-Tutf8", "-K", "utf8", "-ww", "-z"], paths)
