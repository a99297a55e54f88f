"""The top level holds what the design names, and scripts can be run."""

import os

import tree

TOP = set(tree.FOLDERS) | {"docs", "scripts", "CMakeLists.txt", "CMakePresets.json"}
TOP |= {"README.md", "CHANGELOG.md", "LICENSE"}
LOCAL = {"demo-out", "test-out", "Testing", "CMakeUserPresets.json", "compile_commands.json"}


def problems(root):
    for name in sorted(os.listdir(root)):
        if name not in TOP and name not in LOCAL and not name.startswith((".", "build")):
            yield f"{name}:1: the top level has no place for it"
    for path in tree.files(root):
        is_script = path.startswith(("scripts/", ".ci/"))
        if is_script and not os.access(os.path.join(root, path), os.X_OK):
            yield f"{path}:1: not executable"
