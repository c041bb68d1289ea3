import type { JsonObject } from '../../tasks/index.js';
import { type Claims, ClaimsError, readClaims, type VerifiedToken } from './claims.js';
import {
  createResourceMetadata,
  OAuthError,
  oauthProblem,
  scopeChallenge,
  tokenRefusal,
  tokenRequest,
  TEMPORARILY_UNAVAILABLE,
} from './oauth.js';
import { type AuthInfo, IdentityError, settled } from './principal.js';
import { assertIssuer, urlOf } from './urls.js';
import { isObject } from '../../peer/wire/json.js';

export type { VerifiedToken } from './claims.js';

/**
 * Resolves with undefined for a token that is not genuine. Rejects when that cannot be found out. What it resolves with
 * is checked: for something else than a `VerifiedToken` the request gets 500, `onError` gets the reason, and the health
 * page fails until a token was verified.
 */
export interface TokenVerifier {
  (token: string): Promise<VerifiedToken | undefined>;
  /** Rejects while tokens cannot be verified. Default: verifies a token that is not genuine. */
  readonly probe?: () => Promise<void>;
  /** Rejects when it can verify no token, whatever the authorization server does: for `ready` of an `Authorization`. */
  readonly ready?: () => Promise<void>;
}

export interface BearerOptions {
  /** The URL under which clients reach this server. Tokens have to be issued for it. */
  readonly resource: string;
  /** The issuer of tokens: the authorization server. */
  readonly issuer: string;
  /** Scopes that every request needs. */
  readonly scopes?: readonly string[];
  /** `introspect(…)`, or `verifyJwt(…)` of `@mcp-codegen/runtime/server/jwt`, or a function of yours. */
  readonly verify: TokenVerifier;
  /**
   * Milliseconds for which an accepted token is not verified again, and so for which a revoked token still
   * works. Never longer than the token is valid; 0 verifies it for each request.
   * Default: 60,000.
   */
  readonly rememberMs?: number;
  /** Checks the binding of tokens with a `confirmation` (`cnf`). Default: such tokens are refused with 401. */
  readonly confirm?: ConfirmBinding;
}

/** Accepted tokens that are remembered. */
const MOST_TOKENS = 10_000;
/** Invented tokens could otherwise make any number of requests to the authorization server. */
const MOST_AT_ONCE = 256;
const MINUTE = 60_000;
/** Not a genuine token: verified to find out whether the authorization server answers. */
const PROBE_TOKEN = 'health-check';

export interface Authorization {
  /** The verified identity, or the answer that refuses the request. */
  readonly authenticate: (request: Request) => Promise<AuthInfo | Response>;
  /**
   * The same, for an `Authorization` header: spares the server a web request for each request of Node. `head` makes one
   * without the body.
   */
  readonly authenticateHeader?: (
    header: string | null,
    head: () => Request,
  ) => AuthInfo | Response | Promise<AuthInfo | Response>;
  /**
   * The `WWW-Authenticate` header for a caller whose token lacks scopes, of which `scopes` are all that the request needs.
   * Default: one that names the scopes alone.
   */
  readonly challenge?: (scopes: readonly string[]) => string;
  /** The document that says where clients get a token; undefined for other requests. */
  readonly metadata: (request: Request) => Response | undefined;
  /** The only path of which `metadata` has a document. Default: it is called for every path. */
  readonly metadataPath?: string;
  /** Why the last token could be neither accepted nor refused; undefined when it could. */
  readonly fault?: () => unknown;
  /**
   * Rejects while tokens cannot be verified. After a fault it tries again, so that a server that gets
   * no requests while it is failing notices when its authorization server is back.
   */
  readonly probe?: () => Promise<void>;
  /**
   * Rejects when no token can be verified because the program is incomplete. `serveHttp` and `serveBoard` then reject
   * as well. `createNodeHandler` and `createHttpHandler` report it to `onError` at once, and the health page fails.
   */
  readonly ready?: () => Promise<void>;
}

