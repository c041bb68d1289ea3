import type { Transport } from '@modelcontextprotocol/server';

import { answersIn } from './connection.js';
import { doorTransport } from './door/index.js';
import { LOCAL_OWNER } from './principal.js';
import { lineTransport, serveOverStdio, type StdioHandle } from './sdk/index.js';
import type { TaskServer } from './server.js';

export type { StdioHandle } from './sdk/index.js';

/** Serves one client over standard input and output: the local user, to whom all tasks belong. */
export function serveStdio(server: TaskServer, wire?: Transport): StdioHandle {
  return servePipe(server, wire ?? standardStreams(server));
}

/** Without the door the SDK answers every request, with the same answers. */
export function servePipe(server: TaskServer, wire: Transport, withDoor = true): StdioHandle {
  const door = withDoor ? doorTransport(wire, server.door(LOCAL_OWNER).answerOn) : undefined;
  return serveOverStdio({
    connect(dialect) {
      const mcp = server.connection(dialect, LOCAL_OWNER);
      door?.connected(dialect, answersIn(mcp));
      return mcp;
    },
    subscriptions: server.subscriptions(LOCAL_OWNER),
    revisions: server.revisions,
    onError: server.onError,
    wire: door?.transport ?? wire,
  });
}

function standardStreams({ engine }: TaskServer): Transport {
  return lineTransport({
    source: process.stdin,
    target: process.stdout,
    onTooSlow: () => engine.refused({ owner: LOCAL_OWNER }, 'slow_reader'),
  });
}
