import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Headers of one connection, which the next one does not get (RFC 9110, 7.6.1), and those that the proxy sets itself. */
const OWN: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type Pair = readonly [name: string, value: string];

/** The headers that are passed on, as they were written. */
function passedOn({ rawHeaders, headers }: IncomingMessage): Pair[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, index): Pair => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ]);
  return pairs.filter(
    ([name]) => !OWN.has(name.toLowerCase()) && !named.includes(name.toLowerCase()),
  );
}

/**
 * The headers of a request to the server. `Origin` becomes the server's own, and no content is compressed, so that the
 * messages can be read.
 */
export function requestHeaders(
  incoming: IncomingMessage,
  target: URL,
  more: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of passedOn(incoming)) (headers[name.toLowerCase()] ??= []).push(value);
  delete headers['referer'];
  if (headers['origin']) headers['origin'] = [target.origin];
  const own = Object.entries(more).map(([name, value]): Pair => [name.toLowerCase(), value]);
  return { ...headers, 'accept-encoding': 'identity', ...Object.fromEntries<string>(own) };
}

/** The headers of an answer to the client, as a list of names and values. */
export function answerHeaders(answer: IncomingMessage): string[] {
  return passedOn(answer).flat();
}

/** Names of this computer. A page of another site, whose name leads here, has another one in `Host`. */
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Whether a request comes from this computer, and not from a page of another site (DNS rebinding). */
export function isLocal({ headers: { host = '', origin } }: IncomingMessage): boolean {
  if (!LOCAL.test(host)) return false;
  return origin === undefined || (URL.canParse(origin) && LOCAL.test(new URL(origin).host));
}

/** Headers of an answer that say nothing of its content. */
const OF_ANSWERS =
  /^(?:access-control-.*|allow|cache-control|date|location|mcp-.*|retry-after|set-cookie|vary|www-authenticate|x-request-id)$/;

/** The headers of an answer whose content is written anew. */
export function heldHeaders({ headers }: IncomingMessage): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => OF_ANSWERS.test(name)));
}

/** Whether an address leads to another server. A path leads to this proxy again. */
export function leadsAway(address: string): boolean {
  return !/^\/(?![/\\])/.test(address.trim());
}
