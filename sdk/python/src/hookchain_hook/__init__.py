"""Write a hookchain hook in Python: one function that answers, and nothing else to get right.

    from hookchain_hook import HookRequest, HookResponse, allow, deny, serve

    def judge(request: HookRequest) -> HookResponse:
        if "--force" in request.text("command"):
            return deny("force-push is not allowed in this workspace; push without --force")
        return allow()

    if __name__ == "__main__":
        serve(judge)

The same program answers one question when it is started for it, and many when it is kept (`"mode": "worker"`).

While it serves, standard output belongs to the answers: whatever else prints there, `print` or a program that the hook
starts, prints to standard error instead. An exception leaves the question without an answer and ends the program with
a status other than zero, which the chain takes as a failure: the call is denied, unless the hook's entry says otherwise.
So do not catch what you cannot handle.

Whole numbers have all their digits. A decimal whose text a float would not repeat is an `ExactFloat`: a float that
remembers its text. Either way a rewrite leaves the numbers that it carries over as they were written.

This file needs nothing but Python 3.9, and may be copied beside a hook as `hookchain_hook.py`.
"""

from __future__ import annotations

import json
import os
import re
import sys

# What a type checker takes for true. Without `typing` a hook starts faster, and it may be started for every call.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, Callable, Iterable, Literal, NoReturn, Optional, Union

    from typing_extensions import TypeAlias

    Event: TypeAlias = Literal["pre_tool_use", "post_tool_use"]
    Decision: TypeAlias = Literal["allow", "deny", "ask", "modify", "replace"]
    Hook: TypeAlias = Callable[["HookRequest"], "HookResponse"]

__all__ = [
    "ExactFloat",
    "HookRequest",
    "HookResponse",
    "RequestError",
    "allow",
    "answer",
    "ask",
    "deny",
    "modify",
    "replace",
    "serve",
    "serve_on",
    "try_hook",
]
__version__ = "0.1.0"

_SCHEMA = 1
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WHITE_SPACE = b" \t\r\n"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# The largest float has 309 digits before its point.
_LONG_NUMBER = re.compile(r"[0-9]{309}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# What was left out, where None would say something.
_ABSENT: Any = object()


class RequestError(ValueError):
    """What was read is not a request. The text never quotes what the tool is given: it ends up in logs."""


class ExactFloat(float):
    """A float that remembers how it was written, for a number whose text a float would not repeat.

    It computes and compares as the float that it is. `Decimal(number.text)` is the number itself.
    """

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> ExactFloat:
        if _NUMBER.fullmatch(text) is None:
            raise ValueError("this is not how JSON writes a number")
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, ...]:
        return (ExactFloat, (self.text,))


