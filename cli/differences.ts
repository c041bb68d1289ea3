import { diffProtocols } from '../generator/diff/index.js';
import type { ProtocolDiff } from '../generator/diff/index.js';
import type { Protocol } from '../generator/ir/index.js';
import { shownLocation } from '../generator/read/load/location.js';

/** A protocol, and the revision, file or URL that the user wrote for it. */
interface Side {
  readonly protocol: Protocol;
  readonly subject: string;
}

/** The changes between two protocols. A draft may have the name of its revision: then both have the user's words. */
export function differencesOf(before: Side, after: Side): ProtocolDiff {
  const diff = diffProtocols(before.protocol, after.protocol);
  if (diff.before !== diff.after) return diff;
  return { ...diff, before: shownLocation(before.subject), after: shownLocation(after.subject) };
}
