import type * as oauth4webapi from 'oauth4webapi';
import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import { isObject } from '../../peer/wire/json.js';
import { missing } from '../../optional.js';
import type { JsonObject } from '../../tasks/index.js';
import type { FetchLike } from '../index.js';
import { ALLOWED, type OAuthClient, type Tokens } from './credentials.js';
import { LoginError, Refused } from './login-error.js';

/**
 * Requests to authorization servers, made by `oauth4webapi`. Their answers are read here, because servers differ from the
 * standards: errors come with HTTP 200, registrations with 200, and secrets without their expiry.
 */

/** A client and its authorization server. */
export interface Party {
  readonly metadata: AuthorizationServer;
  readonly client: OAuthClient;
  /** The resource indicator (RFC 8707). */
  readonly resource?: string | undefined;
  /** Refuses insecure addresses. The library itself may use every address. */
  readonly fetchFn: FetchLike;
}

type Library = typeof oauth4webapi;

function load(): Promise<Library> {
  return import('oauth4webapi').catch(missing('oauth4webapi', 'A login'));
}

function optionsOf(oauth: Library, fetchFn: FetchLike) {
  return {
    [oauth.customFetch]: fetchFn as (url: string, init: object) => Promise<Response>,
    [oauth.allowInsecureRequests]: true,
  };
}

export interface Pkce {
  readonly verifier: string;
  /** By S256. */
  readonly challenge: string;
}

export async function createPkce(): Promise<Pkce> {
  const oauth = await load();
  const verifier = oauth.generateRandomCodeVerifier();
  return { verifier, challenge: await oauth.calculatePKCECodeChallenge(verifier) };
}

/** What a client says of itself to be registered (RFC 7591). */
export interface ClientDocument {
  readonly client_name: string;
  readonly redirect_uris: string[];
  readonly grant_types: string[];
  readonly response_types: string[];
  readonly scope?: string | undefined;
}

/** Registers a native application: without redirects, authorization servers would take it for a web application. */
export async function register(
  metadata: AuthorizationServer,
  document: ClientDocument,
  fetchFn: FetchLike,
): Promise<OAuthClient> {
  const { issuer, registration_endpoint: endpoint } = metadata;
  if (endpoint === undefined) {
    throw new LoginError(`${issuer} does not support dynamic client registration`);
  }
  const oauth = await load();
  const response = await oauth.dynamicClientRegistrationRequest(
    metadata,
    { ...document, application_type: 'native', token_endpoint_auth_method: 'none' },
    optionsOf(oauth, fetchFn),
  );
  const client = membersOf(await answerOf(response), CLIENT);
  return { ...client, client_id: required(client.client_id, 'client_id'), issuer };
}

/** RFC 6749, appendix A. */
const CLIENT = {
  client_id: /^[\x20-\x7e]+$/,
  client_secret: /^[\x20-\x7e]+$/,
  token_endpoint_auth_method: /^[\x21-\x7e]+$/,
} as const;

/** What the parameters of a response belong to. */
export interface Asked extends Pkce {
  readonly state: string;
  readonly redirectUrl: string;
}

/** The tokens for the code in an authorization response, whose `state` and `iss` have to be right. */
export async function exchangeCode(
  party: Party,
  response: URLSearchParams,
  { state, redirectUrl, verifier }: Asked,
): Promise<Tokens> {
  const oauth = await load();
  const { metadata, client, resource, fetchFn } = party;
  const error = response.get('error');
  if (error !== null) throw new Refused(error, response.get('error_description') ?? undefined);
  const code = response.get('code');
  if (code === null) {
    throw new LoginError('The authorization response has neither a code nor an error');
  }
  const answer = await oauth.authorizationCodeGrantRequest(
    metadata,
    client,
    authenticationOf(party, oauth),
    validated(() => oauth.validateAuthResponse(metadata, client, response, state)),
    redirectUrl,
    verifier,
    {
      ...optionsOf(oauth, fetchFn),
      additionalParameters: { ...(resource !== undefined && { resource }) },
    },
  );
  return tokensOf(await answerOf(answer, [code, verifier, client.client_secret]));
}

/** The library's errors contain what they judge, and so the code. */
function validated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new LoginError(`The authorization response is wrong: ${(error as Error).message}`);
  }
}

/** The tokens of a grant that needs no response of a browser. `secrets`: what no error may repeat. */
export async function requestTokens(
  party: Party,
  grant: string,
  parameters: Readonly<Record<string, string>>,
  secrets: readonly string[] = [],
): Promise<Tokens> {
  const oauth = await load();
  const { metadata, client, resource, fetchFn } = party;
  const response = await oauth.genericTokenEndpointRequest(
    metadata,
    client,
    authenticationOf(party, oauth),
    grant,
    { ...parameters, ...(resource !== undefined && { resource }) },
    optionsOf(oauth, fetchFn),
  );
  return tokensOf(await answerOf(response, [...secrets, client.client_secret]));
}

