"""A workspace, a home and a model for one scenario, in which nothing of the user's is used or changed."""

import json
import os
import pathlib
import shutil
import subprocess

# Longer than anything here takes; an agent that waits for something that does not come must not wait for ever.
LIMIT = 120
NOWHERE = "http://127.0.0.1:9"
DUMMY_KEY = "no-key"


class Scratch:
    """The directories of one scenario."""

    def __init__(self, root, hookchain):
        self.root = pathlib.Path(root).resolve()
        shutil.rmtree(self.root, ignore_errors=True)
        self.original = pathlib.Path(hookchain)
        self.home = self.directory("home")
        self.workspace = self.directory("workspace")
        self.bin = self.directory("bin")
        self.program = self.bin / "hookchain"
        # A name of its own, so that it can go away while others use theirs.
        try:
            os.link(hookchain, self.program)
        except OSError:
            shutil.copy2(hookchain, self.program)
        subprocess.run(["git", "init", "--quiet", "."], cwd=self.workspace, env=self.environment(), check=True)

    def directory(self, name):
        path = self.root / name
        path.mkdir(parents=True)
        return path.resolve()

    def environment(self, **more):
        """What everything here is started with. Nothing else is inherited, and nothing leaves the machine."""
        path = os.pathsep.join([str(self.bin), os.environ.get("PATH", os.defpath)])
        return {
            "PATH": path,
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp()),
            "LANG": "C.UTF-8",
            "HTTP_PROXY": NOWHERE,
            "HTTPS_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1",
            **more,
        }

    def tmp(self):
        path = self.root / "tmp"
        path.mkdir(exist_ok=True)
        return path.resolve()

    def write(self, name, text):
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self, name):
        path = self.workspace / name
        return path.read_text() if path.exists() else ""

    def hooks(self, hooks):
        text = hooks if isinstance(hooks, str) else json.dumps({"schema": 1, "hooks": hooks})
        self.write(".basis/hooks.json", text)

    def hookchain(self, *words, status=0, **environment):
        ran = subprocess.run(
            [self.program, *words],
            cwd=self.workspace,
            env=self.environment(**environment),
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
        if ran.returncode != status:
            raise AssertionError(f"hookchain {' '.join(words)} ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
        return ran.stdout

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def tree(self):
        """Every file of the workspace and the home, with its content."""
        files = {}
        for top in (self.home, self.workspace):
            for path in sorted(top.rglob("*")):
                if path.is_file() and ".git" not in path.parts:
                    files[str(path.relative_to(self.root))] = path.read_bytes()
        return files
