"""What is tried with each agent, and what must come of it."""

import base64
import json
from dataclasses import dataclass, field
from typing import Callable, Optional

# Agents quote the command, so that what it prints must not stand in it.
STEP = "echo original >>ran.log; printf 'out-%s\\n' original"
OTHER_STEP = "echo changed >>ran.log; printf 'out-%s\\n' changed"
DENIED = json.dumps({"decision": "deny", "reason": "WHY-NOT"})
REPLACED = json.dumps({"decision": "replace", "output": "NEW-RESULT"})
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
# A model that writes scripts, in which the calls are.
CODE_MODE = "gpt-5.6-sol"
SCRIPTED_STEP = f"const r = await tools.exec_command({{cmd: {json.dumps(STEP)}}}); text(r);"
BEFORE, AFTER = "pre_tool_use", "post_tool_use"


def hook(event, answer, status=0, **options):
    """A hook that notes the question and says this."""
    command = ["sh", ".basis/hook.sh", answer, str(status)]
    return {"name": "guard", "event": event, "command": command, **options}


def hanging(event):
    """A hook that notes the question and never ends."""
    return {"name": "guard", "event": event, "command": ["sh", ".basis/hang.sh"], "timeout_ms": 1000}


@dataclass
class Scenario:
    name: str
    # The hooks file, or its text.
    hooks: object
    # The calls of the model; for one that is a text, that command of the shell.
    calls: list = field(default_factory=lambda: [STEP])
    # Which steps ran.
    ran: tuple = ("original",)
    # What the model must have read of it, and what it must not.
    saw: tuple = ()
    not_saw: tuple = ()
    # How often hooks were asked.
    asked: Optional[int] = None
    mcp: bool = False
    # What happens between installing and starting.
    prepare: Callable = lambda _scratch: None
    # What more must hold afterwards; a text says what does not.
    then: Callable = lambda _scratch: None
    # For the command that installs the bridge; by default the agent's own way.
    options: tuple = ()
    scope: Optional[str] = None
    trust: bool = True
    # Whether the agent may do everything.
    bypass: bool = True
    # Another model than the usual one, for what depends on it.
    model: Optional[str] = None


def gone(scratch):
    scratch.program.unlink()


def rubbish(scratch):
    """A program by that name that ends like one that was killed."""
    scratch.program.unlink()
    scratch.program.write_text("#!/bin/sh\nkill -9 $$\n")
    scratch.program.chmod(0o755)


def unknown_answer(scratch):
    """A program by that name that says something else: the wrong file in the PATH."""
    scratch.program.unlink()
    scratch.program.write_text("#!/bin/sh\nexit 64\n")
    scratch.program.chmod(0o755)


def taken_out(scratch):
    scratch.uninstall()


def picture(scratch):
    (scratch.workspace / "picture.png").write_bytes(base64.b64decode(PICTURE))


def text(scratch):
    scratch.write("notes.txt", "line original\n")


def modified(agent):
    """The input with another command, as the agent's tool takes it."""
    more = {"description": "a step"} if agent == "claude" else {}
    return json.dumps({"decision": "modify", "input": {"command": OTHER_STEP, **more}})


