import type { Incoming } from './incoming.js';
import { BAD_REQUEST, refusal } from './refusals.js';
import { hostHeaderValidationResponse, validateHostHeader } from './sdk/index.js';
import { ConfigError } from './start-failure.js';

/** A name or an address in brackets, and a port. The SDK accepts any text that makes a URL. */
const HOST = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** Refuses requests with other host names (DNS rebinding), or without one. */
export function createHostCheck(allowed: string[]): (incoming: Incoming) => Response | undefined {
  // The SDK makes a URL of each header, and nearly all requests have the same one.
  let accepted: string | undefined;
  return (incoming) => {
    const host = incoming.header('host') ?? '';
    if (host === accepted) return undefined;
    const malformed = refuseMalformedHost(host);
    if (malformed !== undefined) return malformed;
    if (!validateHostHeader(host, allowed).ok) {
      return hostHeaderValidationResponse(incoming.request(), allowed);
    }
    accepted = host;
    return undefined;
  };
}

export function refuseMalformedHost(host: string): Response | undefined {
  if (host === '' || HOST.test(host)) return undefined;
  return refusal(400, BAD_REQUEST, 'The Host header is malformed');
}

/** The names under which clients call the server, in lower case. @throws {ConfigError} for one that none can call. */
export function checkedHosts(names: readonly string[]): string[] {
  return names.map((name) => {
    if (/^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])$/i.test(name)) return name.toLowerCase();
    throw new ConfigError(
      `allowedHosts: ${JSON.stringify(name)} is not a host name without scheme and port, such as api.example`,
    );
  });
}
