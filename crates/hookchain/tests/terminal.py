"""Runs a program on a terminal of its own, and types keys when the program asks for a yes.

Arguments: the keys, a file for the program's standard output ("" leaves it on the terminal), the program, its arguments.
Prints what the terminal showed, and ends as the program did.
"""

import os
import pty
import sys

keys, printed, *program = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    if printed:
        os.dup2(os.open(printed, os.O_WRONLY | os.O_CREAT, 0o600), 1)
    os.execv(program[0], program)
shown, is_typed = b"", False
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if not is_typed and b"[y/N]" in shown:
        is_typed = True
        os.write(terminal, keys.encode() + b"\n")
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
