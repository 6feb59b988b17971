"""The README's own examples, run."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
SOURCE = HERE / "src" / "hookchain_hook" / "__init__.py"


class Readme(unittest.TestCase):
    def test_the_hook_and_its_test_run_beside_a_copy_of_the_file(self) -> None:
        hook, test = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text(), re.DOTALL)
        with tempfile.TemporaryDirectory() as directory:
            for name, text in [("judge.py", hook), ("test.py", test), ("hookchain_hook.py", SOURCE.read_text())]:
                (Path(directory) / name).write_text(text)
            ran = subprocess.run(
                [sys.executable, "test.py"],
                cwd=directory,
                env={"PATH": os.environ["PATH"]},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("Ran 1 test", ran.stdout)

    def test_the_file_is_written_in_the_oldest_python_it_is_for(self) -> None:
        ast.parse(SOURCE.read_text(), feature_version=(3, 9))


if __name__ == "__main__":
    unittest.main()
