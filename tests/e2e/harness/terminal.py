"""A terminal in which an agent runs, for scenarios with a person: what stands on it is read, and keys are pressed."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from .scratch import LIMIT

# Commands to a terminal, of which nothing is text.
COMMANDS = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # a title, a colour, a link
    r"|\x1b[P_^][^\x1b]*\x1b\\"
    r"|\x1b\[[0-?]*[ -/]*[@-~]"  # the cursor, a style, a mode
    r"|\x1b[ -/]*[0-~]"
)
# What an agent asks of a terminal, and what one says.
ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
ROWS, COLUMNS = 50, 160
# How long a key may go unnoticed by an agent that draws before it listens.
UNHEARD = 2


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, command, directory, environment):
        self.output = b""
        self.start = 0
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            try:
                os.chdir(directory)
                os.execvpe(command[0], command, {**environment, "TERM": "xterm-256color"})
            finally:
                os._exit(127)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        """Ends the program with everything that it has started."""
        for number in (signal.SIGHUP, signal.SIGKILL):
            try:
                os.killpg(self.process, number)
            except ProcessLookupError:
                break
            end = time.monotonic() + 5
            while time.monotonic() < end and self.pump():
                pass
        os.waitpid(self.process, 0)
        os.close(self.descriptor)

    def shown(self):
        """What was written since the last key, without blanks: agents move the cursor where there is one."""
        text = COMMANDS.sub("", self.output[self.start :].decode(errors="replace"))
        return "".join(text.split())

    def wait(self, *signs, limit=LIMIT):
        """The first sign that is there: a text on the terminal, or an event. Nothing when there is none in time."""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            for sign in signs:
                there = "".join(sign.split()) in self.shown() if isinstance(sign, str) else sign.is_set()
                if there:
                    return sign
            if not self.pump():
                raise AssertionError(f"the agent ended: {self.shown()[-500:]}")
        return None

    def press(self, keys, *signs):
        """Presses keys until one of the signs is there."""
        self.start = len(self.output)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            os.write(self.descriptor, keys)
            sign = self.wait(*signs, limit=UNHEARD)
            if sign is not None:
                return sign
        raise AssertionError(f"nothing came of {keys}: {self.shown()[-500:]}")

    def pump(self):
        """Reads what is there, for a moment at most. Whether the program still runs."""
        if not select.select([self.descriptor], [], [], 0.1)[0]:
            return True
        try:
            output = os.read(self.descriptor, 1 << 16)
        except OSError:
            return False
        for question, answer in ANSWERS.items():
            if question in output:
                os.write(self.descriptor, answer)
        self.output += output
        return bool(output)
