"""What an answer looks like, and what is none."""

from __future__ import annotations

import json
import unittest
from decimal import Decimal
from typing import Any

from hookchain_hook import ExactFloat, HookRequest, HookResponse, allow, ask, deny, modify, replace


class Odd:
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Answering(unittest.TestCase):
    def test_each_of_the_four_is_one_line(self) -> None:
        table = [
            (allow(), '{"decision":"allow"}'),
            (allow("why not"), '{"decision":"allow","reason":"why not"}'),
            (deny("no \"é\"\n"), '{"decision":"deny","reason":"no \\"é\\"\\n"}'),
            (modify({}), '{"decision":"modify","input":{}}'),
            (modify({"a": [1, None, True]}, "b"), '{"decision":"modify","input":{"a":[1,null,true]},"reason":"b"}'),
            (replace(None), '{"decision":"replace","output":null}'),
            (replace("x", is_error=False), '{"decision":"replace","output":"x","is_error":false}'),
            (replace({"a": (1.5,)}, "b"), '{"decision":"replace","output":{"a":[1.5]},"reason":"b"}'),
        ]
        for response, line in table:
            self.assertEqual(response.line(), f"{line}\n".encode())
            self.assertEqual(response.line("a"), f'{line[:-1]},"tool_call_id":"a"}}\n'.encode())
            self.assertEqual(repr(response), f"<{line}>")

    def test_a_denial_counts_whatever_its_reason_is(self) -> None:
        table: list[tuple[Any, Any]] = [
            ("", ""),
            (None, "None"),
            (ValueError("a"), "a"),
            (7, "7"),
            (Odd(), None),
            ("half \ud83d", "half ?"),
        ]
        for reason, words in table:
            said = json.loads(deny(reason).line())
            self.assertEqual(said.pop("decision"), "deny")
            self.assertEqual(said, {} if words is None else {"reason": words})

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

    def test_numbers_of_every_kind_are_written(self) -> None:
        value = {"a": ExactFloat("1.00"), "b": Decimal("19.990000000000000000001"), "c": 10**30, "d": -0.0, "e": 1e22}
        written = b'{"a":1.00,"b":19.990000000000000000001,"c":1000000000000000000000000000000,"d":-0.0,"e":1e+22}'
        self.assertEqual(modify(value).line(), b'{"decision":"modify","input":' + written + b"}\n")

    def test_answers_compare_by_what_they_say(self) -> None:
        self.assertEqual(modify({"a": 1}, "b"), modify({"a": 1}, "b"))
        self.assertNotEqual(allow(), deny("no"))
        self.assertNotEqual(allow(), "allow")


class Asking(unittest.TestCase):
    """The helper for the tests of a hook."""

    def test_a_call_is_put_to_the_hook(self) -> None:
        seen: list[HookRequest] = []

        def hook(request: HookRequest) -> HookResponse:
            seen.append(request)
            return modify({**request.input, "command": "ls"})

        response = ask(hook, tool_name="bash", input={"command": "rm", "n": ExactFloat("1.0")})
        self.assertEqual(response, modify({"command": "ls", "n": 1.0}))
        self.assertEqual((seen[0].event, seen[0].tool_name), ("pre_tool_use", "bash"))

    def test_a_result_is_put_to_the_hook_even_when_it_is_none(self) -> None:
        def hook(request: HookRequest) -> HookResponse:
            return replace([request.event, request.output, request.is_error])

        self.assertEqual(ask(hook, input={}, output=None).output, ["post_tool_use", None, False])
        self.assertEqual(ask(hook, input={}, output="x", is_error=True).output, ["post_tool_use", "x", True])

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
        ]
        for hook, words, more in wrong:
            with self.assertRaises((TypeError, RuntimeError)) as caught:
                ask(hook, input={}, **more)
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
