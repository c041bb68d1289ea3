/** Checks messages by their method, and results by the method of their request. */
import { accepts, contextOf, record } from './check.js';
import type { Context, Properties } from './check.js';
import type { Party } from './protocol.js';
import { errorsOf, reportOn, within } from './report.js';
import type { Path, Shape } from './report.js';
import { both, either, leaf } from './shapes.js';
import type { ValidationOptions } from './validation.js';
import { ruleFor } from './wire.js';
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
  /** Whether each message's definition contains the JSON-RPC envelope, so that one check suffices. */
  readonly whole: boolean;
}

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
    if (record(value)) {
      const kind = kindOf(value);
      if (fits(revision, value, kind, options)) return { ok: true, kind, value: value as never };
    }
    return explain(revision, value, options, path);
  } catch {
    return reject(-32600, 'readable', value, options, path);
  }
}

export function kindOf(v: Properties): Kind {
  if (v.method !== undefined) return v.id === undefined ? 'notification' : 'request';
  return v.result === undefined && v.error !== undefined ? 'error' : 'response';
}

/** Determines the kind of the message first, then checks only that kind. */
function fits(revision: Revision, v: Properties, kind: Kind, options: WireOptions): boolean {
  const c = contextOf(options);
  if (kind === 'error') return revision.error[0](v, c);
  const { wire, whole } = revision;
  if (kind === 'response') {
    if (!revision.response[0](v, c)) return false;
    const method = options.methodOf?.(v.id as string);
    return method === undefined || knows(wire, 'result', method, v.result, options, c);
  }
  if (!whole && !revision[kind][0](v, c)) return false;
  return typeof v.method === 'string' && knows(wire, kind, v.method, v, options, c);
}

function knows(
  wire: Wire,
  part: Part,
  method: string,
  v: unknown,
  options: ResultOptions & { readonly from?: Party },
  c: Context,
): boolean {
  const { from, extensions } = options;
  return (
    accepted(wire, part, method, v, from, c) ||
    extensions?.some((added) => accepted(added, part, method, v, from, c)) === true
  );
}

/**
 * Skips the comparison of the method, because the check of a message contains it and long texts take
 * time.
 */
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
    if (ruleFor(known, part, from)?.[0](v, c)) return true;
  }
  return false;
}

const KNOWN = 'the result of a known method';

/** The errors of an invalid message: of the envelope and of its own definition. */
function explain(revision: Revision, value: unknown, options: WireOptions, path: Path): Rejected {
  if (!record(value)) return reject(-32600, 'an object', value, options, path);
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
  if (accepts((v, c) => knows(wire, 'result', method, v, options, c), result, options)) {
    return { ok: true, value: result as never };
  }
  const shape = ruleShape(wire, 'result', method, options);
  return shape
    ? { ok: false, code: -32600, errors: errorsOf(shape, result, options) }
    : reject(-32601, KNOWN, result, options, []);
}

function ruleShape(
  wire: Wire,
  part: Part,
  method: string,
  { from, extensions = [] }: ResultOptions & { readonly from?: Party },
): Shape | undefined {
  const shapes: Shape[] = [];
  for (const each of [wire, ...extensions]) {
    const rule = ruleFor(
      each.methods[method.length]?.find((known) => known.method === method),
      part,
      from,
    );
    if (rule) shapes.push(rule[1]);
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
