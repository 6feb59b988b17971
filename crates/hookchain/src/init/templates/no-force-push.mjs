#!/usr/bin/env node
// Denies a forced git push. Needs nothing but Node.
//
// A guard against accidents: whoever wants to can hide a push from any reading of a shell command.

const FORCE = /^(--for|--mirror$|-[A-Za-z]*f|\+.)/;

function judge(request) {
  if (request.event === "post_tool_use") return { decision: "allow" };
  const command = request.input.command;
  if (typeof command !== "string") throw new TypeError("the command is not text");
  // A backslash at the end of a line continues it; quotes do not part words.
  const plain = command.replaceAll("\\\n", "").replace(/["'\\]/g, "");
  for (const part of plain.split(/[;&|()\n]/)) {
    const words = part.split(/\s+/);
    const push = words.indexOf("push");
    if (push < 0 || !words.some((word) => word.endsWith("git"))) continue;
    if (words.slice(push + 1).some((word) => FORCE.test(word))) {
      return deny("force-push is not allowed in this workspace; push without force");
    }
    if (/[$`]/.test(part)) {
      return deny("this guard cannot see what is pushed; write the push without variables");
    }
  }
  return { decision: "allow" };
}

function deny(reason) {
  return { decision: "deny", reason };
}

function answer(line) {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(line);
  if (text.trim() !== "") process.stdout.write(JSON.stringify(judge(JSON.parse(text))) + "\n");
}

// One request per line. A single question ends after one line; a worker is asked again and again.
// Lines end at \n alone: node:readline would also end them at U+2028, which a JSON string may hold.
// An error ends the program with a status other than zero, and the call is denied.
let pieces = [];
for await (let chunk of process.stdin) {
  for (let end; (end = chunk.indexOf(10)) >= 0; chunk = chunk.subarray(end + 1)) {
    answer(Buffer.concat([...pieces, chunk.subarray(0, end)]));
    pieces = [];
  }
  pieces.push(chunk);
}
answer(Buffer.concat(pieces));
