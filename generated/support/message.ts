// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** Checks messages by their method, and results by the method of their request. */
import { accepts, contextOf, list, whole } from './check.js';
import type { Check, Context, Members, Properties } from './check.js';
import type { Party } from './protocol.js';
import { errorsOf, reportOn, within } from './report.js';
import type { Path, Shape } from './report.js';
import { both, either, leaf } from './shapes.js';
import type { ValidationOptions } from './validation.js';
import type {
  ErrorCode,
  Kind,
  Rejected,
  ResultOptions,
  Rule,
  Sort,
  Verdict,
  Wire,
  WireOptions,
} from './wire.js';

/** The tables of a revision that `validateMessage` and `decode` need. */
export interface Revision {
  readonly wire: Wire;
  /** The JSON-RPC definition of each kind of message. */
  readonly request: Rule;
  readonly notification: Rule;
  readonly response: Rule;
  readonly error: Rule;
  /** The checks of the params and the result of all messages, when the JSON-RPC definitions restrict nothing else. */
  readonly parts?: Parts;
  /** Finds the kind of a valid message, when they do. */
  readonly kind?: (revision: Revision, v: Properties, options: WireOptions) => Kind | undefined;
}

type Parted = Revision & { readonly parts: Parts };

type Parts = { readonly [kind in Sort]: Check };

/** The exported function of the revision adds the type of `value`. */
export type Judged = { readonly ok: true; readonly kind: Kind; readonly value: never } | Rejected;
export type JudgedResult = { readonly ok: true; readonly value: never } | Rejected;

export function judge(
  revision: Revision,
  value: unknown,
  options: WireOptions,
  path: Path = [],
): Judged {
  try {
    if (typeof value !== 'object' || value === null || list(value)) {
      return reject(-32600, 'an object', value, options, path);
    }
    const v = value as Properties;
    const kind = revision.parts
      ? quickKind(revision as Parted, v, options)
      : revision.kind?.(revision, v, options);
    return kind === undefined
      ? explain(revision, v, options, path)
      : { ok: true, kind, value: value as never };
  } catch {
    return reject(-32600, 'readable', value, options, path);
  }
}

export function kindOf(v: Members): Kind {
  if (v.method !== undefined) return v.id === undefined ? 'notification' : 'request';
  return v.result === undefined && v.error !== undefined ? 'error' : 'response';
}

/** The kind of a valid message. It is one function with one call for each kind, because the engine inlines few. */
function quickKind(revision: Parted, v: Members, options: WireOptions): Kind | undefined {
  const { jsonrpc, id, method } = v;
  if (jsonrpc !== '2.0') return undefined;
  const { wire, parts } = revision;
  const c = contextOf(options);
  let kind: Sort = 'response';
  let of = method;
  let content: unknown;
  let verdict: Verdict;
  if (typeof method === 'string') {
    content = v.params;
    if (id === undefined) {
      kind = 'notification';
      verdict = wire.notification(method, options.from, content, c, v);
    } else {
      if (!identifies(id)) return undefined;
      kind = 'request';
      verdict = wire.request(method, options.from, content, c, v);
    }
  } else {
    if (method !== undefined) return undefined;
    content = v.result;
    if (content === undefined) return revision.error[0](v, c) ? 'error' : undefined;
    if (!identifies(id)) return undefined;
    of = options.methodOf?.(id);
    if (of === undefined) return parts.response(content, c) ? kind : undefined;
    verdict = wire.response(of as string, undefined, content, c, v);
  }
  const valid =
    verdict === true ||
    accepted(verdict, kind, content, c, parts) ||
    extended(options, kind, of as string, content, v, c, parts);
  return valid ? kind : undefined;
}

function identifies(id: unknown): id is string | number {
  return typeof id === 'string' || whole(id);
}

type Sent = ResultOptions & { readonly from?: Party | undefined };

/** Whether the params or the result of `message` are those of this method. */
export function knows(
  wire: Wire,
  kind: Sort,
  method: string,
  v: unknown,
  message: unknown,
  options: Sent,
  c: Context,
): boolean {
  const verdict = wire[kind](method, options.from, v, c, message);
  return accepted(verdict, kind, v, c) || extended(options, kind, method, v, message, c);
}

/** Whether a rule accepts a value that is a part of a message as well. */
function accepted(verdict: Verdict, kind: Sort, v: unknown, c: Context, parts?: Parts): boolean {
  if (verdict !== 'partial') return verdict === true;
  return parts === undefined || (v === undefined && kind !== 'response') || parts[kind](v, c);
}

/** Whether an extension accepts it. */
function extended(
  { extensions, from }: Sent,
  kind: Sort,
  method: string,
  v: unknown,
  message: unknown,
  c: Context,
  parts?: Parts,
): boolean {
  return (
    extensions?.some((wire) =>
      accepted(wire[kind](method, from, v, c, message), kind, v, c, parts),
    ) === true
  );
}

const KNOWN = 'the result of a known method';

/** The errors of an invalid message: of the envelope and of its own definition. */
function explain(revision: Revision, value: Members, options: WireOptions, path: Path): Rejected {
  const kind = kindOf(value);
  const [check, envelope] = revision[kind];
  const sound = accepts(check, value, options);
  const answer = kind === 'response' || kind === 'error';
  const method = answer ? options.methodOf?.(value.id as string) : value.method;
  const shape =
    typeof method === 'string' && kind !== 'error'
      ? ruleShape(revision.wire, kind, method, options)
      : undefined;
  if (!shape && sound) {
    if (answer) return reject(-32601, KNOWN, value.result, options, [...path, 'result']);
    const sent = `a method that a ${options.from} sends`;
    return reject(-32601, sent, method, options, [...path, 'method']);
  }
  const known = answer && shape ? within('result', shape) : shape;
  const entire = known ? (sound ? known : both(envelope, known)) : envelope;
  const { errors, outside } = reportOn(entire, value, options, path);
  return { ok: false, code: outside ? -32600 : -32602, errors };
}

/** Checks a result by the method of its request. */
export function judgeResult(
  wire: Wire,
  method: string,
  result: unknown,
  options: ResultOptions = {},
): JudgedResult {
  if (
    accepts((v, c) => knows(wire, 'response', method, v, undefined, options, c), result, options)
  ) {
    return { ok: true, value: result as never };
  }
  const shape = ruleShape(wire, 'response', method, options);
  return shape
    ? { ok: false, code: -32600, errors: errorsOf(shape, result, options) }
    : reject(-32601, KNOWN, result, options, []);
}

/** The shape of a message, or of a result. */
function ruleShape(
  wire: Wire,
  kind: Sort,
  method: string,
  { from, extensions }: Sent,
): Shape | undefined {
  const own = shapeIn(wire, kind, method, from);
  if (!extensions) return own;
  const shapes = [wire, ...extensions].flatMap((each) => shapeIn(each, kind, method, from) ?? []);
  return shapes.length > 1 ? either(...shapes) : shapes[0];
}

function shapeIn(
  wire: Wire,
  kind: Sort,
  method: string,
  from: Party | undefined,
): Shape | undefined {
  const shape = wire[kind](method, from, undefined, undefined, undefined);
  if (typeof shape !== 'object') return undefined;
  const isWhole = kind === 'response' || wire.whole?.includes(method) === true;
  return isWhole ? shape : within('params', shape);
}

function reject(
  code: ErrorCode,
  expected: string,
  value: unknown,
  options: ValidationOptions,
  path: Path,
): Rejected {
  const { errors } = reportOn(
    leaf(expected, () => false),
    value,
    options,
    path,
  );
  return { ok: false, code, errors };
}
