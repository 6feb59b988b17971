#!/usr/bin/env python3
"""Asks a person before a deploy, and has no objection to anything else.

Where no person can be asked, and where the person says no, the call is denied. A guard against accidents: whoever wants to
can hide a command from any reading of it.
"""

import re

from hookchain_hook import HookRequest, HookResponse, allow, ask, serve

DEPLOY = re.compile(r"\b(?:make deploy|terraform (?:apply|destroy)|kubectl (?:apply|delete)|helm (?:install|upgrade))\b")


def judge(request: HookRequest) -> HookResponse:
    if request.event == "post_tool_use":
        return allow()
    command = request.text("command")
    # Quotes do not part words, a backslash at the end of a line continues it, and any white space parts words.
    plain = " ".join(re.sub(r"[\"'\\]", "", command.replace("\\\n", "")).split())
    found = DEPLOY.search(plain)
    # The reason is for the person: what happens after a yes.
    return ask(f"`{found[0]}` changes what runs in production") if found else allow()


if __name__ == "__main__":
    serve(judge)
