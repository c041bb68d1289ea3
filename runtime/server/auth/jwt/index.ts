import type { JWTPayload, JWTVerifyResult } from 'jose';
import type * as Jose from 'jose';

import { missing } from '../../../optional.js';
import { isObject } from '../../../peer/wire/json.js';
import { fetchJson } from '../../../transport/reading/fetch-json.js';
import type { TokenVerifier, VerifiedToken } from '../index.js';

/**
 * Verifies access tokens that are signed (JWT, RFC 9068) with the keys of the authorization server (JWKS), without
 * a request for each token. An entry point of its own, because it needs the package `jose`.
 */

export interface JwtOptions {
  /** The URL of the authorization server's keys: `jwks_uri` in its metadata. HTTPS, or on this machine. */
  readonly jwks: string;
  /** Signatures that are accepted. Default: all of RSA, ECDSA and EdDSA. */
  readonly algorithms?: readonly string[];
  /** By how much the clocks of the two servers may differ. Default: 5 s. */
  readonly clockToleranceSeconds?: number;
  /** Milliseconds for which keys are used without another look, so that a withdrawn key goes. Default: 600,000. */
  readonly keysMaxAgeMs?: number;
  /** Milliseconds between two fetches because tokens name an unknown key. Default: 30,000. */
  readonly cooldownMs?: number;
  /** Default: 5,000. */
  readonly timeoutMs?: number;
}

/** With a public key each. `none` has no signature, and `HS256` would take the public key for a secret. */
const ALGORITHMS: readonly string[] = [
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
];
/** The types of access tokens. Others, such as `logout+jwt`, are signed with the same keys. */
const TYPES: ReadonlySet<string | undefined> = new Set([undefined, 'jwt', 'at+jwt']);

const MINUTE = 60_000;

/**
 * A `verify` for `bearer` that checks signature, algorithm, type and times of a token. `bearer` compares the
 * issuer, the audience and the scopes. Rejects when the keys cannot be fetched.
 *
 * Throws for an algorithm without a public key, and a `ConfigError` for a URL that is neither HTTPS nor local.
 */
export function verifyJwt(options: JwtOptions): TokenVerifier {
  const { clockToleranceSeconds = 5, algorithms = ALGORITHMS } = options;
  const { keysMaxAgeMs = 10 * MINUTE, cooldownMs = MINUTE / 2, timeoutMs = 5_000 } = options;
  const unknown = algorithms.filter((name) => !ALGORITHMS.includes(name));
  if (unknown.length > 0 || algorithms.length === 0) {
    throw new TypeError(`algorithms must be some of ${ALGORITHMS.join(', ')}: ${unknown.join()}`);
  }
  const url = keysUrl(options.jwks);
  const loading = import('jose').catch(missing('jose', 'verifyJwt')).then((jose) => ({
    ...jose,
    keys: remoteKeys(jose, { url, maxAgeMs: keysMaxAgeMs, cooldownMs, timeoutMs }),
  }));
  // Each of the functions below reports it.
  loading.catch(() => undefined);

  async function verify(token: string): Promise<VerifiedToken | undefined> {
    const { errors, jwtVerify, keys } = await loading;
    try {
      const verified = await jwtVerify(token, keys.find, {
        algorithms: [...algorithms],
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['iss', 'sub', 'aud', 'exp'],
      });
      return claimsOf(verified, clockToleranceSeconds);
    } catch (error) {
      if (error instanceof errors.JOSEError && !FAULTS.has(error.code)) return undefined;
      throw cannotFetch(url, error);
    }
  }

  async function probe(): Promise<void> {
    const { keys } = await loading;
    await keys.probe().catch((error: unknown) => Promise.reject(cannotFetch(url, error)));
  }

  async function ready(): Promise<void> {
    await loading;
  }

  return Object.assign(verify, { probe, ready });
}

/** By its name the same as that of the server, which is another entry point. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

function keysUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url;
  throw new ConfigError(`jwks must be an https: URL, or one of this machine: ${text}`);
}

/** In the year 5138: a later time was meant in milliseconds. */
const LATEST_SECONDS = 1e11;

function isExpiry(exp: unknown): exp is number {
  return typeof exp === 'number' && exp <= LATEST_SECONDS;
}