function tokensOf(answer: JsonObject): Tokens {
  const tokens = membersOf(answer, ALLOWED);
  const type = required(tokens.token_type, 'token_type');
  if (type.toLowerCase() !== 'bearer') {
    throw new LoginError(`The \`token_type\` of the authorization server is ${type}, not Bearer`);
  }
  const access = required(tokens.access_token, 'access_token');
  return { ...tokens, access_token: access, token_type: type };
}

/** The codes of a device (RFC 8628). */
export async function requestDevice(party: Party, scope: string | undefined): Promise<JsonObject> {
  const oauth = await load();
  const { metadata, client, resource, fetchFn } = party;
  const response = await oauth.deviceAuthorizationRequest(
    metadata,
    client,
    authenticationOf(party, oauth),
    { ...(scope && { scope }), ...(resource !== undefined && { resource }) },
    optionsOf(oauth, fetchFn),
  );
  return answerOf(response, [client.client_secret]);
}

/** Revokes the refresh token, or else the access token (RFC 7009). Resolves with whether the server did. */
export async function revoke(party: Party, tokens: Tokens): Promise<boolean> {
  const { metadata, client, fetchFn } = party;
  if (metadata.revocation_endpoint === undefined) return false;
  const oauth = await load();
  const { refresh_token: refresh, access_token: access } = tokens;
  const hint = refresh === undefined ? 'access_token' : 'refresh_token';
  const { ok } = await oauth.revocationRequest(
    metadata,
    client,
    authenticationOf(party, oauth),
    refresh ?? access,
    { ...optionsOf(oauth, fetchFn), additionalParameters: { token_type_hint: hint } },
  );
  return ok;
}

/** By the method of the registration, or else the best one that the authorization server has. */
function authenticationOf({ client, metadata }: Party, oauth: Library): ClientAuth {
  const { client_secret: secret, token_endpoint_auth_method: own } = client;
  if (secret === undefined) return oauth.None();
  const supported = metadata.token_endpoint_auth_methods_supported ?? [];
  const isSupported = (method: string): boolean =>
    supported.length === 0 || supported.includes(method);
  const known = ['client_secret_basic', 'client_secret_post', 'none'];
  const wanted = own !== undefined && known.includes(own) ? [own, ...known] : known;
  const method = wanted.find(isSupported) ?? 'client_secret_post';
  if (method === 'none') return oauth.None();
  return method === 'client_secret_basic' ? basic(secret) : oauth.ClientSecretPost(secret);
}

/** As the library's, but `-`, `_` and `.` stay as they are, because some servers do not decode ids and secrets. */
function basic(secret: string): ClientAuth {
  const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return (_, { client_id: id }, __, headers) => {
    headers.set('authorization', `Basic ${btoa(`${encoded(id)}:${encoded(secret)}`)}`);
  };
}

/**
 * The object in an answer of an authorization server. Its errors may repeat what was sent: not `secrets`.
 *
 * @throws {Refused} for an error of OAuth, with any status. @throws {LoginError} for anything else.
 */
async function answerOf(
  response: Response,
  secrets: readonly (string | undefined)[] = [],
): Promise<JsonObject> {
  const value: unknown = await response.json().catch(() => undefined);
  const { error, error_description: said } = isObject(value) ? value : {};
  if (typeof error === 'string' && error !== '') {
    const shown = typeof said === 'string' ? said : undefined;
    throw new Refused(hidden(error, secrets), shown && hidden(shown, secrets));
  }
  if (response.ok && isObject(value)) return value;
  const status = `HTTP ${String(response.status)}`;
  const what = response.ok ? `${status}, but without a JSON object` : status;
  throw new LoginError(`The authorization server answered with ${what}`);
}

function hidden(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>(
    (shown, secret) => (secret === undefined ? shown : shown.replaceAll(secret, '…')),
    text,
  );
}

/** These members of an answer, as far as it has them. @throws {LoginError} when one is malformed. */
function membersOf<K extends string>(
  answer: JsonObject,
  allowed: Readonly<Record<K, RegExp>>,
): Partial<Record<K, string>> {
  const members: Partial<Record<K, string>> = {};
  for (const name of Object.keys(allowed) as K[]) {
    const value = answer[name];
    if (value === undefined) continue;
    const of = `The \`${name}\` of the authorization server`;
    if (typeof value !== 'string') throw new LoginError(`${of} is not a string`);
    if (!allowed[name].test(value)) {
      throw new LoginError(`${of} has characters that RFC 6749 does not allow, so it was not kept`);
    }
    members[name] = value;
  }
  return members;
}

function required(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new LoginError(`The answer of the authorization server has no \`${name}\``);
}
