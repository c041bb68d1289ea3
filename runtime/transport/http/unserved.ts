import { ERROR_CODES } from '../../protocol/index.js';
import { at } from '../../wire/json.js';
import type { Kind } from './classify.js';
import type { Incoming } from './incoming.js';
import { Refused } from './refused.js';

/**
 * Why a message of a revision with sessions is not served where none is offered. Undefined for a notification, which is
 * dropped.
 */
export function refuseUnserved(
  kind: Kind,
  incoming: Pick<Incoming, 'header'>,
  supported: readonly string[],
): Refused | undefined {
  if (kind.kind === 'notification') return undefined;
  if (kind.kind === 'batch') return invalid('JSON-RPC batches are not supported by this endpoint');
  if (kind.kind === 'response') {
    return invalid('JSON-RPC responses cannot be posted to this endpoint');
  }
  const requested =
    kind.kind === 'handshake'
      ? at(kind.message, ['params', 'protocolVersion'])
      : (incoming.header('mcp-protocol-version') ?? undefined);
  return unsupported(supported, requested);
}

/** The version that a client asks for is not served to it. */
export function unsupported(supported: readonly string[], requested: unknown): Refused {
  const isNamed = typeof requested === 'string';
  const what = isNamed ? requested : 'the request did not name a protocol version';
  const message = `Unsupported protocol version: ${what}`;
  const data = isNamed ? { supported, requested } : { supported };
  return new Refused(400, ERROR_CODES.UnsupportedProtocolVersion, message, data);
}

function invalid(what: string): Refused {
  return new Refused(400, ERROR_CODES.InvalidRequest, `Bad Request: ${what}`);
}
