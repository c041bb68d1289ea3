import { DIALECT_VERSIONS } from '../protocol/index.js';
import type { JsonObject } from '../tasks/index.js';
import { asKnownToSdk, remember, unknownToSdk } from '../wire/spoken.js';
import type { Incoming } from './incoming.js';

const VERSION = 'mcp-protocol-version';

/** A request and its body, in a revision that the SDK knows. */
export interface Known {
  readonly incoming: Incoming;
  readonly value: unknown;
}

/** Replaces the version in the body of a request, and in the header that has to agree with it. */
export function knownToSdk(incoming: Incoming, value: unknown, offered: readonly string[]): Known {
  const version = unknownToSdk(value, offered);
  if (version === undefined) return { incoming, value };
  const header = (name: string): string | null => {
    const written = incoming.header(name);
    if (name !== VERSION) return written;
    // A header that disagrees with the body still does.
    return written === version ? DIALECT_VERSIONS.ext : version;
  };
  let request: Request | undefined;
  function known(): Request {
    const original = incoming.request();
    const headers = new Headers(original.headers);
    headers.set(VERSION, header(VERSION) ?? '');
    // The body was read, so only its parsed value goes on.
    const { method, url, signal } = original;
    return new Request(url, { method, headers, signal });
  }
  return {
    value: asKnownToSdk(value as JsonObject, version),
    incoming: {
      method: incoming.method,
      path: incoming.path,
      takesEvents: incoming.takesEvents,
      header,
      headerNames: () => incoming.headerNames(),
      original: incoming.original,
      head: () => incoming.head(),
      read: (maxBytes) => incoming.read(maxBytes),
      request: () => (request ??= remember(known(), version)),
      onDisconnect: (callback) => incoming.onDisconnect(callback),
    },
  };
}
