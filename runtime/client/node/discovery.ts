import type { AuthorizationServer } from 'oauth4webapi';
import { isObject } from '../../peer/wire/json.js';
import { METHODS } from '../../protocol.js';
import { PROTOCOL_VERSIONS } from '../../revisions.js';
import type { JsonObject } from '../../tasks/index.js';
import { bytesOf } from '../../transport/reading/fetch-json.js';
import { type Challenge, challengeIn, type FetchLike } from '../index.js';
import { LoginError } from './login-error.js';

/** Bytes of a document of an authorization server. */
const MOST = 1024 * 1024;
/** Milliseconds for one request to an authorization server. */
const TIMEOUT = 30_000;
const MOST_REDIRECTS = 5;

/**
 * A `fetch` for requests of logins: to https and to this machine only, and bounded in size and time. Documents may have moved: they
 * name their issuer, which is compared. What is posted is secret, and goes to no other address.
 */
export function loginFetch(base: FetchLike = fetch): FetchLike {
  return async (url, init = {}) => {
    const timeout = AbortSignal.timeout(TIMEOUT);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    let address = assertSecure(String(url), 'An address of the login');
    for (let followed = 0; ; followed += 1) {
      const response = await base(address, { ...init, signal, redirect: 'manual' });
      const { status, headers } = response;
      const body = response.body && (await bytesOf(response, MOST).catch(tooLong(address)));
      const target = status >= 300 && status < 400 ? headers.get('location') : null;
      const isPosted = init.method?.toUpperCase() === 'POST';
      if (target !== null && !isPosted && followed === MOST_REDIRECTS) {
        throw new LoginError(`${String(url)} redirects more than ${String(MOST_REDIRECTS)} times`);
      }
      if (target === null || isPosted) {
        return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
      }
      const next = URL.canParse(target, address.href) ? new URL(target, address).href : target;
      address = assertSecure(next, `The redirect of ${address.href}`);
    }
  };
}

function tooLong({ href }: URL): (error: Error) => never {
  return (error) => {
    throw new LoginError(`The answer of ${href} cannot be read: ${error.message}`, {
      cause: error,
    });
  };
}

/** Refuses addresses on whose way others could read tokens. @throws {LoginError} */
export function assertSecure(address: string | undefined, what: string): URL {
  if (address === undefined) throw new LoginError(`${what} is missing`);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:') return url;
  if (url?.protocol === 'http:' && LOOPBACK.test(url.hostname)) return url;
  throw new LoginError(`${what} is ${address}, which is not an https address`);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** What a server says of logins. */
export interface Found {
  readonly metadata: AuthorizationServer;
  /** The resource indicator of its tokens (RFC 8707), if the server names one. */
  readonly resource: string | undefined;
  /** The scopes that the server names, separated by spaces. */
  readonly scope: string | undefined;
}

/**
 * The authorization server of an MCP server: the one that the server's metadata names (RFC 9728), or else the server's own
 * origin. @throws {LoginError}
 */
export async function discover(server: string, fetchFn: FetchLike): Promise<Found> {
  const { resourceMetadataUrl, scope } = await challengeOf(server, fetchFn);
  const urls = resourceMetadataUrl ? [resourceMetadataUrl] : resourceMetadataUrls(new URL(server));
  const found = await firstDocument(urls, fetchFn);
  if (found) {
    assertMembers(found, 'The metadata of the server', {
      texts: ['resource'],
      lists: ['authorization_servers', 'scopes_supported'],
    });
  }
  const document = found as ResourceMetadata | undefined;
  if (document) assertResource(server, document.resource);
  const [issuer = new URL('/', server).href] = document?.authorization_servers ?? [];
  return {
    metadata: await metadataOf(issuer, fetchFn),
    resource: document?.resource,
    scope: scope ?? (document?.scopes_supported?.join(' ') || undefined),
  };
}

interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers?: readonly string[];
  readonly scopes_supported?: readonly string[];
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: METHODS.ping });

async function challengeOf(server: string, fetchFn: FetchLike): Promise<Challenge> {
  const accept = 'application/json, text/event-stream';
  const headers = { 'content-type': 'application/json', accept };
  const response = await fetchFn(server, { method: 'POST', headers, body: PING });
  return response.status === 401 ? challengeIn(response) : {};
}

const WELL_KNOWN = '/.well-known/';

function resourceMetadataUrls({ origin, pathname, search }: URL): readonly URL[] {
  const name = `${WELL_KNOWN}oauth-protected-resource`;
  const path = pathname.replace(/\/$/, '');
  return [`${name}${path}${search}`, name].map((each) => new URL(each, origin));
}

