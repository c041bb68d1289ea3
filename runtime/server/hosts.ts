import { ConfigError } from './auth/index.js';
import {
  BAD_REQUEST,
  emptyReply,
  HTTP_METHODS,
  type Incoming,
  refusal,
  refuseMalformedHost,
  type Reply,
  type TextReply,
  withHeaders,
} from '../transport/index.js';

/** Refuses requests with other host names (DNS rebinding), or without one. */
export function createHostCheck(
  allowed: readonly string[],
): (incoming: Incoming) => TextReply | undefined {
  // Making a URL takes long, and nearly all requests have the same header.
  let accepted: string | undefined;
  return (incoming) => {
    const host = incoming.header('host') ?? '';
    if (host === accepted) return undefined;
    const malformed = refuseMalformedHost(host);
    if (malformed !== undefined) return malformed;
    const problem = hostProblem(host, allowed);
    if (problem !== undefined) return refusal(403, BAD_REQUEST, problem);
    accepted = host;
    return undefined;
  };
}

function hostProblem(host: string, allowed: readonly string[]): string | undefined {
  if (host === '') return 'Missing Host header';
  const url = `http://${host}`;
  if (!URL.canParse(url)) return `Invalid Host header: ${host}`;
  // As URLs spell it: in lower case, and addresses in their usual form.
  const { hostname } = new URL(url);
  return allowed.includes(hostname) ? undefined : `Invalid Host: ${hostname}`;
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

/** Which web pages may call the server, and the headers that their browsers need (CORS). */
interface Origins {
  /** The answer to a page that may not call the server; undefined for other requests. */
  refuse(incoming: Incoming): TextReply | undefined;
  /** The answer to a preflight request, which carries no token and needs none. */
  preflight(incoming: Incoming): TextReply;
  /** The same answer, readable by the page that asked. Only for requests that `refuse` let through. */
  share(incoming: Incoming, reply: Reply): Reply;
}

/** Request headers that a page may send, beside those that browsers always allow and `Mcp-Param-*`. */
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
];
const PARAM_HEADER = /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** Response headers that a page may read, beside those that browsers always show. */
const RESPONSE_HEADERS = [
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'WWW-Authenticate',
  'Retry-After',
].join(', ');

/** Two hours: the longest that browsers cache the answer to a preflight request. */
const MAX_AGE_SECONDS = '7200';

/**
 * `allowed` holds host names (`app.example`, any scheme and port), origins (`https://app.example:8443`)
 * and whole schemes of browser extensions (`moz-extension://*`). Throws a ConfigError for anything else.
 */
export function createOrigins(allowed: readonly string[]): Origins {
  const origins = new Set(allowed.filter(isOrigin).map((entry) => normalized(entry)));
  const names = allowed.filter((entry) => !isOrigin(entry)).map(checkedName);

  return {
    refuse(incoming) {
      const origin = incoming.header('origin');
      // Programs send none.
      if (origin === null || origin === '') return undefined;
      if (URL.canParse(origin) && origins.has(normalized(origin))) return undefined;
      const problem = originProblem(origin, names);
      return problem === undefined ? undefined : refusal(403, BAD_REQUEST, problem);
    },
    preflight(incoming) {
      const asked = incoming.header('access-control-request-headers') ?? '';
      const params = asked.split(',', 100).map((name) => name.trim());
      const headers = [...REQUEST_HEADERS, ...params.filter((name) => PARAM_HEADER.test(name))];
      return emptyReply(204, {
        allow: HTTP_METHODS.join(', '),
        'access-control-allow-methods': HTTP_METHODS.join(', '),
        'access-control-allow-headers': headers.join(', '),
        'access-control-max-age': MAX_AGE_SECONDS,
        vary: 'Access-Control-Request-Headers',
      });
    },
    share(incoming, reply) {
      const { vary } = reply.headers;
      const all = vary === undefined ? VARY : { vary: `${vary}, Origin` };
      const origin = incoming.header('origin');
      // Programs send none.
      if (origin === null || origin === '') return withHeaders(reply, all);
      return withHeaders(withHeaders(reply, sharedWith(origin)), all);
    },
  };
}

/** `Vary` is sent also without an origin: caches must not show one page what another one got. */
function sharedWith(origin: string | null): Readonly<Record<string, string>> {
  if (origin === null || origin === '') return NOT_SHARED;
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': RESPONSE_HEADERS,
  };
}

const NOT_SHARED: Readonly<Record<string, string>> = {};
const VARY = { vary: 'Origin' };

function isOrigin(entry: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/*]+\/?$/i.test(entry) && URL.canParse(entry);
}

/** An origin as browsers write it: in lower case, and without the default port. */
function normalized(origin: string): string {
  const { protocol, host } = new URL(origin);
  return `${protocol}//${host}`;
}

/** `null`, which browsers send for pages without an origin, is no URL. */
function originProblem(origin: string, names: readonly string[]): string | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined || url.hostname === '') return `Invalid Origin header: ${origin}`;
  const isAllowed = names.includes(url.hostname) || names.includes(`${url.protocol}//*`);
  return isAllowed ? undefined : `Invalid Origin: ${url.hostname}`;
}

function checkedName(entry: string): string {
  const name = entry.toLowerCase();
  const isScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/\*$/.test(name);
  const isName = /^[^*/]+$/.test(name) && hostNameOf(name) === name;
  if (isScheme || isName) return name;
  throw new ConfigError(
    `allowedOrigins: ${JSON.stringify(entry)} is neither a host name (app.example) nor an origin (https://app.example:8443)`,
  );
}

function hostNameOf(name: string): string | undefined {
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : undefined;
}
