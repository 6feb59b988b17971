"""What is a request, and what is none."""

from __future__ import annotations

import copy
import json
import pickle
import unittest
from decimal import Decimal
from pathlib import Path

from hookchain_hook import ExactFloat, HookRequest, RequestError, allow, answer, ask, modify, replace

FIXTURES = Path(__file__).resolve().parents[3] / "tests" / "fixtures" / "v1"


def request(input: str, more: str = "") -> bytes:
    return (
        '{"hook_schema":1,"event":"pre_tool_use","workspace":"/w","agent_id":"a","tool_call_id":"c","tool_name":"shell",'
        f'"input":{input}{more}}}\n'
    ).encode()


def passed_on(input: str) -> str:
    """The input as a hook writes it that changes nothing about it."""
    said = answer(lambda asked: modify(asked.input), request(input)).decode()
    return said[len('{"decision":"modify","input":') : -len(',"tool_call_id":"c"}\n')]


class Reading(unittest.TestCase):
    def refused(self, line: bytes, *words: str) -> None:
        with self.assertRaises(RequestError) as caught:
            HookRequest(line)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_every_field_is_there_before_the_call(self) -> None:
        asked = HookRequest(request('{"command":"ls"}'))
        self.assertEqual((asked.hook_schema, asked.event, asked.workspace), (1, "pre_tool_use", "/w"))
        self.assertEqual((asked.agent_id, asked.tool_call_id, asked.tool_name), ("a", "c", "shell"))
        self.assertEqual((asked.input, asked.output, asked.is_error), ({"command": "ls"}, None, None))
        self.assertEqual(asked.text("command"), "ls")
        self.assertNotIn("ls", repr(asked))

    def test_a_result_of_null_is_told_from_no_result(self) -> None:
        line = request("{}", ',"output":null,"is_error":true').replace(b"pre_tool", b"post_tool")
        asked = HookRequest(line)
        self.assertEqual((asked.output, asked.is_error), (None, True))

    def test_what_is_sent_to_hooks_that_see_facts_is_read(self) -> None:
        more = {
            "cwd": "/w/sub",
            "session_id": "s",
            "extensions": {"ticket": [1, None]},
            "again": True,
            "tool": {"kinds": ["shell"], "agent": "claude-code"},
            "facts": {"coverage": "full", "urls": []},
        }
        line = request("{}", "".join(f',"{name}":{json.dumps(value)}' for name, value in more.items()))
        asked = HookRequest(line)
        self.assertEqual({name: getattr(asked, name) for name in more}, more)
        plain = HookRequest(request("{}"))
        self.assertEqual([getattr(plain, name) for name in more], [None] * len(more))
        self.assertIs(HookRequest(request("{}", ',"again":false')).again, False)
        after = HookRequest(request("{}", ',"output":1,"is_error":true,"cwd":"/w"').replace(b"pre_tool", b"post_tool"))
        self.assertEqual((after.output, after.is_error, after.cwd), (1, True, "/w"))

    def test_what_is_sent_to_hooks_that_see_facts_has_a_type(self) -> None:
        wrong: list[tuple[str, str, list[str]]] = [
            ("cwd", "a string", ["null", "1", "true", "[]", "{}"]),
            ("session_id", "a string", ["null", "1", "true", "[]", "{}"]),
            ("extensions", "an object", ["null", "1", '"a"', "[]", "true"]),
            ("again", "true or false", ["null", "0", "1", '"true"', "{}"]),
            ("tool", "an object", ["null", "1", '"shell"', "[]", "true"]),
            ("facts", "an object", ["null", "1", '"a"', "[]", "true"]),
        ]
        for name, expected, values in wrong:
            for value in values:
                self.refused(request("{}", f',"{name}":{value}'), f"`{name}` must be {expected}")
            self.refused(request("{}", f',"{name}":1,"{name}":1'), "twice")

    def test_a_text_that_is_not_there_is_an_error(self) -> None:
        for input in ['"ls"', "{}", '{"command":["ls"]}', '{"command":null}', "[]"]:
            with self.assertRaises(TypeError):
                HookRequest(request(input)).text("command")

    def test_a_byte_order_mark_carriage_returns_and_white_space_are_accepted(self) -> None:
        line = request('{"command":"é\\n"}', ',"newer":[1]')
        for odd in [b"\xef\xbb\xbf" + line, line[:-1] + b"\r\n", b" \t" + line[:-1] + b" ", line[:-1]]:
            self.assertEqual(HookRequest(odd).input, {"command": "é\n"})

    def test_what_has_two_readings_is_refused(self) -> None:
        self.refused(request('{"a":1,"a":2}'), "'a'", "twice")
        self.refused(request('{"b":[{"a":1,"\\u0061":2}]}'), "'a'", "twice")
        self.refused(request("{}", ',"input":{}'), "'input'", "twice")
        self.refused(request('{"\\ud800":1}'), "surrogate")
        self.refused(request('["\\ude00\\ud83d"]'), "surrogate")
        for number in ["1e309", "-1e309", "9" * 309, "9" * 5000, "-" + "9" * 400]:
            self.refused(request(f"[{number}]"), "64-bit float")

    def test_what_is_not_json_is_refused(self) -> None:
        for input in ["NaN", "Infinity", "-Infinity", "01", "1.", ".5", "+1", "'a'", "[1,]", '"\t"', "tru", ""]:
            self.refused(request(input), "JSON")
        self.refused(request("{}") + request("{}"), "JSON")
        self.refused(b"\xef\xbb\xbf" + b"\xef\xbb\xbf" + request("{}"), "JSON")
        self.refused(request("{}").replace(b"shell", b"sh\xffll"), "byte 106", "UTF-8")
        self.refused(b"[1]", "object")
        self.refused(request("[" * 100_000 + "]" * 100_000), "deep")

    def test_a_request_of_another_shape_is_refused(self) -> None:
        fields = json.loads(request("{}"))
        for name in fields:
            without = {other: value for other, value in fields.items() if other != name}
            self.refused(json.dumps(without).encode(), f"`{name}`")
            if name != "input":
                self.refused(json.dumps({**fields, name: None}).encode(), f"`{name}`")
        for schema in [2, True, 1.0, "1"]:
            self.refused(json.dumps({**fields, "hook_schema": schema}).encode(), "hook_schema")
        self.refused(json.dumps({**fields, "event": "session_start"}).encode(), "session_start")
        self.refused(json.dumps({**fields, "event": "post_tool_use"}).encode(), "`output`")
        self.refused(json.dumps({**fields, "output": 1}).encode(), "`is_error`")
        self.refused(json.dumps({**fields, "is_error": False}).encode(), "`output`")
        self.refused(json.dumps({**fields, "output": 1, "is_error": 0}).encode(), "`is_error`")

    def test_the_words_of_an_error_do_not_quote_the_input(self) -> None:
        for input in ['{"password":"hunter2"', '{"password":"hunter2","n":1e999}', '{"password":"hunter2\\ud800"}']:
            with self.assertRaises(RequestError) as caught:
                HookRequest(request(input))
            self.assertNotIn("hunter2", str(caught.exception))


