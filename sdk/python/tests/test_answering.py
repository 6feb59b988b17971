"""What an answer looks like, and what is none."""

from __future__ import annotations

import io
import json
import unittest
from contextlib import redirect_stderr, redirect_stdout
from decimal import Decimal
from typing import Any, Callable

from hookchain_hook import ExactFloat, HookRequest, HookResponse, allow, ask, deny, modify, replace, try_hook


class Odd:
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Answering(unittest.TestCase):
    def test_each_of_the_five_is_one_line(self) -> None:
        table = [
            (allow(), '{"decision":"allow"}'),
            (allow("why not"), '{"decision":"allow","reason":"why not"}'),
            (deny("no \"é\"\n"), '{"decision":"deny","reason":"no \\"é\\"\\n"}'),
            (modify({}), '{"decision":"modify","input":{}}'),
            (modify({"a": [1, None, True]}, "b"), '{"decision":"modify","input":{"a":[1,null,true]},"reason":"b"}'),
            (replace(None), '{"decision":"replace","output":null}'),
            (replace("x", is_error=False), '{"decision":"replace","output":"x","is_error":false}'),
            (replace({"a": (1.5,)}, "b"), '{"decision":"replace","output":{"a":[1.5]},"reason":"b"}'),
            (ask("sure?"), '{"decision":"ask","reason":"sure?"}'),
            (ask("a", input={}), '{"decision":"ask","input":{},"reason":"a"}'),
            (ask("a", input={"n": ExactFloat("1.0")}), '{"decision":"ask","input":{"n":1.0},"reason":"a"}'),
            (ask("a", output=None), '{"decision":"ask","output":null,"reason":"a"}'),
            (ask("a", output=[1], is_error=True), '{"decision":"ask","output":[1],"is_error":true,"reason":"a"}'),
            (allow(context="c"), '{"decision":"allow","context":"c"}'),
            (allow("a", context=""), '{"decision":"allow","reason":"a","context":""}'),
            (deny("a", context="c\n"), '{"decision":"deny","reason":"a","context":"c\\n"}'),
            (ask("a", context="c"), '{"decision":"ask","reason":"a","context":"c"}'),
            (ask("a", output=1, context="c"), '{"decision":"ask","output":1,"reason":"a","context":"c"}'),
            (modify({}, context="c"), '{"decision":"modify","input":{},"context":"c"}'),
            (modify({}, "a", context="c"), '{"decision":"modify","input":{},"reason":"a","context":"c"}'),
            (replace(1, context="c"), '{"decision":"replace","output":1,"context":"c"}'),
        ]
        for response, line in table:
            self.assertEqual(response.line(), f"{line}\n".encode())
            self.assertEqual(response.line("a"), f'{line[:-1]},"tool_call_id":"a"}}\n'.encode())
            self.assertEqual(repr(response), f"<{line}>")

    def test_a_denial_and_a_question_count_whatever_their_reason_is(self) -> None:
        table: list[tuple[Any, Any]] = [
            ("", ""),
            (None, "None"),
            (ValueError("a"), "a"),
            (7, "7"),
            (Odd(), None),
            ("half \ud83d", "half ?"),
        ]
        for reason, words in table:
            make: Callable[[Any], HookResponse]
            for make, decision in [(deny, "deny"), (ask, "ask")]:
                said = json.loads(make(reason).line())
                self.assertEqual(said.pop("decision"), decision)
                self.assertEqual(said, {} if words is None else {"reason": words})

    def test_a_denial_counts_whatever_its_context_is(self) -> None:
        table: list[tuple[Any, Any]] = [(ValueError("a"), "a"), (7, "7"), (Odd(), None), ("half \ud83d", "half ?")]
        for context, words in table:
            said = json.loads(deny("no", context=context).line())
            expected = {"decision": "deny", "reason": "no"}
            self.assertEqual(said, expected if words is None else {**expected, "context": words})

    def test_half_of_a_character_costs_no_context(self) -> None:
        # As where an author cuts a text at a length.
        for response in [allow(context="a\udc80"), ask("a", context="a\udc80"), replace(1, context="a\udc80")]:
            self.assertEqual(json.loads(response.line())["context"], "a?")

    def test_a_long_context_is_passed_on_whole(self) -> None:
        words = "é" * 20_000
        self.assertEqual(json.loads(allow(context=words).line()), {"decision": "allow", "context": words})

    def test_what_json_cannot_say_is_an_error(self) -> None:
        wrong: list[Any] = [{1: 2}, {"a": {None: 1}}, {"a": b"x"}, {"a": float("nan")}, {"a": [float("inf")]},
                            {"a": {1}}, {"a": Decimal("NaN")}, {"a": object()}, {"a": "\udc80"}]  # fmt: skip
        for value in wrong:
            with self.assertRaises((TypeError, ValueError)):
                modify(value).line()
        looped: dict[str, Any] = {}
        looped["a"] = [looped]
        with self.assertRaises(RecursionError):
            modify(looped).line()

    def test_what_is_no_answer_cannot_be_made(self) -> None:
        wrong: list[Any] = ["ls", None, [("a", 1)]]
        for value in wrong:
            with self.assertRaises(TypeError):
                modify(value)
        odd: Any = 1
        with self.assertRaises(TypeError):
            allow(odd)
        with self.assertRaises(TypeError):
            modify({}, odd)
        with self.assertRaises(TypeError):
            replace(1, odd)
        with self.assertRaises(TypeError):
            replace(1, is_error=odd)

    def test_a_question_goes_without_what_does_not_fit_and_says_so(self) -> None:
        odd: Any = 1
        plain = ask("a")
        result = ask("a", output=1)
        table: list[tuple[Callable[[], HookResponse], HookResponse, str]] = [
            (lambda: ask("a", input={}, output=1), plain, "never both"),
            (lambda: ask("a", input={}, output=None), plain, "never both"),
            (lambda: ask("a", input=odd), plain, "the new input is int"),
            (lambda: ask("a", input=None), plain, "the new input is NoneType"),  # type: ignore[arg-type]
            (lambda: ask("a", is_error=True), plain, "only beside an `output`"),
            (lambda: ask("a", input={}, is_error=False), ask("a", input={}), "only beside an `output`"),
            (lambda: ask("a", output=1, is_error=odd), result, "`is_error` must be a bool"),
            (lambda: ask("a", context=odd), plain, "the context is int"),
            (lambda: ask("a", output=1, context=odd), result, "the context is int"),
            (lambda: ask("a", input=odd, context="c"), ask("a", context="c"), "the new input is int"),
        ]
        for make, expected, words in table:
            with redirect_stderr(io.StringIO()) as said:
                self.assertEqual(make(), expected)
            self.assertTrue(said.getvalue().startswith("hookchain_hook: a part of an ask was left out: "), said.getvalue())
            self.assertIn(words, said.getvalue())
            self.assertEqual(said.getvalue().count("\n"), 1)
        with redirect_stderr(io.StringIO()) as said:
            function = ask(lambda _: allow(), input={})  # type: ignore[arg-type]
        self.assertEqual((function.decision, function.reason, function.input), ("ask", None, {}))
        self.assertIn("try_hook", said.getvalue())

    def test_a_question_counts_also_where_standard_error_is_closed(self) -> None:
        closed = io.StringIO()
        closed.close()
        with redirect_stderr(closed):
            self.assertEqual(ask("a", context=1), ask("a"))  # type: ignore[arg-type]
        with redirect_stdout(io.StringIO()) as printed, redirect_stderr(None):
            self.assertEqual(ask("a", context=1), ask("a"))  # type: ignore[arg-type]
        self.assertEqual(printed.getvalue(), "")

    def test_a_context_that_is_no_text_is_an_error(self) -> None:
        odd: list[Any] = [1, b"a", ["a"], {"a": "b"}, False]
        for context in odd:
            wrong: list[Callable[[], HookResponse]] = [
                lambda: allow(context=context),
                lambda: modify({}, context=context),
                lambda: replace(1, context=context),
            ]
            for make in wrong:
                with self.assertRaises(TypeError) as caught:
                    make()
                self.assertIn(f"the context is {type(context).__name__}", str(caught.exception))

    def test_numbers_of_every_kind_are_written(self) -> None:
        value = {"a": ExactFloat("1.00"), "b": Decimal("19.990000000000000000001"), "c": 10**30, "d": -0.0, "e": 1e22}
        written = b'{"a":1.00,"b":19.990000000000000000001,"c":1000000000000000000000000000000,"d":-0.0,"e":1e+22}'
        self.assertEqual(modify(value).line(), b'{"decision":"modify","input":' + written + b"}\n")

    def test_answers_compare_by_what_they_say(self) -> None:
        self.assertEqual(modify({"a": 1}, "b"), modify({"a": 1}, "b"))
        self.assertNotEqual(allow(), deny("no"))
        self.assertEqual(allow(context="a"), allow(context="a"))
        self.assertNotEqual(allow(context="a"), allow())
        self.assertEqual(ask("a", output=None), ask("a", output=None))
        self.assertNotEqual(ask("a", output=None), ask("a"))
        self.assertNotEqual(allow(), "allow")


