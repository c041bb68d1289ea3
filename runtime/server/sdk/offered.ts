import {
  type JSONRPCMessage,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';

import { META_KEYS } from '../../protocol/index.js';
import type { Dialect } from '../../tasks/index.js';
import { at } from '../../wire/json.js';
import { DIALECT_VERSIONS } from '../../wire/revision.js';

/** Whether clients may speak a revision of this dialect. Each revision with sessions needs 2025-11-25. */
export function offers(revisions: readonly string[], dialect: Dialect): boolean {
  return revisions.includes(DIALECT_VERSIONS[dialect]);
}

/**
 * The answer to a message of revision 2026-07-28 from a server that does not offer it. Clients that speak
 * both then open a session, as with a server that does not know 2026-07-28.
 */
export function refuseUnoffered(
  message: unknown,
  revisions: readonly string[],
): UnsupportedProtocolVersionError | undefined {
  if (offers(revisions, 'ext')) return undefined;
  const requested = at(message, ['params', '_meta', META_KEYS.protocolVersion]);
  if (requested === undefined) return undefined;
  return new UnsupportedProtocolVersionError({
    supported: [...revisions],
    requested: typeof requested === 'string' ? requested : JSON.stringify(requested),
  });
}

/** A transport that answers messages of a revision that is not offered, and passes on all others. */
export function offeredTransport(inner: Transport, revisions: readonly string[]): Transport {
  function receive(message: JSONRPCMessage): void {
    const refused = refuseUnoffered(message, revisions);
    if (refused === undefined) return outer.onmessage?.(message);
    if (!('id' in message) || message.id === undefined) return;
    const { code, message: text, data } = refused;
    inner
      .send({ jsonrpc: '2.0', id: message.id, error: { code, message: text, data } })
      .catch((error: unknown) => outer.onerror?.(error as Error));
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