def common(agent):
    """What is the same for both."""
    return [
        Scenario(
            "allow",
            [hook(BEFORE, '{"decision":"allow"}'), {**hook(AFTER, '{"decision":"allow"}'), "name": "after"}],
            saw=("out-original",),
            asked=2,
        ),
        Scenario("nobody is asked", [hook(BEFORE, DENIED, tools=["another"])], saw=("out-original",), asked=0),
        Scenario(
            "deny, before",
            [hook(BEFORE, DENIED)],
            ran=(),
            saw=("denied by hook 'guard': WHY-NOT",),
            not_saw=("out-original",),
            asked=1,
        ),
        Scenario(
            "modify",
            [hook(BEFORE, modified(agent))],
            ran=("changed",),
            saw=("out-changed",),
            not_saw=("out-original",),
        ),
        Scenario("replace", [hook(AFTER, REPLACED)], saw=("NEW-RESULT",), not_saw=("out-original",)),
        Scenario(
            "replace, a long output",
            [hook(AFTER, REPLACED)],
            calls=["echo original >>ran.log; seq 1 20000 | sed s/^/out-original-/"],
            saw=("NEW-RESULT",),
            not_saw=("out-original", "saved to"),
        ),
        Scenario(
            "replace, an MCP tool",
            [hook(AFTER, REPLACED)],
            calls=[("mcp__notes__note", {"text": "a note that is original"})],
            ran=(),
            saw=("NEW-RESULT",),
            not_saw=("a note that is original",),
            mcp=True,
        ),
        Scenario(
            "deny, after",
            [hook(AFTER, DENIED)],
            saw=("denied by hook 'guard': WHY-NOT",),
            not_saw=("out-original",),
        ),
        Scenario(
            "deny, after, an MCP tool",
            [hook(AFTER, DENIED)],
            calls=[("mcp__notes__note", {"text": "a note that is original"})],
            ran=(),
            saw=("WHY-NOT",),
            not_saw=("a note that is original",),
            mcp=True,
        ),
        Scenario(
            "a broken hook, its status",
            [hook(BEFORE, '{"decision":"allow"}', status=1)],
            ran=(),
            saw=("hook 'guard'",),
            not_saw=("out-original",),
            asked=1,
        ),
        Scenario(
            "a broken hook, its answer", [hook(BEFORE, "fine by me")], ran=(), saw=("hook 'guard'",), asked=1
        ),
        Scenario(
            "a broken hook that may break",
            [hook(BEFORE, "fine by me", on_failure="allow")],
            saw=("out-original",),
            asked=1,
        ),
        Scenario("a broken hook, after", [hook(AFTER, "fine")], saw=("hook 'guard'",), not_saw=("out-original",)),
        Scenario("a timeout", [hanging(BEFORE)], ran=(), saw=("hook 'guard'",), not_saw=("out-original",), asked=1),
        Scenario("a timeout, after", [hanging(AFTER)], saw=("hook 'guard'",), not_saw=("out-original",), asked=1),
        Scenario(
            "all hooks take too long",
            [{**hanging(BEFORE), "timeout_ms": 600_000}],
            options=("--within", "1"),
            ran=(),
            not_saw=("out-original",),
            asked=1,
        ),
        Scenario(
            "a broken hooks file",
            '{"schema": 1, "hooks": [}',
            ran=(),
            saw=("hooks.json",),
            not_saw=("out-original",),
            asked=0,
        ),
        Scenario(
            "the other settings",
            [hook(BEFORE, DENIED)],
            scope={"claude": "user", "codex": "project"}[agent],
            ran=(),
            saw=("WHY-NOT",),
            asked=1,
        ),
        Scenario("taken out again", [hook(BEFORE, DENIED)], prepare=taken_out, saw=("out-original",), asked=0),
        Scenario("the program is gone", [], prepare=gone, ran=(), not_saw=("out-original",)),
        Scenario("the program is killed", [], prepare=rubbish, ran=(), not_saw=("out-original",)),
        Scenario("the program is another", [], prepare=unknown_answer, ran=(), not_saw=("out-original",)),
    ]


def claude():
    read = ("Read", {"file_path": "{workspace}/notes.txt"})
    write = ("Write", {"file_path": "{workspace}/new.txt", "content": "original\n"})
    look = ("Read", {"file_path": "{workspace}/picture.png"})
    return [
        *common("claude"),
        Scenario(
            "modify gives no permission",
            [hook(BEFORE, modified("claude"))],
            bypass=False,
            ran=(),
            not_saw=("out-changed", "out-original"),
            asked=1,
        ),
        Scenario("deny, before, Read", [hook(BEFORE, DENIED)], [read], (), ("WHY-NOT",), ("line original",), prepare=text),
        Scenario(
            "deny, before, Write",
            [hook(BEFORE, DENIED)],
            [write],
            (),
            ("WHY-NOT",),
            then=lambda scratch: "it was written" if scratch.read("new.txt") else None,
        ),
        Scenario(
            "modify, Write",
            [hook(BEFORE, '{"decision":"modify","input":{"file_path":"{workspace}/new.txt","content":"changed\\n"}}')],
            [write],
            (),
            ("created successfully",),
            then=lambda scratch: None if scratch.read("new.txt") == "changed\n" else "the original was written",
        ),
        Scenario(
            "replace, Read", [hook(AFTER, REPLACED)], [read], (), ("NEW-RESULT",), ("line original",), prepare=text
        ),
        Scenario(
            "deny, after, Read", [hook(AFTER, DENIED)], [read], (), ("WHY-NOT",), ("line original",), prepare=text
        ),
        Scenario(
            "replace, Read of a picture", [hook(AFTER, REPLACED)], [look], (), ("NEW-RESULT",), (PICTURE,), prepare=picture
        ),
        Scenario(
            "deny, after, Read of a picture", [hook(AFTER, DENIED)], [look], (), ("WHY-NOT",), (PICTURE,), prepare=picture
        ),
        Scenario(
            "replace, Write, from a text",
            [hook(AFTER, REPLACED)],
            [write],
            (),
            ("created successfully", "cannot take out for Write; use this one alone:\nNEW-RESULT"),
        ),
        Scenario(
            "replace, Write, in its shape",
            [
                hook(
                    AFTER,
                    '{"decision":"replace","output":{"type":"create","filePath":"/ELSEWHERE","content":"",'
                    '"structuredPatch":[],"originalFile":null,"userModified":false}}',
                )
            ],
            [write],
            (),
            ("created successfully at: /ELSEWHERE",),
            ("new.txt",),
        ),
        # Its results were never recorded, and neither is their shape known to the bridge.
        Scenario(
            "replace, an unrecorded tool, from a text",
            [hook(AFTER, REPLACED)],
            [("ListAgents", {})],
            (),
            ("This session is", "cannot take out for ListAgents; use this one alone:\nNEW-RESULT"),
        ),
        Scenario(
            "replace, an unrecorded tool, in its shape",
            [hook(AFTER, '{"decision":"replace","output":{"listing":"NEW-RESULT","sections":[],"notes":[]}}')],
            [("ListAgents", {})],
            (),
            ("NEW-RESULT",),
            ("This session is",),
        ),
        Scenario(
            "deny, after, an unrecorded tool",
            [hook(AFTER, DENIED)],
            [("ListAgents", {})],
            (),
            ("This session is", "cannot withhold this result of ListAgents"),
        ),
        Scenario(
            "replace of a failed call",
            [hook(AFTER, REPLACED)],
            ["echo original >>ran.log; printf 'out-%s\\n' original; exit 3"],
            saw=("out-original", "use this one alone:\nNEW-RESULT"),
        ),
        Scenario(
            "deny, after a failed call",
            [hook(AFTER, DENIED)],
            ["echo original >>ran.log; printf 'out-%s\\n' original; exit 3"],
            saw=("out-original", "cannot withhold this result of Bash"),
        ),
    ]


