import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveSdk, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import type { Dialect } from '../../tasks/index.js';
import type { ConnectedServer } from './connected-server.js';
import { withoutPayload } from './error-text.js';
import { listeningTransport } from './listen-stdio.js';
import { offeredTransport, offers } from './offered.js';
import type { TaskSubscriptions } from './task-subscriptions.js';

export interface StdioOptions {
  readonly connect: (dialect: Dialect) => ConnectedServer;
  readonly subscriptions: TaskSubscriptions;
  /** Those that the client may speak. */
  readonly revisions: readonly string[];
  readonly onError: (error: unknown) => void;
  /** Default: standard input and output. */
  readonly wire?: Transport | undefined;
}

export interface StdioHandle {
  /** Resolves when the client has disconnected, or `close` was called. */
  readonly closed: Promise<void>;
  /** Ends the connection. The task server stays open. */
  close(): Promise<void>;
}

/** The SDK's word for what its client negotiated, and the dialect of that. */
const DIALECT_OF = { legacy: 'core', modern: 'ext' } as const;

/** Serves one client, which negotiates its revision first. */
export function serveOverStdio(options: StdioOptions): StdioHandle {
  const { connect, subscriptions, revisions, onError } = options;
  const { wire = new StdioServerTransport() } = options;
  const transport = offers(revisions, 'ext')
    ? listeningTransport(wire, subscriptions, onError)
    : offeredTransport(wire, revisions);
  const handle = serveSdk(({ era }) => connect(DIALECT_OF[era]), {
    transport,
    legacy: offers(revisions, 'core') ? 'serve' : 'reject',
    onerror: (error) => onError(withoutPayload(error)),
  });
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return { closed, close: () => handle.close() };
}
