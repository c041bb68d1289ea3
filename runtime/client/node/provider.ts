import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { ClientOrigin, Credentials, Grant } from './credentials.js';
import { LoginError } from './login-error.js';

/** A client that was registered with the authorization server beforehand. */
export interface RegisteredClient {
  readonly id: string;
  readonly secret?: string | undefined;
  /** The only authorization server that may get the id and the secret. */
  readonly issuer?: string | undefined;
}

/** What a login has found and got so far. */
export interface Draft {
  scope?: string | undefined;
  origin?: ClientOrigin;
  discovery?: OAuthDiscoveryState;
  client?: StoredOAuthClientInformation | undefined;
  tokens?: StoredOAuthTokens;
  resource?: string;
}

export interface ProviderOptions {
  readonly metadata: OAuthClientMetadata;
  readonly redirectUrl?: string;
  readonly state?: string;
  /** Instead of registering one. */
  readonly registered?: RegisteredClient | undefined;
  /** The client metadata document, whose address is the id of the client. */
  readonly clientMetadataUrl?: string | undefined;
  /** Refuses an authorization server, before a client is registered there. */
  readonly assertServer?: (discovery: OAuthDiscoveryState) => void;
  /** Gets the address at which the user logs in. */
  readonly show?: (address: URL) => void;
  readonly tokenRequest?: URLSearchParams;
}

/** The SDK's side of one login. It keeps all in `draft`, and starts without tokens. */
export function providerOf(draft: Draft, options: ProviderOptions): OAuthClientProvider {
  const { metadata, redirectUrl, state, registered, show, tokenRequest } = options;
  const { clientMetadataUrl } = options;
  let verifier = '';
  return {
    redirectUrl,
    clientMetadata: metadata,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(state !== undefined && { state: () => state }),
    ...(tokenRequest && { prepareTokenRequest: () => tokenRequest }),
    clientInformation(context) {
      if (!registered) return draft.client;
      const issuer = context?.issuer;
      assertIssuer(registered, issuer);
      // Without the issuer, the SDK would print a warning.
      draft.client = {
        client_id: registered.id,
        ...secretOf(registered),
        ...(issuer !== undefined && { issuer }),
      };
      return draft.client;
    },
    saveClientInformation(client) {
      draft.client = client;
    },
    tokens: () => draft.tokens,
    saveTokens(tokens) {
      draft.tokens = tokens;
    },
    redirectToAuthorization: (address) => show?.(address),
    saveCodeVerifier(written) {
      verifier = written;
    },
    codeVerifier: () => verifier,
    discoveryState: () => draft.discovery,
    saveDiscoveryState(discovery) {
      options.assertServer?.(discovery);
      draft.discovery = discovery;
    },
    saveResourceUrl(resource) {
      draft.resource = resource;
    },
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') draft.client = undefined;
    },
  };
}

function secretOf({ secret }: RegisteredClient): { client_secret?: string } {
  return secret === undefined ? {} : { client_secret: secret };
}

/** @throws {LoginError} */
export function assertIssuer({ issuer }: RegisteredClient, actual: string | undefined): void {
  if (issuer === undefined || issuer === actual) return;
  throw new LoginError(
    `The server names the authorization server ${String(actual)}, not ${issuer}`,
  );
}

/** The credentials of a finished login. */
export function finished(
  server: string,
  grant: Grant,
  { discovery, client, origin, scope, tokens, resource }: Draft,
): Credentials {
  if (!discovery || !client || !tokens) throw new LoginError('The login ended without a token');
  return {
    ...{ server, grant, discovery, client, tokens },
    ...(origin && { origin }),
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  };
}