class HookRequest:
    """One question: a tool call before it runs, or its result before the model sees it.

    The fields are named as they are on the wire. Before the call, `output` and `is_error` are None; after it, `output` is
    the result, which may be None too, and `is_error` is a bool.

    The fields from `cwd` to `facts` are sent only to a hook whose entry says `"facts": true`. A field that was not sent is
    None.
    """

    __slots__ = (
        "again",
        "agent_id",
        "cwd",
        "event",
        "extensions",
        "facts",
        "hook_schema",
        "input",
        "is_error",
        "line",
        "output",
        "session_id",
        "tool",
        "tool_call_id",
        "tool_name",
        "workspace",
    )
    hook_schema: int
    event: Event
    workspace: str
    agent_id: str
    tool_call_id: str
    tool_name: str
    input: Any
    output: Any
    is_error: Optional[bool]
    cwd: Optional[str]
    """The agent's current directory."""
    session_id: Optional[str]
    """The session that the agent makes the call in, in the agent's own naming."""
    extensions: Optional[dict[str, Any]]
    """What the runtime adds: any members, each in the runtime's own shape."""
    again: Optional[bool]
    """True when the hook is asked a second time about one call, because a hook of lower rank rewrote it."""
    tool: Optional[dict[str, Any]]
    """What the tool can do: its `kinds`, in words that are the same for every agent."""
    facts: Optional[dict[str, Any]]
    """What the call would do: its `commands`, `paths` and `urls`, and in `coverage` whether that is all of it."""
    line: bytes

    def __init__(self, line: bytes) -> None:
        """Reads a request, as it stands on the wire.

        White space around the object and one byte order mark in front are accepted; fields it does not know are ignored.
        """
        fields = _read(line)
        self.line = line
        self.hook_schema = _schema(fields)
        self.event = _event(fields)
        self.workspace = _string(fields, "workspace")
        self.agent_id = _string(fields, "agent_id")
        self.tool_call_id = _string(fields, "tool_call_id")
        self.tool_name = _string(fields, "tool_name")
        self.input = _required(fields, "input")
        self.output = self.is_error = None
        if self.event == "post_tool_use" or "output" in fields or "is_error" in fields:
            self.output = _required(fields, "output")
            self.is_error = _required(fields, "is_error")
            if not isinstance(self.is_error, bool):
                raise RequestError("`is_error` must be true or false")
        self.cwd = _optional(fields, "cwd", str, "a string")
        self.session_id = _optional(fields, "session_id", str, "a string")
        self.extensions = _optional(fields, "extensions", dict, "an object")
        self.again = _optional(fields, "again", bool, "true or false")
        self.tool = _optional(fields, "tool", dict, "an object")
        self.facts = _optional(fields, "facts", dict, "an object")

    def text(self, name: str) -> str:
        """The text that the input has under this name.

        Raises TypeError when there is none. A hook that lets it pass fails, and the call is denied: what a guard cannot
        find is no call that it has cleared.
        """
        if not isinstance(self.input, dict):
            raise TypeError(f"the input is no object, so it has no `{name}`")
        value = self.input.get(name)
        if not isinstance(value, str):
            raise TypeError(f"the input has no text `{name}`")
        return value

    def __repr__(self) -> str:
        # Not the input: a request that is printed ends up in logs.
        return f"HookRequest(event={self.event!r}, tool_name={self.tool_name!r}, tool_call_id={self.tool_call_id!r})"


class HookResponse:
    """One answer. Made by `allow`, `deny`, `ask`, `modify` and `replace`."""

    __slots__ = ("_has_output", "context", "decision", "input", "is_error", "output", "reason")
    decision: Decision
    reason: Optional[str]
    context: Optional[str]
    input: Any
    output: Any
    is_error: Optional[bool]
    # An output of None is a result too.
    _has_output: bool

    def __init__(
        self,
        decision: Decision,
        reason: Optional[str],
        *,
        input: Any = _ABSENT,
        output: Any = _ABSENT,
        is_error: Optional[bool] = None,
        context: Optional[str] = None,
    ) -> None:
        self.decision = decision
        self.reason = reason
        self.context = context
        self.input = None if input is _ABSENT else input
        self.output = None if output is _ABSENT else output
        self.is_error = is_error
        self._has_output = output is not _ABSENT

    def _rewrites(self) -> Optional[Literal["input", "output"]]:
        """Which of the two stands in the answer."""
        asks = self.decision == "ask"
        if self.decision == "modify" or (asks and self.input is not None):
            return "input"
        if self.decision == "replace" or (asks and self._has_output):
            return "output"
        return None

    def line(self, tool_call_id: Optional[str] = None) -> bytes:
        """The answer as it stands on the wire: one line, ended by a line feed. With the call that it is about, it says so."""
        members = [f'"decision":"{self.decision}"']
        rewrites = self._rewrites()
        if rewrites == "input":
            members.append(f'"input":{_json(self.input)}')
        if rewrites == "output":
            members.append(f'"output":{_json(self.output)}')
            if self.is_error is not None:
                members.append(f'"is_error":{_json(self.is_error)}')
        for name, words in [("reason", self.reason), ("context", self.context)]:
            if words is not None:
                # Half of a character that was cut in two must not cost a denial.
                whole = words.encode("utf-8", "replace").decode("utf-8")
                members.append(f'"{name}":{_json(whole)}')
        if tool_call_id is not None:
            members.append(f'"tool_call_id":{_json(tool_call_id)}')
        return f"{{{','.join(members)}}}\n".encode()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HookResponse):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self.line().decode().rstrip()}>"


