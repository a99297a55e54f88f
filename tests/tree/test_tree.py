"""Each check can fail: small trees with one fault each, and the same trees without it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import includes
import layout
import preconditions
import scenarios
import style
import tools
import words

HEADER = """/*
 * {name} - A thing.
 */
#ifndef DDBSIM_{guard}_H
#define DDBSIM_{guard}_H
{body}#endif
"""


def header(path, body=""):
    name, guard = os.path.basename(path), path[:-2].replace("/", "_").upper()
    return HEADER.format(name=name, guard=guard, body=body)


class TreeTest(unittest.TestCase):
    def found(self, problems, files):
        """What a check says of a tree with these files."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return list(problems(root))

    def assert_fault(self, problems, files, expected):
        found = self.found(problems, files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])


class Preconditions(TreeTest):
    HEADER = header("sim/a.h", "\n/* n above 0 (checked). */\nint a_take(int n);\n\n")

    def test_wants_a_death_for_what_is_checked(self):
        calls = "static void take(void) {\n    a_take(0);\n}\n"
        misuses = "#define MISUSES(X) \\\n    X(\"n > 0\", %s)\nDEATHS(MISUSES)\n"
        for test in [calls, calls + misuses % "b_take(0)"]:
            files = {"sim/a.h": self.HEADER, "tests/sim/preconditions.c": test}
            self.assert_fault(preconditions.problems, files, "no test sees a_take abort")
        for call in ["a_take(0)", "take()"]:
            files = {"sim/a.h": self.HEADER, "tests/sim/preconditions.c": calls + misuses % call}
            self.assertEqual(self.found(preconditions.problems, files), [])


class Includes(TreeTest):
    def test_refuses_what_flows_upward(self):
        for folder, target in [
            ("sim", "models/spec.h"),
            ("models", "workloads/client.h"),
            ("workloads", "models/partition.h"),
            ("workloads", "analysis/store.h"),
            ("analysis", "workloads/client.h"),
            ("analysis", "models/service.h"),
            ("experiments", "cli/run.h"),
        ]:
            files = {f"{folder}/a.c": f'#include "{target}"\n', target: ""}
            self.assert_fault(includes.problems, files, f"{folder}/ may not include '{target}'")

    def test_accepts_what_flows_downward(self):
        for folder, target in [
            ("models", "sim/err.h"),
            ("workloads", "models/request.h"),
            ("analysis", "models/sample.h"),
            ("experiments", "models/service.h"),
            ("cli", "experiments/simulation.h"),
            ("tests/sim", "cli/run.h"),
        ]:
            files = {f"{folder}/a.c": f'/* "x.h" */\n#include "{target}"\n', target: ""}
            self.assertEqual(self.found(includes.problems, files), [])

    def test_refuses_cycles_and_unknown_files(self):
        files = {"sim/a.h": '#include "sim/b.h"\n', "sim/b.h": '#include "sim/a.h"\n'}
        self.assert_fault(includes.problems, files, "sim/a.h -> sim/b.h -> sim/a.h")
        self.assert_fault(includes.problems, {"sim/a.c": '#include "b.h"\n'}, "no file of the tree")
        self.assert_fault(includes.problems, {"sim/a.c": "#include <sim/b.h>\n"}, "in quotes")
        self.assert_fault(includes.problems, {"lib/a.c": ""}, "no folder of the design")
        files = {"models/a.c": "#include <sqlite3.h>\n"}
        self.assert_fault(includes.problems, files, "only analysis/ may include")


class Style(TreeTest):
    def test_refuses_each_fault(self):
        long_function = "int f(int a,\n      int b) {\n" + "    g();\n" * 68 + "}\n"
        for text, expected in [
            ("/* " + "é" * 98 + " */\n", "104 columns"),
            ("\n" * 601, "601 lines"),
            ("int f(void) {\n\treturn 1;\n}\n", "a tab"),
            ("/* TO" "DO: later */\n", "unfinished"),
            (long_function, "a function of 71 lines"),
            ("START_TEST(f) {\n" + "    g();\n" * 69 + "}\nEND_TEST\n", "a function of 71 lines"),
            ("typedef int number;\n", "a typedef"),
            ("static int count;\n", "'count' is a mutable"),
            ("int count = 3;\n", "'count' is a mutable"),
            ('static const char *name = "x;";\n', "'name' is a mutable"),
            ("static struct row rows[] = {{1}, {2}};\n", "'rows' is a mutable"),
            ("static int (*hook)(void);\n", "'hook' is a mutable"),
            ("START_TEST(f) {\n}\nEND_TEST\n\nstatic int n;\n", "'n' is a mutable"),
            ("int f(void) {\n    static int n = 0;\n    return n++;\n}\n", "a mutable static"),
        ]:
            with self.subTest(text=text[:40]):
                self.assert_fault(style.problems, {"sim/a.c": text}, expected)

    def test_accepts_what_only_looks_like_it(self):
        for text in [
            "/* " + "é" * 94 + " */\n",
            "\n" * 600,
            "START_TEST(f) {\n" + "    g();\n" * 68 + "}\nEND_TEST\n",
            "static const char *const names[] = {\n    [A] = \"a\",\n};\n",
            "static const struct row rows[] = {{1, f(2)}};\n_Static_assert(1 == 1, \"one\");\n",
            "struct a;\nenum b { C = 1, D };\nstruct e {\n    int count;\n};\n",
            "static int f(const char *text, struct err *err) __attribute__((cold));\n",
            "static int (*const hook)(void) = f;\n",
            "int f(void) {\n    static const int n[] = {1};\n    int i = 0;\n    return n[i];\n}\n",
            "#define X(a)                \\\n    static int a;\n",
            "extern char **environ;\n",
            'extern "C" {\nint f(void) {\n    return 1;\n}\n}\n',
        ]:
            with self.subTest(text=text[:40]):
                self.assertEqual(self.found(style.problems, {"sim/a.c": text}), [])

    def test_fixtures_of_tests_may_have_state(self):
        self.assertEqual(self.found(style.problems, {"tests/sim/a.c": "static int count;\n"}), [])

    def test_headers_have_guard_and_comment(self):
        path = "sim/a.h"
        time = "typedef int64_t sim_ns;\n"
        self.assertEqual(self.found(style.problems, {path: header(path, time)}), [])
        self.assert_fault(style.problems, {path: header("sim/b.h").replace("b.h", "a.h")}, "guard")
        self.assert_fault(style.problems, {path: header(path).replace("a.h", "b.h")}, "comment")


