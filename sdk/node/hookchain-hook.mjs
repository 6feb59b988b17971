/**
 * Write a hookchain hook in JavaScript: one function that answers, and nothing else to get right.
 *
 *     import { allow, deny, serve } from "hookchain-hook";
 *
 *     await serve((request) => {
 *       if (request.text("command").includes("--force")) {
 *         return deny("force-push is not allowed in this workspace; push without --force");
 *       }
 *       return allow();
 *     });
 *
 * The same program answers one question when it is started for it, and many when it is kept (`"mode": "worker"`).
 *
 * While it serves, standard output belongs to the answers: `console.log`, and a program that the hook starts, write to standard
 * error instead. An error that the function throws leaves the question without an answer and ends the program with a status
 * other than zero, which the chain takes as a failure: the call is denied, unless the hook's entry says otherwise. So do not
 * catch what you cannot handle.
 *
 * Numbers are JavaScript's, and so may be rounded. In a rewrite those that were carried over get back the digits they were
 * written with. `request.exact` has every number as it was written.
 *
 * This file needs nothing but Node 18, and may be copied beside a hook.
 */

import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

const SCHEMA = 1;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = { configurable: true, enumerable: true, writable: true };
/** With this flag a surrogate is found only where it is half of a pair. */
const HALF = /\p{Surrogate}/u;
const STRING = [(value) => typeof value === "string", "a string"];
const OBJECT = [isObject, "an object"];
/** The fields that a request may have, each with what it must be. A null was sent, and is neither. */
const OPTIONAL = {
  cwd: STRING,
  session_id: STRING,
  extensions: OBJECT,
  again: [(value) => typeof value === "boolean", "true or false"],
  tool: OBJECT,
  facts: OBJECT,
};

/** What was read is not a request. The text never quotes what the tool is given: it ends up in logs. */
export class RequestError extends Error {
  name = "RequestError";
}

/** A number with all its digits. In arithmetic it is the number that JavaScript makes of it. */
export class ExactNumber {
  /** How JSON writes it. @readonly */
  text;

  constructor(text) {
    NUMBER.lastIndex = 0;
    if (typeof text !== "string" || NUMBER.exec(text)?.[0] !== text) {
      throw new TypeError("this is not how JSON writes a number");
    }
    this.text = text;
    Object.freeze(this);
  }

  valueOf() {
    return Number(this.text);
  }

  toString() {
    return this.text;
  }

  toJSON() {
    return Number(this.text);
  }
}

/**
 * One question: a tool call before it runs, or its result before the model sees it. Fields are named as on the wire. What was
 * not sent is undefined; the fields from `cwd` to `facts` are sent only to a hook whose entry says `"facts": true`.
 */
export class HookRequest {
  #exact;
  #rounded = false;

  /** Reads a request, as it stands on the wire: bytes, or a text. */
  constructor(line) {
    const text = typeof line === "string" ? line.replace(/^\u{feff}/u, "") : decoded(line);
    const fields = read(text, (number) => {
      const value = Number(number);
      this.#rounded ||= show(value) !== number;
      return value;
    });
    this.hook_schema = schema(fields);
    this.event = event(fields);
    this.workspace = string(fields, "workspace");
    this.agent_id = string(fields, "agent_id");
    this.tool_call_id = string(fields, "tool_call_id");
    this.tool_name = string(fields, "tool_name");
    this.input = required(fields, "input");
    if (this.event === "post_tool_use" || Object.hasOwn(fields, "output") || Object.hasOwn(fields, "is_error")) {
      this.output = required(fields, "output");
      this.is_error = required(fields, "is_error");
      if (typeof this.is_error !== "boolean") throw new RequestError("`is_error` must be true or false");
    }
    for (const [name, [fits, expected]] of Object.entries(OPTIONAL)) {
      if (!Object.hasOwn(fields, name)) continue;
      if (!fits(fields[name])) throw new RequestError(`\`${name}\` must be ${expected}`);
      this[name] = fields[name];
    }
    // Not enumerable, so that a request which is printed shows its input once.
    Object.defineProperty(this, "line", { value: text });
    Object.freeze(this);
    this.#exact = () => {
      const exact = read(text, exactly);
      this.#exact = () => exact;
      return exact;
    };
  }

  /** The request with every number as an `ExactNumber`. */
  get exact() {
    return this.#exact();
  }

  /** Whether a number would be written in another way than it is here. */
  static isRounded(request) {
    return request.#rounded;
  }

  /**
   * The text that the input has under this name; an error when there is none. A hook that lets it pass fails, and the call
   * is denied: what a guard cannot find is no call that it has cleared.
   */
  text(name) {
    const { input } = this;
    if (!isObject(input)) throw new TypeError(`the input is no object, so it has no \`${name}\``);
    if (!Object.hasOwn(input, name) || typeof input[name] !== "string") {
      throw new TypeError(`the input has no text \`${name}\``);
    }
    return input[name];
  }
}

