#!/usr/bin/env python3
"""Looks at a file after it was written, and tells the model what is wrong with it. Declare it with "on_failure": "allow".

It denies nothing and takes nothing away: an allow with context leaves the result of the tool as it is, and the model reads
both. This one asks Python's own parsers about .json and .py files; put your linter in their place.
"""

import ast
import json
from pathlib import Path
from typing import Optional

from hookchain_hook import HookRequest, HookResponse, allow, serve

MAX_BYTES = 1 << 20


def problem(path: Path) -> Optional[str]:
    parse = {".json": json.loads, ".py": ast.parse}.get(path.suffix)
    if parse is None or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return None
    try:
        parse(path.read_text("utf-8"))
    except (ValueError, SyntaxError, RecursionError) as error:
        return str(error)
    return None


def review(request: HookRequest) -> HookResponse:
    if request.event == "pre_tool_use":
        return allow()
    written = request.text("path")
    found = problem(Path(request.workspace, written))
    return allow(context=f"{written} cannot be parsed: {found}") if found else allow()


if __name__ == "__main__":
    serve(review)
