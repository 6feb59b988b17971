/** A value as JSON has it. Read ones hold numbers as JavaScript rounds them. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [name: string]: JsonValue;
}

/** A value as an answer may hold it: also with numbers that JavaScript's own cannot hold. */
export type Writable =
  | null
  | boolean
  | number
  | bigint
  | string
  | ExactNumber
  | readonly Writable[]
  | { readonly [name: string]: Writable };

/** A value with every number as it was written. */
export type ExactValue = null | boolean | string | ExactNumber | ExactValue[] | { [name: string]: ExactValue };

/** A number with all its digits. In arithmetic it is the number that JavaScript makes of it. */
export class ExactNumber {
  constructor(text: string);
  /** How JSON writes it. */
  readonly text: string;
  valueOf(): number;
  toString(): string;
  toJSON(): number;
}

/** What was read is not a request. The text never quotes what the tool is given: it ends up in logs. */
export class RequestError extends Error {}

interface Question {
  /** The version of this shape. */
  readonly hook_schema: 1;
  /** The absolute path of the directory the agent's run is scoped to; also the working directory. */
  readonly workspace: string;
  /** Which agent makes the call, in the runtime's own naming. */
  readonly agent_id: string;
  /** The runtime's identifier of this one call. */
  readonly tool_call_id: string;
  /** The name of the tool. */
  readonly tool_name: string;
  /** The tool's input. A string with the raw text when the runtime's text cannot be read. */
  readonly input: JsonValue;
  /** The request as it was read. */
  readonly line: string;
  /** The request's values with every number as it was written. */
  readonly exact: { readonly input: ExactValue; readonly output?: ExactValue };
  /**
   * The text that the input has under this name; an error when there is none. A hook that lets it pass fails, and the call
   * is denied: what a guard cannot find is no call that it has cleared.
   */
  text(name: string): string;
}

/** A tool call before it runs. */
export interface PreToolUse extends Question {
  readonly event: "pre_tool_use";
}

/** The result of a tool call, before the model sees it. */
export interface PostToolUse extends Question {
  readonly event: "post_tool_use";
  /** A string for a text result, otherwise the structured value. `null` is a result. */
  readonly output: JsonValue;
  /** Whether the tool reported a failure. */
  readonly is_error: boolean;
}

/** One question: a tool call before it runs, or its result before the model sees it. Fields are named as on the wire. */
export type HookRequest = PreToolUse | PostToolUse;
export const HookRequest: {
  /** Reads a request, as it stands on the wire. Throws a `RequestError`. */
  new (line: string | Uint8Array): HookRequest;
};

/** One answer. Made by `allow`, `deny`, `modify` and `replace`. */
export class HookResponse {
  private constructor();
  readonly decision: "allow" | "deny" | "modify" | "replace";
  readonly reason?: string;
  /** With `modify`. */
  readonly input?: { readonly [name: string]: Writable };
  /** With `replace`. */
  readonly output?: Writable;
  /** With `replace`; left out: as it was. */
  readonly is_error?: boolean;
  /**
   * The answer as it stands on the wire, ended by a line feed. With the request that it answers, it names the call, and
   * numbers have the digits that they had there.
   */
  line(request?: HookRequest): string;
}

/** Decides about one call. What it throws is no answer, and the call is denied unless the hook's entry says otherwise. */
export type Hook = (request: HookRequest) => HookResponse | Promise<HookResponse>;

/** No objection. The reason is kept for the record and never shown to the model. */
export function allow(reason?: string | null): HookResponse;

/**
 * Before the call: it does not happen. After it: the result is withheld. The reason is written for the model, which reads it
 * in place of a result: say what to do instead.
 */
export function deny(reason: string): HookResponse;

/**
 * Before the call only: the tool runs with this input, which replaces the old one; nothing is merged. The reason is kept for
 * the record and never shown to the model.
 *
 *     modify({ ...request.input, command: "git push" }, "dropped --force")
 */
export function modify(input: { readonly [name: string]: Writable }, reason?: string | null): HookResponse;

/**
 * After the call only: the model sees this result instead. A string is a text result, anything else a structured one. The
 * reason is kept for the record and never shown to the model.
 */
export function replace(output: Writable, reason?: string | null, more?: { is_error?: boolean }): HookResponse;

/**
 * Answers every request on standard input, one per line, with one line on standard output, until the input ends. Call it
 * last. From then on whatever writes to `process.stdout` writes to standard error, and so do programs that are started with
 * the output of this one, where that is a pipe, as it is under a chain.
 */
export function serve(hook: Hook): Promise<void>;

/** `serve`, on any chunks of bytes, and with any function that takes a line. */
export function serveOn(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  print: (line: string) => void | Promise<void>,
  hook: Hook,
): Promise<void>;

/**
 * What the hook answers to one request, both as they stand on the wire. The answer names the call that it is about, so that a
 * chain never takes it for the answer to another question.
 */
export function answer(hook: Hook, line: string | Uint8Array): Promise<string>;

/** A call for a hook to be asked about; with an `output`, its result. */
export interface Asked {
  input: Writable;
  output?: Writable;
  is_error?: boolean;
  tool_name?: string;
  workspace?: string;
  agent_id?: string;
  tool_call_id?: string;
}

/** For tests: what the hook answers when it is asked about this. */
export function ask(hook: Hook, asked: Asked): Promise<HookResponse>;
