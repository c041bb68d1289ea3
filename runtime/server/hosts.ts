import type { Incoming } from './incoming.js';
import { BAD_REQUEST, refusal } from './refusals.js';
import { hostHeaderValidationResponse, validateHostHeader } from './sdk/index.js';

/** A name or an address in brackets, and a port. The SDK accepts any text that makes a URL. */
const HOST = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** Refuses a request with another host name (DNS rebinding), or without one. */
export function refuseHost(incoming: Incoming, allowed: string[]): Response | undefined {
  const host = incoming.header('host') ?? '';
  const malformed = refuseMalformedHost(host);
  if (malformed !== undefined || validateHostHeader(host, allowed).ok) return malformed;
  return hostHeaderValidationResponse(incoming.request(), allowed);
}

export function refuseMalformedHost(host: string): Response | undefined {
  if (host === '' || HOST.test(host)) return undefined;
  return refusal(400, BAD_REQUEST, 'The Host header is malformed');
}
