import { BAD_REQUEST, refusal } from '../../transport/index.js';
import { isObject } from '../../peer/wire/json.js';

/**
 * What a verifier throws to refuse a token with a code of OAuth: `invalid_token` answers 401, `insufficient_scope` 403,
 * `server_error` 500, `temporarily_unavailable` 503, and every other code 400. Other errors are faults of the program, and
 * answer 500.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: string;
  readonly errorUri: string | undefined;

  /** `errorUri` is a page that describes the error. */
  constructor(code: string, message: string, errorUri?: string) {
    super(message);
    this.code = code;
    this.errorUri = errorUri;
  }
}

/** What an answer says of an `OAuthError`. */
interface OAuthProblem {
  readonly code: string;
  readonly message: string;
  readonly errorUri?: string | undefined;
}

/**
 * Undefined for every other error. Recognised by its shape, because verifiers throw the classes of both versions of the
 * SDK as well, and that of another copy of this package.
 */
export function oauthProblem(error: unknown): OAuthProblem | undefined {
  if (!isObject(error)) return undefined;
  const { name, message, errorUri } = error;
  const code = name === 'OAuthError' ? error['code'] : codeOfVersionOne(error);
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code, message, errorUri: typeof errorUri === 'string' ? errorUri : undefined };
}

/** In version 1 of the SDK each code has a class, of which it is a static member. */
function codeOfVersionOne(error: Readonly<Record<string, unknown>>): unknown {
  return 'toResponseObject' in error ? error['errorCode'] : undefined;
}

/** What clients are told with a refusal (RFC 6750, section 3, and RFC 9728, section 5.1). */
interface Challenge {
  /** Scopes that the request needs. */
  readonly scopes: readonly string[];
  readonly resourceMetadataUrl?: string;
}

/** Of codes that are about the token. */
const CHALLENGES: ReadonlyMap<string, number> = new Map([
  ['invalid_token', 401],
  ['insufficient_scope', 403],
]);
const SERVER_ERROR = 'server_error';
/** RFC 6749, section 4.1.2.1. */
export const TEMPORARILY_UNAVAILABLE = 'temporarily_unavailable';
/** Of codes that are about this server. */
const FAILURES: ReadonlyMap<string, ResponseInit> = new Map([
  [SERVER_ERROR, { status: 500 }],
  [TEMPORARILY_UNAVAILABLE, { status: 503, headers: { 'Retry-After': '1' } }],
]);
const FAULT: OAuthProblem = { code: SERVER_ERROR, message: 'Internal Server Error' };

/** The answer to a request whose token was refused, or could not be verified: an error of OAuth as JSON. */
export function tokenRefusal(error: unknown, challenge: Challenge): Response {
  const { code, message, errorUri } = oauthProblem(error) ?? FAULT;
  const body = {
    error: code,
    error_description: message,
    ...(errorUri !== undefined && errorUri !== '' && { error_uri: errorUri }),
  };
  const status = CHALLENGES.get(code);
  if (status === undefined) return Response.json(body, FAILURES.get(code) ?? { status: 400 });
  const problem = [parameter('error', code), parameter('error_description', message)];
  const headers = { 'WWW-Authenticate': challengeHeader(challenge, problem) };
  return Response.json(body, { status, headers });
}

/** The answer to a request without a token. It names no error code, because the client made no mistake yet. */
export function tokenRequest(challenge: Challenge): Response {
  const options = { headers: { 'WWW-Authenticate': challengeHeader(challenge) } };
  const { status, headers, body } = refusal(
    401,
    BAD_REQUEST,
    'The request carries no access token',
    options,
  );
  return new Response(body, { status, headers });
}

/** The header of a 403 for a token without the scopes that a request needs. */
export function scopeChallenge(challenge: Challenge): string {
  return challengeHeader(challenge, [
    parameter('error', 'insufficient_scope'),
    parameter('error_description', 'The token lacks scopes that this request needs'),
  ]);
}

function challengeHeader(
  { scopes, resourceMetadataUrl }: Challenge,
  problem: readonly string[] = [],
): string {
  const parameters = [
    ...problem,
    ...(scopes.length > 0 ? [parameter('scope', scopes.join(' '))] : []),
    ...(resourceMetadataUrl === undefined
      ? []
      : [parameter('resource_metadata', resourceMetadataUrl)]),
  ];
  return `Bearer ${parameters.join(', ')}`;
}

/** Quotes are escaped. Everything that a header cannot hold becomes a space. */
function parameter(name: string, value: string): string {
  const printable = value.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[^\u0020-\u007e]/g, ' ');
  return `${name}="${printable}"`;
}

/** The document that says where clients get a token for this server (RFC 9728), and its URL. */
interface ResourceMetadata {
  readonly url: string;
  /** The path of the URL. */
  readonly path: string;
  /** The answer to a request for the document. Pages of every origin may read it. */
  respond(request: Request): Response;
}

interface ResourceOptions {
  readonly resource: URL;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const METHODS = 'GET, HEAD, OPTIONS';
const PUBLIC = { 'Access-Control-Allow-Origin': '*' };

export function createResourceMetadata(options: ResourceOptions): ResourceMetadata {
  const { resource, issuer, scopes } = options;
  const document = {
    resource: resource.href,
    authorization_servers: [issuer],
    scopes_supported: scopes,
  };
  const url = metadataUrlOf(resource);
  return {
    url: url.href,
    path: url.pathname,
    respond(request) {
      const { method } = request;
      if (method === 'OPTIONS') return preflight(request);
      if (method !== 'GET' && method !== 'HEAD') return wrongMethod(method);
      const answer = Response.json(document, { headers: PUBLIC });
      return method === 'GET' ? answer : new Response(null, { headers: answer.headers });
    },
  };
}

/** The well-known path comes before that of the resource. */
function metadataUrlOf(resource: URL): URL {
  const url = new URL(resource);
  url.pathname = WELL_KNOWN + resource.pathname.replace(/\/$/, '');
  url.hash = '';
  return url;
}

function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers');
  const headers = {
    ...PUBLIC,
    'Access-Control-Allow-Methods': METHODS,
    ...(asked !== null && {
      'Access-Control-Allow-Headers': asked,
      Vary: 'Access-Control-Request-Headers',
    }),
  };
  return new Response(null, { status: 204, headers });
}

function wrongMethod(method: string): Response {
  const body = {
    error: 'method_not_allowed',
    error_description: `The method ${method} is not allowed for this endpoint`,
  };
  return Response.json(body, { status: 405, headers: { ...PUBLIC, Allow: METHODS } });
}
