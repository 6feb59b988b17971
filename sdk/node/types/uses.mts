// Checked by the TypeScript compiler and never run: what the types let a hook say, and what not.

import {
  ExactNumber,
  HookRequest,
  HookResponse,
  allow,
  answer,
  ask,
  deny,
  modify,
  replace,
  serve,
  serveOn,
  type Hook,
  type JsonValue,
} from "hookchain-hook";

const guard: Hook = (request) => (request.text("command") === "rm" ? deny("no") : allow());

const redact: Hook = async (request) => {
  if (request.event === "pre_tool_use") {
    // @ts-expect-error: there is no result before the call
    void request.output;
    return allow("not yet");
  }
  const output: JsonValue = request.output;
  const failed: boolean = request.is_error;
  return typeof output === "string" ? replace(output.trim(), "space", { is_error: failed }) : replace(null);
};

const rewrite: Hook = ({ input }) => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) throw new TypeError("no object");
  return modify({ ...input, id: 10n ** 30n, price: new ExactNumber("1.00"), more: [1, "a", null] }, "a reason");
};

// @ts-expect-error: an answer is made by one of the four
const plain: Hook = () => ({ decision: "allow" });
// @ts-expect-error: and there is one
const silent: Hook = () => undefined;
// @ts-expect-error: an input is an object
modify("ls");
// @ts-expect-error: JSON cannot say it
replace(undefined);
// @ts-expect-error: a denial says why
deny();
// @ts-expect-error: nobody else makes one
new HookResponse();

const response: HookResponse = await ask(redact, { input: {}, output: "a", is_error: true, tool_name: "read_file" });
const decision: "allow" | "deny" | "modify" | "replace" = response.decision;
const request: HookRequest = new HookRequest(new Uint8Array());
const line: string = response.line(request) + (await answer(guard, "{}")) + decision;
const id = request.exact.input;
if (id instanceof ExactNumber) void BigInt(id.text);

await serve(rewrite);
await serveOn([new Uint8Array()], (printed: string) => void printed, guard);
void [plain, silent, line];
