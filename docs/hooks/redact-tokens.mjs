#!/usr/bin/env node
// Takes access tokens out of what a tool returned, before the model sees it.
//
// It looks at text and at every string inside a structured result, not at the names of fields.

import { allow, replace, serve } from "./hookchain-hook.mjs";

const TOKENS = [
  /\bAKIA[0-9A-Z]{16}\b/g, // an AWS access key
  /\bgh[opsur]_[A-Za-z0-9]{36,}/g, // a GitHub token
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=:\/\/)[^\s/:@]+:[^\s/@]+(?=@)/g, // a password in a URL
];

await serve((request) => {
  if (request.event === "pre_tool_use") return allow();
  let found = false;
  const redacted = (value) => {
    if (typeof value === "string") {
      const text = TOKENS.reduce((text, token) => text.replace(token, "[redacted]"), value);
      found ||= text !== value;
      return text;
    }
    if (Array.isArray(value)) return value.map(redacted);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redacted(item)]));
  };
  const output = redacted(request.output);
  // Without "is_error" a failure stays a failure.
  return found ? replace(output, "took out an access token") : allow();
});
