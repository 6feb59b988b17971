#!/usr/bin/env node
// Writes down every call and has no objection to any. Declare it with "on_failure": "allow".
//
// What it writes holds all that the tools were given and returned, secrets included: nobody else may read the file.

import { appendFileSync } from "node:fs";

import { allow, serve } from "./hookchain-hook.mjs";

const LOG = ".basis/calls.log";

await serve((request) => {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  // One write at the end of the file, so that hooks which run at once do not mix their lines.
  appendFileSync(LOG, `${now} ${request.line.trim()}\n`, { mode: 0o600 });
  return allow();
});
