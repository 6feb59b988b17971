"""The agents: how each is set up and started, and what of its questions is the answer to a call."""

import json
import subprocess
import sys

from .model import CALLS
from .scratch import DUMMY_KEY, LIMIT


class Claude:
    name = "claude"

    def __init__(self, program):
        self.program = program

    def set_up(self, scratch, model, mcp):
        if mcp:
            server = {"type": "stdio", "command": sys.executable, "args": [mcp]}
            scratch.write(".mcp.json", json.dumps({"mcpServers": {"notes": server}}))

    def scope(self):
        return []

    def home(self, scratch):
        return {"CLAUDE_CONFIG_DIR": str(scratch.home / ".claude")}

    def install(self, scratch, *options):
        """Into the settings of the project, whose program is the one in the `PATH`."""
        scratch.hookchain("bridge", "install", self.name, *options, **self.home(scratch))

    @staticmethod
    def is_settings(name):
        return name.startswith("workspace/.claude/") or name == "home/.claude/settings.json"

    def environment(self, scratch, model):
        return scratch.environment(
            ANTHROPIC_BASE_URL=model.address,
            ANTHROPIC_API_KEY=DUMMY_KEY,
            **self.home(scratch),
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
            DISABLE_TELEMETRY="1",
            DISABLE_ERROR_REPORTING="1",
            # Root may pass permissions over only where it says that this is a sandbox.
            IS_SANDBOX="1",
        )

    def command(self, scratch, bypass):
        words = [*self.program, "-p", "go", "--output-format", "json"]
        if (scratch.workspace / ".mcp.json").exists():
            words += ["--mcp-config", ".mcp.json", "--strict-mcp-config"]
        return words + (["--dangerously-skip-permissions"] if bypass else [])

    @staticmethod
    def shell_call(command):
        return "Bash", {"command": command, "description": "a step"}

    @staticmethod
    def seen(question):
        """What stands in a question after the first call, as text: results and what hooks said about them."""
        texts = []
        started = False
        for message in question["messages"]:
            if message["role"] == "assistant":
                started = True
                continue
            if started:
                content = message["content"]
                blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
                texts += [text_of(block.get("content", block.get("text", ""))) for block in blocks]
        return "\n".join(texts)


class Codex:
    name = "codex"

    def __init__(self, program):
        self.program = program

    def set_up(self, scratch, model, mcp):
        config = f"""\
model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{model.address}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[otel]
exporter = "none"
"""
        if mcp:
            config += f'\n[mcp_servers.notes]\ncommand = "{sys.executable}"\nargs = ["{mcp}"]\n'
        home = scratch.home / ".codex"
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(config)

    def scope(self):
        return ["--scope", "user"]

    def home(self, scratch):
        return {"CODEX_HOME": str(scratch.home / ".codex")}

    def install(self, scratch, *options):
        """Into the user's own settings, with the word that the hooks are trusted."""
        words = [self.name, *self.scope(), "--trust", *options]
        scratch.hookchain("bridge", "install", *words, **self.home(scratch))

    @staticmethod
    def is_settings(name):
        return name in ("home/.codex/hooks.json", "home/.codex/config.toml")

    def environment(self, scratch, model):
        return scratch.environment(**self.home(scratch), SCRIPTED_KEY=DUMMY_KEY)

    def command(self, scratch, bypass):
        words = [*self.program, "exec", "--json", "--skip-git-repo-check"]
        words += ["--dangerously-bypass-approvals-and-sandbox"] if bypass else ["--sandbox", "read-only"]
        return [*words, "go"]

    @staticmethod
    def shell_call(command):
        return "exec_command", {"cmd": command}

    @staticmethod
    def seen(question):
        texts = []
        started = False
        for item in question["input"]:
            if item.get("type") in CALLS:
                started = True
            elif started:
                texts.append(text_of(item.get("output", item.get("content", ""))))
        return "\n".join(texts)


def text_of(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part.get("text", json.dumps(part))) for part in content)
    return json.dumps(content)


def run(agent, scratch, model, bypass=True):
    """Starts the agent and waits for its end."""
    return subprocess.run(
        agent.command(scratch, bypass),
        cwd=scratch.workspace,
        env=agent.environment(scratch, model),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
