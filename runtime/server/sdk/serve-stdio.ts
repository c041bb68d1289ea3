import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';

import type { Dialect } from '../../tasks/index.js';
import { createOperations } from '../../telemetry/index.js';
import { statelessOf } from '../../wire/spoken.js';
import type { ConnectedServer } from './connected-server.js';
import { withoutPayload } from './error-text.js';
import { listeningTransport } from './listen-stdio.js';
import { offeredTransport, offers } from './offered.js';
import type { TaskSubscriptions } from './task-subscriptions.js';

export interface StdioOptions {
  readonly connect: (dialect: Dialect) => ConnectedServer;
  /** Undefined where no task can be listened to. */
  readonly subscriptions: TaskSubscriptions | undefined;
  /** Those that the client may speak. */
  readonly revisions: readonly string[];
  readonly onError: (error: unknown) => void;
  readonly wire: Transport;
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
  const { connect, revisions, onError } = options;
  const transport = transportOf(options);
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

function transportOf(options: StdioOptions): Transport {
  const { subscriptions, revisions, onError } = options;
  const isKnownToSdk = statelessOf(revisions).length === 1;
  const wire = isKnownToSdk ? options.wire : offeredTransport(options.wire, revisions);
  if (subscriptions === undefined || !offers(revisions, 'ext')) return wire;
  return listeningTransport(wire, subscriptions, onError, createOperations('server'));
}