def allow(reason: Optional[str] = None, *, context: Optional[str] = None) -> HookResponse:
    """No objection: the call happens as it stands, or the model sees the result as it stands.

    The reason is kept for the record and never shown to the model. The context is words for the model:

        allow(context="the linter found: unused import `os`")

    Every answer takes a `context`. The model reads it beside the result of the call, or beside the reason of a denial. The
    chain passes on 16 KiB (16,384 bytes of UTF-8) of each context, and cuts what is longer at the end of a character.
    """
    return HookResponse("allow", _words("reason", reason), context=_words("context", context))


def deny(reason: str, *, context: Optional[str] = None) -> HookResponse:
    """Before the call: it does not happen. After it: the result is withheld.

    The reason is written for the model, which reads it in place of a result: say what to do instead. The context is more
    words for the model (see `allow`).
    """
    # Whatever the words are, the denial counts: a hook that fails here may be one whose failures are allowed.
    return HookResponse("deny", _said(reason), context=None if context is None else _said(context))


def ask(
    reason: str,
    *,
    input: dict[str, Any] = _ABSENT,
    output: Any = _ABSENT,
    is_error: Optional[bool] = None,
    context: Optional[str] = None,
) -> HookResponse:
    """A person has to agree: before the call, to the call; after it, to the model seeing the result.

        ask("this deploys to production")

    The reason is written for the person: say what happens after a yes. Without a yes, and where a host has no way to ask,
    the call is denied, or the result is withheld. The other hooks answer first, and a denial of theirs is final.

    With an `input` (before the call only) the person is asked about this whole new input, and with an `output` (after the
    call only) about this whole new result, with `is_error` as in `replace`. Never both. The context is words for the model
    (see `allow`).

    Like a denial, an ask never fails. What does not fit in it is left out, and standard error says so: both rewrites where
    there are two, a rewrite for the other event or one that JSON cannot say, and a context that is no str.
    """
    # A hook that fails here may be one whose failures are allowed.
    rewrite: dict[str, Any] = {}
    if input is not _ABSENT and output is not _ABSENT:
        _left_out("ask takes an `input` (before the call) or an `output` (after it), never both")
    elif input is not _ABSENT and _fits(_whole_input, input):
        rewrite["input"] = input
    elif output is not _ABSENT:
        rewrite["output"] = output
    if is_error is not None and "output" not in rewrite:
        _left_out("ask takes `is_error` only beside an `output`")
    elif _fits(_failed_or_not, is_error):
        rewrite["is_error"] = is_error
    if _fits(_words, "context", context):
        rewrite["context"] = context
    return HookResponse("ask", _said(reason) if _fits(_no_function, reason) else None, **rewrite)


def modify(input: dict[str, Any], reason: Optional[str] = None, *, context: Optional[str] = None) -> HookResponse:
    """Before the call only: the tool runs with this input, which replaces the old one; nothing is merged.

        modify({**request.input, "command": "git push"}, "dropped --force")

    The reason is kept for the record and never shown to the model. The context is words for the model (see `allow`).
    """
    _whole_input(input)
    return HookResponse("modify", _words("reason", reason), input=input, context=_words("context", context))


def replace(
    output: Any, reason: Optional[str] = None, *, is_error: Optional[bool] = None, context: Optional[str] = None
) -> HookResponse:
    """After the call only: the model sees this result instead. A str is a text result, anything else a structured one.

    Without `is_error` a failure stays a failure and a success a success. The reason is kept for the record and never shown
    to the model. The context is words for the model (see `allow`).
    """
    _failed_or_not(is_error)
    words = _words("reason", reason)
    return HookResponse("replace", words, output=output, is_error=is_error, context=_words("context", context))


