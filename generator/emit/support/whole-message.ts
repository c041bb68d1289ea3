/** Checks messages by the JSON-RPC definitions, for schemas whose messages restrict more than JSON-RPC's members. */
import { contextOf } from './check.js';
import type { Members } from './check.js';
import { kindOf, knows } from './message.js';
import type { Revision } from './message.js';
import type { Kind, WireOptions } from './wire.js';

/** The kind of a valid message, by the JSON-RPC definitions. */
export function wholeKind(revision: Revision, v: Members, options: WireOptions): Kind | undefined {
  const c = contextOf(options);
  const kind = kindOf(v);
  if (!revision[kind][0](v, c)) return undefined;
  if (kind === 'error') return kind;
  const answer = kind === 'response';
  const method = answer ? options.methodOf?.(v.id as string) : v.method;
  if (method === undefined) return answer ? kind : undefined;
  const value = answer ? v.result : v.params;
  return knows(revision.wire, kind, method as string, value, v, options, c) ? kind : undefined;
}
