"""Runs a program on a terminal of its own, and types keys when the program asks for a yes.

Arguments: the keys, a file for the program's standard output ("" leaves it on the terminal), the program, its arguments.
The keys for a first, a second question and so on are apart by ";". In the environment, AHEAD is typed before the program
starts, and UNTIL is what the terminal has to show before the first keys are typed.
Prints what the terminal showed, and ends as the program did.
"""

import os
import pty
import sys

keys, printed, *program = sys.argv[1:]
keys = keys.split(";")
ahead, until = (os.environ.pop(name, "") for name in ("AHEAD", "UNTIL"))
begin, began = os.pipe()
pid, terminal = pty.fork()
if pid == 0:
    os.close(began)
    os.read(begin, 1)
    os.close(begin)
    if printed:
        os.dup2(os.open(printed, os.O_WRONLY | os.O_CREAT, 0o600), 1)
    os.execv(program[0], program)
os.write(terminal, ahead.encode())
os.close(began)
shown, typed = b"", 0
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    while typed < min(len(keys), shown.count(b"[y/N]")) and until.encode() in shown:
        os.write(terminal, keys[typed].encode() + b"\n")
        typed += 1
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
