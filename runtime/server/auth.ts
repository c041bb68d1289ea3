import type { AuthInfo, AuthMetadataOptions } from '@modelcontextprotocol/server';

import type { JsonObject } from '../tasks/index.js';
import { messageOf } from '../tasks/index.js';
import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  verifyBearerToken,
} from './sdk/index.js';
import { secureUrlOf, urlOf } from './auth-urls.js';
import { bindingProblem, type ConfirmBinding, type Presented, presentedIn } from './binding.js';
import { type Claims, ClaimsError, readClaims, type VerifiedToken } from './claims.js';
import { IdentityError, settled } from './principal.js';
import { ConfigError } from './start-failure.js';
import { rememberVerified } from './verifications.js';

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
  ) => Promise<AuthInfo | Response>;
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

/** Bearer tokens, checked by the SDK. Throws a `ConfigError` for a `resource` that is no URL, and an issuer that is neither HTTPS nor local. */
export function bearer(options: BearerOptions): Authorization {
  const { resource, issuer, scopes = [], verify, confirm, rememberMs = MINUTE } = options;
  const resourceServerUrl = urlOf('resource', resource);
  secureUrlOf('issuer', issuer);
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl);
  const metadata: AuthMetadataOptions = {
    resourceServerUrl,
    scopesSupported: [...scopes],
    // The SDK asks for the authorization server's own document, of which only the issuer is used here.
    oauthMetadata: {
      issuer,
      authorization_endpoint: issuer,
      token_endpoint: issuer,
      response_types_supported: ['code'],
    },
  };

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
      fault = error instanceof OAuthError ? undefined : error;
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
      ...(verified.audience.some((each) => sameResource(each, resource)) && {
        resource: resourceServerUrl,
      }),
      // With it the SDK returns this very object, instead of a copy for each request.
      resourceMetadataUrl,
      extra: {
        issuer: verified.issuer,
        subject: verified.subject,
        ...(confirmation !== undefined && { confirmation }),
      },
    });
  }

  const required = {
    requiredScopes: [...scopes],
    resourceMetadataUrl,
    expectedResource: resourceServerUrl,
    verifier: {
      verifyAccessToken: rememberVerified(identify, {
        accepted: (info) =>
          info.resource !== undefined && scopes.every((scope) => info.scopes.includes(scope)),
        maxAgeMs: rememberMs,
        capacity: MOST_TOKENS,
      }),
    },
  };

  async function authenticateHeader(
    header: string | null,
    head: () => Request,
  ): Promise<AuthInfo | Response> {
    const presented = presentedIn(header);
    try {
      if (presented === undefined || (presented.scheme === 'dpop' && confirm === undefined)) {
        throw invalidToken(header === null ? 'Missing Authorization header' : EXPECTED);
      }
      const info = await verifyBearerToken(`Bearer ${presented.token}`, required);
      await assertBinding(presented, info, head);
      return info;
    } catch (error) {
      return bearerAuthChallengeResponse(error, required);
    }
  }

  async function assertBinding(
    presented: Presented,
    { extra }: AuthInfo,
    head: () => Request,
  ): Promise<void> {
    const confirmation = extra?.['confirmation'];
    if (confirm === undefined || (confirmation === undefined && presented.scheme === 'bearer')) {
      return;
    }
    const problem = bindingProblem(presented, confirmation);
    if (problem !== undefined) throw invalidToken(problem);
    const bound = { ...presented, confirmation: confirmation as JsonObject, request: head() };
    let isConfirmed: unknown;
    try {
      isConfirmed = await confirm(bound);
    } catch (error) {
      fault = error instanceof OAuthError ? undefined : error;
      throw error;
    }
    if (isConfirmed !== true) throw invalidToken('The client does not hold the key of the token');
  }

  const isMetadata = new URL(resourceMetadataUrl).pathname;

  // An invalid configuration throws at startup, not with the first request.
  try {
    oauthMetadataResponse(new Request(new URL(isMetadata, resourceServerUrl)), metadata);
  } catch (error) {
    throw new ConfigError(`resource or issuer: ${messageOf(error)}`, { cause: error });
  }
  return {
    authenticate: (request) =>
      authenticateHeader(request.headers.get('authorization'), () => request),
    authenticateHeader,
    fault: () => fault,
    probe,
    ...(verify.ready && { ready: verify.ready }),
    metadataPath: isMetadata,
    metadata: (request) =>
      new URL(request.url).pathname === isMetadata
        ? oauthMetadataResponse(request, metadata)
        : undefined,
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

const EXPECTED = "Invalid Authorization header format, expected 'Bearer TOKEN'";

function invalidToken(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}

function sameResource(audience: string, resource: string): boolean {
  return audience.replace(/\/$/, '') === resource.replace(/\/$/, '');
}
