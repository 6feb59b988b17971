#!/usr/bin/env python3
"""Drives one agent, as it is published, against a scripted model: with the bridge in its settings, and with hooks of its own.

    run.py AGENT --hookchain PROGRAM --scratch DIR [--only TEXT] [--show] -- COMMAND [WORD…]

COMMAND starts the agent. Each scenario has a workspace, a home and a model of its own. `--show` prints what the model read.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from harness import asking, scenarios
from harness.agents import Claude, Codex, run
from harness.model import FINAL_TEXT, Model
from harness.scratch import Scratch

AGENTS = {"claude": Claude, "codex": Codex}

# Notes the question, and says the first word with the second as its status.
HOOK = "cat >>asked.jsonl\nprintf '%s' \"$1\"\nexit \"$2\"\n"
HANG = "cat >>asked.jsonl\nexec sleep 600\n"


def play(scenario, agent, scratch, show):
    """Everything that is not as it must be."""
    scratch.write(".basis/hook.sh", HOOK)
    scratch.write(".basis/hang.sh", HANG)
    here = str(scratch.workspace)

    def placed(value):
        return json.loads(json.dumps(value).replace("{workspace}", here))

    scratch.hooks(placed(scenario.hooks))
    calls = [agent.shell_call(call) if isinstance(call, str) else placed(call) for call in scenario.calls]
    with Model([tuple(call) for call in calls]) as model:
        agent.set_up(scratch, model, scenario)
        before = scratch.tree()
        agent.install(scratch, scenario)
        scratch.uninstall = lambda: agent.uninstall(scratch, scenario)
        scenario.prepare(scratch)
        ran = run(agent, scratch, model, scenario.bypass)
        questions, strays = list(model.questions), list(model.strays)
    seen = agent.seen(questions[-1]) if questions else ""
    if show:
        print(seen)
    problems = []
    if ran.returncode != 0:
        problems.append(f"the agent ended with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-500:]}")
    if len(questions) != len(calls) + 1 or FINAL_TEXT not in ran.stdout:
        problems.append(f"the model was asked {len(questions)} times and not {len(calls) + 1}")
    if strays:
        problems.append(f"the agent asked for something else: {strays}")
    steps = tuple(scratch.read("ran.log").split())
    if steps != scenario.ran:
        problems.append(f"the steps that ran are {steps} and not {scenario.ran}")
    asked = len(scratch.read("asked.jsonl").splitlines())
    if scenario.asked is not None and asked != scenario.asked:
        problems.append(f"hooks were asked {asked} times and not {scenario.asked}")
    problems += [f"the model did not read {text!r}" for text in scenario.saw if text not in seen]
    # Not only as the last question has it: nor in any other form, before or between.
    whole = json.dumps([question_without_calls(question) for question in questions])
    problems += [f"the model read {text!r}" for text in scenario.not_saw if text in whole or text in seen]
    wrong = scenario.then(scratch)
    if wrong:
        problems.append(wrong)
    if problems:
        problems.append(f"the model read: {seen}")
    elif scratch.program.exists() and scratch.program.samefile(scratch.original):
        problems += leaves_no_trace(agent, scratch, before)
    return problems


def question_without_calls(question):
    """The model's own words come back to it with every question."""
    if "messages" in question:
        return [message for message in question["messages"] if message["role"] != "assistant"]
    return [item for item in question["input"] if not item["type"].endswith("tool_call") and item["type"] != "function_call"]


def leaves_no_trace(agent, scratch, before):
    """The settings after the bridge was taken out again, as far as they are not the agent's own doing."""
    scratch.uninstall()
    after = scratch.tree()
    names = [name for name in {*before, *after} if agent.is_settings(name)]
    return [f"{name} is another than before the bridge" for name in sorted(names) if before.get(name) != after.get(name)]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("agent", choices=AGENTS)
    words.add_argument("--hookchain", required=True, type=pathlib.Path)
    words.add_argument("--scratch", required=True, type=pathlib.Path)
    words.add_argument("--only", default="")
    words.add_argument("--show", action="store_true")
    words.add_argument("command", nargs="+")
    words = words.parse_args()
    agent = AGENTS[words.agent](words.command)

    def played(place, name, play, *what):
        """Plays one in a directory of its own. Whether it is as expected."""
        scratch = Scratch(words.scratch / f"{words.agent}-{place}", words.hookchain)
        try:
            problems = play(*what, agent, scratch, words.show)
        except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
            problems = [repr(error)]
        lines = [f"{'FAILED' if problems else 'ok    '} {words.agent}: {name}"]
        print("\n       ".join(lines + problems), flush=True)
        if not problems:
            scratch.remove()
        return not problems

    plays = [(f"{place}", scenario.name, play, scenario) for place, scenario in enumerate(scenarios.OF[words.agent]())]
    rows = enumerate(asking.rows(words.agent))
    rows = [(f"asking-{place}", asking.name(row), asking.play, row, mode) for place, (row, mode) in rows]
    outcomes = [played(*one) for one in plays if words.only in one[1]]
    # Most of a row is waiting: for the agent to start, and for it to hear a key.
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        outcomes += workers.map(lambda one: played(*one), [one for one in rows if words.only in one[1]])
    expected = outcomes.count(True)
    print(f"{words.agent}: {expected} as expected, {len(outcomes) - expected} not")
    return 0 if outcomes and all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
