import {
  discoverOAuthServerInfo,
  type FetchLike,
  fetchToken,
  OAuthError,
  parseErrorResponse,
  registerClient,
  selectResourceURL,
} from '@modelcontextprotocol/client';
import { setTimeout } from 'node:timers/promises';
import type { GrantOptions } from './browser-login.js';
import { authenticated } from './client-authentication.js';
import type { Credentials } from './credentials.js';
import { assertPrivate, challengeOf, endpointOf } from './discovery.js';
import { LoginError } from './login-error.js';
import { assertIssuer, type Draft, finished, providerOf } from './provider.js';

/** What the user enters in a browser, on any device. */
export interface DeviceCode {
  readonly userCode: string;
  readonly address: URL;
  /** The address with the code in it, if the authorization server has one. */
  readonly complete: URL | undefined;
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The device authorization grant (RFC 8628). The SDK has none, so only its token requests are the SDK's. */
export async function deviceLogin(
  server: string,
  show: (code: DeviceCode) => void,
  { clientName, fetchFn, scope, registered, signal }: GrantOptions,
): Promise<Credentials> {
  const challenge = await challengeOf(server, fetchFn);
  const { resourceMetadataUrl } = challenge;
  const found = await discoverOAuthServerInfo(server, {
    fetchFn,
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const endpoint = endpointOf(metadata, 'device_authorization_endpoint');
  if (!metadata || endpoint === undefined) {
    throw new LoginError(`${authorizationServerUrl} has no login by device. Use the browser`);
  }
  if (registered) assertIssuer(registered, metadata.issuer);
  const wanted = scope ?? challenge.scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const draft: Draft = { discovery: found, scope: wanted };
  const clientMetadata = {
    client_name: clientName,
    redirect_uris: [],
    // Without redirects, authorization servers would take it for a web application.
    application_type: 'native',
    grant_types: [DEVICE_GRANT, 'refresh_token'],
    response_types: [],
    token_endpoint_auth_method: 'none',
  };
  const { issuer } = metadata;
  const registration = { metadata, clientMetadata, fetchFn, ...(wanted && { scope: wanted }) };
  const client = registered
    ? { client_id: registered.id, ...(registered.secret && { client_secret: registered.secret }) }
    : await registerClient(authorizationServerUrl, registration);
  draft.client = { ...client, issuer };
  const plain = providerOf(draft, { metadata: clientMetadata });
  await selectResourceURL(server, plain, resourceMetadata);
  const resource = resourceMetadata?.resource;
  if (resource !== undefined) draft.resource = resource;

  const params = new URLSearchParams({
    ...(wanted && { scope: wanted }),
    ...(resource !== undefined && { resource }),
  });
  const started = await begin(endpoint, authenticated(params, draft.client, metadata), fetchFn);
  show(started);
  const tokenRequest = new URLSearchParams({
    grant_type: DEVICE_GRANT,
    device_code: started.deviceCode,
  });
  const provider = providerOf(draft, { metadata: clientMetadata, tokenRequest });
  const tokens = await poll(started, signal, () =>
    fetchToken(provider, authorizationServerUrl, {
      metadata,
      fetchFn,
      ...(resource !== undefined && { resource }),
    }),
  );
  draft.tokens = { ...tokens, issuer };
  return finished(server, 'device', draft);
}

interface Started extends DeviceCode {
  readonly deviceCode: string;
  /** Seconds between two requests for the token. */
  readonly interval: number;
  /** Seconds. */
  readonly expiresIn: number;
}

async function begin(endpoint: string, init: RequestInit, fetchFn: FetchLike): Promise<Started> {
  const address = assertPrivate(endpoint, 'The address of the login by device');
  const response = await fetchFn(address, init);
  if (!response.ok) throw await parseErrorResponse(response);
  const answer = Object(await response.json()) as Record<string, unknown>;
  const { device_code: deviceCode, user_code: userCode } = answer;
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string') {
    throw new LoginError('The authorization server gave no code for the login by device');
  }
  const complete = answer['verification_uri_complete'];
  const what = 'The address of the login page';
  return {
    deviceCode,
    userCode,
    address: assertPrivate(String(answer['verification_uri']), what),
    complete: typeof complete === 'string' ? assertPrivate(complete, what) : undefined,
    interval: secondsOf(answer['interval'], 5, 60),
    expiresIn: secondsOf(answer['expires_in'], 600, 3_600),
  };
}

/** A number of seconds from a stranger: at least one, at most `most`. */
function secondsOf(value: unknown, usual: number, most: number): number {
  return typeof value === 'number' ? Math.min(Math.max(1, value), most) : usual;
}

/** Seconds by which a `slow_down` lengthens the interval (RFC 8628, section 3.5). */
const SLOWER = 5;

async function poll<T>(
  { interval, expiresIn }: Started,
  signal: AbortSignal | undefined,
  request: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + expiresIn * 1_000;
  let pause = interval;
  while (performance.now() < end) {
    await setTimeout(pause * 1_000, undefined, signal && { signal }).catch(() => {
      throw new LoginError('The login was ended before it was finished');
    });
    try {
      return await request();
    } catch (error) {
      // A connection may fail meanwhile.
      if (!(error instanceof OAuthError)) pause += SLOWER;
      else if (error.code === 'slow_down') pause += SLOWER;
      else if (error.code === 'expired_token') break;
      else if (error.code !== 'authorization_pending') throw error;
    }
  }
  throw new LoginError('The code has expired before you entered it');
}
