/** Checks batches, for the revision that has them. */
import { list } from './check.js';
import { answerable, parse } from './decode.js';
import type { NoId } from './decode.js';
import { judge } from './message.js';
import type { Judged, Revision } from './message.js';
import type { ValidationError } from './validation.js';
import type { ErrorCode, ErrorReply, Rejected, Undecoded, WireOptions } from './wire.js';

/** A batch of valid messages. */
export interface ReceivedItems<T> {
  readonly ok: true;
  readonly kind: 'batch';
  readonly items: readonly T[];
}

/**
 * A batch with invalid messages: `items` contains the verdict on each message, `errors` all errors. It
 * ends with the invalid message number `maxErrors`; later messages are not checked and not in `items`.
 */
export interface RejectedItems<T> extends Rejected {
  readonly items: readonly (T | Rejected)[];
}

/** `replies` is the batch to answer with. Add the answers to the valid items to it. */
export interface UndecodedItems<T> extends Rejected {
  readonly items: readonly (T | Undecoded)[];
  readonly replies: readonly ErrorReply[];
}

/** A message or a batch. */
export function judgeAll(
  revision: Revision,
  value: unknown,
  options: WireOptions,
): Judged | ReceivedItems<never> | RejectedItems<never> {
  return several(value)
    ? (judgeItems(revision, value, options, (judged) => judged) as never)
    : judge(revision, value, options);
}

export function decodeAll(
  revision: Revision,
  input: string | Uint8Array,
  options: WireOptions,
  noId: NoId,
): Judged | Undecoded | ReceivedItems<never> | UndecodedItems<never> {
  const parsed = parse(input);
  if (!parsed.ok) return answerable(parsed, undefined, noId);
  const { value } = parsed;
  if (!several(value)) return answerable(judge(revision, value, options), value, noId);
  const judged = judgeItems(revision, value, options, (item, message) =>
    answerable(item, message, noId),
  );
  const replies = judged.items.flatMap((item) => ('reply' in item ? (item.reply ?? []) : []));
  return ('code' in judged ? { ...judged, replies } : judged) as never;
}

function several(value: unknown): value is readonly unknown[] {
  return list(value) && value.length > 0;
}

function judgeItems<J extends { readonly ok: boolean }>(
  revision: Revision,
  values: readonly unknown[],
  options: WireOptions,
  finish: (judged: Judged, value: unknown) => J,
): { readonly items: readonly J[] } {
  const limit = Math.max(1, options.maxErrors ?? 100);
  const items: J[] = [];
  const errors: ValidationError[] = [];
  let code: ErrorCode | undefined;
  let bad = 0;
  for (let index = 0; index < values.length && bad < limit; index++) {
    const maxErrors = Math.max(1, limit - errors.length);
    const judged = judge(revision, values[index], { ...options, maxErrors }, [index]);
    items.push(finish(judged, values[index]));
    if (judged.ok) continue;
    bad++;
    code ??= judged.code;
    errors.push(...judged.errors.slice(0, limit - errors.length));
  }
  const judged = code === undefined ? { ok: true, kind: 'batch' } : { ok: false, code, errors };
  return { ...judged, items };
}