class Scenarios(TreeTest):
    GOOD = "name: a\nabout: A.\nsource: a book\nexpect:\n  # why\n  - {metric: throttled, max: 1}\n"

    def test_refuses_a_scenario_without_source_or_expectation(self):
        path = "workloads/scenarios/a.yaml"
        self.assertEqual(self.found(scenarios.problems, {path: self.GOOD}), [])
        for key in ("source", "about"):
            bad = self.GOOD.replace(f"{key}:", f"# {key}:")
            self.assert_fault(scenarios.problems, {path: bad}, f"no '{key}:'")
        bad = self.GOOD.split("  - ", maxsplit=1)[0]
        self.assert_fault(scenarios.problems, {path: bad}, "no 'expect:'")

    def test_refuses_what_is_published_and_not_in_the_readme(self):
        path, readme = "workloads/scenarios/a.yaml", "README.md"
        told = self.GOOD.replace("max: 1", 'max: 1, published: "none"')
        row = "## How well\n\n| a | none | throttled | 0 | 1 | yes |\n"
        self.assertEqual(self.found(scenarios.problems, {path: told, readme: row}), [])
        self.assert_fault(scenarios.problems, {path: told, readme: ""}, "lacks a: none")
        self.assert_fault(scenarios.problems, {path: self.GOOD, readme: row}, "reports nothing")


class Words(TreeTest):
    def test_refuses_paths_and_hosts_of_one_machine(self):
        for word in ("/wo" "rk/main/a.c", "http://deb.deb" "ian.org", "a sub" "agent"):
            self.assert_fault(words.problems, {"docs/a.md": f"\nSee {word}.\n"}, "a.md:2:")
        good = {"docs/a.md": "home/wo" "rk/it and debian.org"}
        self.assertEqual(self.found(words.problems, good), [])


class Layout(TreeTest):
    def test_refuses_strange_names_and_scripts_that_cannot_run(self):
        self.assert_fault(layout.problems, {"cmake/a.cmake": ""}, "no place")
        self.assert_fault(layout.problems, {"scripts/a": "#!/bin/sh\n"}, "not executable")


class Tools(TreeTest):
    """Skips, as the checks do, where the program is absent."""

    def assert_complains(self, problems, good, bad):
        try:
            self.assertEqual(self.found(problems, good), [])
            self.assertNotEqual(self.found(problems, bad), [])
        except tools.Skip as skip:
            self.skipTest(str(skip))

    def test_format(self):
        style_file = {".clang-format": "BasedOnStyle: LLVM\n"}
        good, bad = {"sim/a.c": "int a(void);\n"}, {"sim/a.c": "int  a( void );\n"}
        self.assert_complains(tools.format_problems, good | style_file, bad | style_file)

    def test_shell(self):
        start = "#!/bin/sh\n"
        good, bad = {"scripts/a": start + 'echo "$1"\n'}, {"scripts/a": start + "echo $1\n"}
        self.assert_complains(tools.shell_problems, good, bad)

    def test_manual(self):
        start = '.TH A 1 2026-01-01 "a 1" "A"\n.SH NAME\na \\- b\n'
        good, bad = {"docs/man/a.1": start}, {"docs/man/a.1": start + ".XY nothing\n"}
        self.assert_complains(tools.manual_problems, good, bad)


class Lint(TreeTest):
    def test_refuses_a_long_function_and_forgets_it_once_mended(self):
        here = os.path.dirname(os.path.abspath(__file__))
        with tempfile.TemporaryDirectory() as root:
            shutil.copy(os.path.join(here, "../../.clang-tidy"), root)
            command = {"directory": root, "file": "sim/a.c", "command": "cc -c sim/a.c"}
            with open(os.path.join(root, "compile_commands.json"), "w", encoding="utf-8") as file:
                json.dump([command], file)
            os.mkdir(os.path.join(root, "sim"))
            for lines, expected in [(70, 1), (2, 0), (2, 0), (70, 1)]:
                with open(os.path.join(root, "sim/a.c"), "w", encoding="utf-8") as file:
                    file.write("int f(int a);\nint f(int a) {\n" + "    a += 2;\n" * lines)
                    file.write("    return a;\n}\n")
                done = subprocess.run(
                    [sys.executable, os.path.join(here, "lint.py"), root, root],
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if done.returncode == 77:
                    self.skipTest(done.stdout)
                self.assertEqual(done.returncode, expected, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
