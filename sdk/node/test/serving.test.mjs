// The loop, as a program of its own.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { HookRequest, allow, deny, serveOn } from "../hookchain-hook.mjs";

const MODULE = new URL("../hookchain-hook.mjs", import.meta.url);
const ALLOW = '{"decision":"allow","tool_call_id":"c"}\n';
const NO = '{"decision":"deny","reason":"no","tool_call_id":"c"}\n';

function question(command) {
  const fields = { hook_schema: 1, event: "pre_tool_use", workspace: "/w", agent_id: "a", tool_call_id: "c" };
  return `${JSON.stringify({ ...fields, tool_name: "shell", input: { command } })}\n`;
}

/** A program with this body of a hook. */
function start(context, body, last = "await serve(judge);\nconsole.log('after');") {
  const directory = mkdtempSync(join(tmpdir(), "hook-"));
  context.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "hook.mjs");
  const names = "allow, ask, deny, modify, replace, serve";
  writeFileSync(file, `import { ${names} } from ${JSON.stringify(MODULE.href)};\n${body}\n${last}\n`);
  const child = spawn(process.execPath, [file], { env: { PATH: process.env.PATH } });
  context.after(() => child.kill("SIGKILL"));
  return child;
}

async function runAll(context, body, input, last) {
  const child = start(context, body, last);
  const gather = async (stream) => Buffer.concat(await stream.toArray()).toString();
  const gathered = Promise.all([gather(child.stdout), gather(child.stderr), once(child, "close")]);
  // It may end before it has read all of it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [printed, said, [status]] = await gathered;
  return { printed, said, status };
}

