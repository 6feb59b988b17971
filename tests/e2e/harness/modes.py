"""How each agent is started in each of its modes, and what a person or a program there is asked."""

import hashlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass

from . import host
from .agents import NOTES
from .host import Host
from .scenarios import Scenario
from .scratch import DUMMY_KEY, LIMIT
from .terminal import Terminal

# What the hooks of a row say as their reason, which the question for a person has or has not.
WHY = "WHY-SO"
APPROVALS = "approvals.jsonl"


@dataclass
class Asked:
    """The question for permission: what was asked, if anything, and what the question says."""

    by: str = ""
    text: str = ""

    @property
    def shown(self):
        """Whether the hook's reason was in it."""
        return WHY in self.text


def claude(agent, row, scratch, model):
    permission = row["permission"]
    words = [*agent.program, "--permission-mode", permission, "--mcp-config", "notes.json", "--strict-mcp-config"]
    environment = agent.environment(scratch, model)
    if "outer" in row:
        # As within another session of the same agent, in the other mode.
        environment["CLAUDE_CODE_SESSION_ATTENDED"] = row["outer"]
    mode = row["mode"]
    if mode == "terminal":
        return at_terminal(CLAUDE_SCREEN, [*words, "go"], row, scratch, environment, model)
    words.append("-p")
    if mode == "host":
        streams = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
        return hosted(agent, [*words, *streams, "--permission-prompt-tool", "stdio"], row, scratch, environment)
    if mode == "print, unattended":
        words += ["--permission-prompts", "none"]
    if mode == "print, a tool approves":
        words += ["--permission-prompt-tool", "mcp__notes__approve"]
    alone([*words, "go"], scratch, environment)
    approvals = scratch.read(APPROVALS)
    return Asked("the tool", approvals) if approvals else Asked()


def codex(agent, row, scratch, model):
    permission, mode = row["permission"], row["mode"]
    environment = agent.environment(scratch, model)
    if permission == "bypass":
        words = ["--dangerously-bypass-approvals-and-sandbox"]
    elif permission == "approve-for-me":
        words = ["--approve-for-me"]
    else:
        words = ["--sandbox", "workspace-write", "-c", f"approval_policy={permission}"]
    if mode == "host":
        return hosted(agent, [*agent.program, "app-server"], row, scratch, environment)
    if mode == "terminal":
        words = [*agent.program, "--no-daemon", "--no-alt-screen", *words, "go"]
        asked = at_terminal(CODEX_SCREEN, words, row, scratch, environment, model)
        if asked.by:
            return asked
    else:
        alone([*agent.program, "exec", "--json", "--skip-git-repo-check", *words, "go"], scratch, environment)
    return Asked("a model", json.dumps(model.reviews)) if model.reviews else Asked()


def alone(words, scratch, environment):
    ran = subprocess.run(
        words,
        cwd=scratch.workspace,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    if ran.returncode != 0:
        raise AssertionError(f"the agent ended with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-500:]}")


def hosted(agent, words, row, scratch, environment):
    with Host(words, scratch.workspace, environment) as program:
        host.OF[agent.name](program, scratch, row["permission"], row.get("reply"))
    if program.questions:
        return Asked("the host", json.dumps(program.questions))
    return Asked()


@dataclass
class Screen:
    """What an agent shows in its terminal."""

    # A question for permission, and the keys for yes and no.
    question: str
    yes: bytes
    no: bytes
    # What there is after a no.
    refused: tuple


CLAUDE_SCREEN = Screen("❯ 1. Yes", b"1", b"\x1b", ("Interrupted", "Rejected"))
CODEX_SCREEN = Screen("› 1. Yes", b"y", b"n", ("interrupted",))


def at_terminal(screen, words, row, scratch, environment, model):
    with Terminal(words, scratch.workspace, environment) as terminal:
        if terminal.wait(screen.question, model.finished) is not screen.question:
            return Asked()
        asked = Asked("the person", terminal.shown())
        if row["reply"] == "yes":
            terminal.press(screen.yes, model.finished)
        else:
            # What the model reads of it comes with the next prompt.
            terminal.press(screen.no, *screen.refused, model.finished)
            terminal.press(b"again", "again")
            terminal.press(b"\r", model.finished)
        return asked


def set_up_claude(_agent, row, scratch, _model, hooks):
    """The hooks are the project's. The call is allowed by a rule of the user's, so that what stops it is the hook."""
    scratch.write(".claude/settings.json", json.dumps({"hooks": hooks}))
    rules = {"allow": ["Bash(sh step.sh *)", "Write", "mcp__notes__note"]}
    settings = {"permissions": rules, "skipDangerousModePermissionPrompt": True}
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    state = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [DUMMY_KEY], "rejected": []},
        "projects": {str(scratch.workspace): trusted},
    }
    home = scratch.home / ".claude"
    home.mkdir()
    (home / "settings.json").write_text(json.dumps(settings))
    (home / ".claude.json").write_text(json.dumps(state))
    words = [NOTES, row.get("reply") or "no", str(scratch.workspace / APPROVALS)]
    server = {"type": "stdio", "command": sys.executable, "args": words}
    scratch.write("notes.json", json.dumps({"mcpServers": {"notes": server}}))


def set_up_codex(agent, row, scratch, model, hooks):
    """The hooks are the user's, and trusted."""
    agent.set_up(scratch, model, Scenario("asking", hooks, mcp=row.get("call") == "mcp", model=row.get("model")))
    home = scratch.home / ".codex"
    file = home / "hooks.json"
    file.write_text(json.dumps({"hooks": hooks}))
    more = f'\n[projects."{scratch.workspace}"]\ntrust_level = "trusted"\n'
    # Nothing is asked at the start about newer models.
    more += '\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n'
    for event, (group,) in hooks.items():
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
        (handler,) = group["hooks"]
        meant = {"event_name": name, "hooks": [{"async": False, "timeout": 600, **handler}]}
        digest = hashlib.sha256(json.dumps(meant, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        more += f'\n[hooks.state."{file}:{name}:0:0"]\ntrusted_hash = "sha256:{digest}"\n'
    with (home / "config.toml").open("a") as config:
        config.write(more)


RUN = {"claude": claude, "codex": codex}
SET_UP = {"claude": set_up_claude, "codex": set_up_codex}
