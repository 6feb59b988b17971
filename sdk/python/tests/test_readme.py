"""The README's own examples, run."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
SOURCE = HERE / "src" / "hookchain_hook" / "__init__.py"


HOOK, DEPLOY, LINT, TEST = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)

# Stands where the linter would, and finds fault with every file that holds a tab.
RUFF = """#!/bin/sh
[ "$1 $2" = "check --" ] || exit 2
if grep -q "$(printf '\\t')" "$3"; then echo "$3: a tab"; exit 1; fi
"""


class Readme(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        (self.directory / "hookchain_hook.py").write_text(SOURCE.read_text())

    def run_it(self, text: str, name: str, input: str = "") -> subprocess.CompletedProcess[str]:
        """The program, beside a copy of the file."""
        (self.directory / name).write_text(text)
        return subprocess.run(
            [sys.executable, name],
            cwd=self.directory,
            env={"PATH": f"{self.directory}:{os.environ['PATH']}"},
            input=input,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def answers(self, text: str, *questions: dict[str, Any]) -> list[dict[str, Any]]:
        fields = {"hook_schema": 1, "event": "pre_tool_use", "workspace": "/w", "agent_id": "a", "tool_call_id": "c"}
        lines = [json.dumps({**fields, "tool_name": "t", **question}) + "\n" for question in questions]
        ran = self.run_it(text, "hook.py", "".join(lines))
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))
        said = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual([answer.pop("tool_call_id") for answer in said], ["c"] * len(questions))
        return said

    def test_the_hook_and_its_test_run(self) -> None:
        (self.directory / "judge.py").write_text(HOOK)
        ran = self.run_it(TEST, "test.py")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("Ran 1 test", ran.stderr)

    def test_the_hook_that_asks_before_a_deploy_asks(self) -> None:
        said = self.answers(DEPLOY, {"input": {"command": "make deploy ENV=prod"}}, {"input": {"command": "make test"}})
        reason = "This deploys to production: make deploy ENV=prod"
        self.assertEqual(said, [{"decision": "ask", "reason": reason}, {"decision": "allow"}])

    def test_the_hook_that_lints_tells_the_model_with_an_allow(self) -> None:
        ruff = self.directory / "ruff"
        ruff.write_text(RUFF)
        ruff.chmod(0o755)
        for name, text in [("bad.py", "if 1:\n\tpass\n"), ("good.py", "pass\n"), ("other.txt", "\t\n")]:
            (self.directory / name).write_text(text)
        after = {"event": "post_tool_use", "output": "written", "is_error": False}
        said = self.answers(LINT, *({**after, "input": {"path": path}} for path in ["bad.py", "good.py", "other.txt"]))
        context = "The file was written. `ruff check` says:\nbad.py: a tab\n"
        self.assertEqual(said, [{"decision": "allow", "context": context}, {"decision": "allow"}, {"decision": "allow"}])

    def test_the_file_is_written_in_the_oldest_python_it_is_for(self) -> None:
        ast.parse(SOURCE.read_text(), feature_version=(3, 9))


if __name__ == "__main__":
    unittest.main()
