import {
  auth,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** Where the suite finds the metadata of clients that do not register. */
const CLIENT_ID = 'https://conformance-test.local/client-metadata.json';
const CALLBACK = 'http://localhost:3000/callback';
/** Challenges that one request may meet: to be authorized, and for a wider scope. */
const CHALLENGES = 2;

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** The response of an authorization server through the user's browser. */
interface Granted {
  readonly code: string;
  readonly iss?: string;
}

/**
 * A `fetch` that authorizes itself after a refusal. It follows the redirection at once, because the test
 * user agrees to everything.
 */
export function authorizedFetch(serverUrl: string, registered?: Credentials): FetchLike {
  const { provider, granted } = createProvider(registered);

  async function authorize(response: Response): Promise<void> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const options = {
      serverUrl,
      fetchFn: fetch,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scope !== undefined && { scope }),
      ...(response.status === 403 && { forceReauthorization: true }),
    };
    if ((await auth(provider, options)) === 'AUTHORIZED') return;
    const { code, iss } = granted();
    await auth(provider, {
      ...options,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
    });
  }

  return async (input, init) => {
    for (let challenges = 0; ; challenges += 1) {
      const headers = new Headers(init?.headers);
      const tokens = await provider.tokens();
      if (tokens) headers.set('authorization', `Bearer ${tokens.access_token}`);
      const response = await fetch(input, { ...init, headers });
      const refused = response.status === 401 || response.status === 403;
      if (!refused || challenges === CHALLENGES) return response;
      await authorize(response);
    }
  };
}

/** Stores credentials by authorization server, because they must not be sent to another one. */
function createProvider(registered: Credentials | undefined): {
  readonly provider: OAuthClientProvider;
  readonly granted: () => Granted;
} {
  let client: StoredOAuthClientInformation | undefined = registered && { ...registered };
  let tokens: StoredOAuthTokens | undefined;
  let verifier = '';
  let grant: Granted | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadataUrl: CLIENT_ID,
    clientMetadata: { client_name: 'conformance', redirect_uris: [CALLBACK] },
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier(given) {
      verifier = given;
    },
    async redirectToAuthorization(url) {
      const { headers } = await fetch(url, { redirect: 'manual' });
      const { searchParams } = new URL(headers.get('location') ?? '', CALLBACK);
      const code = searchParams.get('code');
      if (code === null) throw new Error('The user was not sent back with a code');
      const iss = searchParams.get('iss');
      grant = { code, ...(iss !== null && { iss }) };
    },
  };
  return {
    provider,
    granted() {
      if (grant === undefined) throw new Error('No grant has been made');
      return grant;
    },
  };
}
