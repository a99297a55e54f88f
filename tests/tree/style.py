"""The rules of style that a program can see: sizes, tabs, guards, typedefs, mutable state."""

import os
import re

import tree

COLUMNS_MAX = 100
FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70
# (file, variable): mutable at file scope for a reason that an ADR gives.
MUTABLE_ALLOWED = {("sim/check.c", "thread_context")}
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")


def lines_problems(path, source):
    lines = source.split("\n")
    if len(lines) - 1 > FILE_LINES_MAX:
        yield 1, f"{len(lines) - 1} lines, at most {FILE_LINES_MAX}"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS_MAX:
            yield number, f"{len(line)} columns, at most {COLUMNS_MAX}"
        if "\t" in line:
            yield number, "a tab"
        if UNFINISHED.search(line):
            yield number, "unfinished: finish it, or document what is not modelled"


def header_problems(path, source):
    guard = "DDBSIM_" + re.sub(r"\W", "_", path).upper()
    if f"#ifndef {guard}\n#define {guard}\n" not in source:
        yield 1, f"expected the header guard {guard}"
    if not re.match(r"/\*(\n \*)? " + re.escape(os.path.basename(path)) + " - ", source):
        yield 1, f"expected the comment '{os.path.basename(path)} - …' first"


def statements(code):
    """Yields (first line, last line, text, has a body) of each top-level statement of bare C."""
    code = re.sub(r'extern ""\s*\{|\bnamespace\s*\w*\s*\{', tree.only_line_ends, code)
    depth, start, words, number = 0, None, "", 1
    for char in code:
        if depth == 0 and start is None and not char.isspace() and char not in ";}":
            start, words = number, ""
        if char == "{":
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
            if depth == 0 and start is not None and "(" in words and "=" not in words:
                yield start, number, words, True
                start = None
        elif char == ";" and depth == 0 and start is not None:
            yield start, number, words, False
            start = None
        elif depth == 0:
            words += char
        number += char == "\n"


def mutable_name(words):
    """The name of the variable that a statement at file scope defines, if it can change."""
    words = re.sub(r"__attribute__\s*\(\(.*?\)\)|_Alignas\s*\(.*?\)|\bEND_TEST\b", " ", words)
    declaration = words.split("=")[0].strip()
    # extern: the definition is what counts, and POSIX's environ is not ours.
    no_variable = r"(typedef|extern|_Static_assert|static_assert|using|template|class)\b"
    if re.match(no_variable, declaration):
        return None
    pointer_to_function = re.search(r"\(\s*\*([^()]*)\)", declaration)
    if pointer_to_function:
        return None if "const" in pointer_to_function.group(1) else pointer_to_function.group(1)
    if "(" in declaration:
        return None
    declarator = re.match(r"(.*?[\s*])(\w+)\s*(\[[^=]*)?$", declaration, re.S)
    if not declarator or re.fullmatch(r"(struct|enum|union)\s+", declarator.group(1)):
        return None
    kind = declarator.group(1).rsplit("*", 1)[-1]
    return None if re.search(r"\bconst(expr)?\b", kind) else declarator.group(2)


def code_problems(path, source):
    code = tree.bare(source)
    is_test = path.startswith("tests/")  # check's fixtures hand their state over by variables
    for number, line in enumerate(code.split("\n"), 1):
        if re.match(r"\s*(__extension__\s+)?typedef\b", line) and "sim_ns" not in line:
            yield number, "a typedef (the time type is the only one)"
        if not is_test and re.match(r"\s+static\s+(?!.*\bconst\b)[\w\s*]+(\[.*\])?\s*[=;]", line):
            yield number, "a mutable static variable"
    for start, end, words, has_body in statements(code):
        if has_body and end - start + 1 > FUNCTION_LINES_MAX:
            yield start, f"a function of {end - start + 1} lines, at most {FUNCTION_LINES_MAX}"
        name = None if has_body or is_test else mutable_name(words)
        if name and (path, name) not in MUTABLE_ALLOWED:
            yield start, f"'{name}' is a mutable variable at file scope"


def problems(root):
    for path in tree.files(root, tree.CODE + (".py",)):
        source = tree.text(root, path)
        if source is None:
            yield f"{path}:1: not UTF-8"
            continue
        found = list(lines_problems(path, source))
        if path.endswith(".h"):
            found += header_problems(path, source)
        if path.endswith(tree.CODE):
            found += code_problems(path, source)
        for number, what in found:
            yield f"{path}:{number}: {what}"
