#!/usr/bin/env python3
"""grammar.py ROOT - grammar.yaml has every key that the readers of scenarios know."""

import pathlib
import re
import sys

# Lists of keys in the readers: `static const char *const NAME[] = {"…", NULL}`, or a macro of them.
LIST = re.compile(r"static const char \*const (\w+)\[\] = \{(.*?)\};", re.S)
MACRO = re.compile(r"#define MODELLED\b((?:.*\\\n)*.*\n)")
# Lists of keys that are not of this version, of values, and what AWS knows and nobody models.
OTHER = re.compile(r"later|unmodelled|resolved|known_keys")
# Of describe-table's output only, of later versions, or a value of a key that is there.
ELSEWHERE = {"BillingModeSummary", "LastDecreaseDateTime", "LastIncreaseDateTime",
             "NumberOfDecreasesToday", "Status", "B", "N", "ns", "us"}


def known(root):
    """Yields (file, key) of each key that a reader knows."""
    for path in sorted((root / "workloads").glob("*.c")):
        if not re.match(r"scenario|table_reader", path.name):
            continue
        source = path.read_text(encoding="utf-8")
        lists = [words for name, words in LIST.findall(source) if not OTHER.search(name)]
        for words in lists + MACRO.findall(source):
            for word in re.findall(r'"([A-Za-z][\w-]*)"', words):
                yield path.name, word


def main():
    root = pathlib.Path(sys.argv[1])
    grammar = (root / "workloads/scenarios/grammar.yaml").read_text(encoding="utf-8")
    found = list(known(root))
    words = set(re.findall(r"[A-Za-z][\w-]*", grammar))
    missing = sorted({f"{file}: {key}" for file, key in found if key not in words | ELSEWHERE})
    models = (root / "models/parameters.h").read_text(encoding="utf-8")
    parameters = re.findall(r"^    X\((\w+),", models, re.M)
    missing += [f"model: {name}" for name in parameters if f"  {name}:" not in grammar]
    for line in missing:
        print(f"grammar.yaml lacks {line}")
    if len({key for _, key in found}) < 60 or len(parameters) < 10:
        print(f"only {len(found)} keys, {len(parameters)} parameters: the readers look different")
        return 1
    print(f"{len({key for _, key in found})} keys, {len(parameters)} parameters")
    return bool(missing)


sys.exit(main())