/** One answer. Made by `allow`, `deny`, `ask`, `modify` and `replace`. */
export class HookResponse {
  constructor(fields) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  /**
   * The answer as it stands on the wire, ended by a line feed. With the request that it answers, it names the call, and
   * numbers have the digits that they had there.
   */
  line(request) {
    const parts = [`"decision":"${this.decision}"`];
    for (const name of ["input", "output"]) {
      if (Object.hasOwn(this, name)) parts.push(`"${name}":${written(this[name], name, request)}`);
    }
    if (this.is_error !== undefined) parts.push(`"is_error":${this.is_error}`);
    for (const name of ["reason", "context"]) {
      if (this[name] !== undefined) parts.push(`"${name}":${JSON.stringify(whole(this[name]))}`);
    }
    if (request !== undefined) parts.push(`"tool_call_id":${JSON.stringify(request.tool_call_id)}`);
    return `{${parts.join(",")}}\n`;
  }
}

/**
 * No objection: the call happens as it stands, or the model sees the result as it stands. The context is words for the model:
 *
 *     allow(null, { context: "the linter found: `os` is imported and never used" });
 *
 * Every answer takes a `context`. The model reads it beside the result of the call, or beside the reason of a denial. The chain
 * passes on 16 KiB (16,384 bytes of UTF-8) of each context, and cuts what is longer at the end of a character.
 */
export function allow(reason, more = {}) {
  known("allow", more, []);
  return new HookResponse({ decision: "allow", ...words("reason", reason), ...words("context", more.context) });
}

/**
 * Before the call: it does not happen. After it: the result is withheld. The reason is written for the model, which reads it
 * in place of a result: say what to do instead.
 */
export function deny(reason, more = {}) {
  // Whatever the words are, the denial counts: a hook that fails here may be one whose failures are allowed.
  return new HookResponse({
    decision: "deny",
    ...said("reason", () => String(reason)),
    ...said("context", () => (isAbsent(more?.context) ? undefined : String(more.context))),
  });
}

/**
 * A person has to agree: before the call, to the call; after it, to the model seeing the result. The reason is written for the
 * person. With an `input` (before the call only) the person is asked about this whole new input, and with an `output` (after
 * the call only) about this whole new result. Never both.
 *
 * Like a denial, an ask never fails. What does not fit in it is left out, and standard error says so: both rewrites where there
 * are two, a rewrite for the other event or one that JSON cannot say, a context that is no string, an option that there is not.
 */
export function ask(reason, more = {}) {
  // Whatever stands beside it, the question counts, as a denial does: a hook that fails here may be one whose failures are
  // allowed.
  fitting(() => known("ask", more, ["input", "output", ...FAILED]));
  const options = isObject(more) ? more : {};
  const rewrite = fitting(() => rewriteOf(options)) ?? {};
  return new HookResponse({
    decision: "ask",
    ...rewrite,
    ...fitting(() => failedBeside(rewrite, options)),
    ...fitting(() => reasonOf(reason)),
    ...fitting(() => words("context", options.context)),
  });
}

/** The one rewrite that an ask is about, where there is one. */
function rewriteOf(more) {
  const [before, after] = [Object.hasOwn(more, "input"), Object.hasOwn(more, "output")];
  if (before && after) {
    throw new TypeError("ask takes an `input` (before the call) or an `output` (after it), never both");
  }
  if (after) return { output: more.output };
  if (!before) return {};
  const { input } = more;
  wholeInput(input);
  return { input };
}

