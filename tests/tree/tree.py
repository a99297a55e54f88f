"""What the checks of the source tree share: which files there are, and C without its comments."""

import os
import re

FOLDERS = ("sim", "models", "workloads", "analysis", "experiments", "cli", "plots", "tests")
CODE = (".c", ".h", ".cpp")


def files(root, suffixes=None):
    """Yields the paths below root, relative and sorted; neither build folders nor results."""
    for folder, names, leaves in os.walk(root):
        top = os.path.relpath(folder, root) == "."
        names[:] = sorted(
            name
            for name in names
            if name not in ("__pycache__", ".git", ".cache")
            and not (top and re.match(r"build|demo-out$|test-out$", name))
        )
        for leaf in sorted(leaves):
            if leaf == ".git":  # a linked work tree has a file for it
                continue
            if suffixes is None or leaf.endswith(tuple(suffixes)):
                yield os.path.relpath(os.path.join(folder, leaf), root)


def text(root, path):
    """The file as text, None when it is not UTF-8."""
    with open(os.path.join(root, path), "rb") as file:
        content = file.read()
    try:
        return None if b"\0" in content else content.decode("utf-8")
    except UnicodeDecodeError:
        return None


DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def only_line_ends(match):
    """Replaces a match by nothing but its line ends, so that line numbers stay."""
    return "\n" * match.group().count("\n")


def bare(code):
    """C without comments, directives and the contents of literals; lines keep their numbers."""

    def blank(match):
        token = match.group()
        if token[0] in "\"'":
            return token[0] * 2
        return only_line_ends(match) or " "

    return DIRECTIVE.sub(only_line_ends, TOKEN.sub(blank, code))
