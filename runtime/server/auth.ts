import type { AuthInfo, AuthMetadataOptions } from '@modelcontextprotocol/server';

import {
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth,
} from './sdk/index.js';
import { rememberVerified } from './verifications.js';

/** What a token says, once its signature, or the authorization server, has been asked. */
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

export interface BearerOptions {
  /** The URL under which clients reach this server: what tokens have to be issued for. */
  readonly resource: string;
  /** The authorization server's issuer, which tokens have to come from. */
  readonly issuer: string;
  /** Scopes that every request needs. */
  readonly scopes?: readonly string[];
  /** Resolves with nothing for a token that is not genuine. */
  readonly verify: (token: string) => Promise<VerifiedToken | undefined>;
  /**
   * Milliseconds for which a token that was accepted is not verified again: what a token that is revoked
   * can still be used for. Never longer than the token is valid; 0 verifies it for each request.
   * Default: 60,000.
   */
  readonly rememberMs?: number;
}

/** Accepted tokens that are remembered. */
const MOST_TOKENS = 10_000;
const MINUTE = 60_000;
/** No genuine token: asked about to find out whether there is an answer. */
const PROBE_TOKEN = 'health-check';

export interface Authorization {
  /** The verified identity, or the answer that refuses the request. */
  readonly authenticate: (request: Request) => Promise<AuthInfo | Response>;
  /** The document that tells clients where to get a token, if that is what was asked for. */
  readonly metadata: (request: Request) => Response | undefined;
  /** Why the last token could not be verified either way; undefined when it could. */
  readonly fault?: () => unknown;
  /**
   * Rejects while tokens cannot be verified. After a fault it tries again, so that a server that gets
   * no requests while it is failing notices when its authorization server is back.
   */
  readonly probe?: () => Promise<void>;
}

/** Bearer tokens by way of the SDK. Throws for an issuer that is neither HTTPS nor local. */
export function bearer(options: BearerOptions): Authorization {
  const { resource, issuer, scopes = [], verify, rememberMs = MINUTE } = options;
  const resourceServerUrl = new URL(resource);
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
      // A refusal in the SDK's own terms is an answer.
      fault = error instanceof OAuthError ? undefined : error;
      throw error;
    }
  }

  async function probe(): Promise<void> {
    if (fault === undefined) return;
    await asked(PROBE_TOKEN).catch(() => undefined);
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
      extra: { issuer: verified.issuer, subject: verified.subject },
    };
  }

  const requireToken = requireBearerAuth({
    requiredScopes: [...scopes],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
    expectedResource: resourceServerUrl,
    verifier: {
      verifyAccessToken: rememberVerified(identify, {
        accepted: (info) =>
          info.resource !== undefined && scopes.every((scope) => info.scopes.includes(scope)),
        maxAgeMs: rememberMs,
        capacity: MOST_TOKENS,
      }),
    },
  });
  const isMetadata = new URL(getOAuthProtectedResourceMetadataUrl(resourceServerUrl)).pathname;

  // A wrong configuration shows at start-up, not with the first request.
  oauthMetadataResponse(new Request(new URL(isMetadata, resourceServerUrl)), metadata);
  return {
    authenticate: requireToken,
    fault: () => fault,
    probe,
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
