import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client';
import type { AuthProvider, FetchLike } from '../index.js';
import { browserLogin, type GrantOptions } from './browser-login.js';
import { authenticated } from './client-authentication.js';
import { clientLogin, type ClientSecret } from './client-login.js';
import { type Credentials, openCredentials } from './credentials.js';
import { type DeviceCode, deviceLogin } from './device-login.js';
import { assertPrivate, endpointOf, loginFetch } from './discovery.js';
import { asLoginError, LoginExpired } from './login-error.js';
import type { RegisteredClient } from './provider.js';
import { shared } from './shared.js';

export interface LoginsOptions {
  /** The folder of the logins, a private file each. */
  readonly folder: string;
  /** What users see at the authorization server. */
  readonly clientName: string;
  /** For requests to authorization servers. Default: the global one. */
  readonly fetch?: FetchLike;
}

/** Sends the tokens of a login, and renews them. */
export interface LoginProvider extends AuthProvider {
  /**
   * Logs in again, in the browser, for these scopes beside those that the login has. Separated by spaces. Resolves with
   * false when the user does not agree, and for a login that was not made in the browser.
   */
  stepUp(scope: string, how: StepUp): Promise<boolean>;
}

/** How a user logs in again for more scopes. */
export interface StepUp {
  /** Gets the address of the login page, and the user opens it in a browser on this machine. */
  readonly show: (address: URL) => void;
  /** Asks the user before that. `scopes` are those that the login will have. Default: the user is not asked. */
  readonly agree?: (scopes: readonly string[], signal: AbortSignal) => Promise<boolean>;
  /** Aborting it ends the login. */
  readonly signal?: AbortSignal;
}

