import type { IncomingMessage } from 'node:http';

import {
  BAD_REQUEST,
  methodNotAllowed,
  refusal,
  refuseMalformedHost,
  type TextReply,
} from '../http/reply.js';
import { isUrl, targetOf } from './target.js';

/** Headers whose second value would be ignored, or joined to the first: senders and readers differ on which. */
const ONCE = /^(?:host|origin|authorization|content-type|content-length|last-event-id|mcp-[^:]*)$/i;

/**
 * Names and values at which Node begins to drop headers, unless `maxHeadersCount` is set. A second header of a name could
 * be among those, which a proxy in front of this server reads.
 */
const MOST_RAW_HEADERS = 2_000;

/** The refusal of a request that cannot, or should not, become a web request. */
export function problemOf(incoming: IncomingMessage): TextReply | undefined {
  const { method = '', headers, rawHeaders } = incoming;
  const url = targetOf(incoming);
  if (/^(?:TRACE|TRACK|CONNECT)$/i.test(method)) return methodNotAllowed();
  if (rawHeaders.length >= MOST_RAW_HEADERS) {
    return refusal(431, BAD_REQUEST, 'The request has 1,000 headers or more');
  }
  // Node keeps one header of a name: where none is missing, no name came twice.
  const hasTwice = countOf(headers) * 2 < rawHeaders.length;
  const twice = hasTwice ? nameTwice(rawHeaders) : undefined;
  if (twice !== undefined) {
    return refusal(400, BAD_REQUEST, `There is more than one ${twice} header`);
  }
  const { host = '' } = headers;
  const malformed = refuseMalformedHost(host);
  if (malformed !== undefined) return malformed;
  // In the absolute form the target names the host as well; in the others it is a path.
  const target = url.startsWith('/') ? null : /^https?:\/\/([^/?#]*)/i.exec(url);
  if (target !== null && target[1]?.toLowerCase() !== host.toLowerCase()) {
    return refusal(400, BAD_REQUEST, 'The request target and the Host header disagree');
  }
  if (!isUrl(url, host)) return refusal(400, BAD_REQUEST, 'The URL is malformed');
  return undefined;
}

function countOf(headers: object): number {
  let count = 0;
  for (const _ in headers) count += 1;
  return count;
}

/** A header that must not come twice, and did. */
function nameTwice(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names.find((name, index) => ONCE.test(name) && names.indexOf(name) !== index);
}
