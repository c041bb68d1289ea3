import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveSdk, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { listeningTransport } from './listen-stdio.js';
import { LOCAL_OWNER } from './principal.js';
import { withoutPayload } from './sdk-errors.js';
import type { TaskServer } from './server.js';

export interface StdioHandle {
  /** Resolves when the client has gone, or `close` was called. */
  readonly closed: Promise<void>;
  /** Ends the connection. The task server stays open. */
  close(): Promise<void>;
}

/** The SDK's word for what its client negotiated, and the dialect of that. */
const DIALECT_OF = { legacy: 'core', modern: 'ext' } as const;

/** Serves one client over standard input and output: the local user, to whom all tasks belong. */
export function serveStdio(
  server: TaskServer,
  wire: Transport = new StdioServerTransport(),
): StdioHandle {
  const transport = listeningTransport(wire, server);
  const handle = serveSdk(({ era }) => server.connection(DIALECT_OF[era], LOCAL_OWNER), {
    transport,
    onerror: (error) => server.onError(withoutPayload(error)),
  });
  const closed = new Promise<void>((resolve) => {
    const onclose = transport.onclose;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return { closed, close: () => handle.close() };
}
