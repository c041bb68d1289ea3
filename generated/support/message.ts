// Written by mcp-codegen: what the generated files beside this folder have in common. Do not edit.
/* eslint-disable */

/** Checks messages by their method, and results by the method of their request. */
import { accepts, alike, contextOf, record, seen, whole } from './check.js';
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
  Part,
  Rejected,
  ResultOptions,
  Rule,
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

type Parts = { readonly [part in Part]: Check };

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
    if (!record(value)) return reject(-32600, 'an object', value, options, path);
    const { parts } = revision;
    const kind = parts
      ? (quickKind(revision, parts, value, options, false) ??
        (isPlain(value) ? undefined : quickKind(revision, parts, value, options, true)))
      : revision.kind?.(revision, value, options);
    if (kind !== undefined) return { ok: true, kind, value: value as never };
    return explain(revision, value, options, path);
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

/** The kind of a valid message. Reads each member once: `direct`, or in a loop, which does not meet what a class defines. */
function quickKind(
  revision: Revision,
  parts: Parts,
  v: Properties,
  options: WireOptions,
  direct: boolean,
): Kind | undefined {
  let jsonrpc, id, method, params, result;
  if (direct || alike(met, v)) {
    ({ jsonrpc, id, method, params, result } = v);
  } else {
    for (const key in v) {
      const p = v[key];
      if (key === 'jsonrpc') jsonrpc = p;
      else if (key === 'id') id = p;
      else if (key === 'method') method = p;
      else if (key === 'params') params = p;
      else if (key === 'result') result = p;
    }
  }
  if (jsonrpc !== '2.0') return undefined;
  const { wire } = revision;
  const c = contextOf(options);
  if (typeof method === 'string') {
    const kind = id === undefined ? 'notification' : 'request';
    if (id !== undefined && !identifies(id)) return undefined;
    return knows(wire, kind, method, params, v, options, c, parts) ? kind : undefined;
  }
  if (method !== undefined) return undefined;
  if (result === undefined) return revision.error[0](v, c) ? 'error' : undefined;
  if (!identifies(id)) return undefined;
  const asked = options.methodOf?.(id);
  const fine =
    asked === undefined
      ? parts.result(result, c)
      : knows(wire, 'result', asked, result, v, options, c, parts);
  return fine ? 'response' : undefined;
}

function isPlain(v: Members): boolean {
  return Object.getPrototypeOf(v) === Object.prototype;
}

function identifies(id: unknown): id is string | number {
  return typeof id === 'string' || whole(id);
}

type Sent = ResultOptions & { readonly from?: Party };

/** Whether the params or the result of `message` are those of this method, and of a message. */
export function knows(
  wire: Wire,
  part: Part,
  method: string,
  v: unknown,
  message: unknown,
  options: Sent,
  c: Context,
  parts?: Parts,
): boolean {
  const { from, extensions } = options;
  return (
    accepted(wire, part, method, v, message, from, c, parts) ||
    extensions?.some((added) => accepted(added, part, method, v, message, from, c, parts)) === true
  );
}

function accepted(
  { methods }: Wire,
  part: Part,
  method: string,
  v: unknown,
  message: unknown,
  from: Party | undefined,
  c: Context,
  parts: Parts | undefined,
): boolean {
  for (let known = methods[placeOf(method)]; known; known = known.next) {
    if (known.method !== method) continue;
    const rule = ruleFor(known, part, from);
    if (!rule) continue;
    const check = rule[0];
    const value = known.whole === true && part !== 'result' ? message : v;
    if (!check(value, c)) continue;
    if (known.partial !== true || parts === undefined) return true;
    if ((v === undefined && part !== 'result') || parts[part](v, c)) return true;
  }
  return false;
}

const KNOWN = 'the result of a known method';

/** The errors of an invalid message: of the envelope and of its own definition. */
function explain(revision: Revision, value: Members, options: WireOptions, path: Path): Rejected {
  const kind = kindOf(value);
  const [check, envelope] = revision[kind];
  const sound = check(value, contextOf(options));
  const answer = kind === 'response' || kind === 'error';
  const method = answer ? options.methodOf?.(value.id as string) : value.method;
  const shape =
    typeof method === 'string' && kind !== 'error'
      ? ruleShape(revision.wire, answer ? 'result' : kind, method, options)
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
  if (accepts((v, c) => knows(wire, 'result', method, v, undefined, options, c), result, options)) {
    return { ok: true, value: result as never };
  }
  const shape = ruleShape(wire, 'result', method, options);
  return shape
    ? { ok: false, code: -32600, errors: errorsOf(shape, result, options) }
    : reject(-32601, KNOWN, result, options, []);
}

/** The shape of a message, or of a result. */
function ruleShape(
  wire: Wire,
  part: Part,
  method: string,
  { from, extensions = [] }: Sent,
): Shape | undefined {
  const shapes: Shape[] = [];
  for (const { methods } of [wire, ...extensions]) {
    for (let known = methods[placeOf(method)]; known; known = known.next) {
      if (known.method !== method) continue;
      const rule = ruleFor(known, part, from);
      if (!rule) continue;
      const shape = rule[1];
      shapes.push(known.whole === true || part === 'result' ? shape : within('params', shape));
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
