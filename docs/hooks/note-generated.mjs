#!/usr/bin/env node
// Adds a note to what was read from a generated file, so that the model changes the source instead.

import { allow, replace, serve } from "./hookchain-hook.mjs";

const NOTE = "\n[This file is generated. Change schema/ and run `make generate` instead.]\n";

await serve((request) => {
  if (request.event === "post_tool_use" && typeof request.output === "string") {
    if (request.text("path").startsWith("generated/")) {
      return replace(request.output + NOTE, "noted that the file is generated");
    }
  }
  return allow();
});
