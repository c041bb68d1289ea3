import type { AuthInfo, AuthMetadataOptions } from '@modelcontextprotocol/server';

import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  verifyBearerToken,
} from './sdk/index.js';
import { rememberVerified } from './verifications.js';

/** The claims of a token whose signature was checked, or which the authorization server confirmed. */
export interface VerifiedToken {
  readonly issuer: string;
  readonly subject: string;
  readonly clientId: string;
  /** Resources for which it was issued. */
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Resolves with undefined for a token that is not genuine. Rejects when that cannot be found out. */
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
}

/** Accepted tokens that are remembered. */
const MOST_TOKENS = 10_000;
const MINUTE = 60_000;
/** Not a genuine token: verified to find out whether the authorization server answers. */
const PROBE_TOKEN = 'health-check';

export interface Authorization {
  /** The verified identity, or the answer that refuses the request. */
  readonly authenticate: (request: Request) => Promise<AuthInfo | Response>;
  /** The same, for an `Authorization` header: spares the server a web request for each request of Node. */
  readonly authenticateHeader?: (header: string | null) => Promise<AuthInfo | Response>;
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

/** Bearer tokens, checked by the SDK. Throws for an issuer that is neither HTTPS nor local. */
export function bearer(options: BearerOptions): Authorization {
  const { resource, issuer, scopes = [], verify, rememberMs = MINUTE } = options;
  const resourceServerUrl = new URL(resource);
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

  async function asked(token: string): Promise<VerifiedToken | undefined> {
    try {
      const verified = await verify(token);
      fault = undefined;
      return verified;
    } catch (error) {
      // An OAuthError is an answer, not a fault.
      fault = error instanceof OAuthError ? undefined : error;
      throw error;
    }
  }

  async function probe(): Promise<void> {
    if (fault === undefined) return;
    await (verify.probe?.() ?? asked(PROBE_TOKEN)).then(
      () => (fault = undefined),
      () => undefined,
    );
    if (fault !== undefined) throw fault as Error;
  }

  async function identify(token: string): Promise<AuthInfo & { readonly expiresAt: number }> {
    const verified = await asked(token);
    if (verified === undefined) throw invalidToken('The token is not genuine');
    if (verified.issuer !== issuer) throw invalidToken('The token comes from another issuer');
    if (verified.subject === '' || verified.clientId === '') {
      throw invalidToken('The token names no subject and client');
    }
    return {
      token,
      clientId: verified.clientId,
      scopes: [...verified.scopes],
      expiresAt: verified.expiresAt,
      ...(verified.audience.some((each) => sameResource(each, resource)) && {
        resource: resourceServerUrl,
      }),
      // With it the SDK returns this very object, instead of a copy for each request.
      resourceMetadataUrl,
      extra: { issuer: verified.issuer, subject: verified.subject },
    };
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

  async function authenticateHeader(header: string | null): Promise<AuthInfo | Response> {
    // Headers that were sent twice are joined. The first one counts.
    const [first] = (header ?? '').split(',');
    try {
      return await verifyBearerToken(first === '' ? undefined : first, required);
    } catch (error) {
      return bearerAuthChallengeResponse(error, required);
    }
  }

  const isMetadata = new URL(resourceMetadataUrl).pathname;

  // An invalid configuration throws at startup, not with the first request.
  oauthMetadataResponse(new Request(new URL(isMetadata, resourceServerUrl)), metadata);
  return {
    authenticate: (request) => authenticateHeader(request.headers.get('authorization')),
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

function invalidToken(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}

function sameResource(audience: string, resource: string): boolean {
  return audience.replace(/\/$/, '') === resource.replace(/\/$/, '');
}