class Numbers(unittest.TestCase):
    EXACT = (
        "0", "-0", "1", "1.0", "1.50", "1E5", "1e+05", "1e-400", "-0.0", "0.1", "1e-30", "12345678901234567890",
        "123456789012345678901234567890", "19.990000000000000000001", "1.7976931348623157e308", "5e-324",
        "9" * 308, "0." + "1" * 400,
    )  # fmt: skip

    def test_each_is_passed_on_digit_for_digit(self) -> None:
        for number in self.EXACT:
            for input in [f'{{"n":{number}}}', f'{{"n":[{number},{{"m":{number},"t":"é"}}],"o":{{}}}}']:
                self.assertEqual(passed_on(input), input)

    def test_what_was_not_changed_keeps_its_digits_beside_what_was(self) -> None:
        line = request('{"command":"a","price":19.990000000000000000001,"n":[1.0,-0]}')
        said = answer(lambda asked: modify({**asked.input, "command": "b"}), line)
        expected = b'{"decision":"modify","input":{"command":"b","price":19.990000000000000000001,"n":[1.0,-0]},"tool_call_id":"c"}\n'
        self.assertEqual(said, expected)

    def test_each_is_passed_on_from_what_stands_beside_the_call(self) -> None:
        line = request("{}", ',"extensions":{"price":19.990000000000000000001,"n":[1.0]}')
        said = answer(lambda asked: modify(asked.extensions or {}), line)
        self.assertIn(b'"input":{"price":19.990000000000000000001,"n":[1.0]}', said)

    def test_each_is_passed_on_in_a_question_too(self) -> None:
        line = request('{"command":"a","price":19.990000000000000000001}')
        said = answer(lambda asked: ask("sure?", input={**asked.input, "command": "b"}), line)
        expected = b'{"decision":"ask","input":{"command":"b","price":19.990000000000000000001},"reason":"sure?","tool_call_id":"c"}\n'
        self.assertEqual(said, expected)

    def test_each_computes_and_compares_as_the_number_that_it_is(self) -> None:
        value = HookRequest(request('{"a":1.0,"b":100.00,"c":7,"d":1.5}')).input
        self.assertEqual(value, {"a": 1, "b": 100, "c": 7, "d": 1.5})
        self.assertIsInstance(value["b"], float)
        self.assertIs(type(value["c"]), int)
        self.assertIs(type(value["d"]), float)
        self.assertGreater(value["b"], 99)

    def test_an_exact_float_survives_copies(self) -> None:
        number = ExactFloat("1.50")
        for other in [copy.copy(number), copy.deepcopy([number])[0], pickle.loads(pickle.dumps(number))]:
            self.assertIs(type(other), ExactFloat)
            self.assertEqual(other.text, "1.50")
        self.assertEqual((str(number), f"{number:.1f}", Decimal(number.text)), ("1.50", "1.5", Decimal("1.50")))

    def test_an_exact_float_is_how_json_writes_a_number(self) -> None:
        for text in ["nan", "1_0", " 1", "1 ", "01", "1.", "+1", "1,2", "", "1\n"]:
            with self.assertRaises(ValueError):
                ExactFloat(text)


class Conformance(unittest.TestCase):
    """The set that every implementation of the protocol can run."""

    def test_each_request_is_read_and_its_values_are_written_as_they_stand(self) -> None:
        cases = sorted(FIXTURES.glob("*/*/request.json"))
        self.assertGreater(len(cases), 10)
        for case in cases:
            line = case.read_bytes()
            asked = HookRequest(line)
            self.assertEqual(asked.event, case.parts[-3])
            if asked.event == "post_tool_use":
                said = replace(asked.output, is_error=asked.is_error).line()
                self.assertIn(said[len('{"decision":"replace",') : -len("}\n")], line)
            elif isinstance(asked.input, dict):
                said = modify(asked.input).line()
                self.assertIn(said[len('{"decision":"modify",') : -len("}\n")], line)
            self.assertEqual(answer(lambda _: allow(), line), allow().line(asked.tool_call_id))


if __name__ == "__main__":
    unittest.main()
