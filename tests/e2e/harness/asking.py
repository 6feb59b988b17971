"""What each agent does, in each of its modes, with a hook that asks and with one that tells the model something.

The hooks of `rows` in `asking.json` are the agent's own. Those of `bridge` are of the workspace, behind the bridge.
"""

import json
import pathlib

from . import modes
from .agents import text_of
from .model import A_TASK, CALLS, Model
from .modes import WHY

TABLE = pathlib.Path(__file__).resolve().parent.parent / "asking.json"
CONTEXT = "A-CONTEXT"
# Notes the question, its environment, and whether there is a terminal; then says what it must.
HOOK = """\
cat >>asked.jsonl
echo >>asked.jsonl
env >environment.txt
if (: </dev/tty) 2>/dev/null; then : >terminal.txt; fi
cat "answer-$1.json"
exec sh "end-$1.sh"
"""
# The same, with the workspace's own hook behind the bridge, which says what it must.
BRIDGED = """\
question=$(cat)
printf '%s\\n' "$question" >>asked.jsonl
env >environment.txt
if (: </dev/tty) 2>/dev/null; then : >terminal.txt; fi
printf '%s\\n' "$question" | hookchain bridge {agent}
"""
GUARD = "cat >/dev/null\nexec cat .basis/answer.json\n"
STEP = 'echo "$1" >>ran.log\nprintf "out-%s\\n" "$1"\n'
COMMAND, OTHER_COMMAND = "sh step.sh original", "sh step.sh changed"
PATCH = "*** Begin Patch\n*** Add File: ran.log\n+original\n*** End Patch\n"
NOTE = "mcp__notes__note"


def answer(agent, event, words):
    """What a hook prints that says these words, such as `ask+input+context`. `silent` is nothing at all."""
    words = words.split("+")
    if words == ["silent"]:
        return ""
    named = {"hookEventName": event}
    top = {}
    if event == "PreToolUse":
        for decision in {"allow", "deny", "ask", "defer"}.intersection(words):
            named.update(permissionDecision=decision, permissionDecisionReason=WHY)
        if "input" in words:
            named["updatedInput"] = shell(agent, OTHER_COMMAND)
    elif event == "PermissionRequest":
        for behavior in {"allow", "deny", "ask"}.intersection(words):
            named["decision"] = {"behavior": behavior, **({} if behavior == "allow" else {"message": WHY})}
    else:
        for decision in {"block", "ask"}.intersection(words):
            top.update(decision=decision, reason=WHY)
        if "permissionDecision" in words:
            named.update(permissionDecision="ask", permissionDecisionReason=WHY)
        if "output" in words:
            named["updatedToolOutput"] = {"stdout": "out-changed", "stderr": "", "interrupted": False, "isImage": False}
    if "context" in words:
        named["additionalContext"] = CONTEXT
    return json.dumps({**top, "hookSpecificOutput": named})


def native(agent, event, words):
    """What a hook of the workspace prints that says these words."""
    words = words.split("+")
    rewrite = {"input": ("modify", shell(agent, OTHER_COMMAND)), "output": ("replace", "out-changed")}
    said = {"decision": "allow"}
    for name in rewrite.keys() & set(words):
        said["decision"], said[name] = rewrite[name]
    for decision in {"ask", "deny"}.intersection(words):
        said.update(decision=decision, reason=WHY)
    if "context" in words:
        said["context"] = CONTEXT
    return json.dumps(said)


def shell(agent, command):
    """The input of the shell, as a hook sees it."""
    return {"command": command, **({"description": "a step"} if agent == "claude" else {})}


def calls(row, workspace):
    """The calls of the model, and those of its subagent."""
    agent, call = row["agent"], row.get("call", "shell")
    if call == "mcp":
        return [(NOTE, {"text": "out-original"})], ()
    if agent == "codex":
        words = {"cmd": COMMAND}
        if call == "escalated":
            words.update(sandbox_permissions="require_escalated", justification="a justification")
        elif call == "patch":
            return [("apply_patch", PATCH)], ()
        elif call == "script":
            return [("exec", f"const r = await tools.exec_command({json.dumps(words)}); text(r);")], ()
        return [("exec_command", words)], ()
    if call == "write":
        return [("Write", {"file_path": f"{workspace}/ran.log", "content": "original\n"})], ()
    step = ("Bash", shell(agent, f"{COMMAND}; exit 3" if call == "failing" else COMMAND))
    if call == "subagent":
        task = {"description": "a task", "prompt": A_TASK, "subagent_type": "general-purpose"}
        return [("Agent", task)], [step]
    return [step], ()


