import type { AuthorizationServer } from 'oauth4webapi';
import { clientFor } from './client-for.js';
import type { Credentials } from './credentials.js';
import { assertSecure, discover, slashHelp } from './discovery.js';
import { LoginError } from './login-error.js';
import type { GrantOptions } from './login-options.js';
import { openLoopback } from './loopback.js';
import { type Asked, createPkce, exchangeCode, type Party } from './oauth.js';

/**
 * The authorization code grant with PKCE. `show` gets the address that the user opens in a browser. The browser
 * comes back to a port of the loopback interface (RFC 8252).
 */
export async function browserLogin(
  server: string,
  show: (address: URL) => void,
  options: GrantOptions,
): Promise<Credentials> {
  const { clientName, fetchFn, registered, clientMetadataUrl, redirectPort, signal } = options;
  const found = await discover(server, fetchFn);
  const { metadata } = found;
  assertCodeGrant(metadata);
  const scope = withOfflineAccess(options.scope ?? found.scope, metadata);
  const loopback = await openLoopback(redirectPort);
  try {
    const { redirectUrl } = loopback;
    const client = await clientFor(metadata, options, {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope,
    });
    const party = { ...found, client, fetchFn };
    const asked = { ...loopback, ...(await createPkce()) };
    if (signal?.aborted === true) throw stopped();
    show(addressOf(party, asked, scope));
    const response = await answered(loopback.response, signal);
    // Another server's error says nothing about this login, and its text may mislead the user.
    assertIss(response.get('iss'), metadata);
    return {
      ...{ server, grant: 'browser', client, scope, resource: found.resource },
      discovery: { authorizationServerMetadata: metadata },
      tokens: await exchangeCode(party, response, asked),
      origin: { isRegistered: registered !== undefined, clientMetadataUrl, redirectPort },
    };
  } finally {
    loopback.close();
  }
}

/** Where the user logs in. @throws {LoginError} */
function addressOf(
  { metadata, client, resource }: Party,
  { challenge, redirectUrl, state }: Asked,
  scope: string | undefined,
): URL {
  const { authorization_endpoint: endpoint } = metadata;
  const address = assertSecure(endpoint, 'The `authorization_endpoint` of its metadata');
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    redirect_uri: redirectUrl,
    state,
    scope,
    // OpenID Connect requires it for that scope.
    prompt: scope?.split(' ').includes(OFFLINE) === true ? 'consent' : undefined,
    resource,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) address.searchParams.set(name, value);
  }
  return address;
}

/** The scope that some authorization servers require for refresh tokens. */
const OFFLINE = 'offline_access';

function withOfflineAccess(
  scope: string | undefined,
  { scopes_supported: supported }: AuthorizationServer,
): string | undefined {
  if (!scope || scope.split(' ').includes(OFFLINE)) return scope;
  return supported?.includes(OFFLINE) === true ? `${scope} ${OFFLINE}` : scope;
}

/** Without PKCE, a program that reads the code of the response can get the token. @throws {LoginError} */
function assertCodeGrant({
  issuer,
  response_types_supported: types,
  code_challenge_methods_supported: methods,
}: AuthorizationServer): void {
  if (types?.includes('code') === false) {
    throw new LoginError(`${issuer} does not support the response type \`code\``);
  }
  if (methods?.includes('S256') === true) return;
  throw new LoginError(
    `${issuer} does not name S256 in the \`code_challenge_methods_supported\` of its metadata, so a stolen code would be enough for a token`,
  );
}

/** The issuer that an authorization response names (RFC 9207), compared character by character. @throws {LoginError} */
function assertIss(
  iss: string | null,
  {
    issuer,
    authorization_response_iss_parameter_supported: isPromised = false,
  }: AuthorizationServer,
): void {
  if (iss === null ? !isPromised : iss === issuer) return;
  const named = iss === null ? 'names no issuer' : `names the issuer ${iss}`;
  throw new LoginError(
    `The authorization response ${named}, and ${issuer} was asked${slashHelp(iss ?? '', issuer)}`,
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
