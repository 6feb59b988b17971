"""Keeps tokens away from the model: replaces them in the output of every tool."""

import json
import re
import sys

# What tokens of a few services look like.
TOKEN = re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9]{16,}|AKIA[A-Z0-9]{16})\b")


def redact(value):
    """The same value without tokens, however deep they are in it."""
    if isinstance(value, str):
        return TOKEN.sub("[token removed]", value)
    if isinstance(value, list):
        return [redact(item) for item in value]
    if isinstance(value, dict):
        return {redact(key): redact(item) for key, item in value.items()}
    return value


output = json.load(sys.stdin)["output"]
clean = redact(output)
if clean == output:
    print(json.dumps({"decision": "allow"}))
else:
    print(json.dumps({"decision": "replace", "output": clean, "reason": "a token was in the output"}))
