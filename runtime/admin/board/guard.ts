import type { IncomingMessage } from 'node:http';
import { refusal, type Answer } from './answer.js';

/** A name or an address in brackets, and a port. */
const HOST = /^([a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Headers whose second value senders and readers treat differently. */
const ONCE = ['host', 'origin', 'authorization', 'content-type', 'sec-fetch-site'];

/** Names and values at which Node begins to drop headers, among which could be a second one of a name. */
const MOST_RAW_HEADERS = 2_000;

/**
 * Refuses a request that a browser sent for another page: one whose name for this machine is not ours (DNS
 * rebinding), or one that a page of another origin made. Undefined for a request that may go on.
 */
export function refuseForeign(
  request: IncomingMessage,
  allowedHosts: readonly string[],
): Answer | undefined {
  const { headers, rawHeaders } = request;
  if (rawHeaders.length >= MOST_RAW_HEADERS) {
    return refusal(431, 'The request has 1,000 headers or more');
  }
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const twice = ONCE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return refusal(400, `There is more than one ${twice} header`);
  const { host = '', origin } = headers;
  const [, name] = HOST.exec(host) ?? [];
  if (name === undefined) return refusal(400, 'The Host header is missing or malformed');
  if (!allowedHosts.includes(name.toLowerCase())) {
    return refusal(403, `The board does not serve the host ${name}. --allowed-host allows it.`);
  }
  if (origin !== undefined && !isOwn(origin, host)) {
    return refusal(403, 'A page of another origin may not use the board');
  }
  return undefined;
}

/** Refuses what the browser itself says is of another origin: an image or a form has no Origin header. */
export function refuseCrossSite({ headers }: IncomingMessage): Answer | undefined {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin') return undefined;
  return refusal(403, 'Only the page of the board may use it');
}

/** A proxy in front of the board may end TLS, so both schemes count. */
function isOwn(origin: string, host: string): boolean {
  const [, authority] = /^https?:\/\/([^/@?#]+)$/i.exec(origin) ?? [];
  return authority?.toLowerCase() === host.toLowerCase();
}
