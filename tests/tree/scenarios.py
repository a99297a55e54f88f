"""Every scenario says where it comes from and what it expects, so that each is a test."""

import re

import tree

EXPECT = re.compile(r"^expect:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*- *\{? *metric:", re.M)


def problems(root):
    for path in tree.files(root, (".yaml",)):
        if not path.startswith("workloads/scenarios/"):
            continue
        source = tree.text(root, path) or ""
        for key in ("name", "about", "source"):
            if not re.search(rf"^{key}:[ \t]+\S", source, re.M):
                yield f"{path}:1: no '{key}:'"
        if not EXPECT.search(source):
            yield f"{path}:1: no 'expect:' with a row that names a metric"
