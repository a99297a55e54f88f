"""Data flows one way, and includes follow it: which folder may include what, and no cycles."""

import os
import re

import tree

ABOVE = {
    "sim": {"sim/"},
    "models": {"sim/", "models/"},
    "workloads": {
        "sim/",
        "workloads/",
        "models/spec.h",
        "models/request.h",
        "models/pricing.h",
    },
    "analysis": {
        "sim/",
        "analysis/",
        "models/spec.h",
        "models/request.h",
        "models/model_event.h",
        "models/sample.h",
        "models/pricing.h",
    },
    "experiments": {"sim/", "models/", "workloads/", "analysis/", "experiments/"},
    "plots": {"plots/"},
}
ABOVE["cli"] = ABOVE["experiments"] | {"plots/", "cli/"}
# A library that one folder hides from all others.
HIDDEN = {"sqlite3.h": "analysis/", "libfyaml.h": "workloads/", "pcg_random.hpp": "sim/"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


def included(root, path):
    """Yields (line, quote, target) of each #include."""
    code = re.sub(r"/\*.*?\*/", tree.only_line_ends, tree.text(root, path), 0, re.S)
    for match in INCLUDE.finditer(code):
        yield code.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def refusal(root, path, quote, target):
    """Why path may not include target, or None."""
    folder = path.split("/")[0]
    if quote == "<":
        if target.split("/")[0] in tree.FOLDERS and "/" in target:
            return f"'{target}' is the project's own: write it in quotes"
        owner = HIDDEN.get(target)
        if owner and folder != "tests" and not path.startswith(owner):
            return f"only {owner} may include '{target}'"
        return None
    if not os.path.isfile(os.path.join(root, target)):
        return f"'{target}' is no file of the tree (includes are relative to its root)"
    if folder == "tests":
        return None
    allowed = ABOVE.get(folder, set())
    if target in allowed or target.split("/")[0] + "/" in allowed:
        return None
    return f"{folder}/ may not include '{target}'"


def cycle(graph):
    """One cycle of the graph as a list of nodes, or None."""
    state, trail = {}, []

    def visit(node):
        state[node] = "open"
        trail.append(node)
        for target in graph.get(node, ()):
            if state.get(target) == "open":
                return trail[trail.index(target) :] + [target]
            if target not in state and (found := visit(target)):
                return found
        trail.pop()
        state[node] = "done"
        return None

    for node in sorted(graph):
        if node not in state and (found := visit(node)):
            return found
    return None


def problems(root):
    graph = {}
    for path in tree.files(root, tree.CODE):
        if path.split("/")[0] not in tree.FOLDERS:
            yield f"{path}:1: no folder of the design holds C"
            continue
        graph[path] = []
        for line, quote, target in included(root, path):
            why = refusal(root, path, quote, target)
            if why:
                yield f"{path}:{line}: {why}"
            elif quote == '"':
                graph[path].append(target)
    found = cycle(graph)
    if found:
        yield f"{found[0]}:1: include cycle: {' -> '.join(found)}"
