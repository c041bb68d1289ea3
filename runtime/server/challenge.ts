import { BAD_REQUEST, refusal } from '../transport/index.js';
import { oauthProblem, type OAuthProblem } from './oauth-error.js';

/** What clients are told with a refusal (RFC 6750, section 3, and RFC 9728, section 5.1). */
export interface Challenge {
  /** Scopes that every request needs. */
  readonly scopes: readonly string[];
  readonly resourceMetadataUrl: string;
}

/** Of codes that are about the token. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['invalid_token', 401],
  ['insufficient_scope', 403],
]);
const SERVER_ERROR = 'server_error';
const FAULT: OAuthProblem = { code: SERVER_ERROR, message: 'Internal Server Error' };

/** The answer to a request whose token was refused, or could not be verified: an error of OAuth as JSON. */
export function tokenRefusal(error: unknown, challenge: Challenge): Response {
  const { code, message, errorUri } = oauthProblem(error) ?? FAULT;
  const body = {
    error: code,
    error_description: message,
    ...(errorUri !== undefined && errorUri !== '' && { error_uri: errorUri }),
  };
  const status = STATUSES.get(code);
  if (status === undefined) {
    return Response.json(body, { status: code === SERVER_ERROR ? 500 : 400 });
  }
  const problem = [parameter('error', code), parameter('error_description', message)];
  return Response.json(body, { status, headers: challengeHeader(challenge, problem) });
}

/** The answer to a request without a token. It names no error code, because the client made no mistake yet. */
export function tokenRequest(challenge: Challenge): Response {
  const options = { headers: challengeHeader(challenge) };
  const { status, headers, body } = refusal(
    401,
    BAD_REQUEST,
    'The request carries no access token',
    options,
  );
  return new Response(body, { status, headers });
}

function challengeHeader(
  { scopes, resourceMetadataUrl }: Challenge,
  problem: readonly string[] = [],
): Record<string, string> {
  const parameters = [
    ...problem,
    ...(scopes.length > 0 ? [parameter('scope', scopes.join(' '))] : []),
    parameter('resource_metadata', resourceMetadataUrl),
  ];
  return { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` };
}

/** Quotes are escaped. Everything that a header cannot hold becomes a space. */
function parameter(name: string, value: string): string {
  const printable = value.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[^\u0020-\u007e]/g, ' ');
  return `${name}="${printable}"`;
}
