#!/usr/bin/env python3
"""Takes access tokens out of what a tool returned, before the model sees it. Needs nothing but Python 3.

It looks at text and at every string inside a structured result, not at the names of fields.
"""

import json
import re
import sys
from decimal import Decimal

TOKEN = re.compile(
    r"""\bAKIA[0-9A-Z]{16}\b                                  # an AWS access key
      | \bgh[opsur]_[A-Za-z0-9]{36,}                          # a GitHub token
      | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----.*?(?:-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|\Z)
      | (?<=://)[^\s/:@]+:[^\s/@]+(?=@)                       # a password in a URL
    """,
    re.VERBOSE | re.DOTALL,
)


def redacted(value):
    if isinstance(value, str):
        return TOKEN.sub("[redacted]", value)
    if isinstance(value, list):
        return [redacted(item) for item in value]
    if isinstance(value, dict):
        return {name: redacted(item) for name, item in value.items()}
    return value


def review(request):
    if request["event"] == "pre_tool_use":
        return {"decision": "allow"}
    output = redacted(request["output"])
    if output == request["output"]:
        return {"decision": "allow"}
    # Without "is_error" a failure stays a failure.
    return {"decision": "replace", "output": output, "reason": "took out an access token"}


def exact(number):
    # Python writes a decimal through a float. One that would change is an error instead.
    rounded = float(number)
    if Decimal(repr(rounded)) != number:
        raise ValueError(f"cannot write {number} as it was")
    return rounded


# One request per line. A single question ends after one line; a worker is asked again and again.
# An error ends the program with a status other than zero, and the result is withheld.
for line in sys.stdin.buffer:
    if line.strip():
        answer = review(json.loads(line, parse_float=Decimal))
        print(json.dumps(answer, default=exact), flush=True)
