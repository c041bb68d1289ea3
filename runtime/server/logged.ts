import type { AuditSink } from '../tasks/index.js';
import { logAudit, logFaults, type ServerLog } from './log.js';

/** Options of a server whose audit events and faults are lines of a log. */
export interface Logged {
  readonly audit: AuditSink;
  readonly onError: (error: Error) => void;
}

/** Spread them: `createTaskServer({ ...loggedBy(console), … })`. `audit` gets each event as well. */
export function loggedBy(log: ServerLog, audit?: AuditSink): Logged {
  const logged = logAudit(log);
  return {
    audit:
      audit === undefined
        ? logged
        : async (event) => {
            void logged(event);
            await audit(event);
          },
    onError: logFaults(log),
  };
}
