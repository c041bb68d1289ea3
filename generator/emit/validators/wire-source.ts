import type { Pieces } from './pieces.js';

/** Source of what reads messages off the wire, whatever the schema. */
export const WIRE: Pieces = {
  Party: `
/** Who sent a message. */
export type Party = 'client' | 'server';
`,
  Rule: `
type Rule = readonly [check: Check, shape: Shape];
`,
  Method: `
interface Method {
  readonly method: string;
  /** Nobody: what only stands in other messages, or what an extension adds a result to. */
  readonly from?: Party | 'both' | undefined;
  readonly request?: Rule | undefined;
  readonly notification?: Rule | undefined;
  readonly result?: Rule | undefined;
}
`,
  byLength: `
/**
 * Methods by the length of their names: quicker than hashing a text that was just parsed. All of
 * one shape, so that reading them is quick as well.
 */
function byLength(methods: readonly Method[]): Method[][] {
  const table: Method[][] = [];
  for (const { method, from, request, notification, result } of methods) {
    (table[method.length] ??= []).push({ method, from, request, notification, result });
  }
  return table;
}
`,
  find: `
function find({ methods }: Wire, method: string): Method | undefined {
  const some = methods[method.length];
  if (some === undefined) return undefined;
  for (let i = 0; i < some.length; i++) {
    const known = some[i];
    if (known !== undefined && known.method === method) return known;
  }
  return undefined;
}
`,
  ErrorCode: `
/** Parse error, invalid request, method not found, invalid params. */
export type ErrorCode = -32700 | -32600 | -32601 | -32602;
`,
  Rejected: `
/** A message that is not valid, and the JSON-RPC code to answer it with. */
export interface Rejected {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly errors: readonly ValidationError[];
}
`,
  ReceivedRequest: `
export interface ReceivedRequest<T> {
  readonly ok: true;
  readonly kind: 'request';
  readonly value: T;
}
`,
  ReceivedNotification: `
export interface ReceivedNotification<T> {
  readonly ok: true;
  readonly kind: 'notification';
  readonly value: T;
}
`,
  ErrorReply: `
/** A JSON-RPC error, ready to be sent. */
export interface ErrorReply {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly data: { readonly errors: readonly ValidationError[] };
  };
}
`,
  Undecoded: `
export interface Undecoded extends Rejected {
  /** What to answer; nothing where JSON-RPC forbids an answer: to notifications and responses. */
  readonly reply?: ErrorReply;
}
`,
  Kind: `
type Kind = 'request' | 'notification' | 'response' | 'error';
`,
  MessageTypes: `
/** The requests and notifications of each party and the result of each method, as types. */
export interface MessageTypes {
  readonly client: { readonly request: unknown; readonly notification: unknown };
  readonly server: { readonly request: unknown; readonly notification: unknown };
  readonly results: object;
}
`,
  Wire: `
/** What a revision or an extension sends: pass an extension's to the revision's functions. */
export interface Wire<M extends MessageTypes = MessageTypes> {
  readonly methods: readonly (readonly Method[] | undefined)[];
  /** Only a type. */
  readonly messages?: M;
}
`,
  MessagesOf: `
type MessagesOf<W extends readonly Wire[]> = MessagesIn<W[number]>;
`,
  MessagesIn: `
type MessagesIn<W> = W extends Wire<infer M> ? M : never;
`,
  ResultOf: `
type ResultOf<M extends MessageTypes, K extends string> = string extends K
  ? unknown
  : M extends { readonly results: { readonly [key in K]: infer R } }
    ? R
    : never;
`,
  ResultOptions: `
export interface ResultOptions<W extends readonly Wire[] = readonly Wire[]>
  extends ValidationOptions {
  /** The \`wire\` of each extension in use. */
  readonly extensions?: W | undefined;
}
`,
  WireOptions: `
export interface WireOptions<
  P extends Party = Party,
  W extends readonly Wire[] = readonly Wire[],
> extends ResultOptions<W> {
  /** Who sent the message. */
  readonly from: P;
  /**
   * The method of the request with this id, which the sender answers: its result is then checked.
   * Where the request was \`tasks/result\`, the method of the request that became the task.
   */
  readonly methodOf?: ((id: string | number) => string | undefined) | undefined;
}
`,
  Received: `
/** A valid message, by what it is. */
export type Received<T extends MessageTypes[Party]> =
  | ReceivedRequest<T['request']>
  | ReceivedNotification<T['notification']>
  | ReceivedAnswer;
`,
  Judged: `
type Judged = { readonly ok: true; readonly kind: Kind; readonly value: never } | Rejected;
`,
  JudgedResult: `
type JudgedResult = { readonly ok: true; readonly value: never } | Rejected;
`,
  judge: `
function judge(value: unknown, options: WireOptions, only?: Kind, path = WHOLE): Judged {
  try {
    if (record(value)) {
      const kind = kindOf(value);
      if ((only === undefined || only === kind) && fits(value, kind, options)) {
        return { ok: true, kind, value: value as never };
      }
    }
    return explain(value, options, only, path);
  } catch {
    return reject(-32600, 'readable', value, options, path);
  }
}
`,
  WHOLE: `
const WHOLE: Path = [];
`,
  knows: `
function knows(
  part: Part,
  method: string,
  v: unknown,
  options: ResultOptions & { readonly from?: Party },
  c: Context,
): boolean {
  const { from, extensions } = options;
  if (accepted(wire, part, method, v, from, c)) return true;
  return (
    extensions !== undefined &&
    extensions.some((added) => accepted(added, part, method, v, from, c))
  );
}
`,
  accepted: `
/** Comparing long texts takes time: of messages the checks themselves look at the method. */
function accepted(
  { methods }: Wire,
  part: Part,
  method: string,
  v: unknown,
  from: Party | undefined,
  c: Context,
): boolean {
  const some = methods[method.length];
  if (some === undefined) return false;
  for (let i = 0; i < some.length; i++) {
    const known = some[i];
    if (part === 'result' && known?.method !== method) continue;
    const rule = ruleFor(known, part, from);
    if (rule !== undefined && rule[0](v, c)) return true;
  }
  return false;
}
`,
  Part: `
type Part = 'request' | 'notification' | 'result';
`,
  ruleFor: `
function ruleFor(
  method: Method | undefined,
  part: Part,
  from: Party | undefined,
): Rule | undefined {
  if (method === undefined) return undefined;
  if (part === 'result') return method.result;
  if (method.from !== from && method.from !== 'both') return undefined;
  return part === 'request' ? method.request : method.notification;
}
`,
  explain: `
/** What is wrong with a message that was refused: as any message, and as the one that it is. */
function explain(
  value: unknown,
  options: WireOptions,
  only: Kind | undefined,
  path: Path,
): Rejected {
  if (!record(value)) return reject(-32600, 'an object', value, options, path);
  const kind = kindOf(value);
  if (only && kind !== only) return reject(-32600, \`a \${only}\`, value, options, path);
  const [check, envelope] = ENVELOPES[kind];
  const sound = check(value, contextOf(options));
  const answer = kind === 'response' || kind === 'error';
  const method = answer ? options.methodOf?.(value.id as string) : value.method;
  const shape =
    typeof method === 'string' && kind !== 'error'
      ? shapeFor(answer ? 'result' : kind, method, options)
      : undefined;
  if (!shape && sound) {
    return answer
      ? reject(-32601, KNOWN, value.result, options, [...path, 'result'])
      : reject(-32601, \`a method that a \${options.from} sends\`, method, options, [...path, 'method']);
  }
  const known = answer && shape ? within('result', shape) : shape;
  const entire = known ? (sound ? known : both(envelope, known)) : envelope;
  const { errors, outside } = reportOn(entire, value, options, path);
  return { ok: false, code: outside ? -32600 : -32602, errors };
}
`,
  judgeResult: `
function judgeResult(
  method: string,
  result: unknown,
  options: ResultOptions = {},
): JudgedResult {
  if (accepts((v, c) => knows('result', method, v, options, c), result, options)) {
    return { ok: true, value: result as never };
  }
  const shape = shapeFor('result', method, options);
  return shape
    ? { ok: false, code: -32600, errors: errorsOf(shape, result, options) }
    : reject(-32601, KNOWN, result, options, []);
}
`,
  KNOWN: `
const KNOWN = 'the result of a known method';
`,
  kindOf: `
function kindOf(v: Properties): Kind {
  if (v.method !== undefined) return v.id === undefined ? 'notification' : 'request';
  return v.result === undefined && v.error !== undefined ? 'error' : 'response';
}
`,
  shapeFor: `
function shapeFor(
  part: Part,
  method: string,
  { from, extensions = [] }: ResultOptions & { readonly from?: Party },
): Shape | undefined {
  const own = ruleFor(find(wire, method), part, from)?.[1];
  const shapes = own ? [own] : [];
  for (const added of extensions) {
    const rule = ruleFor(find(added, method), part, from);
    if (rule) shapes.push(rule[1]);
  }
  return shapes.length > 1 ? either(...shapes) : shapes[0];
}
`,
  reject: `
function reject(
  code: ErrorCode,
  expected: string,
  value: unknown,
  options: ValidationOptions,
  path: Path,
): Rejected {
  const { errors } = reportOn(leaf(expected, () => false), value, options, path);
  return { ok: false, code, errors };
}
`,
  Parsed: `
type Parsed = { readonly ok: true; readonly value: unknown } | Rejected;
`,
  parse: `
function parse(input: string | Uint8Array): Parsed {
  const { TextDecoder } = globalThis as unknown as {
    readonly TextDecoder: new (
      label: string,
      options: { readonly fatal: boolean },
    ) => { decode(bytes: Uint8Array): string };
  };
  let text: string;
  try {
    text =
      typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    return unparsed('UTF-8', \`\${input.length} bytes\`, 'The bytes are not UTF-8.');
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    // Engines quote little of the text, but nothing obliges them to.
    const why = cut((error as Error).message, 200);
    return unparsed('JSON', \`a text \${text.length} long\`, \`The text is not JSON: \${why}.\`);
  }
}
`,
  unparsed: `
function unparsed(expected: string, received: string, message: string): Rejected {
  return { ok: false, code: -32700, errors: [{ pointer: '', expected, received, message }] };
}
`,
  answerable: `
function answerable(judged: Judged, value: unknown): Judged | Undecoded {
  if (judged.ok) return judged;
  const message = record(value) ? value : {};
  const { method, id } = message;
  const answer = method === undefined && (message.result ?? message.error) !== undefined;
  if (answer || kindOf(message) === 'notification') return judged;
  const { code, errors } = judged;
  const text = errors[0] ? \`\${MESSAGES[code]}: \${errors[0].message}\` : MESSAGES[code];
  const reply: ErrorReply = {
    jsonrpc: '2.0',
    ...(typeof id === 'string' || finite(id) ? { id } : NO_ID),
    error: { code, message: text, data: { errors } },
  };
  return { ...judged, reply };
}
`,
  MESSAGES: `
const MESSAGES: { readonly [code in ErrorCode]: string } = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
};
`,
};
