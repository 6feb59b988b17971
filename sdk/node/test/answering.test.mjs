// What an answer looks like, and what is none.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ExactNumber, HookRequest, allow, answer, ask, deny, modify, replace } from "../hookchain-hook.mjs";

const input = { command: "ls" };

/** A question, as it stands on the wire. */
function asked(more) {
  const fields = { hook_schema: 1, event: "pre_tool_use", workspace: "/w", agent_id: "a", tool_call_id: "c" };
  return JSON.stringify({ ...fields, tool_name: "shell", input, ...more });
}

describe("an answer", () => {
  test("is one line", () => {
    for (const [response, line] of [
      [allow(), '{"decision":"allow"}'],
      [allow("why not"), '{"decision":"allow","reason":"why not"}'],
      [deny('no "é"\n'), '{"decision":"deny","reason":"no \\"é\\"\\n"}'],
      [modify({}), '{"decision":"modify","input":{}}'],
      [modify({ a: [1, null, true] }, "b"), '{"decision":"modify","input":{"a":[1,null,true]},"reason":"b"}'],
      [replace(null), '{"decision":"replace","output":null}'],
      [replace("x", null, { is_error: false }), '{"decision":"replace","output":"x","is_error":false}'],
      [replace({ a: [1.5, 2n, new ExactNumber("3.0")] }, "b"), '{"decision":"replace","output":{"a":[1.5,2,3.0]},"reason":"b"}'],
    ]) {
      assert.equal(response.line(), `${line}\n`);
      const named = response.line(new HookRequest(asked({})));
      assert.equal(named, `${line.slice(0, -1)},"tool_call_id":"c"}\n`);
    }
  });

  test("that denies counts whatever its reason is", () => {
    const odd = { toString: () => assert.fail("no words") };
    for (const [reason, said] of [
      ["", ""],
      [undefined, "undefined"],
      [new Error("a"), "Error: a"],
      [7, "7"],
      [odd, undefined],
      [Object.create(null), undefined],
      ["half \u{d83d}", "half \u{fffd}"],
    ]) {
      assert.equal(deny(reason).line(), `${JSON.stringify({ decision: "deny", reason: said })}\n`);
    }
  });

  test("cannot hold what JSON cannot say", () => {
    const looped = {};
    looped.a = [looped];
    const wrong = [undefined, NaN, -Infinity, () => {}, Symbol("a"), new Date(), new Map(), new Number(1), "\u{dc80}"];
    for (const value of [...wrong, [, 1], { b: undefined }]) {
      assert.throws(() => modify({ a: value }).line(), TypeError);
      assert.throws(() => replace([value]).line(), TypeError);
    }
    assert.throws(() => modify({ "\u{dc80}": 1 }).line(), TypeError);
    assert.throws(() => modify(looped).line(), RangeError);
    assert.throws(() => modify({ a: { b: [undefined] } }).line(), /input\.a\.b\[0\] is undefined/);
  });

  test("of no kind there is cannot be made", () => {
    for (const value of ["ls", null, undefined, [], 1]) assert.throws(() => modify(value), TypeError);
    for (const make of [() => allow(1), () => modify({}, 1), () => replace(1, {}), () => replace(1, null, { is_error: 1 })]) {
      assert.throws(make, TypeError);
    }
  });
});

describe("the helper for tests", () => {
  test("puts a call to the hook", async () => {
    const hook = async (request) => modify({ ...request.input, tool: request.tool_name, event: request.event });
    const response = await ask(hook, { input: { n: new ExactNumber("1.0") }, tool_name: "bash" });
    assert.deepEqual(response.input, { n: 1, tool: "bash", event: "pre_tool_use" });
  });

  test("puts a result to the hook", async () => {
    const hook = ({ event, output, is_error }) => replace([event, output, is_error]);
    assert.deepEqual((await ask(hook, { input, output: null })).output, ["post_tool_use", null, false]);
    assert.deepEqual((await ask(hook, { input, output: "x", is_error: true })).output, ["post_tool_use", "x", true]);
  });

  test("does not take what a chain would not take", async () => {
    for (const [hook, words, more] of [
      [() => undefined, /something else/],
      [() => ({ decision: "allow" }), /something else/],
      [async () => null, /something else/],
      [() => replace("x"), /replace is no answer before/],
      [() => modify({}), /modify is no answer after/, { output: "x" }],
      [() => modify({ a: undefined }), /input\.a is undefined/],
      [() => Promise.reject(new TypeError("late")), /late/],
    ]) {
      await assert.rejects(async () => ask(hook, { input, ...more }), words);
    }
    await assert.rejects(ask(() => allow(), {}), /input is undefined/);
  });
});

test("one line makes another, which names the same call", async () => {
  const judge = (request) => deny(request.text("command"));
  for (const id of ["c", "", 'a "b"\\\n\u{2028}é', "\u{1f600}"]) {
    const printed = await answer(judge, asked({ tool_call_id: id }));
    assert.equal(printed, `{"decision":"deny","reason":"ls","tool_call_id":${JSON.stringify(id)}}\n`);
  }
});
