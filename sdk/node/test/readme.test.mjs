// The README's own examples, run.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const MODULE = fileURLToPath(new URL("../hookchain-hook.mjs", import.meta.url));
const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [HOOK, DEPLOY, LINT, TESTED] = [...README.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code);

/** Stands where the linter would, and finds fault with every file that holds a tab. */
const ESLINT = `#!/bin/sh
[ "$1" = "--" ] || exit 2
if grep -q "$(printf '\\t')" "$2"; then echo "$2: a tab"; exit 1; fi
`;

/** A directory with these files and a copy of the module. */
function beside(context, files) {
  const directory = mkdtempSync(join(tmpdir(), "hook-"));
  context.after(() => rmSync(directory, { recursive: true }));
  copyFileSync(MODULE, join(directory, "hookchain-hook.mjs"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text, { mode: 0o755 });
  return directory;
}

async function run(directory, name, input = "") {
  const env = { PATH: `${directory}:${process.env.PATH}` };
  const child = spawn(process.execPath, [name], { cwd: directory, env });
  const [printed, said] = [child.stdout.toArray(), child.stderr.toArray()];
  child.stdin.end(input);
  const [status] = await once(child, "close");
  return { status, printed: Buffer.concat(await printed).toString(), said: Buffer.concat(await said).toString() };
}

async function answers(directory, questions) {
  const fields = { hook_schema: 1, event: "pre_tool_use", workspace: "/w", agent_id: "a", tool_call_id: "c", tool_name: "t" };
  const lines = questions.map((question) => `${JSON.stringify({ ...fields, ...question })}\n`);
  const { status, printed, said } = await run(directory, "hook.mjs", lines.join(""));
  assert.deepEqual([status, said], [0, ""]);
  return printed.trimEnd().split("\n").map((line) => JSON.parse(line));
}

test("the hook and its test run", async (context) => {
  const directory = beside(context, { "judge.mjs": HOOK, "judge.test.mjs": TESTED });
  const { status, printed } = await run(directory, "judge.test.mjs");
  assert.equal(status, 0, printed);
  assert.match(printed, /pass 1\b/);
});

test("the hook that asks before a deploy asks", async (context) => {
  const directory = beside(context, { "hook.mjs": DEPLOY });
  const commands = ["make deploy ENV=prod", "make test"];
  assert.deepEqual(await answers(directory, commands.map((command) => ({ input: { command } }))), [
    { decision: "ask", reason: "This deploys to production: make deploy ENV=prod", tool_call_id: "c" },
    { decision: "allow", tool_call_id: "c" },
  ]);
});

test("the hook that lints tells the model with an allow", async (context) => {
  const files = { "bad.js": "if (1)\n\t1;\n", "good.js": "1;\n", "other.txt": "\t\n" };
  const directory = beside(context, { "hook.mjs": LINT, eslint: ESLINT, ...files });
  const after = { event: "post_tool_use", output: "written", is_error: false };
  const said = await answers(directory, Object.keys(files).map((path) => ({ ...after, input: { path } })));
  const told = "The file was written. eslint says:\nbad.js: a tab\n";
  assert.deepEqual(said, [
    { decision: "allow", context: told, tool_call_id: "c" },
    { decision: "allow", tool_call_id: "c" },
    { decision: "allow", tool_call_id: "c" },
  ]);
});
