"""check_tree.py ROOT CHECK - one check of the source tree: exit 0 good, 1 not, 77 skipped."""

import os
import sys

import includes
import layout
import preconditions
import scenarios
import style
import tools
import words

CHECKS = {
    "includes": includes.problems,
    "layout": layout.problems,
    "preconditions": preconditions.problems,
    "scenarios": scenarios.problems,
    "style": style.problems,
    "words": words.problems,
    "format": tools.format_problems,
    "shell": tools.shell_problems,
    "manual": tools.manual_problems,
}


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in CHECKS:
        sys.exit(f"usage: check_tree.py ROOT {'|'.join(CHECKS)}")
    root = os.path.abspath(sys.argv[1])
    try:
        found = list(CHECKS[sys.argv[2]](root))
    except tools.Skip as skip:
        print(f"skipped: {skip}")
        sys.exit(77)
    print("\n".join(found) or "good")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
