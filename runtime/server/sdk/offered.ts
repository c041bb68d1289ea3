import {
  type JSONRPCMessage,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';

import { DIALECT_VERSIONS } from '../../protocol/index.js';
import type { Dialect } from '../../tasks/index.js';
import { asKnownToSdk, claimedIn, statelessOf, unknownToSdk } from '../../wire/spoken.js';

/** Whether clients may speak a revision of this dialect. Each revision with sessions needs 2025-11-25. */
export function offers(revisions: readonly string[], dialect: Dialect): boolean {
  return revisions.includes(DIALECT_VERSIONS[dialect]);
}

/**
 * The answer to a message of a revision without sessions that the server does not offer. Clients that speak both then
 * open a session, as with a server that knows no such revision. The SDK refuses what it does not know itself, but names
 * only its own revision.
 */
export function refuseUnoffered(
  message: unknown,
  revisions: readonly string[],
): UnsupportedProtocolVersionError | undefined {
  const requested = claimedIn(message);
  const stateless = statelessOf(revisions);
  if (requested === undefined || stateless.length === 1) return undefined;
  // What the SDK knows has been given to it in its own revision.
  if (requested === DIALECT_VERSIONS.ext && stateless.length > 0) return undefined;
  return new UnsupportedProtocolVersionError({
    supported: stateless.length > 0 ? stateless : [...revisions],
    requested: typeof requested === 'string' ? requested : JSON.stringify(requested),
  });
}

/**
 * A transport that answers messages of a revision that is not offered, and passes on all others, in a revision that the
 * SDK knows.
 */
export function offeredTransport(inner: Transport, revisions: readonly string[]): Transport {
  function receive(received: JSONRPCMessage): void {
    const message = known(received);
    const refused = refuseUnoffered(message, revisions);
    if (refused === undefined) return outer.onmessage?.(message);
    if (!('id' in message) || message.id === undefined) return;
    const { code, message: text, data } = refused;
    inner
      .send({ jsonrpc: '2.0', id: message.id, error: { code, message: text, data } })
      .catch((error: unknown) => outer.onerror?.(error as Error));
  }

  function known(message: JSONRPCMessage): JSONRPCMessage {
    const version = unknownToSdk(message, revisions);
    return version === undefined ? message : (asKnownToSdk(message, version) as JSONRPCMessage);
  }

  const outer: Transport = {
    async start() {
      inner.onmessage = receive;
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      await inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return outer;
}