export interface LoginOptions {
  /** Scopes, separated by spaces. Default: those that the server names. */
  readonly scope?: string | undefined;
  /** Default: the client registers itself (RFC 7591). */
  readonly registered?: RegisteredClient | undefined;
  /**
   * The https address of a client metadata document, for authorization servers that take it as the id of the client.
   * Others get a registration.
   */
  readonly clientMetadataUrl?: string | undefined;
  /** The port of 127.0.0.1 to which the browser comes back, for a client with an exact address. Default: any. */
  readonly redirectPort?: number | undefined;
  /** Aborting it ends the login. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * OAuth logins of this user at MCP servers, by the server's URL. Methods reject with a `LoginError`, or with a
 * `PrivateFileError`.
 */
export interface Logins {
  /** `show` gets the address of the login page, and the user opens it in a browser on this machine. */
  browser(server: string, show: (address: URL) => void, options?: LoginOptions): Promise<void>;
  /** `show` gets an address and a code, and the user enters it in a browser on any device. */
  device(server: string, show: (code: DeviceCode) => void, options?: LoginOptions): Promise<void>;
  client(server: string, secret: ClientSecret, options?: LoginOptions): Promise<void>;
  /** Revokes the tokens where the authorization server can, and forgets them. Resolves with what happened. */
  logOut(server: string): Promise<'not logged in' | 'revoked' | 'forgotten'>;
  /**
   * The `authProvider` for connections to this server; undefined without a login. It refreshes tokens. With
   * the grant `client-credentials` it needs the secret for that. Requests reject with `LoginExpired` when it cannot.
   */
  authProvider(server: string, secret?: string): Promise<LoginProvider | undefined>;
}

export function createLogins({ folder, clientName, fetch: base }: LoginsOptions): Logins {
  const store = openCredentials(folder);
  const fetchFn = loginFetch(base);

  async function keep(
    server: string,
    work: (options: GrantOptions) => Promise<Credentials>,
    options: LoginOptions = {},
  ): Promise<void> {
    try {
      assertPrivate(server, 'The address of the server');
      const made = await work({ ...options, clientName, fetchFn });
      await store.alone(server, () => store.save(made));
    } catch (error) {
      throw error instanceof Error && error.name === 'PrivateFileError'
        ? error
        : asLoginError(error);
    }
  }

  /** New tokens for a login that the server does not accept any more. */
  async function renewed(current: Credentials, secret: string | undefined): Promise<Credentials> {
    const { server, grant, client, tokens } = current;
    // Another process may have renewed them.
    const stored = await store.load(server);
    if (stored && stored.tokens.access_token !== tokens.access_token) return stored;
    try {
      const next =
        grant === 'client-credentials'
          ? await again(current, secret)
          : { ...current, tokens: await refreshed(current, fetchFn) };
      await store.save(next);
      return next;
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const latest = await store.load(server);
      if (latest && latest.tokens.access_token !== tokens.access_token) return latest;
      throw TEMPORARY.has(error.code) ? asLoginError(error) : new LoginExpired(server);
    }

    async function again({ tokens, scope = tokens.scope }: Credentials, given: string | undefined) {
      const { client_id: id, issuer } = client;
      if (given === undefined || issuer === undefined) throw new LoginExpired(server);
      return clientLogin(server, { id, secret: given, issuer }, { clientName, fetchFn, scope });
    }
  }

  return {
    browser: (server, show, options) =>
      keep(server, (grant) => browserLogin(server, show, grant), options),
    device: (server, show, options) =>
      keep(server, (grant) => deviceLogin(server, show, grant), options),
    client: (server, secret, options) =>
      keep(server, (grant) => clientLogin(server, secret, grant), options),
    logOut: (server) =>
      store.alone(server, async () => {
        const credentials = await store.load(server);
        if (!credentials) return 'not logged in';
        const revoked = await revoke(credentials, fetchFn).catch(() => false);
        await store.forget(server);
        return revoked ? 'revoked' : 'forgotten';
      }),
    async authProvider(server, secret) {
      let current = await store.load(server);
      if (!current) return undefined;
      let renewing: Promise<void> | undefined;
      // Requests that are refused together ask the user once.
      const stepUp = shared(async ({ scope, show, agree }: Wanted, signal: AbortSignal) => {
        if (current?.grant !== 'browser') return false;
        const scopes = joined(current.tokens.scope ?? current.scope, scope);
        if (agree !== undefined && !(await agree(scopes, signal))) return false;
        const options = { ...sameClient(current), scope: scopes.join(' '), signal };
        await keep(server, (grant) => browserLogin(server, show, grant), options);
        current = await store.load(server);
        return true;
      });
      const renew = async (credentials: Credentials): Promise<void> => {
        // Another program must not use the same refresh token: many authorization servers take it once.
        current = await store.alone(credentials.server, () => renewed(credentials, secret));
      };
      return {
        token: () => Promise.resolve(current?.tokens.access_token),
        async onUnauthorized() {
          // Requests that fail together renew once.
          if (current) renewing ??= renew(current).finally(() => (renewing = undefined));
          await renewing;
        },
        stepUp: (scope, { signal, ...how }) => stepUp({ scope, ...how }, signal),
      };
    },
  };
}

/** Errors that say nothing of the tokens. The SDK reads `server_error` from answers that are no error of OAuth, too. */
const TEMPORARY: ReadonlySet<string> = new Set([
  'server_error',
  'temporarily_unavailable',
  'too_many_requests',
]);

interface Wanted extends Omit<StepUp, 'signal'> {
  readonly scope: string;
}

/** The scopes of both texts, each once. */
function joined(...texts: readonly (string | undefined)[]): readonly string[] {
  const scopes = texts.flatMap((text) => text?.split(' ') ?? []);
  return [...new Set(scopes.filter((scope) => scope !== ''))];
}

/** The options of a login with the client that an earlier one had. A client that registered itself does so again. */
function sameClient({ client, origin }: Credentials): LoginOptions {
  const { client_id: id, client_secret: secret, issuer } = client;
  return {
    ...(origin?.isRegistered === true && { registered: { id, secret, issuer } }),
    clientMetadataUrl: origin?.clientMetadataUrl,
    redirectPort: origin?.redirectPort,
  };
}

/** The refresh token goes only to the authorization server of the login. */
async function refreshed(
  { server, discovery, client, tokens, resource }: Credentials,
  fetchFn: FetchLike,
): Promise<Credentials['tokens']> {
  const { refresh_token: refreshToken, issuer, scope } = tokens;
  if (refreshToken === undefined) throw new LoginExpired(server);
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
  const next = await refreshAuthorization(authorizationServerUrl, {
    ...(metadata && { metadata }),
    clientInformation: client,
    refreshToken,
    ...(resource !== undefined && { resource }),
    fetchFn,
  });
  // An answer without scopes means the same ones (RFC 6749, section 5.1).
  return {
    ...(scope !== undefined && { scope }),
    ...next,
    ...(issuer !== undefined && { issuer }),
  };
}

/** Revokes the refresh token, or else the access token (RFC 7009). */
async function revoke(
  { discovery, client, tokens }: Credentials,
  fetchFn: FetchLike,
): Promise<boolean> {
  const metadata = discovery.authorizationServerMetadata;
  const endpoint = endpointOf(metadata, 'revocation_endpoint');
  if (!metadata || endpoint === undefined) return false;
  const address = assertPrivate(endpoint, 'The address for revocation');
  const { refresh_token: refresh, access_token: access } = tokens;
  const params = new URLSearchParams({
    token: refresh ?? access,
    token_type_hint: refresh === undefined ? 'access_token' : 'refresh_token',
  });
  const init = authenticated(params, client, metadata);
  const { ok } = await fetchFn(address, init);
  return ok;
}