function failedBeside(rewrite, more) {
  const failed = failedOrNot(more);
  if (failed.is_error !== undefined && !Object.hasOwn(rewrite, "output")) {
    throw new TypeError("ask takes `isError` only beside an `output`");
  }
  return failed;
}

function reasonOf(reason) {
  if (typeof reason === "function") {
    throw new TypeError("the reason is a function; to try a hook in a test, call tryHook(hook, { input })");
  }
  return said("reason", () => String(reason));
}

/** What `make` makes; nothing where it throws, of which standard error tells. */
function fitting(make) {
  try {
    return make();
  } catch (error) {
    leftOut(error);
    return undefined;
  }
}

/** Tells the author of a hook what its ask goes without. */
function leftOut(error) {
  try {
    writeSync(2, `hookchain-hook: a part of an ask was left out: ${error instanceof Error ? error.message : error}\n`);
  } catch {
    // Standard error is closed or full. The ask still counts.
  }
}

/** Before the call only: the tool runs with this input, which replaces the old one; nothing is merged. */
export function modify(input, reason, more = {}) {
  wholeInput(input);
  known("modify", more, []);
  return new HookResponse({ decision: "modify", input, ...words("reason", reason), ...words("context", more.context) });
}

/** After the call only: the model sees this result instead. A string is a text result, anything else a structured one. */
export function replace(output, reason, more = {}) {
  known("replace", more, FAILED);
  return new HookResponse({
    decision: "replace",
    output,
    ...failedOrNot(more),
    ...words("reason", reason),
    ...words("context", more.context),
  });
}

/**
 * Answers every request on standard input, one per line, with one line on standard output, until the input ends. Call it
 * last. From then on whatever writes to `process.stdout` writes to standard error, and so do programs that are started with
 * the output of this one, where that is a pipe, as it is under a chain.
 */
export async function serve(hook) {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // What is wrong with a write is told to whoever wrote.
  stdout.on("error", () => {});
  const print =
    ownOutput() ??
    ((line) => new Promise((resolve, reject) => write(line, (error) => (error ? reject(new Unheard(error)) : resolve()))));
  try {
    await serveOn(process.stdin, print, hook);
  } catch (error) {
    if (!(error instanceof Unheard)) throw error;
    if (error.cause?.code !== "EPIPE") throw error.cause;
    // Nobody waits for it any more, so nobody needs to be told.
    process.exitCode = 1;
  }
}

/**
 * Takes the output pipe away from descriptor 1, where programs that the hook starts would find it, and puts standard error in
 * its place; what prints answers from then on. Nothing where the system has no way to open a descriptor again.
 */
function ownOutput() {
  const again = (descriptor) => openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_APPEND);
  let answers;
  try {
    // A file that is opened again is written from another place on: one would overwrite the other.
    if (!fstatSync(1).isFIFO() || fstatSync(2).isFile()) return undefined;
    // Both can be opened, or neither is touched.
    closeSync(again(2));
    answers = again(1);
  } catch {
    return undefined;
  }
  closeSync(1);
  // The lowest descriptor that is free, unless another thread was faster.
  if (again(2) !== 1) throw new Error("standard output was taken by another file; call serve when no file is being opened");
  return async (line) => {
    for (let rest = Buffer.from(line); rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(answers, rest));
      } catch (error) {
        if (error.code !== "EAGAIN") throw new Unheard(error);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
  };
}

class Unheard extends Error {
  constructor(cause) {
    super("the answer could not be written", { cause });
  }
}

/** `serve`, on any chunks of bytes, and with any function that takes a line. */
export async function serveOn(chunks, print, hook) {
  for await (const line of lines(chunks)) {
    if (blank(line)) continue;
    // While a question is open, a program that ends without an error has still not answered it.
    const { exitCode } = process;
    process.exitCode = 1;
    await print(await answer(hook, line));
    process.exitCode = exitCode;
  }
}

/**
 * What the hook answers to one request, both as they stand on the wire. The answer names the call that it is about, so that a
 * chain never takes it for the answer to another question.
 */
export async function answer(hook, line) {
  const request = new HookRequest(line);
  return (await answered(hook, request)).line(request);
}

/**
 * For tests: what the hook answers when it is asked about this call; with an `output`, about its result.
 *
 *     assert.equal((await tryHook(judge, { input: { command: "git push --force" } })).decision, "deny");
 */
