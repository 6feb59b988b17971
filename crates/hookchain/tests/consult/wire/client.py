"""A client of `hookchain consult --each-line`, and what it goes through.

usage: client.py PROGRAM WORKSPACE SCENARIO

Each scenario ends with status 0 when every answer was the one of its own call.
"""

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import Future


class Client:
    """One process that is asked many calls at once."""

    def __init__(self, program, workspace):
        self.command = [program, "consult", "--each-line", "--hello", "--workspace", workspace]
        self.workspace = workspace
        self.start()

    def start(self):
        self.lock = threading.Lock()
        self.open = {}
        self.last = 0
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.hello = json.loads(self.process.stdout.readline())
        assert self.hello["wire"] == 2, self.hello
        assert self.hello["pid"] == self.process.pid, self.hello
        assert self.hello["parent"] == os.getpid(), self.hello
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            with self.lock:
                waiting = self.open.pop(answer["id"])
            waiting.set_result(answer)

    def ask(self, command, name=None):
        # What was inherited belongs to another process.
        if self.hello["parent"] != os.getpid():
            self.start()
        with self.lock:
            self.last += 1
            name = name if name is not None else self.last
            future = self.open[name] = Future()
            call = {"id": name, "tool_call_id": "call-" + command, "tool_name": "shell", "input": {"command": command}}
            self.write(call)
        return future

    def write(self, line):
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0, self.process.returncode


def check(command, answer):
    """The reason of a denial repeats the command."""
    assert answer["tool_call_id"] == "call-" + command, (command, answer)
    wanted = "deny" if command.startswith("deny") else "allow"
    assert answer["outcome"] == wanted, (command, answer)
    if wanted == "deny":
        assert answer["reason"].endswith(": " + command), (command, answer)


def many(client, prefix=""):
    commands = [("deny" if n % 3 else "allow") + f"-{prefix}{n}" for n in range(64)]
    for command, answer in [(command, client.ask(command)) for command in commands]:
        check(command, answer.result())


def at_once(client):
    for _ in range(3):
        many(client)


def cancelled(client):
    started = os.path.join(client.workspace, "started")
    os.mkfifo(started)
    for name in ["text", 7]:
        held = client.ask("hold", name)
        with open(started) as pipe:
            hook = int(pipe.read())
        os.kill(hook, 0)
        client.write({"cancel": name})
        answer = held.result()
        assert answer["outcome"] == "deny" and answer["reason"].startswith("cancelled"), answer
        assert answer["tool_call_id"] == "call-hold" and answer["id"] == name, answer
        try:
            os.kill(hook, 0)
            with open(f"/proc/{hook}/stat") as state:
                assert state.read().rsplit(")", 1)[1].split()[0] == "Z", "the hook has ended"
        except (ProcessLookupError, FileNotFoundError):
            pass
        # The name is free again, and what is cancelled when it is decided gets no second answer.
        check("deny-again", client.ask("deny-again", name).result())
        client.write({"cancel": name})
        check("allow-again", client.ask("allow-again", name).result())


def forked(client):
    many(client, "before-")
    child = os.fork()
    many(client, "parent-" if child else "child-")
    if child == 0:
        client.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    many(client, "after-")


def killed(client):
    started = os.path.join(client.workspace, "started")
    os.mkfifo(started)
    held = client.ask("hold")
    with open(started) as pipe:
        hook = pipe.read().strip()
    for n in range(64):
        client.ask(f"deny-{n}")
    print(client.process.pid, hook, flush=True)
    held.result()


def main():
    program, workspace, scenario = sys.argv[1:]
    client = Client(program, workspace)
    globals()[scenario](client)
    client.close()


main()
