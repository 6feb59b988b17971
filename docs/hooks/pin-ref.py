#!/usr/bin/env python3
"""Pins what a call fetches: a branch or a tag becomes the commit that somebody has looked at.

For a tool with an input like {"repo": "https://example.org/tools.git", "ref": "v2"}. A commit is let through as it is, and
a ref that is not pinned is denied.
"""

import re

from hookchain_hook import HookRequest, HookResponse, allow, deny, modify, serve

PINS = {
    ("https://example.org/tools.git", "v2"): "3f1c0a9be5d7f2846c1b0e9d8a7f6c5b4a392817",
    ("https://example.org/tools.git", "main"): "90b1d5e2c4f8a7163d5e4f6a7b8c9d0e1f2a3b4c",
}
COMMIT = re.compile(r"[0-9a-f]{40}")


def judge(request: HookRequest) -> HookResponse:
    repo, ref = request.text("repo"), request.text("ref")
    if COMMIT.fullmatch(ref):
        return allow()
    commit = PINS.get((repo, ref))
    if commit is None:
        return deny("this ref is not pinned; fetch a full commit, or a ref that is pinned")
    return modify({**request.input, "ref": commit}, "the ref is pinned")


if __name__ == "__main__":
    serve(judge)
