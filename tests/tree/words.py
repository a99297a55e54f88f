"""Words that belong to one machine, not to the project: its paths, its package hosts."""

import re

import tree

# In pieces, so that this file may be checked as well.
WORDS = [
    r"(?<![\w.])/wo" r"rk/",
    r"\bdeb\.deb" r"ian\.org",
    r"\bregis" r"try\.npmjs",
    r"\bpypi\.o" r"rg\b",
    r"\bproxy\.gol" r"ang\.org",
    r"\bsub" r"agent",
]


def problems(root):
    pattern = re.compile("|".join(WORDS), re.I)
    for path in tree.files(root):
        for number, line in enumerate((tree.text(root, path) or "").split("\n"), 1):
            match = pattern.search(line)
            if match:
                yield f"{path}:{number}: '{match.group()}' names a workplace, not the project"