class Trying(unittest.TestCase):
    """The helper for the tests of a hook."""

    def test_a_call_is_put_to_the_hook(self) -> None:
        seen: list[HookRequest] = []

        def hook(request: HookRequest) -> HookResponse:
            seen.append(request)
            return modify({**request.input, "command": "ls"})

        response = try_hook(hook, tool_name="bash", input={"command": "rm", "n": ExactFloat("1.0")})
        self.assertEqual(response, modify({"command": "ls", "n": 1.0}))
        self.assertEqual((seen[0].event, seen[0].tool_name), ("pre_tool_use", "bash"))

    def test_a_result_is_put_to_the_hook_even_when_it_is_none(self) -> None:
        def hook(request: HookRequest) -> HookResponse:
            return replace([request.event, request.output, request.is_error])

        self.assertEqual(try_hook(hook, input={}, output=None).output, ["post_tool_use", None, False])
        self.assertEqual(try_hook(hook, input={}, output="x", is_error=True).output, ["post_tool_use", "x", True])

    def test_what_a_chain_would_not_take_is_an_error_here(self) -> None:
        def ends(_: HookRequest) -> HookResponse:
            raise SystemExit(0)

        async def late(_: HookRequest) -> HookResponse:
            return allow()

        def early(_: HookRequest) -> Any:
            coroutine = late(_)
            coroutine.close()
            return coroutine

        wrong: list[tuple[Any, str, dict[str, Any]]] = [
            (lambda _: None, "returned NoneType", {}),
            (lambda _: {"decision": "allow"}, "returned dict", {}),
            (early, "the hook is asynchronous", {}),
            (ends, "ended the program", {}),
            (lambda _: replace("x"), "replace is no answer before", {}),
            (lambda _: modify({}), "modify is no answer after", {"output": "x"}),
            (lambda _: modify({"a": {1}}), "no way to write set", {}),
            (lambda _: allow(context=1), "the context is int", {}),  # type: ignore[arg-type]
        ]
        for hook, words, more in wrong:
            with self.assertRaises((TypeError, RuntimeError)) as caught:
                try_hook(hook, input={}, **more)
            self.assertIn(words, str(caught.exception))

    def test_a_question_goes_without_a_rewrite_that_a_chain_would_not_take(self) -> None:
        looped: dict[str, Any] = {}
        looped["a"] = [looped]
        table: list[tuple[Any, str, dict[str, Any]]] = [
            (lambda _: ask("a", output="x", context="c"), "ask takes no `output` before", {}),
            (lambda _: ask("a", output=None, is_error=True, context="c"), "ask takes no `output` before", {}),
            (lambda _: ask("a", input={}, context="c"), "ask takes no `input` after", {"output": "x"}),
            (lambda _: ask("a", input={"a": {1}}, context="c"), "no way to write set", {}),
            (lambda _: ask("a", input={"a": "\udc80"}, context="c"), "its `input` cannot be written", {}),
            (lambda _: ask("a", input=looped, context="c"), "its `input` cannot be written", {}),
            (lambda _: ask("a", output=[float("nan")], context="c"), "its `output` cannot be written", {"output": "x"}),
            (lambda _: ask("a", input={}, output=1, context="c"), "never both", {}),
        ]
        for hook, words, more in table:
            with redirect_stderr(io.StringIO()) as said:
                self.assertEqual(try_hook(hook, input={}, **more), ask("a", context="c"))
            self.assertIn(words, said.getvalue())

    def test_a_question_fits_both_events(self) -> None:
        asked: list[dict[str, Any]] = [{}, {"output": None}, {"output": "x", "is_error": True}]
        for more in asked:
            self.assertEqual(try_hook(lambda _: ask("a"), input={}, **more), ask("a"))
        self.assertEqual(try_hook(lambda _: ask("a", input={"b": 1}), input={}).input, {"b": 1})
        after = try_hook(lambda asked: ask("a", output=[asked.output]), input={}, output="x")
        self.assertEqual((after.decision, after.output, after.is_error), ("ask", ["x"], None))

    def test_what_a_hook_sees_beside_the_call_is_put_to_it(self) -> None:
        def hook(request: HookRequest) -> HookResponse:
            seen = [request.cwd, request.session_id, request.extensions, request.again, request.tool, request.facts]
            return modify({"seen": seen})

        facts = {"coverage": "full", "commands": [{"program": "git", "argv": ["git", "push"], "exact": True}]}
        response = try_hook(
            hook, input={}, cwd="/w/sub", session_id="s", extensions={"a": 1}, again=True, tool={"kinds": ["shell"]}, facts=facts
        )
        self.assertEqual(response.input, {"seen": ["/w/sub", "s", {"a": 1}, True, {"kinds": ["shell"]}, facts]})
        self.assertEqual(try_hook(hook, input={}).input, {"seen": [None] * 6})
        self.assertEqual(try_hook(hook, input={}, again=False, extensions={}).input, {"seen": [None, None, {}, False, None, None]})


if __name__ == "__main__":
    unittest.main()