describe("a program", () => {
  test("answers one question and many", async (context) => {
    const body = 'async function judge(request) { return request.text("command") === "rm" ? deny("no") : allow(); }';
    for (const [input, printed] of [
      ["", ""],
      [question("ls"), ALLOW],
      [question("rm").trimEnd(), NO],
      [`${question("ls")}\r\n \n${question("rm")}\u{feff}${question("ls")}\n`, ALLOW + NO + ALLOW],
    ]) {
      assert.deepEqual(await runAll(context, body, input), { printed, said: "after\n", status: 0 });
    }
  });

  test("answers before the next question is put", async (context) => {
    const child = start(context, "const judge = () => allow();");
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (let count = 0; count < 100; count += 1) {
      child.stdin.write(question("ls"));
      assert.equal((await answers.next()).value, ALLOW.trimEnd());
    }
    child.stdin.end();
    assert.deepEqual(await once(child, "exit"), [0, null]);
  });

  test("prints beside its answers on standard error", async (context) => {
    const body = `
      import { execSync } from "node:child_process";
      const early = console.log;
      function judge() {
        early("kept");
        console.log("logged");
        console.info("informed");
        process.stdout.write("written\\n");
        execSync("echo child; cat", { stdio: ["ignore", 2, 2] });
        setTimeout(() => console.log("late"), 1);
        return allow();
      }`;
    const { printed, said, status } = await runAll(context, body, question("ls") + question("ls"));
    assert.deepEqual([printed, status], [ALLOW + ALLOW, 0]);
    for (const word of ["kept", "logged", "informed", "written", "child", "late"]) {
      assert.equal(said.split(`${word}\n`).length, 3, said);
    }
  });

  test("answers itself, whatever a program prints that it starts", async (context) => {
    const directory = mkdtempSync(join(tmpdir(), "hook-"));
    context.after(() => rmSync(directory, { recursive: true }));
    const [file, errors] = [join(directory, "hook.mjs"), join(directory, "errors")];
    const body = `
      import { fork, spawnSync } from "node:child_process";
      import { once } from "node:events";
      import { writeSync } from "node:fs";
      import { argv } from "node:process";
      import { deny, serve } from ${JSON.stringify(MODULE.href)};
      const allow = '{"decision":"allow"}';
      if (argv[2] === "child") console.log(allow);
      else await serve(async () => {
        spawnSync("echo", [allow], { stdio: "inherit" });
        await once(fork(argv[1], ["child"]), "exit");
        writeSync(1, allow + "\\n");
        console.log(allow);
        return deny("é".repeat(100000));
      });
    `;
    writeFileSync(file, body);
    // Between programs of a shell there are pipes, as under a chain; Node itself would make sockets.
    const line = '{ "$1" "$2" 2>&1 >&3 | cat >"$3"; } 3>&1 | cat';
    const shell = spawn("sh", ["-c", line, "sh", process.execPath, file, errors], { env: { PATH: process.env.PATH } });
    context.after(() => shell.kill("SIGKILL"));
    shell.stdin.end(question("ls").repeat(2));
    const [printed] = await Promise.all([shell.stdout.toArray(), once(shell, "close")]);
    const answers = Buffer.concat(printed).toString();
    assert.equal(answers, NO.replace('"no"', JSON.stringify("é".repeat(100000))).repeat(2));
    assert.equal(readFileSync(errors, "utf8"), '{"decision":"allow"}\n'.repeat(8));
  });

  test("answers nothing after an error, and fails", async (context) => {
    for (const raise of ["throw new RangeError('what is rm?')", "return Promise.reject(new RangeError('what is rm?'))"]) {
      const body = `function judge(request) { if (request.text("command") === "rm") { console.log("half"); ${raise}; } return allow(); }`;
      const { printed, said, status } = await runAll(context, body, question("ls") + question("rm") + question("ls"));
      assert.deepEqual([printed, status], [ALLOW, 1]);
      assert.match(said, /^half\n[^]*RangeError: what is rm\?\n/);
    }
  });

  test("has no way out that looks like an answer", async (context) => {
    for (const body of [
      "return undefined",
      "return { decision: 'allow' }",
      "return modify({ a: undefined })",
      "return replace('x')",
      "return allow(null, { context: 1 })",
      "return judge()",
      "return new Promise(() => {})",
      "process.exit()",
      "setImmediate(() => { throw new Error('later') }); return new Promise(() => {})",
    ]) {
      for (const last of ["await serve(judge);", "serve(judge);", "serve(judge).catch(() => {});"]) {
        const { printed, status } = await runAll(context, `function judge() { ${body}; }`, question("ls"), last);
        assert.equal(printed, "", body);
        assert.notEqual(status, 0, `${body} ${last}`);
      }
    }
  });

  test("prints a question whatever stands beside it", async (context) => {
    const late = `${JSON.stringify({ ...JSON.parse(question("ls")), event: "post_tool_use", output: "x", is_error: false })}\n`;
    const plain = '{"decision":"ask","reason":"r","tool_call_id":"c"}\n';
    for (const [call, words, line = question("ls")] of [
      ["ask('r', { context: 5 })", "the context is a number; it must be a string"],
      ["ask('r', { output: 'x' })", "ask takes no `output` before the call; give it an `input`, or neither"],
      ["ask('r', { input: {}, output: 'x' })", "ask takes an `input` (before the call) or an `output` (after it), never both"],
      ["ask('r', { input: 'ls' })", "the new input must be an object, the whole new input of the tool"],
      ["ask('r', { input: { a: undefined } })", "input.a is undefined, which JSON cannot say; leave it out or use null"],
      ["ask('r', { isError: true })", "ask takes `isError` only beside an `output`"],
      ["ask('r', { ouput: 1 })", "ask has no option `ouput`; it takes input, output, isError, is_error, context"],
      ["ask('r', null)", "ask takes its options as an object"],
      ["ask('r', { input: {} })", "ask takes no `input` after the call; give it an `output`, or neither", late],
    ]) {
      const { printed, said, status } = await runAll(context, `const judge = () => ${call};`, line + line);
      assert.deepEqual([printed, status], [plain + plain, 0], call);
      assert.equal(said, `hookchain-hook: a part of an ask was left out: ${words}\n`.repeat(2) + "after\n");
    }
    const { printed, said, status } = await runAll(context, "const judge = () => ask(judge);", question("ls"));
    assert.deepEqual([printed, status], ['{"decision":"ask","tool_call_id":"c"}\n', 0]);
    assert.match(said, /the reason is a function/);
  });

  test("fails at a line that is no request", async (context) => {
    const ls = question("ls");
    const half = ls.slice(0, -2);
    for (const line of ["{}\n", Buffer.from([255, 10]), "hello\n", `${half}\n`, ls.trimEnd() + ls]) {
      const input = Buffer.concat([Buffer.from(ls), Buffer.from(line)]);
      const { printed, said, status } = await runAll(context, "const judge = () => allow();", input);
      assert.deepEqual([printed, status], [ALLOW, 1]);
      assert.match(said, /RequestError: /);
    }
  });

  test("takes and gives megabytes", async (context) => {
    const command = 'é"\\\n\u{2028}'.repeat(1 << 20);
    const body = "const judge = (request) => modify({ ...request.input, more: 1 });";
    const { printed, said, status } = await runAll(context, body, question(command));
    assert.deepEqual([said, status], ["after\n", 0]);
    assert.deepEqual(JSON.parse(printed), { decision: "modify", input: { command, more: 1 }, tool_call_id: "c" });
  });

  test("tells nobody that nobody listens", async (context) => {
    const child = start(context, "const judge = () => modify({ a: 'x'.repeat(1000000) });", "await serve(judge);");
    const said = child.stderr.toArray();
    child.stdout.destroy();
    await once(child.stdout, "close");
    child.stdin.end(question("ls"));
    assert.deepEqual(await once(child, "close"), [1, null]);
    assert.equal(Buffer.concat(await said).toString(), "");
  });
});

test("the loop runs on any chunks and any function that prints", async () => {
  const bytes = Buffer.from(`${question("a")}\n${question("é")}${question("c").trimEnd()}`);
  for (const size of [1, 7, bytes.length]) {
    const chunks = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    const printed = [];
    await serveOn(chunks, (line) => void printed.push(line), (request) => deny(request.text("command")));
    const request = new HookRequest(question("ls"));
    assert.deepEqual(printed, ["a", "é", "c"].map((word) => deny(word).line(request)));
  }
});

test("the loop ends at the first error and leaves the program failing", async () => {
  const printed = [];
  const { exitCode } = process;
  await assert.rejects(serveOn([Buffer.from("{}\n")], (line) => printed.push(line), () => allow()), /hook_schema/);
  assert.equal(process.exitCode, 1);
  process.exitCode = exitCode;
  assert.deepEqual(printed, []);
});
