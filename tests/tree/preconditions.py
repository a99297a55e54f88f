"""A precondition that a header documents as checked has a test that sees it abort.

The comment before a function says "(checked)"; the function is then named in a line of a test's
MISUSES, in a test for SIGABRT, or in a helper that one of them calls (tests/death.h).
"""

import re

import tree

DOCUMENTED = re.compile(
    r"/\*(?:(?!\*/).)*?\(checked(?:(?!\*/).)*\*/\s*\n((?:(?!/\*|\n\n|\n#).)*)", re.S)
NAME = re.compile(r"^\w[\w \n*]*?\b(\w+)\s*\(", re.M)
MACRO = re.compile(r"#define \w*MISUSES\w*\(X\)((?:[^\n]*\\\n)*[^\n]*)")
RAISES = re.compile(r"raise_signal\(\s*\w+,\s*(\w+),\s*SIGABRT")
BODY = re.compile(
    r"^(?:static[^;{}()]*?|START_TEST\()\b(\w+)\s*[()][^;{}]*\{\n(.*?)^\}", re.S | re.M)


def documented(source):
    """Yields (line, names) of the functions below a comment that says that something is checked."""
    for match in DOCUMENTED.finditer(source):
        names = NAME.findall(match.group(1))
        if names:
            yield source.count("\n", 0, match.start(1)) + 1, names


def deaths(source):
    """Names that occur where a program is meant to abort, helpers' bodies included."""
    bodies = dict(BODY.findall(source))
    texts = MACRO.findall(source) + [bodies.get(name, "") for name in RAISES.findall(source)]
    found, new = set(), set()
    for text in texts:
        new |= set(re.findall(r"\w+", text))
    while new:
        found |= new
        new = {word for name in new for word in re.findall(r"\w+", bodies.get(name, ""))} - found
    return found


def problems(root):
    seen = set()
    for path in tree.files(root, (".c",)):
        source = tree.text(root, path) or ""
        if path.startswith("tests/") and ("DEATHS(" in source or "SIGABRT" in source):
            seen |= deaths(source)
    for path in tree.files(root, (".h",)):
        if path.startswith("tests/"):
            continue
        for line, names in documented(tree.text(root, path) or ""):
            if not seen & set(names):
                yield f"{path}:{line}: no test sees {names[0]} abort, as it says it does"