export async function tryHook(hook, { input, output, is_error = false, ...more }) {
  const after = output !== undefined;
  const request = new HookRequest(
    written(
      {
        hook_schema: SCHEMA,
        event: after ? "post_tool_use" : "pre_tool_use",
        workspace: "/workspace",
        agent_id: "agent-1",
        tool_call_id: "call-1",
        tool_name: "shell",
        ...more,
        input,
        ...(after ? { output, is_error } : {}),
      },
      "request",
    ),
  );
  const response = await answered(hook, request);
  // What cannot be written is found here and not in front of a chain.
  response.line(request);
  return response;
}

async function answered(hook, request) {
  const response = await hook(request);
  if (!(response instanceof HookResponse)) {
    throw new TypeError("the hook returned something else than allow(), deny(…), ask(…), modify(…) or replace(…)");
  }
  if (response.decision === "ask") return fitted(response, request);
  if (Object.hasOwn(response, "input") && request.event !== "pre_tool_use") {
    throw new TypeError("modify is no answer after the call; allow, deny, ask and replace are");
  }
  if (Object.hasOwn(response, "output") && request.event !== "post_tool_use") {
    throw new TypeError("replace is no answer before the call; allow, deny, ask and modify are");
  }
  return response;
}

/** The ask, without a rewrite that does not fit the event or that cannot be written. */
function fitted(asked, request) {
  const fits = fitting(() => {
    if (Object.hasOwn(asked, "input") && request.event !== "pre_tool_use") {
      throw new TypeError("ask takes no `input` after the call; give it an `output`, or neither");
    }
    if (Object.hasOwn(asked, "output") && request.event !== "post_tool_use") {
      throw new TypeError("ask takes no `output` before the call; give it an `input`, or neither");
    }
    return asked.line(request);
  });
  if (fits !== undefined) return asked;
  const { decision, reason, context } = asked;
  return new HookResponse({ decision, ...words("reason", reason), ...words("context", context) });
}

/** Both names of the option that says whether the tool failed: JavaScript's own, and the one on the wire. */
const FAILED = ["isError", "is_error"];

/** An option with a misspelled name would be one that is not heard. */
function known(name, more, names) {
  if (!isObject(more)) throw new TypeError(`${name} takes its options as an object`);
  const takes = [...names, "context"];
  const other = Object.keys(more).find((key) => !takes.includes(key));
  if (other === undefined) return;
  throw new TypeError(`${name} has no option \`${other.slice(0, 60)}\`; it takes ${takes.join(", ")}`);
}

function failedOrNot(more) {
  const [name, other] = FAILED.filter((key) => more[key] !== undefined);
  if (name === undefined) return {};
  if (other !== undefined) throw new TypeError("`isError` and `is_error` are one option; give one of them");
  if (typeof more[name] !== "boolean") {
    throw new TypeError(`\`${name}\` must be a boolean, or left out to keep it as it was`);
  }
  return { is_error: more[name] };
}

function wholeInput(input) {
  if (!isObject(input)) throw new TypeError("the new input must be an object, the whole new input of the tool");
}

function words(name, text) {
  if (isAbsent(text)) return {};
  if (typeof text !== "string") throw new TypeError(`the ${name} is a ${typeof text}; it must be a string`);
  return { [name]: text };
}

/** The text that `make` makes; nothing where it cannot, or has none to make. */
function said(name, make) {
  try {
    const text = make();
    return text === undefined ? {} : { [name]: text };
  } catch {
    return {};
  }
}

function isAbsent(value) {
  return value === undefined || value === null;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Half of a character that was cut in two must not cost a denial. */
function whole(text) {
  return text.replace(/\p{Surrogate}/gu, "\u{fffd}");
}

// Lines end at \n alone: node:readline would also end them at U+2028, which a JSON string may hold.
async function* lines(chunks) {
  let pieces = [];
  for await (let chunk of chunks) {
    for (let end; (end = chunk.indexOf(10)) >= 0; chunk = chunk.subarray(end + 1)) {
      yield Buffer.concat([...pieces, chunk.subarray(0, end)]);
      pieces = [];
    }
    pieces.push(chunk);
  }
  yield Buffer.concat(pieces);
}

/** Whether a line is no question at all, such as the empty last line of a file. */
function blank(line) {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 10 || byte === 13);
}

