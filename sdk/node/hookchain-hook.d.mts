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
export type ExactValue = null | boolean | string | ExactNumber | ExactValue[] | ExactObject;

export interface ExactObject {
  [name: string]: ExactValue;
}

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
  /** The agent's current directory. */
  readonly cwd?: string;
  /** The session that the agent makes the call in, in the agent's own naming. */
  readonly session_id?: string;
  /** What the runtime adds: any members, each in the runtime's own shape. */
  readonly extensions?: JsonObject;
  /** True when the hook is asked a second time about one call, because a hook of lower rank rewrote it. */
  readonly again?: boolean;
  /** What the tool can do: its `kinds`, in words that are the same for every agent. */
  readonly tool?: JsonObject;
  /** What the call would do: its `commands`, `paths` and `urls`, and in `coverage` whether that is all of it. */
  readonly facts?: JsonObject;
  /** The request as it was read. */
  readonly line: string;
  /** The request's values with every number as it was written. */
  readonly exact: {
    readonly input: ExactValue;
    readonly output?: ExactValue;
    readonly extensions?: ExactObject;
    readonly tool?: ExactObject;
    readonly facts?: ExactObject;
  };
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

/**
 * One question: a tool call before it runs, or its result before the model sees it. Fields are named as on the wire. What was
 * not sent is undefined; the fields from `cwd` to `facts` are sent only to a hook whose entry says `"facts": true`.
 */
export type HookRequest = PreToolUse | PostToolUse;
export const HookRequest: {
  /** Reads a request, as it stands on the wire. Throws a `RequestError`. */
  new (line: string | Uint8Array): HookRequest;
};

/** One answer. Made by `allow`, `deny`, `ask`, `modify` and `replace`. */
export class HookResponse {
  private constructor();
  readonly decision: "allow" | "deny" | "ask" | "modify" | "replace";
  readonly reason?: string;
  /** Words for the model. */
  readonly context?: string;
  /** With `modify`, and with an `ask` about another input. */
  readonly input?: { readonly [name: string]: Writable };
  /** With `replace`, and with an `ask` about another result. */
  readonly output?: Writable;
  /** Beside an `output`; left out: as it was. */
  readonly is_error?: boolean;
  /**
   * The answer as it stands on the wire, ended by a line feed. With the request that it answers, it names the call, and
   * numbers have the digits that they had there.
   */
  line(request?: HookRequest): string;
}

/** Decides about one call. What it throws is no answer, and the call is denied unless the hook's entry says otherwise. */
export type Hook = (request: HookRequest) => HookResponse | Promise<HookResponse>;

/** What every answer may have beside it. */
export interface AnswerOptions {
  /**
   * Words for the model, which reads them beside the result of the call, or beside the reason of a denial. The chain passes on
   * 16 KiB (16,384 bytes of UTF-8) of each context, and cuts what is longer at the end of a character.
   */
  context?: string | null;
}

/** What an answer with a new result may have beside it. */
export interface ResultOptions extends AnswerOptions {
  /** Whether the model is told that the tool failed; left out: as it was. */
  isError?: boolean;
  /** The same option, named as on the wire. Give one of the two. */
  is_error?: boolean;
}

/** The person is asked about the call, or the result, as it stands. */
export interface AskAsItStands extends AnswerOptions {
  input?: never;
  output?: never;
  isError?: never;
  is_error?: never;
}

/** Before the call: the input that the person is asked about. */
export interface AskWithInput extends AnswerOptions {
  /** The whole new input of the tool. */
  input: { readonly [name: string]: Writable };
  output?: never;
  isError?: never;
  is_error?: never;
}

/** After the call: the result that the person is asked about. */
export interface AskWithOutput extends ResultOptions {
  /** The whole new result. A string is a text result, anything else a structured one. */
  output: Writable;
  input?: never;
}

/**
 * No objection. The reason is kept for the record and never shown to the model; what the model should read is the context.
 *
 *     allow(null, { context: "the linter found: `os` is imported and never used" })
 */
export function allow(reason?: string | null, more?: AnswerOptions): HookResponse;

/**
 * Before the call: it does not happen. After it: the result is withheld. The reason is written for the model, which reads it
 * in place of a result: say what to do instead.
 */
export function deny(reason: string, more?: AnswerOptions): HookResponse;

/**
 * A person has to agree: before the call, to the call; after it, to the model seeing the result. The reason is written for the
 * person: say what happens after a yes. Without a yes, and where a host has no way to ask, the call is denied, or the result is
 * withheld. The other hooks answer first, and a denial of theirs is final.
 *
 *     ask("this deploys to production")
 *
 * With an `input` (before the call only) the person is asked about this whole new input, and with an `output` (after the call
 * only) about this whole new result. Never both.
 *
 * Like a denial, an ask never fails. What does not fit in it is left out, and standard error says so: both rewrites where there
 * are two, a rewrite for the other event or one that JSON cannot say, a context that is no string, an option that there is not.
 */
export function ask(reason: string, more?: AskAsItStands | AskWithInput | AskWithOutput): HookResponse;

/**
 * Before the call only: the tool runs with this input, which replaces the old one; nothing is merged. The reason is kept for
 * the record and never shown to the model.
 *
 *     modify({ ...request.input, command: "git push" }, "dropped --force")
 */
export function modify(input: { readonly [name: string]: Writable }, reason?: string | null, more?: AnswerOptions): HookResponse;

/**
 * After the call only: the model sees this result instead. A string is a text result, anything else a structured one. The
 * reason is kept for the record and never shown to the model.
 */
export function replace(output: Writable, reason?: string | null, more?: ResultOptions): HookResponse;

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

/** A call to try a hook on; with an `output`, its result. */
export interface Tried {
  input: Writable;
  output?: Writable;
  is_error?: boolean;
  tool_name?: string;
  workspace?: string;
  agent_id?: string;
  tool_call_id?: string;
  cwd?: string;
  session_id?: string;
  extensions?: { readonly [name: string]: Writable };
  again?: boolean;
  tool?: { readonly [name: string]: Writable };
  facts?: { readonly [name: string]: Writable };
}

/**
 * For tests: what the hook answers when it is asked about this.
 *
 *     assert.equal((await tryHook(judge, { input: { command: "git push --force" } })).decision, "deny");
 */
export function tryHook(hook: Hook, tried: Tried): Promise<HookResponse>;