def serve(hook: Hook) -> None:
    """Answers every request on standard input, one per line, with one line on standard output, until the input ends.

    Call it last. Standard input and output are taken away from the rest of the program for good: what is printed goes to
    standard error, and whoever reads finds the end of input.
    """
    questions, answers = _own_streams()
    with questions, answers:
        for line in _asked(questions):
            said = answer(hook, line)
            try:
                _write(answers, said)
            except BrokenPipeError:
                # Nobody waits for it any more, so nobody needs to be told.
                raise SystemExit(1) from None


def serve_on(questions: Iterable[bytes], answers: BinaryIO, hook: Hook) -> None:
    """`serve`, on any lines and any writer. It leaves standard input and output alone."""
    for line in _asked(questions):
        _write(answers, answer(hook, line))


def answer(hook: Hook, line: bytes) -> bytes:
    """What the hook answers to one request, both as they stand on the wire.

    The answer names the call that it is about, so that a chain never takes it for the answer to another question.
    """
    request = HookRequest(line)
    # Remembered, because the hook may change the request.
    call = request.tool_call_id
    return _answered(hook, request).line(call)


def try_hook(
    hook: Hook,
    *,
    tool_name: str = "shell",
    input: Any,
    output: Any = _ABSENT,
    is_error: bool = False,
    workspace: str = "/workspace",
    agent_id: str = "agent-1",
    tool_call_id: str = "call-1",
    cwd: Optional[str] = None,
    session_id: Optional[str] = None,
    extensions: Optional[dict[str, Any]] = None,
    again: Optional[bool] = None,
    tool: Optional[dict[str, Any]] = None,
    facts: Optional[dict[str, Any]] = None,
) -> HookResponse:
    """For tests: what the hook answers when it is asked about this call; with an `output`, about its result.

        self.assertEqual(try_hook(judge, input={"command": "git push --force"}).decision, "deny")
    """
    fields: dict[str, Any] = {
        "hook_schema": _SCHEMA,
        "event": "pre_tool_use" if output is _ABSENT else "post_tool_use",
        "workspace": workspace,
        "agent_id": agent_id,
        "tool_call_id": tool_call_id,
        "tool_name": tool_name,
        "input": input,
    }
    if output is not _ABSENT:
        fields.update(output=output, is_error=is_error)
    seen = {
        "cwd": cwd,
        "session_id": session_id,
        "extensions": extensions,
        "again": again,
        "tool": tool,
        "facts": facts,
    }
    fields.update((name, value) for name, value in seen.items() if value is not None)
    response = _answered(hook, HookRequest(_json(fields).encode()))
    # What cannot be written is found here and not in front of a chain.
    response.line()
    return response


def _answered(hook: Hook, request: HookRequest) -> HookResponse:
    asked = os.getpid()
    # Remembered, because the hook may change the request.
    event = request.event
    try:
        response = hook(request)
    except SystemExit as error:
        if os.getpid() != asked:
            # A process that the hook forked ends as it likes; the answer is not its to give.
            raise
        # Even with status 0: the question has no answer.
        raise RuntimeError("the hook ended the program in place of an answer") from error
    if os.getpid() != asked:
        _end_stray()
    if not isinstance(response, HookResponse):
        found = type(response).__name__
        if found == "coroutine":
            response.close()
            raise TypeError("the hook is asynchronous; let a function ask it: `return asyncio.run(judge(request))`")
        raise TypeError(f"the hook returned {found}; return allow(), deny(…), ask(…), modify(…) or replace(…)")
    if response.decision == "ask":
        return _fitting(response, event)
    rewrites = response._rewrites()
    if rewrites == "input" and event != "pre_tool_use":
        raise TypeError("modify is no answer after the call; allow, deny, ask and replace are")
    if rewrites == "output" and event != "post_tool_use":
        raise TypeError("replace is no answer before the call; allow, deny, ask and modify are")
    return response


