// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** Checks messages by their method, and results by the method of their request. */
import { accepts, alike, contextOf, list, seen, whole } from './check.js';
import type { Check, Context, Members, Properties } from './check.js';
import type { Party } from './protocol.js';
import { errorsOf, reportOn, within } from './report.js';
import type { Path, Shape } from './report.js';
import { both, either, leaf } from './shapes.js';
import type { ValidationOptions } from './validation.js';
import { placeOf, ruleFor } from './wire.js';
import type {
  ErrorCode,
  Kind,
  Rejected,
  ResultOptions,
  Rule,
  Sort,
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

/** The orders of the members of the messages so far. */
const met = seen();

/** The kind of a valid message. Reads each member once, or twice in an instance of a class. */
function quickKind(revision: Parted, v: Members, options: WireOptions): Kind | undefined {
  if (alike(met, v)) return directKind(revision, v, options);
  return (
    loopedKind(revision, v, options) ?? (isPlain(v) ? undefined : directKind(revision, v, options))
  );
}

function directKind(revision: Parted, v: Members, options: WireOptions): Kind | undefined {
  const { jsonrpc, id, method } = v;
  const content = method === undefined ? v.result : v.params;
  return kindWith(revision, v, options, jsonrpc, id, method, content);
}

/** Does not meet what a class defines. */
function loopedKind(revision: Parted, v: Members, options: WireOptions): Kind | undefined {
  let jsonrpc, id, method, params, result;
  for (const key in v) {
    const p = v[key];
    if (key === 'jsonrpc') jsonrpc = p;
    else if (key === 'id') id = p;
    else if (key === 'method') method = p;
    else if (key === 'params') params = p;
    else if (key === 'result') result = p;
  }
  const content = method === undefined ? result : params;
  return kindWith(revision, v, options, jsonrpc, id, method, content);
}

/** The kind of a valid message with these members. `content` is its params, or its result. */
function kindWith(
  revision: Parted,
  v: Members,
  options: WireOptions,
  jsonrpc: unknown,
  id: unknown,
  method: unknown,
  content: unknown,
): Kind | undefined {
  if (jsonrpc !== '2.0') return undefined;
  const { parts } = revision;
  const c = contextOf(options);
  let kind: Sort = 'response';
  let of = method;
  if (typeof method === 'string') {
    kind = id === undefined ? 'notification' : 'request';
    if (id !== undefined && !identifies(id)) return undefined;
  } else {
    if (method !== undefined) return undefined;
    if (content === undefined) return revision.error[0](v, c) ? 'error' : undefined;
    if (!identifies(id)) return undefined;
    of = options.methodOf?.(id);
    if (of === undefined) return parts.response(content, c) ? kind : undefined;
  }
  // In one place, so that the engine inlines it.
  return knows(revision.wire, kind, of as string, content, v, options, c, parts) ? kind : undefined;
}

function isPlain(v: Members): boolean {
  return Object.getPrototypeOf(v) === Object.prototype;
}

function identifies(id: unknown): id is string | number {
  return typeof id === 'string' || whole(id);
}

type Sent = ResultOptions & { readonly from?: Party | undefined };

/** Whether the params or the result of `message` are those of this method, and of a message. */
export function knows(
  { methods }: Wire,
  kind: Sort,
  method: string,
  v: unknown,
  message: unknown,
  options: Sent,
  c: Context,
  parts?: Parts,
): boolean {
  for (let known = methods[placeOf(method)]; known; known = known.next) {
    if (known.method !== method) continue;
    const rule = ruleFor(known, kind, options.from);
    const answer = kind === 'response';
    if (
      rule?.[0](known.whole === true && !answer ? message : v, c) === true &&
      (known.partial !== true ||
        parts === undefined ||
        (v === undefined && !answer) ||
        parts[kind](v, c))
    ) {
      return true;
    }
  }
  return adds(options, kind, method, v, message, c, parts);
}

function adds(
  { extensions, from }: Sent,
  kind: Sort,
  method: string,
  v: unknown,
  message: unknown,
  c: Context,
  parts: Parts | undefined,
): boolean {
  return (
    extensions?.some((wire) => knows(wire, kind, method, v, message, { from }, c, parts)) === true
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
  { from, extensions = [] }: Sent,
): Shape | undefined {
  const shapes: Shape[] = [];
  for (const { methods } of [wire, ...extensions]) {
    for (let known = methods[placeOf(method)]; known; known = known.next) {
      if (known.method !== method) continue;
      const rule = ruleFor(known, kind, from);
      if (!rule) continue;
      const shape = rule[1];
      shapes.push(known.whole === true || kind === 'response' ? shape : within('params', shape));
    }
  }
  return shapes.length > 1 ? either(...shapes) : shapes[0];
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
