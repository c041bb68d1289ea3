import type { AuthProvider, FetchLike } from '../index.js';
import { browserLogin } from './browser-login.js';
import { clientLogin } from './client-login.js';
import { type Credentials, openCredentials, type Tokens } from './credentials.js';
import { deviceLogin } from './device-login.js';
import { assertSecure, loginFetch } from './discovery.js';
import { asLoginError, LoginExpired, Refused } from './login-error.js';
import type { ClientSecret, DeviceCode, GrantOptions, LoginOptions } from './login-options.js';
import { type Party, requestTokens, revoke } from './oauth.js';
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
      assertSecure(server, 'The address of the server');
      const made = await work({ ...options, clientName, fetchFn });
      await store.alone(server, () => store.save(made));
    } catch (error) {
      throw asLoginError(error);
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
      if (!(error instanceof Refused)) throw error;
      const latest = await store.load(server);
      if (latest && latest.tokens.access_token !== tokens.access_token) return latest;
      throw TEMPORARY.has(error.code) ? error : new LoginExpired(server);
    }

    async function again({ tokens, scope = tokens.scope }: Credentials, given: string | undefined) {
      const { client_id: id, issuer } = client;
      if (given === undefined) throw new LoginExpired(server);
      return clientLogin(server, { id, secret: given, issuer }, { fetchFn, scope });
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
        const revoked = await revoke(partyOf(credentials, fetchFn), credentials.tokens).catch(
          () => false,
        );
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

/** Errors that say nothing of the tokens. */
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

function partyOf(
  { discovery: { authorizationServerMetadata: metadata }, client, resource }: Credentials,
  fetchFn: FetchLike,
): Party {
  return { metadata, client, resource, fetchFn };
}

/** The refresh token goes only to the authorization server of the login. */
async function refreshed(credentials: Credentials, fetchFn: FetchLike): Promise<Tokens> {
  const { refresh_token: token, scope } = credentials.tokens;
  if (token === undefined) throw new LoginExpired(credentials.server);
  const party = partyOf(credentials, fetchFn);
  const next = await requestTokens(party, 'refresh_token', { refresh_token: token }, [token]);
  // An answer without scopes means the same ones (RFC 6749, section 5.1), and one without a refresh token the same one.
  return { refresh_token: token, ...(scope !== undefined && { scope }), ...next };
}
