import { isObject } from '../wire/json.js';

/**
 * What a verifier throws to refuse a token with a code of OAuth: `invalid_token` answers 401, `insufficient_scope` 403,
 * `server_error` 500, and every other code 400. Other errors are faults of the program, and answer 500.
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
export interface OAuthProblem {
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
