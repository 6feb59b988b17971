#!/usr/bin/env node
// Looks at a file after it was written, and tells the model what is wrong with it. Declare it with "on_failure": "allow".
//
// It denies nothing and takes nothing away: an allow with context leaves the result of the tool as it is, and the model reads
// both. This one asks Node's own parsers about .json and .mjs files; put your linter in their place.

import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";

import { allow, serve } from "./hookchain-hook.mjs";

const MAX_BYTES = 1 << 20;

function problem(path) {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  if (!isFile || statSync(path).size > MAX_BYTES) return null;
  if (extname(path) === ".json") {
    try {
      JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      return error.message;
    }
  }
  if (extname(path) === ".mjs") {
    // Reads the file, and runs nothing of it.
    const check = spawnSync(process.execPath, ["--check", path], { encoding: "utf8" });
    if (check.error) throw check.error;
    if (check.status !== 0) return check.stderr.trim();
  }
  return null;
}

await serve((request) => {
  if (request.event === "pre_tool_use") return allow();
  const written = request.text("path");
  const found = problem(resolve(request.workspace, written));
  return found ? allow(null, { context: `${written} cannot be parsed: ${found}` }) : allow();
});
