"""The agents: how each is set up and started, and what of its questions is the answer to a call."""

import json
import pathlib
import subprocess
import sys

from .model import CALLS
from .scratch import DUMMY_KEY, LIMIT


NOTES = str(pathlib.Path(__file__).resolve().with_name("notes.py"))


class Agent:
    """What is the same for each of them."""

    def __init__(self, program):
        self.program = program

    def install(self, scratch, scenario):
        scope = scenario.scope or self.usual_scope
        words = ["--trust"] if self.asks_for_trust and scenario.trust else []
        # Without trust it is written, and the status says that something is missing.
        status = 0 if scenario.trust else 1
        self.bridge(scratch, "install", scope, *words, *scenario.options, status=status)

    def uninstall(self, scratch, scenario):
        self.bridge(scratch, "uninstall", scenario.scope or self.usual_scope)

    def bridge(self, scratch, verb, scope, *options, status=0):
        words = ["bridge", verb, self.name, "--scope", scope, *options]
        scratch.hookchain(*words, status=status, **self.home(scratch))


class Claude(Agent):
    name = "claude"
    usual_scope = "project"
    asks_for_trust = False

    def set_up(self, scratch, model, scenario):
        # Not as a program would write it, so that a byte that changes is seen.
        scratch.write(".claude/settings.json", '{ "env":{"A" : "b"},\n\n"permissions": {}}')
        if scenario.mcp:
            server = {"type": "stdio", "command": sys.executable, "args": [NOTES]}
            scratch.write(".mcp.json", json.dumps({"mcpServers": {"notes": server}}))

    def home(self, scratch):
        folder = scratch.home / ".claude"
        # A folder that is named has to be there; an agent that has run once has made it.
        folder.mkdir(parents=True, exist_ok=True)
        return {"CLAUDE_CONFIG_DIR": str(folder)}

    @staticmethod
    def is_settings(name):
        return name.startswith("workspace/.claude/") or name.startswith("home/.claude/settings.json")

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


class Codex(Agent):
    name = "codex"
    usual_scope = "user"
    asks_for_trust = True

    def set_up(self, scratch, model, scenario):
        config = f"""\
model = "{scenario.model or "gpt-5.5"}"
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
        if scenario.mcp:
            config += f'\n[mcp_servers.notes]\ncommand = "{sys.executable}"\nargs = ["{NOTES}"]\n'
        if scenario.scope == "project":
            config += f'\n[projects."{scratch.workspace}"]\ntrust_level = "trusted"\n'
        home = scratch.home / ".codex"
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(config)

    def home(self, scratch):
        return {"CODEX_HOME": str(scratch.home / ".codex")}

    @staticmethod
    def is_settings(name):
        places = ("home/.codex/hooks.json", "home/.codex/config.toml", "workspace/.codex/")
        return name.startswith(places)

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
