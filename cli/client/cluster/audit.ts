import { EventEmitter, once } from 'node:events';
import type { LogLine } from './processes.js';

/** Which node logged which event of a task. */
export interface Audit {
  note(node: string, line: LogLine): void;
  /** The node of the first of these events; undefined when no node has logged one in time. */
  nodeOf(events: readonly string[], taskId: string): Promise<string | undefined>;
}

/** A line may come after the result of its task. */
const LATE_MS = 5_000;

export function createAudit(): Audit {
  const noted = new Map<string, string>();
  const changes = new EventEmitter();
  changes.setMaxListeners(0);
  return {
    note(node, { event, taskId }) {
      if (typeof event !== 'string' || typeof taskId !== 'string') return;
      noted.set(`${event} ${taskId}`, node);
      changes.emit('noted');
    },
    async nodeOf(events, taskId) {
      const signal = AbortSignal.timeout(LATE_MS);
      for (;;) {
        const found = events.map((event) => noted.get(`${event} ${taskId}`)).find(Boolean);
        if (found !== undefined || signal.aborted) return found;
        await once(changes, 'noted', { signal }).catch(() => undefined);
      }
    },
  };
}
