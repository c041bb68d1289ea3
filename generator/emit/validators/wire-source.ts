import type { Pieces } from './pieces.js';

/** Source of what reads messages off the wire, whatever the schema. */
export const WIRE: Pieces = {
  Party: `
/** Who sent a message. */
export type Party = 'client' | 'server';
`,
  Rule: `
type Rule = readonly [check: Check, shape: () => Shape];
`,
  Method: `
interface Method {
  readonly from: readonly Party[];
  readonly request?: Rule;
  readonly notification?: Rule;
  readonly result?: Rule;
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
  readonly methods: ReadonlyMap<string, Method>;
  /** Only a type. */
  readonly messages?: M;
}
`,
  MessagesOf: `
type MessagesOf<W extends readonly Wire[]> = W[number] extends Wire<infer M> ? M : never;
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
type Judged = { readonly ok: true; readonly kind: never; readonly value: never } | Rejected;
`,
  JudgedResult: `
type JudgedResult = { readonly ok: true; readonly value: never } | Rejected;
`,
  judge: `
/** Looks only as far as it has to: what a message is, then its check, then what is wrong. */
function judge(value: unknown, options: WireOptions, only?: Kind, path: Path = []): Judged {
  try {
    if (!record(value)) return reject(-32600, 'an object', value, options, path);
    const { method, id } = value;
    const kind = kindOf(value);
    if (only && kind !== only) return reject(-32600, \`a \${only}\`, value, options, path);
    const answers =
      kind === 'response' && (typeof id === 'string' || typeof id === 'number')
        ? options.methodOf?.(id)
        : undefined;
    const [check, shape] = ENVELOPES[kind];
    const context = contextOf(options);
    if (!check(value, context)) {
      return { ok: false, code: -32600, errors: errorsOf(shape(), value, options, path) };
    }
    const valid = { ok: true, kind, value } as Judged;
    if (kind === 'response' || kind === 'error') {
      if (kind === 'error' || answers === undefined) return valid;
      const rules = rulesFor(answers, 'result', options);
      const result = value.result;
      if (rules.some(([check]) => check(result, context))) return valid;
      return refuse(rules, answers, result, options, [...path, 'result']);
    }
    const name = String(method);
    const rules = rulesFor(name, kind, options);
    if (rules.some(([check]) => check(value, context))) return valid;
    return refuse(rules, name, value, options, path, options.from);
  } catch {
    return reject(-32600, 'readable', value, options, path);
  }
}
`,
  judgeResult: `
function judgeResult(
  method: string,
  result: unknown,
  options: ResultOptions = {},
): JudgedResult {
  const rules = rulesFor(method, 'result', options);
  return rules.some(([check]) => accepts(check, result, options))
    ? { ok: true, value: result as never }
    : refuse(rules, method, result, options, []);
}
`,
  kindOf: `
function kindOf({ method, id, result, error }: Properties): Kind {
  if (method !== undefined) return id === undefined ? 'notification' : 'request';
  return result === undefined && error !== undefined ? 'error' : 'response';
}
`,
  rulesFor: `
/** What may stand under that name: extensions add methods, and results of methods. */
function rulesFor(
  method: string,
  kind: 'request' | 'notification' | 'result',
  { from, extensions = [] }: ResultOptions & { readonly from?: Party },
): Rule[] {
  const rules: Rule[] = [];
  for (const { methods } of [wire, ...extensions]) {
    const known = methods.get(method);
    const rule = known?.[kind];
    if (rule && (kind === 'result' || (from && known.from.includes(from)))) rules.push(rule);
  }
  return rules;
}
`,
  refuse: `
/** No rule: the method is not known. Errors in the parameters alone have a code of their own. */
function refuse(
  rules: readonly Rule[],
  method: string,
  value: unknown,
  options: ValidationOptions,
  path: Path,
  from?: Party,
): Rejected {
  if (rules.length === 0) {
    const expected = from ? \`a method that a \${from} sends\` : 'the result of a known method';
    if (!from) return reject(-32601, expected, value, options, path);
    return reject(-32601, expected, method, options, [...path, 'method']);
  }
  const errors = errorsOf(either(...rules.map(([, shape]) => shape())), value, options, path);
  const params = path.map(token).join('') + '/params';
  const inParams = errors.every(({ pointer }) => (pointer + '/').startsWith(params + '/'));
  return { ok: false, code: inParams ? -32602 : -32600, errors };
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
  return { ok: false, code, errors: errorsOf(leaf(expected, () => false), value, options, path) };
}
`,
  notJson: `
function notJson(options: ValidationOptions): Rejected {
  return reject(-32700, 'JSON', '', options, []);
}
`,
  parse: `
/** \`undefined\`, which is no JSON, for text that is not JSON and bytes that are not UTF-8. */
function parse(input: string | Uint8Array): unknown {
  const { TextDecoder } = globalThis as unknown as {
    readonly TextDecoder: new (
      label: string,
      options: { readonly fatal: boolean },
    ) => { decode(bytes: Uint8Array): string };
  };
  try {
    const text =
      typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
