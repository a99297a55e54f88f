"""Every scenario says where it comes from and what it expects, so that each is a test; what its
source reports is in README.md beside what comes out."""

import re

import tree

EXPECT = re.compile(r"^expect:[^\n]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*- *\{? *metric:", re.M)


ROW = re.compile(r"^\| ([a-z][a-z0-9-]*) \| (?!published)", re.M)
PUBLISHED = re.compile(r"published: *\"([^\"]*)\"")


def published_problems(root):
    """Texts of scenarios that README's table lacks, and rows of it without a scenario."""
    files = list(tree.files(root, (".md", ".yaml")))
    readme = (tree.text(root, "README.md") or "") if "README.md" in files else ""
    section = readme.partition("## How well")[2].partition("\n## ")[0]
    reporting = set()
    for path in files:
        source = tree.text(root, path) or ""
        if not path.startswith("workloads/scenarios/") or re.search(r"^source: own;", source, re.M):
            continue
        name = path.rpartition("/")[2].removesuffix(".yaml")
        for text in PUBLISHED.findall(source):
            reporting.add(name)
            if f"| {name} | {text} |" not in section:
                yield f"README.md:1: the table of 'How well' lacks {name}: {text}"
    for name in set(ROW.findall(section)) - reporting:
        if name != "scenario":
            yield f"README.md:1: '{name}' in the table of 'How well' reports nothing"


def problems(root):
    yield from published_problems(root)
    for path in tree.files(root, (".yaml",)):
        if not path.startswith("workloads/scenarios/"):
            continue
        source = tree.text(root, path) or ""
        for key in ("name", "about", "source"):
            if not re.search(rf"^{key}:[ \t]+\S", source, re.M):
                yield f"{path}:1: no '{key}:'"
        if not EXPECT.search(source):
            yield f"{path}:1: no 'expect:' with a row that names a metric"