/** The faults of the authorization server among the errors of `jose`; the others say what is wrong with a token. */
const FAULTS: ReadonlySet<string> = new Set([
  'ERR_JWKS_TIMEOUT',
  'ERR_JWKS_INVALID',
  'ERR_JOSE_GENERIC',
]);

function cannotFetch(url: URL, error: unknown): Error {
  const { message, cause } = error as Error;
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
  return new Error(`Cannot get the authorization server's keys at ${url.href}: ${reason}`, {
    cause: error,
  });
}

function claimsOf(
  { payload, protectedHeader }: JWTVerifyResult,
  toleranceSeconds: number,
): VerifiedToken | undefined {
  const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
  const { iss, sub, exp } = payload;
  const audience = audienceOf(payload);
  const clientId = clientOf(payload);
  if (!TYPES.has(type) || clientId === undefined || audience === undefined) return undefined;
  if (typeof iss !== 'string' || typeof sub !== 'string' || !isExpiry(exp)) return undefined;
  return {
    issuer: iss,
    subject: sub,
    clientId,
    audience,
    scopes: scopesOf(payload),
    // The tolerance is part of it, because `bearer` compares it with the clock of this server.
    expiresAt: exp + toleranceSeconds,
    ...('cnf' in payload && { confirmation: payload['cnf'] }),
  };
}

/** Undefined for what no audience is: the payload is any JSON object that the issuer has signed. */
function audienceOf({ aud }: JWTPayload): readonly string[] | undefined {
  const list: unknown = typeof aud === 'string' ? [aud] : aud;
  return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : undefined;
}

/** `client_id` is the claim of RFC 9068; the others are those of widely used servers. */
function clientOf(payload: JWTPayload): string | undefined {
  const named = ['client_id', 'azp', 'cid', 'appid'].map((claim) => payload[claim]);
  return named.find((value): value is string => typeof value === 'string' && value !== '');
}

/** `scope` is the claim of RFC 9068, a text; `scp` that of widely used servers, a text or a list. */
function scopesOf(payload: JWTPayload): readonly string[] {
  const found = payload['scope'] ?? payload['scp'];
  const list: readonly unknown[] = Array.isArray(found) ? found : [found];
  return list
    .filter((value) => typeof value === 'string')
    .flatMap((text) => text.split(' '))
    .filter((scope) => scope !== '');
}

/** The keys of an authorization server. */
interface Keys {
  /** The key of a token's header. */
  readonly find: Jose.JWTVerifyGetKey;
  /** Rejects when the keys cannot be fetched. Does nothing while they are fresh. */
  readonly probe: () => Promise<void>;
}

interface KeysOptions {
  readonly url: URL;
  /** Milliseconds for which the keys are used without another look. */
  readonly maxAgeMs: number;
  /** Milliseconds between two fetches because of a key that is unknown. */
  readonly cooldownMs: number;
  readonly timeoutMs: number;
}

/** A set of keys has some kilobytes. */
const MOST_BYTES = 2 ** 20;
/** After a failed fetch there is none for this time, whatever the number of requests. */
const PAUSE_MS = 1_000;

/** The keys at a URL, fetched when they are first needed, when they are old, and when a token names a new one. */
function remoteKeys(jose: typeof Jose, options: KeysOptions): Keys {
  const { url, maxAgeMs, cooldownMs, timeoutMs } = options;
  let failure: { readonly error: unknown; readonly until: number } | undefined;

  async function get(href: string, init: RequestInit): Promise<Response> {
    if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    try {
      const keys = await fetchJson(href, { ...init, most: MOST_BYTES });
      if (!isKeySet(keys)) throw new Error('not a set of keys');
      failure = undefined;
      return new Response(JSON.stringify(keys));
    } catch (error) {
      failure = { error, until: performance.now() + PAUSE_MS };
      throw error;
    }
  }

  const keys = jose.createRemoteJWKSet(url, {
    timeoutDuration: timeoutMs,
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    [jose.customFetch]: get,
  });
  return {
    find: keys,
    async probe() {
      if (!keys.fresh) await keys.reload();
    },
  };
}

function isKeySet(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['keys']);
}
