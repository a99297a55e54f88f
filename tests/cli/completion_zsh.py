"""completion_zsh.py DDBSIM - types lines into zsh, presses Tab, compares what stands there then.

77, skipped: zsh is not installed.
"""

import os
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time

# What is typed, and what the one possible completion makes of it.
LINES = [
    ("ddbsim expo", "ddbsim export "),
    ("ddbsim --vers", "ddbsim --version "),
    ("ddbsim run produ", "ddbsim run product-reads "),
    ("ddbsim check counter produ", "ddbsim check counter product-reads "),
    ("ddbsim run --repl", "ddbsim run --replications="),
    ("ddbsim run --format=j", "ddbsim run --format=json "),
    ("ddbsim run --set=model.rou", "ddbsim run --set=model.routers="),
    ("ddbsim run --seed 3 -q produ", "ddbsim run --seed 3 -q product-reads "),
    ("ddbsim plot l.d", "ddbsim plot l.db "),
    ("ddbsim plot l.db thr", "ddbsim plot l.db throttling "),
    ("ddbsim plot l.db throttling --ov", "ddbsim plot l.db throttling --over="),
    ("ddbsim plot l.db throttling --over=l.d", "ddbsim plot l.db throttling --over=l.db "),
    ("ddbsim export --format json l.db key_", "ddbsim export --format json l.db key_minutes "),
    ("ddbsim merge -o all.db l.d", "ddbsim merge -o all.db l.db "),
    ("ddbsim units Pu", "ddbsim units PutItem "),
]
# ^X shows the line between angle brackets and empties it. Each 'ready' is split, so that the echo
# of these lines does not count.
SET_UP = """fpath=({completion} $fpath)
PS1= ; unsetopt beep prompt_sp
autoload -Uz compinit; compinit -u -D
show() {{ print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }}
zle -N show; bindkey "^X" show; bindkey "^I" complete-word
print rea''dy
"""


def read_until(terminal, pattern, limit_s=30):
    """What the terminal shows up to the pattern, or up to the limit."""
    shown, end = b"", time.monotonic() + limit_s
    while time.monotonic() < end and not re.search(pattern, shown):
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 4096)
    return shown


def complete(terminal, line):
    # zsh reads its keys one by one: ^X waits behind the completion.
    os.write(terminal, line.encode() + b"\t\x18")
    found = re.findall(rb"<([^>]*)>", read_until(terminal, rb"<[^>]*>"))
    return found[-1].decode() if found else "(nothing shown)"


def main():
    zsh = shutil.which(os.environ.get("ZSH", "zsh"))
    if zsh is None:
        print("skipped: zsh is not installed")
        sys.exit(77)
    program = os.path.abspath(sys.argv[1])
    here = os.path.dirname(os.path.abspath(__file__))
    completion = os.path.join(here, "..", "..", "cli", "completion")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        open(os.path.join(folder, "l.db"), "w", encoding="ascii").close()
        set_up = os.path.join(folder, "set-up.zsh")
        with open(set_up, "w", encoding="utf-8") as file:
            file.write(SET_UP.format(completion=completion))
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.environ["PATH"] = os.path.dirname(program) + ":" + os.environ["PATH"]
            os.execv(zsh, [zsh, "-f", "-i"])
        os.write(terminal, b". ./set-up.zsh\n")
        read_until(terminal, rb"ready")
        for line, wanted in LINES:
            found = complete(terminal, line)
            if found != wanted:
                print(f"'{line}' became '{found}', expected '{wanted}'")
                failed += 1
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    print(f"{len(LINES)} lines, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
