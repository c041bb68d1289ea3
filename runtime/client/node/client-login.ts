import {
  auth,
  ClientCredentialsProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import type { GrantOptions } from './browser-login.js';
import type { Credentials } from './credentials.js';
import { challengeOf } from './discovery.js';
import { finished } from './provider.js';

/** A program's own identity. The authorization server `issuer` is the only one that gets the secret. */
export interface ClientSecret {
  readonly id: string;
  readonly secret: string;
  readonly issuer: string;
}

/** The client credentials grant. The credentials do not contain the secret. */
export async function clientLogin(
  server: string,
  { id, secret, issuer }: ClientSecret,
  { clientName, fetchFn, scope }: Omit<GrantOptions, 'registered'>,
): Promise<Credentials> {
  const { resourceMetadataUrl, scope: named } = await challengeOf(server, fetchFn);
  let discovery: OAuthDiscoveryState | undefined;
  let resource: string | undefined;
  const wanted = scope ?? named;
  const provider = Object.assign(
    new ClientCredentialsProvider({
      clientId: id,
      clientSecret: secret,
      clientName,
      expectedIssuer: issuer,
      ...(wanted !== undefined && { scope: wanted }),
    }),
    {
      saveDiscoveryState(found: OAuthDiscoveryState) {
        discovery = found;
      },
      saveResourceUrl(found: string) {
        resource = found;
      },
    },
  );
  await auth(provider, {
    serverUrl: server,
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    ...(wanted !== undefined && { scope: wanted }),
  });
  const tokens = provider.tokens();
  return finished(server, 'client-credentials', {
    client: { client_id: id, issuer },
    scope: wanted,
    ...(discovery && { discovery }),
    ...(tokens && { tokens }),
    ...(resource !== undefined && { resource }),
  });
}
