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
  tryHook,
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

const careful: Hook = (request) => {
  const where: string | undefined = request.cwd ?? request.session_id;
  const kinds: JsonValue | undefined = request.tool?.kinds ?? request.facts?.commands ?? request.extensions?.ticket;
  const again: boolean = request.again ?? false;
  if (again || kinds === "shell") return allow(null, { context: `asked again in ${where}` });
  if (request.event === "post_tool_use") return ask("show it?", { output: null, isError: request.is_error, context: "c" });
  return ask("sure?", { input: { id: 10n ** 30n, price: new ExactNumber("1.00") } });
};
deny("no", { context: "more" });
modify({}, null, { context: "more" });
replace(1, "a", { context: "more", isError: true });
ask("sure?", {});
ask("sure?", { context: null });
ask("sure?", { output: "x", is_error: true });
// @ts-expect-error: a question says what it asks
ask();
// @ts-expect-error: a rewrite is asked about before the call or after it
ask("sure?", { input: {}, output: 1 });
// @ts-expect-error: an input is an object
ask("sure?", { input: "ls" });
// @ts-expect-error: JSON cannot say it
ask("sure?", { output: undefined });
// @ts-expect-error: only a result has failed
ask("sure?", { isError: true });
// @ts-expect-error: only a result has failed
ask("sure?", { input: {}, is_error: true });
// @ts-expect-error: a reason is no function; a test says tryHook
ask(guard, { input: {} });
// @ts-expect-error: a context is words
allow(null, { context: 1 });
// @ts-expect-error: nothing else stands beside a denial
deny("no", { is_error: true });
// @ts-expect-error: an answer is made by one of the five
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

const response: HookResponse = await tryHook(redact, {
  input: {},
  output: "a",
  is_error: true,
  tool_name: "read_file",
  cwd: "/w",
  session_id: "s",
  extensions: { id: 10n ** 30n },
  again: true,
  tool: { kinds: ["shell"] },
  facts: {},
});
const decision: "allow" | "deny" | "ask" | "modify" | "replace" = response.decision;
const context: string | undefined = response.context;
const request: HookRequest = new HookRequest(new Uint8Array());
const line: string = response.line(request) + (await answer(guard, "{}")) + decision;
const id = request.exact.input;
if (id instanceof ExactNumber) void BigInt(id.text);

await serve(rewrite);
await serveOn([new Uint8Array()], (printed: string) => void printed, guard);
void [plain, silent, line, careful, context];
