"""Every scenario says where it comes from and what it expects, so that each is a test."""

import re

import tree


def problems(root):
    paths = [path for path in tree.files(root, (".yaml",)) if path.startswith("workloads/scenarios/")]
    for path in paths:
        source = tree.text(root, path) or ""
        for key in ("name", "about", "source"):
            if not re.search(rf"^{key}:[ \t]+\S", source, re.M):
                yield f"{path}:1: no '{key}:'"
        if not re.search(r"^expect:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*- *\{? *metric:", source, re.M):
            yield f"{path}:1: no 'expect:' with a row that names a metric"
