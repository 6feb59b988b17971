#!/usr/bin/env python3
"""Adds a note to what was read from a generated file, so that the model changes the source instead."""

from hookchain_hook import HookRequest, HookResponse, allow, replace, serve

NOTE = "\n[This file is generated. Change schema/ and run `make generate` instead.]\n"


def review(request: HookRequest) -> HookResponse:
    if request.event == "post_tool_use" and isinstance(request.output, str):
        if request.text("path").startswith("generated/"):
            return replace(request.output + NOTE, "noted that the file is generated")
    return allow()


if __name__ == "__main__":
    serve(review)
