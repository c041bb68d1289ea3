import type { AuditSink } from '../tasks/index.js';
import { lineWriter } from './lines.js';
import { countRefusals } from './refusal-counts.js';

/**
 * Writes audit events as lines of JSON to a file descriptor, standard error by default; `at` becomes
 * ISO 8601. For servers without a logger: the option `log` writes them too.
 *
 * Never blocks: see `lineWriter`. Faults are left out, because the server reports them itself, at a bounded
 * rate. Refusals without an owner are written at once, and then every 10 s with a count (`times`).
 */
export function auditLines(descriptor?: number): AuditSink {
  const lines = lineWriter(descriptor, (events) => ({
    type: 'dropped',
    at: new Date().toISOString(),
    events,
  }));
  return countRefusals((event) => {
    if (event.type === 'fault') return;
    lines.write(`${JSON.stringify({ ...event, at: new Date(event.at).toISOString() })}\n`);
  });
}