function decoded(line) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    throw new RequestError("the request is not UTF-8; send UTF-8");
  }
}

function required(fields, name) {
  if (!Object.hasOwn(fields, name)) throw new RequestError(`the request has no \`${name}\`; send one`);
  return fields[name];
}

function string(fields, name) {
  const value = required(fields, name);
  if (typeof value !== "string") throw new RequestError(`\`${name}\` must be a string`);
  return value;
}

function schema(fields) {
  const found = required(fields, "hook_schema");
  if (found === SCHEMA) return SCHEMA;
  throw new RequestError(`the request has another \`hook_schema\`; this program understands ${SCHEMA}`);
}

function event(fields) {
  const found = string(fields, "event");
  if (found === "pre_tool_use" || found === "post_tool_use") return found;
  const shown = JSON.stringify(found.slice(0, 60));
  throw new RequestError(`the event ${shown} is unknown; this program understands pre_tool_use and post_tool_use`);
}

// Reading. JSON.parse rounds numbers, keeps the last of two equal keys, and lets half of a surrogate pair through.

function exactly(text) {
  return new ExactNumber(text);
}

/** The members of the one object that the text is; `make` is given each number as it is written. */
function read(text, make) {
  let value;
  try {
    value = new Reader(text, make).only();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RequestError("the request is nested too deep; send something simpler");
  }
  if (!isObject(value)) throw new RequestError("the request is no object; send one object on one line");
  return value;
}

class Reader {
  constructor(text, make) {
    this.text = text;
    this.make = make;
    this.at = 0;
  }

  only() {
    const value = this.value();
    if (this.next() !== undefined) this.fail("something follows the object");
    return value;
  }

  fail(problem) {
    throw new RequestError(`the request stops being JSON at character ${this.at + 1}: ${problem}; send one object on one line`);
  }

  /** The next character that is no white space; undefined at the end. */
  next() {
    for (; ; this.at += 1) {
      const character = this.text[this.at];
      if (character !== " " && character !== "\t" && character !== "\n" && character !== "\r") return character;
    }
  }

  take(character) {
    if (this.next() !== character) return false;
    this.at += 1;
    return true;
  }