def codex():
    patch = "*** Begin Patch\n*** Add File: new.txt\n+original\n*** End Patch\n"
    other = patch.replace("original", "changed")
    rewritten = json.dumps({"decision": "modify", "input": {"command": other}})
    elsewhere = json.dumps({"decision": "modify", "input": {"command": OTHER_STEP, "workdir": "/"}})
    return [
        *common("codex"),
        Scenario(
            "deny, before, a patch",
            [hook(BEFORE, DENIED)],
            [("apply_patch", patch)],
            (),
            ("WHY-NOT",),
            then=lambda scratch: "it was written" if scratch.read("new.txt") else None,
        ),
        Scenario(
            "modify, a patch",
            [hook(BEFORE, rewritten)],
            [("apply_patch", patch)],
            (),
            ("Success",),
            then=lambda scratch: None if scratch.read("new.txt") == "changed\n" else "the original was written",
        ),
        Scenario(
            "modify, an MCP tool",
            [hook(BEFORE, '{"decision":"modify","input":{"text":"changed"}}')],
            [("mcp__notes__note", {"text": "a note that is original"})],
            (),
            ("changed",),
            ("a note that is original",),
            mcp=True,
        ),
        Scenario(
            "modify of more than the command", [hook(BEFORE, elsewhere)], ran=(), saw=("workdir",), not_saw=("out-original", "out-changed")
        ),
        Scenario(
            "replace, a patch", [hook(AFTER, REPLACED)], [("apply_patch", patch)], (), ("NEW-RESULT",), ("Success",)
        ),
        Scenario(
            "replace, an unrecorded tool",
            [hook(AFTER, REPLACED)],
            [("view_image", {"path": "picture.png"})],
            (),
            ("NEW-RESULT",),
            (PICTURE,),
            prepare=picture,
        ),
        Scenario(
            "deny, after, an unrecorded tool",
            [hook(AFTER, DENIED)],
            [("view_image", {"path": "picture.png"})],
            (),
            ("WHY-NOT",),
            (PICTURE,),
            prepare=picture,
        ),
        Scenario(
            "replace of a failed call",
            [hook(AFTER, REPLACED)],
            ["echo original >>ran.log; printf 'out-%s\\n' original; exit 3"],
            saw=("NEW-RESULT",),
            not_saw=("out-original",),
        ),
        Scenario(
            "deny, before, in code mode",
            [hook(BEFORE, DENIED)],
            [("exec", SCRIPTED_STEP)],
            (),
            ("WHY-NOT",),
            ("out-original",),
            asked=1,
            model=CODE_MODE,
        ),
        Scenario(
            "modify, in code mode",
            [hook(BEFORE, modified("codex"))],
            [("exec", SCRIPTED_STEP)],
            ("changed",),
            ("out-changed",),
            ("out-original",),
            model=CODE_MODE,
        ),
        Scenario(
            "replace, in code mode",
            [hook(AFTER, REPLACED)],
            [("exec", SCRIPTED_STEP)],
            saw=("NEW-RESULT",),
            not_saw=("out-original",),
            model=CODE_MODE,
        ),
        Scenario("without trust nobody is asked", [hook(BEFORE, DENIED)], trust=False, saw=("out-original",), asked=0),
        Scenario(
            "what a command has printed that still runs is not asked about",
            [hook(AFTER, DENIED)],
            [("exec_command", {"cmd": "echo original >>ran.log; printf 'out-%s\\n' original; exec sleep 600", "yield_time_ms": 250})],
            saw=("out-original",),
            asked=0,
        ),
    ]


OF = {"claude": claude, "codex": codex}
