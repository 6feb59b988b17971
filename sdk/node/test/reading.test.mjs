// What is a request, and what is none.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { ExactNumber, HookRequest, RequestError, allow, answer, ask, modify, replace } from "../hookchain-hook.mjs";

const FIXTURES = new URL("../../../tests/fixtures/v1/", import.meta.url);

function line(input, more = "") {
  return (
    '{"hook_schema":1,"event":"pre_tool_use","workspace":"/w","agent_id":"a","tool_call_id":"c","tool_name":"shell",' +
    `"input":${input}${more}}\n`
  );
}

/** The input as a hook writes it that changes nothing about it. */
async function passedOn(input, change = (value) => value) {
  const said = await answer((request) => modify(change(request.input)), Buffer.from(line(input)));
  return said.slice('{"decision":"modify","input":'.length, -',"tool_call_id":"c"}\n'.length);
}

function refused(text, ...words) {
  const request = typeof text === "string" ? Buffer.from(text) : text;
  assert.throws(
    () => new HookRequest(request),
    (error) => error instanceof RequestError && words.every((word) => error.message.includes(word)),
    String(text).slice(0, 300),
  );
}

describe("a request", () => {
  test("has every field before the call", () => {
    const request = new HookRequest(line('{"command":"ls"}'));
    assert.deepEqual(
      { ...request },
      {
        hook_schema: 1,
        event: "pre_tool_use",
        workspace: "/w",
        agent_id: "a",
        tool_call_id: "c",
        tool_name: "shell",
        input: { command: "ls" },
      },
    );
    assert.equal(request.text("command"), "ls");
  });

  test("has a result of null after it", () => {
    const { output, is_error } = new HookRequest(line("{}", ',"output":null,"is_error":true').replace("pre_", "post_"));
    assert.deepEqual([output, is_error], [null, true]);
  });

  test("has what is sent to hooks that see facts", () => {
    const more = {
      cwd: "/w/sub",
      session_id: "s",
      extensions: { ticket: [1, null] },
      again: true,
      tool: { kinds: ["shell"], agent: "claude-code" },
      facts: { coverage: "full", urls: [] },
    };
    const text = JSON.stringify(more).slice(1, -1);
    const { cwd, session_id, extensions, again, tool, facts } = new HookRequest(line("{}", `,${text}`));
    assert.deepEqual({ cwd, session_id, extensions, again, tool, facts }, more);
    assert.equal(new HookRequest(line("{}")).again, undefined);
    assert.equal(new HookRequest(line("{}", ',"again":false')).again, false);
    const after = new HookRequest(line("{}", ',"output":1,"is_error":true,"cwd":"/w"').replace("pre_", "post_"));
    assert.deepEqual([after.output, after.is_error, after.cwd], [1, true, "/w"]);
  });

  test("has types also in what is sent to hooks that see facts", () => {
    for (const [name, expected, ...values] of [
      ["cwd", "a string", "null", "1", "true", "[]", "{}"],
      ["session_id", "a string", "null", "1", "true", "[]", "{}"],
      ["extensions", "an object", "null", "1", '"a"', "[]", "true"],
      ["again", "true or false", "null", "0", "1", '"true"', "{}"],
      ["tool", "an object", "null", "1", '"shell"', "[]", "true"],
      ["facts", "an object", "null", "1", '"a"', "[]", "true"],
    ]) {
      for (const value of values) refused(line("{}", `,"${name}":${value}`), `\`${name}\` must be ${expected}`);
      refused(line("{}", `,"${name}":1,"${name}":1`), "twice");
    }
  });

  test("has no text where there is none", () => {
    for (const input of ['"ls"', "{}", '{"command":["ls"]}', '{"command":null}', "[]", "null"]) {
      assert.throws(() => new HookRequest(line(input)).text("command"), TypeError);
      assert.throws(() => new HookRequest(line(input)).text("toString"), TypeError);
    }
  });

  test("may have a byte order mark, carriage returns and white space around it", () => {
    const plain = line('{"command":"é\\n"}', ',"newer":[1]').trimEnd();
    for (const odd of [`\u{feff}${plain}`, `${plain}\r\n`, ` \t${plain} `]) {
      assert.deepEqual(new HookRequest(odd).input, { command: "é\n" });
      assert.deepEqual(new HookRequest(Buffer.from(odd)).input, { command: "é\n" });
    }
  });

  test("that has two readings is refused", () => {
    refused(line('{"a":1,"a":2}'), '"a"', "twice");
    refused(line('{"b":[{"a":1,"\\u0061":2}]}'), '"a"', "twice");
    refused(line('{"__proto__":1,"__proto__":2}'), "twice");
    refused(line("{}", ',"input":{}'), '"input"', "twice");
    refused(line('{"\\ud800":1}'), "surrogate");
    refused(line('["\\ude00\\ud83d"]'), "surrogate");
    for (const number of ["1e309", "-1e309", "9".repeat(309), "9".repeat(5000)]) {
      refused(line(`[${number}]`), "64-bit float");
    }
  });

  test("that is not JSON is refused", () => {
    const wrong = ["NaN", "Infinity", "-", "01", "1.", ".5", "+1", "'a'", "[1,]", "[1 2]", '{"a":1,}', "{a:1}", '{"a" 1}'];
    for (const input of [...wrong, '"\t"', '"\\x"', '"\\u12"', '"', "tru", "", "[", '{"a":', "\u{a0}1", "undefined"]) {
      refused(line(input), "JSON");
    }
    refused(line("{}") + line("{}"), "JSON");
    refused(`\u{feff}\u{feff}${line("{}")}`, "JSON");
    refused(Buffer.from(line('{"a":"é"}'), "latin1"), "UTF-8");
    refused("[1]", "object");
    refused("", "JSON");
    refused(line("[".repeat(100_000) + "]".repeat(100_000)), "deep");
  });

  test("of another shape is refused", () => {
    const fields = JSON.parse(line("{}"));
    for (const name of Object.keys(fields)) {
      const { [name]: _, ...without } = fields;
      refused(JSON.stringify(without), `\`${name}\``);
      if (name !== "input") refused(JSON.stringify({ ...fields, [name]: null }), `\`${name}\``);
    }
    for (const hook_schema of [2, true, "1"]) refused(JSON.stringify({ ...fields, hook_schema }), "hook_schema");
    refused(JSON.stringify({ ...fields, event: "session_start" }), "session_start");
    refused(JSON.stringify({ ...fields, event: "post_tool_use" }), "`output`");
    refused(JSON.stringify({ ...fields, output: 1 }), "`is_error`");
    refused(JSON.stringify({ ...fields, is_error: false }), "`output`");
    refused(JSON.stringify({ ...fields, output: 1, is_error: 0 }), "`is_error`");
  });

  test("is not quoted by an error", () => {
    const secret = '{"password":"hunter2"';
    for (const input of [secret, `${secret},"n":1e999}`, `${secret}, "a":"\t"}`, '{"password":"hunter2\\ud800"}']) {
      assert.throws(
        () => new HookRequest(line(input)),
        (error) => error instanceof RequestError && !String(error.stack).includes("hunter2"),
      );
    }
  });

  test("has keys that mean nothing to JavaScript", async () => {
    const input = '{"__proto__":{"a":1},"constructor":2,"toString":"x"}';
    assert.equal(await passedOn(input), input);
    assert.equal(await passedOn(input, (value) => ({ ...value })), input);
    assert.equal({}.a, undefined);
  });
});