/** RFC 8414 and OpenID Connect Discovery, each as it reads an issuer with a path. */
function metadataUrls({ origin, pathname }: URL): readonly URL[] {
  const path = pathname.replace(/\/$/, '');
  const addresses = [
    `${WELL_KNOWN}oauth-authorization-server${path}`,
    `${WELL_KNOWN}openid-configuration${path}`,
    `${path}${WELL_KNOWN}openid-configuration`,
  ];
  return [...new Set(addresses)].map((each) => new URL(each, origin));
}

/** The JSON object at the first of these addresses that has one. `fails`: whether an error of a server ends the search. */
async function firstDocument(
  urls: readonly URL[],
  fetchFn: FetchLike,
  fails = false,
): Promise<JsonObject | undefined> {
  for (const url of urls) {
    const headers = { accept: 'application/json', 'mcp-protocol-version': PROTOCOL_VERSIONS[0] };
    const response = await fetchFn(url, { headers });
    const { status, ok } = response;
    if (fails && status >= 500 && status !== 502) {
      throw new LoginError(`${url.href} answered with HTTP ${String(status)}`);
    }
    const document: unknown = ok ? await response.json().catch(() => undefined) : undefined;
    if (isObject(document)) return document;
  }
  return undefined;
}

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'device_authorization_endpoint',
  'revocation_endpoint',
] as const;

async function metadataOf(issuer: string, fetchFn: FetchLike): Promise<AuthorizationServer> {
  const url = assertSecure(issuer, 'The address of the authorization server');
  const found = await firstDocument(metadataUrls(url), fetchFn, true);
  if (!found) return endpointsOf2025(url);
  assertMembers(found, `The metadata of ${issuer}`, {
    texts: ['issuer', ...ENDPOINTS],
    lists: [
      'response_types_supported',
      'scopes_supported',
      'code_challenge_methods_supported',
      'token_endpoint_auth_methods_supported',
    ],
  });
  const metadata = found as unknown as AuthorizationServer;
  // An address without a path always ends with a slash.
  if (metadata.issuer !== issuer && `${metadata.issuer}/` !== issuer) {
    const { issuer: named = '' } = metadata as Partial<AuthorizationServer>;
    const other = named === '' ? 'no issuer' : `the issuer ${named}${slashHelp(named, issuer)}`;
    throw new LoginError(`The metadata of ${issuer} names ${other}`);
  }
  assertSecure(metadata.token_endpoint, 'The `token_endpoint` of its metadata');
  return metadata;
}

/** What mends issuers that differ by the slash at their end. Empty for others. */
export function slashHelp(named: string, asked: string): string {
  if (`${named}/` !== asked && named !== `${asked}/`) return '';
  return ', which differs by the slash at its end: its server and its metadata have to write it alike';
}

/** The endpoints of authorization servers without metadata, as the revision 2025-03-26 has them. */
function endpointsOf2025({ href, origin }: URL): AuthorizationServer {
  return {
    issuer: href,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
}

interface Members {
  readonly texts: readonly string[];
  readonly lists: readonly string[];
}

/** Checks what is there of these. @throws {LoginError} */
function assertMembers(document: JsonObject, what: string, { texts, lists }: Members): void {
  const isText = (value: unknown): boolean => typeof value === 'string';
  const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
  const wrong =
    texts.find((name) => document[name] !== undefined && !isText(document[name])) ??
    lists.find((name) => document[name] !== undefined && !isList(document[name]));
  if (wrong === undefined) return;
  const kind = texts.includes(wrong) ? 'a string' : 'a list of strings';
  throw new LoginError(`${what} is wrong: its \`${wrong}\` is not ${kind}`);
}

/** Tokens for another server would be of no use, and this one could use them there. @throws {LoginError} */
function assertResource(server: string, resource: string | undefined): void {
  if (resource === undefined) throw new LoginError('The metadata of the server has no `resource`');
  const withSlash = (path: string): string => path.replace(/\/?$/, '/');
  const asked = new URL(server);
  const named = URL.canParse(resource) ? new URL(resource) : undefined;
  const isPart = withSlash(asked.pathname).startsWith(withSlash(named?.pathname ?? ''));
  if (named?.origin === asked.origin && isPart) return;
  const { origin, pathname } = asked;
  throw new LoginError(
    `The metadata of the server is for ${resource}, not for ${origin}${pathname}`,
  );
}
