// What an answer looks like, and what is none.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { ExactNumber, HookRequest, allow, answer, ask, deny, modify, replace, tryHook } from "../hookchain-hook.mjs";

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
      [ask("sure?"), '{"decision":"ask","reason":"sure?"}'],
      [ask("a", { input: {} }), '{"decision":"ask","input":{},"reason":"a"}'],
      [ask("a", { input: { n: new ExactNumber("1.0") } }), '{"decision":"ask","input":{"n":1.0},"reason":"a"}'],
      [ask("a", { output: null }), '{"decision":"ask","output":null,"reason":"a"}'],
      [ask("a", { output: [1], isError: true }), '{"decision":"ask","output":[1],"is_error":true,"reason":"a"}'],
      [ask("a", { output: 1, is_error: false }), '{"decision":"ask","output":1,"is_error":false,"reason":"a"}'],
      [replace(1, null, { isError: true }), '{"decision":"replace","output":1,"is_error":true}'],
      [allow(null, { context: "c" }), '{"decision":"allow","context":"c"}'],
      [allow("a", { context: "" }), '{"decision":"allow","reason":"a","context":""}'],
      [allow("a", { context: null }), '{"decision":"allow","reason":"a"}'],
      [deny("a", { context: "c\n" }), '{"decision":"deny","reason":"a","context":"c\\n"}'],
      [ask("a", { context: "c" }), '{"decision":"ask","reason":"a","context":"c"}'],
      [ask("a", { output: 1, context: "c" }), '{"decision":"ask","output":1,"reason":"a","context":"c"}'],
      [modify({}, null, { context: "c" }), '{"decision":"modify","input":{},"context":"c"}'],
      [modify({}, "a", { context: "c" }), '{"decision":"modify","input":{},"reason":"a","context":"c"}'],
      [replace(1, null, { context: "c" }), '{"decision":"replace","output":1,"context":"c"}'],
    ]) {
      assert.equal(response.line(), `${line}\n`);
      const named = response.line(new HookRequest(asked({})));
      assert.equal(named, `${line.slice(0, -1)},"tool_call_id":"c"}\n`);
    }
  });

  test("that denies or asks counts whatever its reason is", () => {
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
      assert.equal(ask(reason).line(), `${JSON.stringify({ decision: "ask", reason: said })}\n`);
    }
  });

  test("that denies counts whatever stands beside it", () => {
    const odd = { toString: () => assert.fail("no words") };
    for (const [more, context] of [
      [undefined],
      [null],
      ["words"],
      [{ contxt: "a" }],
      [{ context: null }],
      [{ context: odd }],
      [{ get context() { return assert.fail("nothing to read"); } }],
      [{ context: 7 }, "7"],
      [{ context: "half \u{d83d}" }, "half \u{fffd}"],
    ]) {
      assert.equal(deny("no", more).line(), `${JSON.stringify({ decision: "deny", reason: "no", context })}\n`);
    }
  });

  test("keeps a context of which a character was cut in two", () => {
    const context = "a\u{dc80}";
    for (const response of [allow(null, { context }), ask("a", { context }), replace(1, null, { context })]) {
      assert.equal(JSON.parse(response.line()).context, "a\u{fffd}");
    }
  });

  test("has its whole context, however long", () => {
    const context = "é".repeat(20_000);
    assert.deepEqual(JSON.parse(allow(null, { context }).line()), { decision: "allow", context });
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
    for (const value of ["ls", null, undefined, [], 1]) {
      assert.throws(() => modify(value), TypeError);
    }
    for (const make of [() => allow(1), () => modify({}, 1), () => replace(1, {}), () => replace(1, null, { is_error: 1 })]) {
      assert.throws(make, TypeError);
    }
  });

  test("that asks goes without what does not fit", () => {
    const odd = { toString: () => assert.fail("no words") };
    const plain = { decision: "ask", reason: "a" };
    for (const [more, expected] of [
      [undefined, plain],
      [null, plain],
      ["words", plain],
      [[], plain],
      [{ ouput: 1 }, plain],
      [{ ouput: 1, context: "c" }, { ...plain, context: "c" }],
      [{ input: {}, output: 1 }, plain],
      [{ input: {}, output: undefined }, plain],
      [{ input: "ls" }, plain],
      [{ input: null, context: "c" }, { ...plain, context: "c" }],
      [{ isError: true }, plain],
      [{ input: {}, is_error: false }, { ...plain, input: {} }],
      [{ output: 1, isError: 1 }, { ...plain, output: 1 }],
      [{ output: 1, isError: true, is_error: true }, { ...plain, output: 1 }],
      [{ context: 1 }, plain],
      [{ context: odd, output: 1 }, { ...plain, output: 1 }],
      [{ get context() { return assert.fail("nothing to read"); } }, plain],
      [{ get input() { throw odd; } }, plain],
    ]) {
      assert.deepEqual({ ...ask("a", more) }, expected);
    }
    assert.deepEqual({ ...ask(() => allow(), { input: {} }) }, { decision: "ask", input: {} });
    assert.throws(() => replace(1, null, { isError: true, is_error: false }), /one option/);
  });

  test("with a context that is no text cannot be made", () => {
    for (const context of [1, false, ["a"], { a: "b" }, Buffer.from("a")]) {
      for (const make of [
        () => allow(null, { context }),
        () => modify({}, null, { context }),
        () => replace(1, null, { context }),
      ]) {
        assert.throws(make, /^TypeError: the context is a (number|boolean|object); it must be a string$/);
      }
    }
  });

  test("with an option that there is not cannot be made", () => {
    for (const [make, words] of [
      [() => allow(null, { contxt: "a" }), /allow has no option `contxt`; it takes context$/],
      [() => allow(null, "a"), /options as an object/],
      [() => allow(null, null), /options as an object/],
      [() => modify({}, null, { output: 1 }), /modify has no option `output`/],
      [() => replace(1, null, { input: {} }), /replace has no option `input`/],
    ]) {
      assert.throws(make, words);
    }
  });
});