describe("numbers", () => {
  const exact = ["0", "-0", "1", "1.0", "1.50", "1E5", "1e+05", "1e-400", "-0.0", "0.1", "1e-30", "12345678901234567890"];
  exact.push("123456789012345678901234567890", "19.990000000000000000001", "1.7976931348623157e308", "5e-324");
  exact.push("9".repeat(308), `0.${"1".repeat(400)}`);

  test("are passed on digit for digit", async () => {
    for (const number of exact) {
      for (const input of [`{"n":${number}}`, `{"n":[${number},{"m":${number},"t":"é"}],"o":{}}`]) {
        assert.equal(await passedOn(input), input);
        assert.equal(await passedOn(input, (value) => structuredClone(value)), input);
      }
    }
  });

  test("that were not changed keep their digits beside what was", async () => {
    const before = '{"command":"a","price":19.990000000000000000001,"id":12345678901234567890,"n":[1.0,-0]}';
    const change = ({ price, ...others }) => ({ n: others.n, command: "b", paid: price, first: others.n[0], id: others.id + 0 });
    assert.equal(
      await passedOn(before, change),
      '{"n":[1.0,-0],"command":"b","paid":19.990000000000000000001,"first":1.0,"id":12345678901234567890}',
    );
  });

  test("that were changed are as they were made", async () => {
    const change = () => ({ a: 2, b: 0.1 + 0.2, c: -0, d: 10n ** 30n, e: new ExactNumber("1.000"), f: 1e21 });
    assert.equal(
      await passedOn('{"a":1.0,"b":12345678901234567890}', change),
      '{"a":2,"b":0.30000000000000004,"c":-0,"d":1000000000000000000000000000000,"e":1.000,"f":1e+21}',
    );
  });

  test("that look alike and were moved cannot be told apart", async () => {
    const ids = '{"ids":[12345678901234567890,12345678901234567891]}';
    assert.equal(await passedOn(ids, (value) => ({ ids: [...value.ids] })), ids);
    await assert.rejects(passedOn(ids, (value) => ({ ids: value.ids.slice(1) })), /input\.ids\[0\] .* request\.exact/);
    const one = await answer((request) => modify({ id: request.exact.input.ids[1] }), line(ids));
    assert.equal(one, '{"decision":"modify","input":{"id":12345678901234567891},"tool_call_id":"c"}\n');
  });

  test("that are the same number need not be told apart", async () => {
    const input = '{"n":[1,1.0,10e-1,0.001E3,100e-2],"m":[0,-0],"long":12345678901234567890}';
    assert.equal(await passedOn(input, (value) => ({ n: value.n.slice(1, 2), m: value.m.slice(1) })), '{"n":[1],"m":[-0]}');
  });

  test("of the input are known in a result too", async () => {
    const more = ',"output":{"price":19.990000000000000000001},"is_error":false';
    const asked = line('{"id":12345678901234567890}', more).replace("pre_", "post_");
    const said = await answer((request) => replace([request.input.id, request.output]), asked);
    const output = '[12345678901234567890,{"price":19.990000000000000000001}]';
    assert.equal(said, `{"decision":"replace","output":${output},"tool_call_id":"c"}\n`);
  });

  test("of what stands beside the call are known too", async () => {
    for (const name of ["extensions", "tool", "facts"]) {
      const more = `,"${name}":{"price":19.990000000000000000001,"ids":[12345678901234567890]}`;
      const said = await answer(
        (request) => modify({ paid: request[name].price, id: request[name].ids[0] }),
        line("{}", more),
      );
      const input = '{"paid":19.990000000000000000001,"id":12345678901234567890}';
      assert.equal(said, `{"decision":"modify","input":${input},"tool_call_id":"c"}\n`);
    }
  });

  test("keep their digits in a question too", async () => {
    const asked = line('{"command":"a","price":19.990000000000000000001}');
    const said = await answer(({ input }) => ask("sure?", { input: { ...input, command: "b" } }), asked);
    const input = '{"command":"b","price":19.990000000000000000001}';
    assert.equal(said, `{"decision":"ask","input":${input},"reason":"sure?","tool_call_id":"c"}\n`);
  });

  test("compute and compare as JavaScript's own", () => {
    const { input } = new HookRequest(line('{"a":100.0,"b":1e2,"c":7}'));
    assert.deepEqual(input, { a: 100, b: 100, c: 7 });
    const { a } = new HookRequest(line('{"a":100.0}')).exact.input;
    assert.deepEqual([a.text, a + 1, `${a}`, a > 99], ["100.0", 101, "100.0", true]);
  });

  test("are exact only as JSON writes them", () => {
    for (const text of ["nan", "1_0", " 1", "1 ", "01", "1.", "+1", "1,2", "", "1\n", 1]) {
      assert.throws(() => new ExactNumber(text), TypeError);
    }
  });
});

test("each request of the conformance set is read, and its values are written as they stand", async () => {
  let count = 0;
  for (const event of readdirSync(FIXTURES)) {
    for (const name of readdirSync(new URL(`${event}/`, FIXTURES))) {
      const asked = readFileSync(new URL(`${event}/${name}/request.json`, FIXTURES), "utf8");
      const { event: read, tool_call_id } = new HookRequest(asked);
      assert.equal(read, event);
      const end = `,"tool_call_id":${JSON.stringify(tool_call_id)}}\n`;
      assert.equal(await answer(() => allow(), asked), `{"decision":"allow"${end}`);
      if (event === "post_tool_use") {
        const said = await answer(({ output, is_error }) => replace(output, null, { is_error }), asked);
        assert.ok(asked.includes(said.slice('{"decision":"replace",'.length, -end.length)), said);
      } else if (typeof new HookRequest(asked).input === "object") {
        const said = await answer(({ input }) => modify(input), asked);
        assert.ok(asked.includes(said.slice('{"decision":"modify",'.length, -end.length)), said);
      }
      count += 1;
    }
  }
  assert.ok(count > 10);
});
