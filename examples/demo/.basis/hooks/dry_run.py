"""Makes every deployment a rehearsal: adds --dry-run to `kubectl apply`.

A rewrite is the whole new input, so everything else in it is handed on as it came.
"""

import json
import shlex
import sys


def decide(request):
    command = request["input"].get("command", "")
    try:
        words = shlex.split(command)
    except ValueError:
        # Nobody knows what a shell makes of quotes that are never closed.
        return {"decision": "deny", "reason": "the command has an unclosed quote; write it in full"}
    if words[:2] != ["kubectl", "apply"] or any(word.startswith("--dry-run") for word in words):
        return {"decision": "allow"}
    rehearsed = command.replace("apply", "apply --dry-run=server", 1)
    return {
        "decision": "modify",
        "input": {**request["input"], "command": rehearsed},
        "reason": "deployments from here are rehearsed only",
    }


print(json.dumps(decide(json.load(sys.stdin))))
