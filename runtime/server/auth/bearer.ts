import {
  type JsonObject,
  byteLength,
  type Caller,
  type CallerIdentity,
  type Dialect,
} from '../../tasks/index.js';
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
import {
  type AuthInfo,
  type Authorization,
  type BearerOptions,
  type BoundToken,
  type Identification,
  IdentityError,
} from './authorization.js';
import { assertIssuer, urlOf } from './urls.js';
import { isObject, kindOf } from '../../peer/wire/json.js';
import { rpcError } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol.js';

/** Accepted tokens that are remembered. */
const MOST_TOKENS = 10_000;
/** Invented tokens could otherwise make any number of requests to the authorization server. */
const MOST_AT_ONCE = 256;
const MINUTE = 60_000;
/** Not a genuine token: verified to find out whether the authorization server answers. */
const PROBE_TOKEN = 'health-check';

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

/** Bytes of issuer, subject and client together: stores search by them, and indexes hold no longer keys. */
const LONGEST_OWNER = 1_500;
/** Bytes of the scopes: each task of the caller keeps them. */
const LONGEST_SCOPES = 8_192;

/** Who a verified identity is. */
interface Principal {
  readonly identity: CallerIdentity;
  /** One key: issuer, subject and client. It contains no session. */
  readonly owner: string;
  /** The user behind an owner, whichever client the user uses. */
  readonly subjectKey: string;
}

/** By objects of this server alone: one of the user's may be changed, and then be another caller. */
const principals = new WeakMap<AuthInfo, Principal>();

/**
 * A copy of the identity, whose caller is settled: changes of the original do not reach it.
 *
 * @throws {IdentityError} when it has no issuer, subject or client, or is too long to be kept.
 */
export function settled<A extends AuthInfo>(authInfo: A): A {
  if (principals.has(authInfo)) return authInfo;
  const copy = { ...authInfo };
  principals.set(copy, principalIn(copy));
  return copy;
}

function principalIn({ clientId: client, extra, scopes }: AuthInfo): Principal {
  const identity = {
    issuer: named('extra.issuer', extra?.['issuer']),
    subject: named('extra.subject', extra?.['subject']),
    client: named('clientId', client),
    scopes: scopesOf(scopes),
  };
  // An array, because no two different identities have the same JSON.
  const owner = JSON.stringify([identity.issuer, identity.subject, identity.client]);
  const bytes = byteLength(owner);
  if (bytes > LONGEST_OWNER) {
    throw new IdentityError(
      `issuer, subject and client are ${bytes} bytes together, limit ${LONGEST_OWNER}`,
    );
  }
  const subjectKey = JSON.stringify([identity.issuer, identity.subject]);
  return { identity: Object.freeze(identity), owner, subjectKey };
}

export function principalOf(authInfo: AuthInfo): Principal {
  return principals.get(authInfo) ?? principalIn(authInfo);
}

function named(member: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new IdentityError(`${member} must be a text that is not empty, not ${kindOf(value)}`);
}

function scopesOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new IdentityError(`scopes must be a list of texts, not ${kindOf(value)}`);
  }
  const bytes = byteLength(JSON.stringify(value));
  if (bytes <= LONGEST_SCOPES) return Object.freeze([...value]);
  throw new IdentityError(`scopes are ${bytes} bytes, limit ${LONGEST_SCOPES}`);
}

/** A verified identity as one key: issuer, subject and client. It contains no session. */
export function ownerOf(authInfo: AuthInfo): string {
  return principalOf(authInfo).owner;
}

export function callerOf(
  identification: Identification,
  dialect: Dialect,
  authInfo: AuthInfo | undefined,
): Caller {
  if (identification !== 'authorization') return { owner: identification, dialect };
  const { owner, subjectKey } = principalOf(carried(authInfo));
  return { owner, subjectKey, dialect };
}

/** What a tool gets of the caller: undefined where nothing identifies callers. */
export function identityOf(
  identification: Identification,
  authInfo: AuthInfo | undefined,
): CallerIdentity | undefined {
  return identification === 'authorization' ? principalOf(carried(authInfo)).identity : undefined;
}

function carried(authInfo: AuthInfo | undefined): AuthInfo {
  if (authInfo === undefined)
    throw rpcError(ERROR_CODES.InternalError, 'The request carries no identity');
  return authInfo;
}
