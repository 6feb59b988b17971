#!/usr/bin/env python3
"""Writes down every call and has no objection to any. Declare it with "on_failure": "allow".

What it writes holds all that the tools were given and returned, secrets included: nobody else may read the file.
"""

import os
import time

from hookchain_hook import HookRequest, HookResponse, allow, serve

LOG = ".basis/calls.log"


def log(request: HookRequest) -> HookResponse:
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {request.line.decode().strip()}\n"
    # One write at the end of the file, so that hooks which run at once do not mix their lines.
    file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)
    return allow()


if __name__ == "__main__":
    serve(log)