describe("the helper for tests", () => {
  test("puts a call to the hook", async () => {
    const hook = async (request) => modify({ ...request.input, tool: request.tool_name, event: request.event });
    const response = await tryHook(hook, { input: { n: new ExactNumber("1.0") }, tool_name: "bash" });
    assert.deepEqual(response.input, { n: 1, tool: "bash", event: "pre_tool_use" });
  });

  test("puts a result to the hook", async () => {
    const hook = ({ event, output, is_error }) => replace([event, output, is_error]);
    assert.deepEqual((await tryHook(hook, { input, output: null })).output, ["post_tool_use", null, false]);
    assert.deepEqual((await tryHook(hook, { input, output: "x", is_error: true })).output, ["post_tool_use", "x", true]);
  });

  test("does not take what a chain would not take", async () => {
    for (const [hook, words, more] of [
      [() => undefined, /something else/],
      [() => ({ decision: "allow" }), /something else/],
      [async () => null, /something else/],
      [() => replace("x"), /replace is no answer before/],
      [() => modify({}), /modify is no answer after/, { output: "x" }],
      [() => modify({ a: undefined }), /input\.a is undefined/],
      [() => allow(null, { context: 1 }), /the context is a number/],
      [() => Promise.reject(new TypeError("late")), /late/],
    ]) {
      await assert.rejects(async () => tryHook(hook, { input, ...more }), words);
    }
    await assert.rejects(tryHook(() => allow(), {}), /input is undefined/);
  });

  test("takes a question without the rewrite that a chain would not take", async () => {
    const looped = {};
    looped.a = [looped];
    const after = { output: "x" };
    const wrong = [undefined, NaN, -Infinity, () => {}, Symbol("a"), new Date(), new Map(), "\u{dc80}", looped];
    for (const [rewrite, more] of [
      [{ output: "x" }],
      [{ output: null, isError: true }],
      [{ input: {} }, after],
      [{ output: undefined }, after],
      ...wrong.flatMap((value) => [[{ input: { a: value } }], [{ output: [value] }, after]]),
    ]) {
      const said = await tryHook(() => ask("a", { ...rewrite, context: "c" }), { input, ...more });
      assert.deepEqual({ ...said }, { decision: "ask", reason: "a", context: "c" });
    }
    const rounded = { a: new ExactNumber("1.00000000000000000001"), b: new ExactNumber("1.00000000000000000002") };
    const moved = await tryHook(({ input: { a } }) => ask("a", { input: { c: a } }), { input: rounded });
    assert.deepEqual({ ...moved }, { decision: "ask", reason: "a" });
  });

  test("takes a question about either event", async () => {
    for (const more of [{}, { output: null }, { output: "x", is_error: true }]) {
      assert.deepEqual(await tryHook(() => ask("a"), { input, ...more }), ask("a"));
    }
    assert.deepEqual((await tryHook(() => ask("a", { input: { b: 1 } }), { input })).input, { b: 1 });
    const after = await tryHook(({ output }) => ask("a", { output: [output] }), { input, output: "x" });
    assert.deepEqual({ ...after }, { decision: "ask", output: ["x"], reason: "a" });
  });

  test("puts to the hook what stands beside the call", async () => {
    const hook = ({ cwd, session_id, extensions, again, tool, facts }) =>
      modify({ seen: JSON.stringify([cwd, session_id, extensions, again, tool, facts]) });
    const facts = { coverage: "full", commands: [{ program: "git", argv: ["git", "push"], exact: true }] };
    const more = { cwd: "/w/sub", session_id: "s", extensions: { a: 1 }, again: true, tool: { kinds: ["shell"] }, facts };
    assert.equal((await tryHook(hook, { input, ...more })).input.seen, JSON.stringify(Object.values(more)));
    assert.equal((await tryHook(hook, { input })).input.seen, "[null,null,null,null,null,null]");
  });
});

test("one line makes another, which names the same call", async () => {
  const judge = (request) => deny(request.text("command"));
  for (const id of ["c", "", 'a "b"\\\n\u{2028}é', "\u{1f600}"]) {
    const printed = await answer(judge, asked({ tool_call_id: id }));
    assert.equal(printed, `{"decision":"deny","reason":"ls","tool_call_id":${JSON.stringify(id)}}\n`);
  }
});
