#!/usr/bin/env node
// Asks a person before a deploy, and has no objection to anything else.
//
// Where no person can be asked, and where the person says no, the call is denied. A guard against accidents: any reading of a
// shell command can be deceived.

import { allow, ask, serve } from "./hookchain-hook.mjs";

const DEPLOY = /\b(?:make deploy|terraform (?:apply|destroy)|kubectl (?:apply|delete)|helm (?:install|upgrade))\b/;

await serve((request) => {
  if (request.event === "post_tool_use") return allow();
  // Quotes do not part words, a backslash at the end of a line continues it, and any white space parts words.
  const command = request.text("command").replaceAll("\\\n", "").replace(/["'\\]/g, "");
  const found = DEPLOY.exec(command.replace(/\s+/g, " "));
  // The reason is for the person: what happens after a yes.
  return found ? ask(`\`${found[0]}\` changes what runs in production`) : allow();
});
