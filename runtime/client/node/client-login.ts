import { registeredAt } from './client-for.js';
import type { Credentials } from './credentials.js';
import { discover } from './discovery.js';
import type { ClientSecret, GrantOptions } from './login-options.js';
import { requestTokens } from './oauth.js';

/** The client credentials grant. The credentials do not contain the secret. */
export async function clientLogin(
  server: string,
  secret: ClientSecret,
  { fetchFn, scope: wanted }: Pick<GrantOptions, 'fetchFn' | 'scope'>,
): Promise<Credentials> {
  const { metadata, resource, scope: named } = await discover(server, fetchFn);
  const client = registeredAt(metadata, secret);
  const { client_secret: _, ...kept } = client;
  const scope = wanted ?? named;
  const party = { metadata, client, resource, fetchFn };
  return {
    ...{ server, grant: 'client-credentials', client: kept, scope, resource },
    discovery: { authorizationServerMetadata: metadata },
    tokens: await requestTokens(party, 'client_credentials', { ...(scope && { scope }) }),
  };
}
