import {
  auth,
  type FetchLike,
  type OAuthDiscoveryState,
  OAuthError,
} from '@modelcontextprotocol/client';
import type { Credentials } from './credentials.js';
import { assertPrivate, challengeOf } from './discovery.js';
import { LoginError } from './login-error.js';
import { openLoopback } from './loopback.js';
import { type Draft, finished, providerOf, type RegisteredClient } from './provider.js';

export interface GrantOptions {
  readonly clientName: string;
  readonly fetchFn: FetchLike;
  /** Scopes to ask for, separated by spaces. Default: those that the server names. */
  readonly scope?: string | undefined;
  readonly registered?: RegisteredClient | undefined;
  readonly clientMetadataUrl?: string | undefined;
  readonly redirectPort?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The authorization code grant with PKCE. `show` gets the address that the user opens in a browser. The browser
 * comes back to a port of the loopback interface (RFC 8252).
 */
export async function browserLogin(
  server: string,
  show: (address: URL) => void,
  { clientName, fetchFn, scope, registered, clientMetadataUrl, redirectPort, signal }: GrantOptions,
): Promise<Credentials> {
  const challenge = await challengeOf(server, fetchFn);
  const loopback = await openLoopback(redirectPort);
  const { redirectUrl, state } = loopback;
  const wanted = scope ?? challenge.scope;
  const draft: Draft = {
    scope: wanted,
    origin: { isRegistered: registered !== undefined, clientMetadataUrl, redirectPort },
  };
  const provider = providerOf(draft, {
    metadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...(registered?.secret === undefined && { token_endpoint_auth_method: 'none' }),
    },
    redirectUrl,
    state,
    registered,
    clientMetadataUrl,
    assertServer: assertPkce,
    show(address) {
      if (signal?.aborted === true) throw stopped();
      show(assertPrivate(address.href, 'The address of the login page'));
    },
  });
  const { resourceMetadataUrl } = challenge;
  const request = {
    serverUrl: server,
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    ...(wanted !== undefined && { scope: wanted }),
  };
  try {
    await auth(provider, request);
    const response = await answered(loopback.response, signal);
    const iss = response.get('iss');
    // Another server's error says nothing about this login, and its text may mislead the user.
    assertIss(iss, draft.discovery);
    const error = response.get('error');
    if (error !== null) {
      throw new OAuthError(error, response.get('error_description') ?? 'it gives no reason');
    }
    const authorizationCode = response.get('code');
    if (authorizationCode === null) {
      throw new LoginError('The authorization response has neither a code nor an error');
    }
    await auth(provider, { ...request, authorizationCode, ...(iss !== null && { iss }) });
    return finished(server, 'browser', draft);
  } finally {
    loopback.close();
  }
}

/** Without PKCE, a program that reads the code of the response can get the token. @throws {LoginError} */
function assertPkce({
  authorizationServerUrl,
  authorizationServerMetadata: metadata,
}: OAuthDiscoveryState): void {
  if (metadata?.code_challenge_methods_supported?.includes('S256') === true) return;
  throw new LoginError(
    `${authorizationServerUrl} does not name S256 in the \`code_challenge_methods_supported\` of its metadata, so a stolen code would be enough for a token`,
  );
}

/** The issuer that an authorization response names (RFC 9207), compared character by character. @throws {LoginError} */
function assertIss(iss: string | null, discovery: OAuthDiscoveryState | undefined): void {
  const metadata = discovery?.authorizationServerMetadata;
  const isPromised = metadata?.authorization_response_iss_parameter_supported === true;
  if (iss === null ? !isPromised : iss === metadata?.issuer) return;
  const named = iss === null ? 'names no issuer' : `names the issuer ${iss}`;
  throw new LoginError(
    `The authorization response ${named}, and ${String(metadata?.issuer)} was asked`,
  );
}

function stopped(): LoginError {
  return new LoginError('The login was ended before it was finished');
}

async function answered<T>(response: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await response;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(stopped());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  return await Promise.race([response, aborted]).finally(() =>
    signal.removeEventListener('abort', stop),
  );
}