/** Bearer tokens (RFC 6750). Throws a `ConfigError` for a `resource` that is no URL, and an issuer that is neither HTTPS nor local. */
export function bearer(options: BearerOptions): Authorization {
  const { resource, issuer, scopes = [], verify, confirm, rememberMs = MINUTE } = options;
  const resourceUrl = urlOf('resource', resource);
  assertIssuer(issuer);
  /** Clients ask for tokens for the URL in the metadata, which may be spelled otherwise than in the option. */
  const names = new Set([resource, resourceUrl.href].map(withoutSlash));
  const metadata = createResourceMetadata({ resource: resourceUrl, issuer, scopes });
  const challenge = { scopes, resourceMetadataUrl: metadata.url };

  let fault: unknown;
  /** Whether it has returned a `VerifiedToken`: then another value says more about one token than about the program. */
  let isProven = false;

  async function asked(token: string): Promise<Claims | undefined> {
    try {
      const verified = ((await verify(token)) as VerifiedToken | null | undefined) ?? undefined;
      const claims = verified && readClaims(verified);
      isProven ||= claims !== undefined;
      fault = undefined;
      return claims;
    } catch (error) {
      // An OAuthError is an answer, not a fault.
      fault = oauthProblem(error) ? undefined : error;
      throw error;
    }
  }

  async function probe(): Promise<void> {
    if (fault === undefined) return;
    if (fault instanceof ClaimsError) {
      if (isProven) return;
      throw fault;
    }
    await (verify.probe?.() ?? asked(PROBE_TOKEN)).then(
      () => (fault = undefined),
      () => undefined,
    );
    if (fault !== undefined) throw fault as Error;
  }

  async function identify(token: string): Promise<BearerInfo> {
    const verified = await asked(token);
    if (verified === undefined) throw invalidToken('The token is not genuine');
    if (verified.issuer !== issuer) throw invalidToken('The token comes from another issuer');
    if (verified.subject === '' || verified.clientId === '') {
      throw invalidToken('The token names no subject and client');
    }
    const { expiresAt, confirmation } = verified;
    if (expiresAt === undefined) throw invalidToken('Token has no expiration time');
    if (confirmation !== undefined && confirm === undefined) {
      throw invalidToken('The token is bound to a key (cnf), which this server does not check');
    }
    return bearerInfo({
      token,
      clientId: verified.clientId,
      scopes: [...verified.scopes],
      expiresAt,
      ...(verified.audience.some((each) => names.has(withoutSlash(each))) && {
        resource: resourceUrl,
      }),
      resourceMetadataUrl: metadata.url,
      extra: {
        issuer: verified.issuer,
        subject: verified.subject,
        ...(confirmation !== undefined && { confirmation }),
      },
    });
  }

  const isGranted = (info: AuthInfo): boolean =>
    scopes.every((scope) => info.scopes.includes(scope));

  const verified = rememberVerified(identify, {
    accepted: (info) => info.resource !== undefined && isGranted(info),
    maxAgeMs: rememberMs,
    capacity: MOST_TOKENS,
    atOnce: MOST_AT_ONCE,
  });

  function checked(info: BearerInfo): BearerInfo {
    if (info.resource === undefined) throw invalidToken('Token was not issued for this resource');
    if (!isGranted(info)) throw new OAuthError('insufficient_scope', 'Insufficient scope');
    if (info.expiresAt < Date.now() / 1000) throw invalidToken('Token has expired');
    return info;
  }

  /** Does not wait for a token that was accepted before, and is bound to no key. */
  function authenticateHeader(
    header: string | null,
    head: () => Request,
  ): AuthInfo | Response | Promise<AuthInfo | Response> {
    if (!presentsToken(header)) return tokenRequest(challenge);
    const presented = presentedIn(header);
    try {
      if (presented === undefined || (presented.scheme === 'dpop' && confirm === undefined)) {
        throw invalidToken("Invalid Authorization header format, expected 'Bearer TOKEN'");
      }
      const found = verified(presented.token);
      if (found instanceof Promise || isBinding(presented, found)) {
        return authenticated(presented, found, head);
      }
      return checked(found);
    } catch (error) {
      return tokenRefusal(error, challenge);
    }
  }

  async function authenticated(
    presented: Presented,
    found: BearerInfo | Promise<BearerInfo>,
    head: () => Request,
  ): Promise<AuthInfo | Response> {
    try {
      const info = checked(await found);
      if (isBinding(presented, info)) await assertBinding(presented, info, head);
      return info;
    } catch (error) {
      return tokenRefusal(error, challenge);
    }
  }

  /** Whether the client has to show that it holds a key. */
  function isBinding({ scheme }: Presented, { extra }: AuthInfo): boolean {
    if (confirm === undefined) return false;
    return extra?.['confirmation'] !== undefined || scheme !== 'bearer';
  }

  async function assertBinding(
    presented: Presented,
    { extra }: AuthInfo,
    head: () => Request,
  ): Promise<void> {
    if (confirm === undefined) return;
    const confirmation = extra?.['confirmation'];
    const problem = bindingProblem(presented, confirmation);
    if (problem !== undefined) throw invalidToken(problem);
    const bound = { ...presented, confirmation: confirmation as JsonObject, request: head() };
    let isConfirmed: unknown;
    try {
      isConfirmed = await confirm(bound);
    } catch (error) {
      fault = oauthProblem(error) ? undefined : error;
      throw error;
    }
    if (isConfirmed !== true) throw invalidToken('The client does not hold the key of the token');
  }

  return {
    authenticate: async (request) =>
      authenticateHeader(request.headers.get('authorization'), () => request),
    authenticateHeader,
    challenge: (needed) =>
      scopeChallenge({ ...challenge, scopes: [...new Set([...scopes, ...needed])] }),
    fault: () => fault,
    probe,
    ...(verify.ready && { ready: verify.ready }),
    metadataPath: metadata.path,
    metadata: (request) =>
      new URL(request.url).pathname === metadata.path ? metadata.respond(request) : undefined,
  };
}

type BearerInfo = AuthInfo & { readonly expiresAt: number };