def _fitting(asked: HookResponse, event: Event) -> HookResponse:
    """The ask, without a rewrite that does not fit the event or that cannot be written."""
    rewrites = asked._rewrites()
    if rewrites is None:
        return asked
    if rewrites == "input" and event != "pre_tool_use":
        _left_out("ask takes no `input` after the call; give it an `output`, or neither")
    elif rewrites == "output" and event != "post_tool_use":
        _left_out("ask takes no `output` before the call; give it an `input`, or neither")
    else:
        try:
            asked.line()
            return asked
        except Exception as error:
            _left_out(f"its `{rewrites}` cannot be written: {error}")
    return HookResponse("ask", asked.reason, context=asked.context)


def _left_out(why: str) -> None:
    """Tells the author of a hook what its ask goes without."""
    try:
        # Not print: without a standard error it would write among the answers.
        sys.stderr.write(f"hookchain_hook: a part of an ask was left out: {why}\n")
        sys.stderr.flush()
    except Exception:
        # Standard error is closed. The ask still counts.
        pass


def _fits(check: Callable[..., object], *words: object) -> bool:
    try:
        check(*words)
    except TypeError as error:
        _left_out(str(error))
        return False
    return True


def _end_stray() -> NoReturn:
    """Ends a process that the hook forked and that came back from it: two would answer, and both would read what is next."""
    try:
        print(
            "hookchain_hook: a process that the hook forked returned from the hook and was ended; end it with os._exit",
            file=sys.stderr,
            flush=True,
        )
    finally:
        # Nothing more of what it has in common with the process that answers.
        os._exit(1)


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Both ends of the conversation, where nothing else in the program nor a program that it starts can reach them."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nowhere, 1)
    if nowhere > 2:
        os.close(nowhere)
    # The old object would keep what is printed in a buffer until the end. What is in it already goes the same way.
    sys.stdout = sys.stderr
    return questions, answers


def _asked(lines: Iterable[bytes]) -> Iterable[bytes]:
    """The lines that are questions; the empty last line of a file is none."""
    return (line for line in lines if line.strip(_WHITE_SPACE))


def _write(answers: BinaryIO, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[answers.write(rest) :]
    answers.flush()


def _words(name: str, words: Optional[str]) -> Optional[str]:
    if words is None or isinstance(words, str):
        return words
    raise TypeError(f"the {name} is {type(words).__name__}; it must be a str")


def _said(words: object) -> Optional[str]:
    """Anything as a text; None where its own `__str__` fails."""
    try:
        return str(words)
    except Exception:
        return None


def _no_function(reason: object) -> None:
    if callable(reason):
        raise TypeError("the reason is a function; to try a hook in a test, call try_hook(hook, input=…)")


def _whole_input(input: object) -> None:
    if not isinstance(input, dict):
        raise TypeError(f"the new input is {type(input).__name__}; it must be a dict, the whole new input of the tool")


def _failed_or_not(is_error: object) -> None:
    if not (is_error is None or isinstance(is_error, bool)):
        raise TypeError("`is_error` must be a bool, or None to leave it as it was")


# Reading: json.loads accepts more than JSON, and forgets how a number was written and that a key stood twice.


def _read(line: bytes) -> dict[str, Any]:
    if line.startswith(_BYTE_ORDER_MARK):
        line = line[len(_BYTE_ORDER_MARK) :]
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RequestError(f"byte {error.start} of the request is not UTF-8; send UTF-8") from None
    # Two kinds of whole numbers need a look, which costs time when a request has many.
    look = "-0" in text or _LONG_NUMBER.search(text) is not None
    try:
        fields = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_decimal,
            parse_int=_whole if look else None,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise RequestError(f"the request stops being JSON at {where}: {error.msg}; send one object on one line") from None
    except RecursionError:
        raise RequestError("the request is nested too deep; send something simpler") from None
    if not isinstance(fields, dict):
        raise RequestError("the request is no object; send one object on one line")
    if _SURROGATE.search(text):
        try:
            _json(fields).encode()
        except UnicodeEncodeError:
            raise RequestError("the request holds half of a surrogate pair; send whole characters") from None
    return fields


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) == len(members):
        return value
    seen: set[str] = set()
    for name, _ in members:
        if name in seen:
            raise RequestError(f"the key {name[:60]!a} stands twice in one object; send it once")
        seen.add(name)
    return value


