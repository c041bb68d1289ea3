import {
  type AuthInfo,
  type AuthMetadataOptions,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server';

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
}

export interface Authorization {
  /** The verified identity, or the answer that refuses the request. */
  readonly authenticate: (request: Request) => Promise<AuthInfo | Response>;
  /** The document that tells clients where to get a token, if that is what was asked for. */
  readonly metadata: (request: Request) => Response | undefined;
}

/** Bearer tokens by way of the SDK. Throws for an issuer that is neither HTTPS nor local. */
export function bearer({ resource, issuer, scopes = [], verify }: BearerOptions): Authorization {
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
  const gate = requireBearerAuth({
    requiredScopes: [...scopes],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
    expectedResource: resourceServerUrl,
    verifier: {
      async verifyAccessToken(token) {
        const verified = await verify(token);
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
      },
    },
  });
  const isMetadata = new URL(getOAuthProtectedResourceMetadataUrl(resourceServerUrl)).pathname;

  // A wrong configuration shows at start-up, not with the first request.
  oauthMetadataResponse(new Request(new URL(isMetadata, resourceServerUrl)), metadata);
  return {
    authenticate: gate,
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
