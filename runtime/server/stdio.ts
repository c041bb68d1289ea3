import type { Transport } from '@modelcontextprotocol/server';

import { LOCAL_OWNER } from './principal.js';
import { serveOverStdio, type StdioHandle } from './sdk/index.js';
import type { TaskServer } from './server.js';

export type { StdioHandle } from './sdk/index.js';

/** Serves one client over standard input and output: the local user, to whom all tasks belong. */
export function serveStdio(server: TaskServer, wire?: Transport): StdioHandle {
  return serveOverStdio({
    connect: (dialect) => server.connection(dialect, LOCAL_OWNER),
    subscriptions: server.subscriptions(LOCAL_OWNER),
    revisions: server.revisions,
    onError: server.onError,
    wire,
  });
}