def _decimal(text: str) -> float:
    value = float(text)
    if repr(value) == text:
        return value
    if value - value != 0:
        raise RequestError("a number is beyond the range of a 64-bit float; send a smaller one")
    # The parser knows how JSON writes a number, so nobody looks again.
    number = float.__new__(ExactFloat, value)
    number.text = text
    return number


def _whole(text: str) -> Union[int, float]:
    # To an int, -0 and 0 are one.
    if text == "-0" or len(text) > 310:
        return _decimal(text)
    value = int(text)
    _decimal(text)
    return value


def _constant(word: str) -> Any:
    raise RequestError(f"the request holds {word}, which is not JSON; send a number or null")


def _required(fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        raise RequestError(f"the request has no `{name}`; send one")
    return fields[name]


def _string(fields: dict[str, Any], name: str) -> str:
    value = _required(fields, name)
    if not isinstance(value, str):
        raise RequestError(f"`{name}` must be a string")
    return value


def _optional(fields: dict[str, Any], name: str, kind: type, expected: str) -> Any:
    """The field, or None when it was not sent. A null was sent, and is of the wrong kind."""
    value = fields.get(name, _ABSENT)
    if value is _ABSENT:
        return None
    if not isinstance(value, kind):
        raise RequestError(f"`{name}` must be {expected}")
    return value


def _schema(fields: dict[str, Any]) -> int:
    found = _required(fields, "hook_schema")
    # Not True, and not 1.0.
    if type(found) is not int or found != _SCHEMA:
        raise RequestError(f"the request has `hook_schema` {str(found)[:60]!a}; this program understands {_SCHEMA}")
    return _SCHEMA


def _event(fields: dict[str, Any]) -> Event:
    found = _string(fields, "event")
    if found == "pre_tool_use":
        return "pre_tool_use"
    if found == "post_tool_use":
        return "post_tool_use"
    raise RequestError(
        f"the event {found[:60]!a} is unknown; this program understands `pre_tool_use` and `post_tool_use`"
    )


# Writing: json.dumps writes an ExactFloat as a float, NaN as a word, and the keys 1 and "1" as the same key.

_scalar = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_SCALARS = frozenset({str, int, float, bool, type(None)})
_NAMES = frozenset({str})


def _json(value: Any) -> str:
    kind = type(value)
    if kind in _SCALARS:
        return _scalar(value)
    if isinstance(value, ExactFloat):
        return value.text
    if isinstance(value, dict):
        if not _NAMES.issuperset(map(type, value)):
            raise TypeError("a key is no str, and JSON has no other keys")
        if kind is dict and _SCALARS.issuperset(map(type, value.values())):
            return _scalar(value)
        return f"{{{','.join(f'{_scalar(name)}:{_json(item)}' for name, item in value.items())}}}"
    if isinstance(value, (list, tuple)):
        if kind is list and _SCALARS.issuperset(map(type, value)):
            return _scalar(value)
        return f"[{','.join(map(_json, value))}]"
    if isinstance(value, (str, int, float)):
        return _scalar(value)
    # Whoever has a Decimal has imported it.
    decimal = sys.modules.get("decimal")
    if decimal is not None and isinstance(value, decimal.Decimal) and value.is_finite():
        return str(value)
    raise TypeError(f"JSON has no way to write {kind.__name__}")