def observe(row, agent, scratch):
    """What came of it, in the fields of the row; the hook's environment; and what would be wrong in any row."""
    event, words = row["event"], row["answer"]
    scratch.write("step.sh", STEP)
    if row["through"]:
        scratch.write("hook.sh", BRIDGED.format(agent=agent.name))
        scratch.write(".basis/guard.sh", GUARD)
        scratch.write(".basis/answer.json", native(row["agent"], event, words))
        moment = "post_tool_use" if event.startswith("Post") else "pre_tool_use"
        scratch.hooks([{"name": "guard", "event": moment, "command": ["sh", ".basis/guard.sh"]}])
    else:
        scratch.write("hook.sh", HOOK)
        scratch.write(f"answer-{event}.json", answer(row["agent"], event, words))
        scratch.write(f"end-{event}.sh", f"echo {WHY} >&2\nexit 2\n" if "exit 2" in words else "exit 0\n")
    hooks = {event: [{"hooks": [{"type": "command", "command": f"sh hook.sh {event}"}]}]}
    if row.get("call") == "subagent":
        hooks[event][0]["matcher"] = "Bash"
    turns, beneath = calls(row, scratch.workspace)
    with Model(turns, beneath, "allow" if row.get("reply") == "yes" else "deny") as model:
        modes.SET_UP[agent.name](agent, row, scratch, model, hooks)
        asked = modes.RUN[agent.name](agent, row, scratch, model)
        questions = list(model.questions_beneath if beneath else model.questions)
        problems = [f"the agent asked for something else: {stray}" for stray in model.strays]
    payloads = [json.loads(line) for line in scratch.read("asked.jsonl").splitlines() if line]
    if len(payloads) != 1:
        problems.append(f"hooks were asked {len(payloads)} times and not once")
    if (scratch.workspace / "terminal.txt").exists():
        problems.append("the hook had a terminal")
    if asked.by and "input" in words and "changed" not in asked.text:
        problems.append("the question does not show the other input")
    read = told(questions[-1]) if questions else []
    results = [text for role, text in read if role == "result"]
    contexts, reasons = placed(read, CONTEXT), placed(read, WHY)
    if len(contexts) > 1:
        problems.append(f"the context was delivered to {contexts}")
    ran = scratch.read("ran.log").strip()
    if row.get("call") == "mcp" and "out-original" in "".join(results):
        ran = "original"
    environment = dict(line.partition("=")[::2] for line in scratch.read("environment.txt").splitlines())
    seen = {
        "payload": payloads[0].get("permission_mode") if payloads else None,
        "asked": asked.by or None,
        "shown": asked.shown,
        "ran": ran or None,
        "result": "\n".join(results) if results else None,
        "reason": reasons[0] if reasons else None,
        "context": contexts[0] if contexts else None,
    }
    return seen, environment, problems


def placed(read, text):
    """Where a text is read: in the result, or in which role's message before or after it."""
    roles = [role for role, _ in read]
    result = roles.index("result") if "result" in roles else len(roles)
    found = [place for place, (_, words) in enumerate(read) if text in words]
    sides = ("before the result" if place < result else "after the result" for place in found)
    return ["result" if roles[place] == "result" else f"{roles[place]}, {side}" for place, side in zip(found, sides)]


def told(question):
    """What stands in a question after the first call: results of calls, and texts with the role that has them."""
    texts = []
    started = False
    for item in question.get("messages", question.get("input")):
        if item.get("role") == "assistant" or item.get("type") in CALLS:
            started = True
        elif started and "output" in item:
            texts.append(("result", text_of(item["output"])))
        elif started:
            content = item["content"]
            for block in content if isinstance(content, list) else [{"text": content}]:
                role = "result" if block.get("type") == "tool_result" else item["role"]
                texts.append((role, text_of(block.get("content", block.get("text", "")))))
    return texts


def play(row, mode, agent, scratch, show):
    """Everything that is not as the row and its mode say."""
    seen, environment, problems = observe(row, agent, scratch)
    if show:
        print(json.dumps(seen, indent=2))
    for name, value in seen.items():
        expected = row.get(name)
        if name == "result" and expected is not None and value is not None:
            as_expected = expected in value and ("out-original" in expected or "out-original" not in value)
        else:
            as_expected = value == (expected if name != "shown" else bool(expected))
        if not as_expected:
            problems.append(f"{name} is {value!r} and not {expected!r}")
    for name, expected in mode["environment"].items():
        if environment.get(name) != expected:
            problems.append(f"{name} is {environment.get(name)!r} and not {expected!r}")
    return problems


def name(row):
    words = [row["mode"], row["permission"], row.get("call", ""), row["event"], row["answer"], row.get("reply", "")]
    through = "bridge, " if row["through"] else ""
    return f"asking: {through}" + ", ".join(filter(None, words))


def rows(agent):
    """Each row of that agent, with its mode."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    known = {(mode["agent"], mode["mode"]): mode for mode in table["modes"]}
    all_rows = [{**row, "through": of == "bridge"} for of in ("rows", "bridge") for row in table[of]]
    return [(row, known[agent, row["mode"]]) for row in all_rows if row["agent"] == agent]
