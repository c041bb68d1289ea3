import {
  type LinesHandle,
  type LineSource,
  type LineTarget,
  serveLines,
} from '../transport/index.js';
import { atMost, DEFAULT_DRAIN_MS, systemClock } from '../tasks/index.js';
import { LOCAL_OWNER } from './auth/index.js';
import type { TaskServer } from './server.js';

export interface StdioHandle {
  /** Resolves when the client has disconnected, or `close` was called. */
  readonly closed: Promise<void>;
  /**
   * Refuses new requests, lets those under way finish for `drainMs` (default 5,000), then ends the connection. The task
   * server stays open.
   */
  close(drainMs?: number): Promise<void>;
}

export interface StdioStreams {
  /** Default: standard input. */
  readonly source?: LineSource;
  /** Default: standard output. */
  readonly target?: LineTarget;
}

/** Serves one client over standard input and output: the local user, to whom all tasks belong. */
export function serveStdio(
  server: TaskServer,
  { source = process.stdin, target = process.stdout }: StdioStreams = {},
): StdioHandle {
  const serving = server.serve({ identification: LOCAL_OWNER, asksUnidentified: false });
  const lines: LinesHandle = serveLines({
    served: serving,
    source,
    target,
    who: undefined,
    onTooSlow: () => server.engine.refused({ owner: LOCAL_OWNER }, 'slow_reader'),
    onError: server.onError,
  });
  return {
    closed: lines.closed,
    async close(drainMs = DEFAULT_DRAIN_MS) {
      await atMost(systemClock, drainMs, serving.drain());
      serving.close();
      await lines.close();
    },
  };
}
