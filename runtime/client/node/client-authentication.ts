import {
  type AuthorizationServerMetadata,
  selectClientAuthMethod,
  type StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';

/** A form POST with the client's authentication, for endpoints of which the SDK sends no requests. */
export function authenticated(
  params: URLSearchParams,
  client: StoredOAuthClientInformation,
  metadata: AuthorizationServerMetadata,
): RequestInit {
  const { client_id: id, client_secret: secret } = client;
  const headers = new Headers({
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  });
  const supported = metadata.token_endpoint_auth_methods_supported ?? [];
  const body = new URLSearchParams(params);
  if (secret !== undefined && selectClientAuthMethod(client, supported) === 'client_secret_basic') {
    const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`);
    headers.set('authorization', `Basic ${basic.toString('base64')}`);
  } else {
    body.set('client_id', id);
    if (secret !== undefined) body.set('client_secret', secret);
  }
  return { method: 'POST', headers, body };
}
