import type { AuthorizationServer } from 'oauth4webapi';
import type { OAuthClient } from './credentials.js';
import { LoginError } from './login-error.js';
import type { GrantOptions, RegisteredClient } from './login-options.js';
import { type ClientDocument, register } from './oauth.js';

/** The client of a login at an authorization server, which is registered if need be. @throws {LoginError} */
export async function clientFor(
  metadata: AuthorizationServer,
  { registered, clientMetadataUrl, fetchFn }: GrantOptions,
  document: ClientDocument,
): Promise<OAuthClient> {
  if (registered) return registeredAt(metadata, registered);
  const { issuer, client_id_metadata_document_supported: isSupported } = metadata;
  if (clientMetadataUrl !== undefined) assertDocument(clientMetadataUrl);
  if (clientMetadataUrl !== undefined && isSupported === true) {
    return { client_id: clientMetadataUrl, issuer };
  }
  return await register(metadata, document, fetchFn);
}

/** A registered client, if the authorization server is its own. @throws {LoginError} */
export function registeredAt(
  { issuer }: AuthorizationServer,
  { id, secret, issuer: own = issuer }: RegisteredClient,
): OAuthClient {
  const withSlash = (each: string): string => each.replace(/\/?$/, '/');
  if (withSlash(own) !== withSlash(issuer)) {
    throw new LoginError(`The server names the authorization server ${issuer}, not ${own}`);
  }
  return { client_id: id, ...(secret && { client_secret: secret }), issuer };
}

function assertDocument(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' && url.pathname !== '/') return;
  throw new LoginError(`${address} is not the https address of a client metadata document`);
}
