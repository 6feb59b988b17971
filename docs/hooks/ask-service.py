#!/usr/bin/env python3
"""Asks a service about every call: posts the request, and allows what the service allows.

Its argument is the address, such as http://127.0.0.1:8181/judge. The service answers with status 200 and
{"allowed": true} or {"allowed": false, "reason": "…"}. When it cannot be reached, does not answer in time or answers
anything else, this fails, and the call is denied.
"""

import json
import sys
from urllib.request import Request, urlopen

from hookchain_hook import HookRequest, HookResponse, allow, deny, serve

# Less than the time that the chain gives the hook, so that the report says what was waited for.
SECONDS = 3


def judge(request: HookRequest) -> HookResponse:
    question = Request(sys.argv[1], data=request.line, headers={"Content-Type": "application/json"})
    with urlopen(question, timeout=SECONDS) as answer:
        if answer.status != 200:
            raise ValueError(f"the service answered with status {answer.status}")
        verdict = json.load(answer)
    if verdict["allowed"] is True:
        return allow()
    if verdict["allowed"] is not False:
        raise ValueError("the service did not say whether the call is allowed")
    return deny(verdict.get("reason") or "the service does not allow this call")


if __name__ == "__main__":
    serve(judge)
