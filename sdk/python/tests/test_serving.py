"""The loop, as a program of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from hookchain_hook import HookRequest, HookResponse, allow, ask, deny, modify, serve_on

SOURCE = Path(__file__).resolve().parents[1] / "src"
ALLOW = allow().line("c")


def question(command: str, tool: str = "shell", call: str = "c") -> bytes:
    fields = {
        "hook_schema": 1,
        "event": "pre_tool_use",
        "workspace": "/w",
        "agent_id": "a",
        "tool_call_id": call,
        "tool_name": tool,
        "input": {"command": command},
    }
    return json.dumps(fields).encode() + b"\n"


class Programs(unittest.TestCase):
    def start(self, judge: str) -> subprocess.Popen[bytes]:
        """A program with this body of a hook."""
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        program = Path(directory.name) / "hook.py"
        head = "import os, subprocess, sys\nfrom hookchain_hook import *\n"
        program.write_text(head + textwrap.dedent(judge) + "\nserve(judge)\nprint('after')\n")
        process = subprocess.Popen(
            [sys.executable, program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # As a chain starts it: nobody else's wishes about buffers.
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)},
        )

        def end() -> None:
            process.kill()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
            process.wait()

        self.addCleanup(end)
        return process

    def run_all(self, judge: str, input: bytes) -> tuple[bytes, str, int]:
        process = self.start(judge)
        printed, said = process.communicate(input)
        return printed, said.decode(), process.returncode

    def test_one_question_and_many_are_answered_by_the_same_program(self) -> None:
        judge = """
            def judge(request):
                return deny("no") if request.text("command") == "rm" else allow()
        """
        no = deny("no").line("c")
        for input, printed in [
            (b"", b""),
            (question("ls"), ALLOW),
            (question("rm")[:-1], no),
            (question("ls") + b"\r\n \n" + question("rm") + b"\xef\xbb\xbf" + question("ls") + b"\n", ALLOW + no + ALLOW),
        ]:
            self.assertEqual(self.run_all(judge, input), (printed, "after\n", 0))

    def test_each_answer_arrives_before_the_next_question_is_put(self) -> None:
        process = self.start("def judge(request): return allow()")
        assert process.stdin is not None and process.stdout is not None
        for _ in range(100):
            process.stdin.write(question("ls"))
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), ALLOW)
        process.stdin.close()
        self.assertEqual(process.wait(), 0)

    def test_whatever_is_printed_beside_the_answers_goes_to_standard_error(self) -> None:
        judge = """
            print("at the start")
            out = sys.stdout
            def judge(request):
                print("printed")
                out.write("kept\\n")
                os.write(1, b"written\\n")
                subprocess.run(["sh", "-c", "echo child; cat"], check=True)
                assert sys.stdin.read() == ""
                return allow()
        """
        printed, said, status = self.run_all(judge, question("ls") * 2)
        self.assertEqual((printed, status), (ALLOW * 2, 0))
        words = ["at the start", "printed", "kept", "written", "child"]
        self.assertEqual([said.count(word + "\n") for word in words], [1, 2, 2, 2, 2], said)

    def test_an_error_answers_nothing_and_ends_the_program(self) -> None:
        judge = """
            def judge(request):
                if request.text("command") == "rm":
                    print("half a thought")
                    raise LookupError("what is rm?")
                return allow()
        """
        printed, said, status = self.run_all(judge, question("ls") + question("rm") + question("ls"))
        self.assertEqual((printed, status), (ALLOW, 1))
        self.assertIn("half a thought", said)
        self.assertIn("Traceback", said)
        self.assertTrue(said.endswith("LookupError: what is rm?\n"), said)

    def test_no_way_out_looks_like_an_answer(self) -> None:
        for body in ["sys.exit(0)", "return None", "return {'decision': 'allow'}", "return modify({'a': {1}})",
                     "return replace('x')", "return allow(context=1)", "return modify({'a': 1}, context=[])", "raise KeyboardInterrupt", "return judge(request)"]:  # fmt: skip
            printed, said, status = self.run_all(f"def judge(request): {body}", question("ls"))
            self.assertEqual(printed, b"", body)
            self.assertNotEqual(status, 0, body)
            self.assertNotEqual(said, "", body)

    def test_a_question_is_printed_whatever_stands_beside_it(self) -> None:
        after = json.loads(question("ls"))
        after.update(event="post_tool_use", output="x", is_error=False)
        late = json.dumps(after).encode() + b"\n"
        plain = ask("r").line("c")
        for call, line in [
            ("ask('r', context=5)", question("ls")),
            ("ask('r', output='x')", question("ls")),
            ("ask('r', input={}, output='x')", question("ls")),
            ("ask('r', input='ls')", question("ls")),
            ("ask('r', input={'a': {1}})", question("ls")),
            ("ask('r', is_error=True)", question("ls")),
            ("ask('r', input={})", late),
            ("ask('r', output=[float('nan')])", late),
        ]:
            printed, said, status = self.run_all(f"def judge(request): return {call}", line + line)
            self.assertEqual((printed, status), (plain * 2, 0), call)
            self.assertEqual(said.count("hookchain_hook: a part of an ask was left out: "), 2, said)
        printed, said, status = self.run_all("def judge(request): return ask(judge)", question("ls"))
        self.assertEqual((json.loads(printed)["decision"], status), ("ask", 0))
        self.assertIn("the reason is a function", said)

    def test_a_process_that_the_hook_forks_answers_nothing_and_reads_nothing(self) -> None:
        for in_the_child, ends_with in [("pass", 1), ("sys.exit(0)", 0), ("sys.exit(7)", 7), ("raise LookupError", 1)]:
            judge = f"""
                def judge(request):
                    child = os.fork()
                    if child == 0:
                        {in_the_child}
                    else:
                        _, ended = os.waitpid(child, 0)
                        return deny(f"{{request.text('command')}} {{os.WEXITSTATUS(ended)}}")
                    return allow()
            """
            printed, said, status = self.run_all(judge, question("a") + question("b"))
            expected = deny(f"a {ends_with}").line("c") + deny(f"b {ends_with}").line("c")
            self.assertEqual((printed, status), (expected, 0), in_the_child)
            self.assertEqual(said.count("end it with os._exit"), 2 if in_the_child == "pass" else 0, said)

    def test_an_asynchronous_hook_is_told_how_to_be_asked(self) -> None:
        printed, said, status = self.run_all("async def judge(request): return allow()", question("ls"))
        self.assertEqual((printed, status), (b"", 1))
        self.assertTrue(said.endswith("let a function ask it: `return asyncio.run(judge(request))`\n"), said)

    def test_a_line_that_is_no_request_ends_the_program(self) -> None:
        for line in [b"{}\n", b"\xff\n", b"hello\n", question("ls")[:-2] + b"\n", question("ls")[:-1] + question("ls")]:
            printed, said, status = self.run_all("def judge(request): return allow()", question("ls") + line)
            self.assertEqual((printed, status), (ALLOW, 1))
            self.assertIn("RequestError", said)

    def test_megabytes_go_both_ways(self) -> None:
        judge = """
            def judge(request):
                return modify({**request.input, "more": 1})
        """
        text = 'é"\\\n\u2028' * (1 << 20)
        printed, said, status = self.run_all(judge, question(text))
        self.assertEqual((said, status), ("after\n", 0))
        self.assertEqual(json.loads(printed), {"decision": "modify", "input": {"command": text, "more": 1}, "tool_call_id": "c"})

    def test_nobody_is_told_that_nobody_listens(self) -> None:
        process = self.start("def judge(request): return modify({'a': 'x' * 1000000})")
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdout.close()
        process.stdin.write(question("ls"))
        process.stdin.close()
        self.assertEqual(process.wait(), 1)
        self.assertEqual(process.stderr.read(), b"")


class Readers(unittest.TestCase):
    def test_the_loop_runs_on_any_lines_and_any_writer(self) -> None:
        written = io.BytesIO()
        serve_on([question("a"), b"\n", question("b")], written, lambda request: deny(request.text("command")))
        self.assertEqual(written.getvalue(), deny("a").line("c") + deny("b").line("c"))

    def test_each_answer_names_its_own_call_whatever_the_hook_does_with_the_request(self) -> None:
        def hook(request: HookRequest) -> HookResponse:
            request.tool_call_id = "another"
            return modify({"tool_call_id": 7}, "a")

        calls = ["", "1", 'a "b"\\\n\u2028é', "\U0001f600", "1"]
        written = io.BytesIO()
        serve_on([question("ls", call=call) for call in calls], written, hook)
        said = [json.loads(line) for line in written.getvalue().splitlines()]
        rest = {"decision": "modify", "input": {"tool_call_id": 7}, "reason": "a"}
        self.assertEqual(said, [{**rest, "tool_call_id": call} for call in calls])

    def test_it_ends_at_the_first_error(self) -> None:
        written = io.BytesIO()
        with self.assertRaises(TypeError):
            serve_on([question("a"), b'{"hook_schema":1}', question("b")], written, lambda request: allow(1))  # type: ignore[arg-type]
        self.assertEqual(written.getvalue(), b"")


if __name__ == "__main__":
    unittest.main()