  value() {
    switch (this.next()) {
      case "{":
        return this.object();
      case "[":
        return this.array();
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  word(word, value) {
    if (!this.text.startsWith(word, this.at)) this.fail("a value is expected");
    this.at += word.length;
    return value;
  }

  number() {
    NUMBER.lastIndex = this.at;
    const found = NUMBER.exec(this.text);
    if (found === null) this.fail("a value is expected");
    if (!Number.isFinite(Number(found[0]))) {
      throw new RequestError("a number is beyond the range of a 64-bit float; send a smaller one");
    }
    this.at = NUMBER.lastIndex;
    return this.make(found[0]);
  }

  string() {
    const { text, at } = this;
    let end = at;
    for (let escaped = true; escaped; ) {
      end = text.indexOf('"', end + 1);
      if (end < 0) this.fail("a string does not end");
      let before = end;
      while (text[before - 1] === "\\") before -= 1;
      escaped = (end - before) % 2 === 1;
    }
    let value;
    try {
      value = JSON.parse(text.slice(at, end + 1));
    } catch {
      // Not the parser's own words: they quote the text.
      this.fail("a string holds a control character, or an escape that there is not");
    }
    if (HALF.test(value)) throw new RequestError("the request holds half of a surrogate pair; send whole characters");
    this.at = end + 1;
    return value;
  }

  array() {
    const values = [];
    this.at += 1;
    if (this.take("]")) return values;
    do values.push(this.value());
    while (this.take(","));
    if (!this.take("]")) this.fail("`,` or `]` is expected");
    return values;
  }

  object() {
    const members = {};
    this.at += 1;
    if (this.take("}")) return members;
    do {
      if (this.next() !== '"') this.fail("a key is expected");
      const name = this.string();
      if (Object.hasOwn(members, name)) {
        throw new RequestError(`the key ${JSON.stringify(name.slice(0, 60))} stands twice in one object; send it once`);
      }
      if (!this.take(":")) this.fail("`:` is expected");
      const value = this.value();
      // `__proto__` is a key like any other, but not to an assignment.
      if (name === "__proto__") Object.defineProperty(members, name, { value, ...PLAIN });
      else members[name] = value;
    } while (this.take(","));
    if (!this.take("}")) this.fail("`,` or `}` is expected");
    return members;
  }
}

// Writing. JSON.stringify leaves out what it cannot write, and writes NaN as null.

/** The value as JSON, each number that was carried over from the request with the digits it had there. */
function written(value, field, request) {
  const exact = request !== undefined && HookRequest.isRounded(request) ? request.exact : undefined;
  return new Writer(exact, field).value(value, exact?.[field]);
}

class Writer {
  #exact;
  /** By how JavaScript shows them: the numbers of the request as they are written, and null where that is not sure. */
  #numbers;
  /** The names and places that lead to what is being written. */
  #path;

  constructor(exact, field) {
    this.#exact = exact;
    this.#path = [field];
  }

  /** `place` is what the request has at the same place. */
  value(value, place) {
    switch (typeof value) {
      case "string":
        return this.text(value);
      case "boolean":
      case "bigint":
        return String(value);
      case "number":
        return this.number(value, place);
      case "object":
        if (value === null) return "null";
        if (value instanceof ExactNumber) return value.text;
        if (Array.isArray(value)) return this.array(value, place);
        return this.object(value, place);
      default:
        return this.fail(`is ${typeof value}, which JSON cannot say; leave it out or use null`);
    }
  }

  fail(problem) {
    const path = this.#path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
    throw new TypeError(`${path.join("").slice(1)} ${problem}`);
  }

  inside(step, value, place) {
    this.#path.push(step);
    const text = this.value(value, place);
    this.#path.pop();
    return text;
  }

  text(value) {
    if (HALF.test(value)) this.fail("holds half of a surrogate pair, which JSON cannot say");
    return JSON.stringify(value);
  }

  array(values, place) {
    // In an array of another length nothing says which element was which.
    const places = Array.isArray(place) && place.length === values.length ? place : [];
    // Not map, which passes over holes.
    return `[${Array.from(values, (value, index) => this.inside(index, value, places[index])).join(",")}]`;
  }

  object(value, place) {
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      this.fail("is no plain object or array, and JSON has no way to write it");
    }
    const members = Object.keys(value).map((name) => {
      const there = isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined;
      return `${this.text(name)}:${this.inside(name, value[name], there)}`;
    });
    return `{${members.join(",")}}`;
  }

  number(value, place) {
    if (!Number.isFinite(value)) this.fail(`is ${value}; JSON has no such number`);
    const shown = show(value);
    if (this.#exact === undefined) return shown;
    if (place instanceof ExactNumber && Object.is(Number(place.text), value)) return place.text;
    this.#numbers ??= numbersOf(this.#exact);
    const text = this.#numbers.get(shown);
    if (text !== null) return text ?? shown;
    return this.fail(`is ${shown}, which stands for several numbers of the request; take the one that is meant from request.exact`);
  }
}

function show(value) {
  return Object.is(value, -0) ? "-0" : String(value);
}

function numbersOf(exact) {
  const numbers = new Map();
  const visit = (value) => {
    if (value instanceof ExactNumber) {
      const shown = show(Number(value.text));
      const other = numbers.get(shown);
      if (other === undefined) numbers.set(shown, value.text);
      else if (other !== null && other !== value.text && normal(other) !== normal(value.text)) numbers.set(shown, null);
    } else if (typeof value === "object" && value !== null) {
      Object.values(value).forEach(visit);
    }
  };
  visit([exact.input, exact.output, exact.extensions, exact.tool, exact.facts]);
  return numbers;
}

/** The same text for every way to write one number; texts are left alone where that would take long. */
function normal(number) {
  const [, sign, before, after = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number);
  if (exponent.length > 9) return number;
  const digits = before + after;
  let [first, last] = [0, digits.length];
  while (digits[first] === "0") first += 1;
  while (last > first && digits[last - 1] === "0") last -= 1;
  if (first === last) return `${sign}0`;
  return `${sign}${digits.slice(first, last)}e${Number(exponent) - after.length + digits.length - last}`;
}
