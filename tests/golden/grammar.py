#!/usr/bin/env python3
"""grammar.py ROOT - grammar.yaml and the manual's examples have every key that the readers know."""

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


def lacking(found, text):
    """The keys, with their readers, that no word of the text is."""
    words = set(re.findall(r"[A-Za-z][\w-]*", text)) | ELSEWHERE
    return sorted({f"{file}: {key}" for file, key in found if key not in words})


def main():
    root = pathlib.Path(sys.argv[1])
    grammar = (root / "workloads/scenarios/grammar.yaml").read_text(encoding="utf-8")
    manual = (root / "docs/scenario.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```yaml\n(.*?)^```", manual, re.S | re.M))
    found = list(known(root))
    missing = [f"grammar.yaml lacks {line}" for line in lacking(found, grammar)]
    missing += [f"no example of docs/scenario.md has {line}" for line in lacking(found, examples)]
    models = (root / "models/parameters.h").read_text(encoding="utf-8")
    parameters = re.findall(r"^    X\((\w+),", models, re.M)
    pricing = (root / "models/pricing.h").read_text(encoding="utf-8")
    parameters += re.findall(r"^    X\((\w+),", pricing, re.M)
    missing += [f"grammar.yaml lacks the parameter {name}" for name in parameters
                if f"  {name}:" not in grammar]
    print(*missing, sep="\n")
    if len({key for _, key in found}) < 60 or len(parameters) < 10:
        print(f"only {len(found)} keys, {len(parameters)} parameters: the readers look different")
        return 1
    print(f"{len({key for _, key in found})} keys, {len(parameters)} parameters")
    return bool(missing)


sys.exit(main())
