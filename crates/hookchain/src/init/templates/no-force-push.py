#!/usr/bin/env python3
"""Denies a forced git push. Needs nothing but Python 3.

A guard against accidents: whoever wants to can hide a push from any reading of a shell command.
"""

import json
import re
import sys

FORCE = re.compile(r"--for|--mirror$|-[A-Za-z]*f|\+.")


def judge(request):
    if request["event"] == "post_tool_use":
        return {"decision": "allow"}
    command = request["input"]["command"]
    if not isinstance(command, str):
        raise TypeError("the command is not text")
    # A backslash at the end of a line continues it; quotes do not part words.
    command = re.sub(r"[\"'\\]", "", command.replace("\\\n", ""))
    for part in re.split(r"[;&|()\n]", command):
        words = part.split()
        if "push" not in words or not any(word.endswith("git") for word in words):
            continue
        rest = words[words.index("push") + 1 :]
        if any(FORCE.match(word) for word in rest):
            return deny("force-push is not allowed in this workspace; push without force")
        if re.search(r"[$`]", part):
            return deny("this guard cannot see what is pushed; write the push without variables")
    return {"decision": "allow"}


def deny(reason):
    return {"decision": "deny", "reason": reason}


# One request per line. A single question ends after one line; a worker is asked again and again.
# An error ends the program with a status other than zero, and the call is denied.
for line in sys.stdin.buffer:
    if line.strip():
        print(json.dumps(judge(json.loads(line))), flush=True)
