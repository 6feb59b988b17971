#!/usr/bin/env node
// Asks a service about every call: posts the request, and allows what the service allows.
//
// Its argument is the address, such as http://127.0.0.1:8181/judge. The service answers with status 200 and
// {"allowed": true} or {"allowed": false, "reason": "…"}. When it cannot be reached, does not answer in time or answers
// anything else, this fails, and the call is denied.

import { allow, deny, serve } from "./hookchain-hook.mjs";

// Less than the time that the chain gives the hook, so that the report says what was waited for.
const MILLISECONDS = 3000;

await serve(async (request) => {
  const answer = await fetch(process.argv[2], {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: request.line,
    signal: AbortSignal.timeout(MILLISECONDS),
  });
  if (answer.status !== 200) throw new Error(`the service answered with status ${answer.status}`);
  const verdict = await answer.json();
  if (verdict.allowed === true) return allow();
  if (verdict.allowed !== false) throw new Error("the service did not say whether the call is allowed");
  return deny(verdict.reason || "the service does not allow this call");
});
