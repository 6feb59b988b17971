"""Programs that have an agent work for them, as editors do, and that are asked for permission: one JSON a line, both ways."""

import json
import subprocess
import threading

from .notes import REFUSED
from .scratch import LIMIT


class Host:
    """A program that has started an agent. `questions` are those for permission, in order."""

    def __init__(self, command, directory, environment):
        self.questions = []
        self.process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.watchdog = threading.Timer(LIMIT, self.process.kill)

    def __enter__(self):
        self.watchdog.start()
        return self

    def __exit__(self, *_error):
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(LIMIT)
        finally:
            self.watchdog.cancel()
            self.process.kill()

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def messages(self):
        return map(json.loads, self.process.stdout)


def claude(host, _scratch, _policy, reply):
    """As the Agent SDK talks to Claude Code."""
    host.say({"type": "control_request", "request_id": "start", "request": {"subtype": "initialize"}})
    host.say({"type": "user", "message": {"role": "user", "content": "go"}, "parent_tool_use_id": None, "session_id": ""})
    for message in host.messages():
        if message["type"] == "control_request":
            question = message["request"]
            host.questions.append(question)
            yes = {"behavior": "allow", "updatedInput": question["input"]}
            answer = yes if reply == "yes" else {"behavior": "deny", "message": REFUSED}
            response = {"subtype": "success", "request_id": message["request_id"], "response": answer}
            host.say({"type": "control_response", "response": response})
        elif message["type"] == "result":
            return


def codex(host, scratch, policy, reply):
    """As editors talk to the app server of Codex."""
    host.say({"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "host", "version": "1"}}})
    for message in host.messages():
        method, number = message.get("method"), message.get("id")
        if "error" in message:
            raise AssertionError(f"the app server said {message}")
        if method and number is not None:
            host.questions.append(message["params"])
            host.say({"id": number, "result": {"decision": "accept" if reply == "yes" else "decline"}})
        elif number == 1:
            place = {"cwd": str(scratch.workspace), "approvalPolicy": policy, "sandbox": "workspace-write"}
            host.say({"method": "initialized"})
            host.say({"id": 2, "method": "thread/start", "params": place})
        elif number == 2:
            prompt = {"threadId": message["result"]["thread"]["id"], "input": [{"type": "text", "text": "go"}]}
            host.say({"id": 3, "method": "turn/start", "params": prompt})
        elif method == "turn/completed":
            return


OF = {"claude": claude, "codex": codex}
