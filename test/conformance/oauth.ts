import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { challengeIn, type FetchLike } from '../../runtime/client/index.js';
import { createLogins, type LoginProvider } from '../../runtime/client/node/index.js';

/** Where the suite finds the metadata of clients that do not register. */
const CLIENT_ID = 'https://conformance-test.local/client-metadata.json';
/** Challenges that one request may meet: to be authorized, and for a wider scope. */
const CHALLENGES = 2;

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** A `fetch` that logs in after a refusal. The test user agrees to everything, and the browser is another `fetch`. */
export function authorizedFetch(serverUrl: string, registered?: Credentials): FetchLike {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-conformance-logins-'));
  const logins = createLogins({ folder, clientName: 'conformance' });
  const show = (address: URL): void => void fetch(address);
  let provider: LoginProvider | undefined;

  async function authorize(response: Response): Promise<void> {
    const { scope } = challengeIn(response);
    if (provider !== undefined && response.status === 403) {
      if (scope !== undefined) await provider.stepUp(scope, { show });
      return;
    }
    const refreshed = await provider?.onUnauthorized?.().then(
      () => true,
      () => false,
    );
    if (refreshed === true) return;
    await logins.browser(serverUrl, show, {
      clientMetadataUrl: CLIENT_ID,
      ...(registered && {
        registered: { id: registered.client_id, secret: registered.client_secret },
      }),
    });
    provider = await logins.authProvider(serverUrl);
  }

  return async (input, init) => {
    for (let challenges = 0; ; challenges += 1) {
      const headers = new Headers(init?.headers);
      const token = await provider?.token();
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      const response = await fetch(input, { ...init, headers });
      const refused = response.status === 401 || response.status === 403;
      if (!refused || challenges === CHALLENGES) return response;
      await authorize(response);
    }
  };
}