/** Settled, so that the requests of a remembered token share the work. */
function bearerInfo(info: BearerInfo): BearerInfo {
  try {
    return settled(info);
  } catch (error) {
    // Its issuer, subject and client are texts, so they are too long.
    throw error instanceof IdentityError ? invalidToken(`The token's ${error.message}`) : error;
  }
}

function invalidToken(message: string): OAuthError {
  return new OAuthError('invalid_token', message);
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

/** A token that only the holder of a key may use, and the request that sends it. */
export interface BoundToken {
  readonly token: string;
  /** `dpop` for `Authorization: DPoP …` (RFC 9449), else `bearer`. A token with `jkt` never comes as `bearer`. */
  readonly scheme: 'bearer' | 'dpop';
  /** The `cnf` of the token: `jkt` is the thumbprint of a DPoP key, `x5t#S256` that of a client certificate (RFC 8705). */
  readonly confirmation: JsonObject;
  /**
   * Method, URL and headers of the request, without its body. The URL is the one under which the request arrived, so
   * compare the `htu` of a DPoP proof with `resource` instead where a proxy is in front of the server.
   */
  readonly request: Request;
}

/**
 * Checks that the client that sends a bound token holds its key: by the header `DPoP`, for instance, or by the client
 * certificate that a proxy passes on in a header. Called for each request. Everything but `true` refuses it with 401.
 */
export type ConfirmBinding = (bound: BoundToken) => boolean | Promise<boolean>;

/** What an `Authorization` header presents. */
interface Presented {
  readonly scheme: BoundToken['scheme'];
  readonly token: string;
}

/** Undefined for a header that does not hold exactly one token. Headers that came twice are joined by a comma. */
function presentedIn(header: string | null): Presented | undefined {
  const [, scheme = '', token = ''] = /^ *(bearer|dpop) +([^\s,]+) *$/i.exec(header ?? '') ?? [];
  return token === '' ? undefined : { scheme: scheme.toLowerCase() as Presented['scheme'], token };
}

/** Whether a header presents at least one token, however malformed. */
function presentsToken(header: string | null): boolean {
  return /^ *(?:bearer|dpop) +[^ ]/i.test(header ?? '');
}

/** Why a token may not be used as it was presented; undefined when `confirm` has to decide. */
function bindingProblem({ scheme }: Presented, confirmation: unknown): string | undefined {
  if (confirmation === undefined) return 'The token is not bound to a key, as DPoP needs it';
  if (!isObject(confirmation)) return 'The confirmation of the token is malformed';
  const isDpop = 'jkt' in confirmation;
  if (isDpop && scheme === 'bearer') return 'The token has to be sent as DPoP, with a proof';
  return undefined;
}

const TOO_MANY = 'Too many tokens are being verified';

/** A genuine token, as it is remembered. */
interface Expiring {
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

interface Remembered<V> {
  readonly value: V;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

interface MemoryOptions<V> {
  /** Whether this server accepts a genuine token. Tokens that it does not accept are verified each time. */
  readonly accepted: (value: V) => boolean;
  /** Milliseconds for which a genuine token is not verified again; 0 verifies it for each request. */
  readonly maxAgeMs: number;
  /** Tokens; beyond this number the one that was verified longest ago is dropped. */
  readonly capacity: number;
  /** Tokens in verification at once. A further one is refused as long as that is so, unless it is known. */
  readonly atOnce: number;
  readonly now?: () => number;
}

/**
 * Verifies a token once for all requests that arrive during the verification, and for those of the next
 * `maxAgeMs`, or until the token expires: then without waiting. A refusal is never remembered, because the token may
 * become valid.
 *
 * Keys are the tokens themselves: hashes would hide nothing, because an identity holds its token.
 *
 * @throws {OAuthError} `temporarily_unavailable` for an unknown token while `atOnce` others are in verification.
 */
export function rememberVerified<V extends Expiring>(
  verify: (token: string) => Promise<V>,
  { accepted, maxAgeMs, capacity, atOnce, now = Date.now }: MemoryOptions<V>,
): (token: string) => V | Promise<V> {
  const known = new Map<string, Remembered<V>>();
  const pending = new Map<string, Promise<V>>();

  function remember(token: string, value: V): void {
    const until = Math.min(now() + maxAgeMs, value.expiresAt * 1000);
    if (!accepted(value) || !(until > now())) return;
    known.set(token, { value, until });
    const [oldest] = known.keys();
    if (known.size > capacity && oldest !== undefined) known.delete(oldest);
  }

  async function verifyAnew(token: string): Promise<V> {
    try {
      const value = await verify(token);
      remember(token, value);
      return value;
    } finally {
      pending.delete(token);
    }
  }

  return (token) => {
    const entry = known.get(token);
    if (entry !== undefined && entry.until > now()) return entry.value;
    known.delete(token);
    const waiting = pending.get(token);
    if (waiting) return waiting;
    if (pending.size >= atOnce) throw new OAuthError(TEMPORARILY_UNAVAILABLE, TOO_MANY);
    const verification = verifyAnew(token);
    pending.set(token, verification);
    return verification;
  };
}
