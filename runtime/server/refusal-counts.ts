import type { AuditEvent, AuditSink } from '../tasks/index.js';
import { createCoalescer } from './coalesce.js';

/** An audit event that may stand for several. */
export interface CountedEvent extends AuditEvent {
  /** How many more events like this one there were in the last 10 s. */
  readonly times?: number;
}

/**
 * Passes audit events on, but counts refusals that a client can cause without limit: those without an
 * owner, such as requests without a token, and those beyond a rate.
 */
export function countRefusals(sink: (event: CountedEvent) => void): AuditSink {
  const refused = createCoalescer<AuditEvent>({
    first: sink,
    repeated: (event, times) => sink({ ...event, at: Date.now(), times }),
    others: (times) => sink({ type: 'refused', at: Date.now(), reason: 'other', times }),
  });
  return (event) => {
    const { type, owner, method, reason } = event;
    if (type !== 'refused' || (owner !== undefined && reason !== 'limit')) return sink(event);
    // A path of an HTTP request is no kind, because a client may ask for any.
    const kind = owner === undefined ? [reason] : [reason, owner, method];
    refused(kind.join('\n'), event);
  };
}
