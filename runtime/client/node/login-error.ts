import { OAuthError, UnauthorizedError } from '@modelcontextprotocol/client';

import { printable } from '../printable.js';

/** A login failed. The message says why, and is safe on a terminal: it may quote an authorization server. */
export class LoginError extends Error {
  override readonly name = 'LoginError';

  constructor(message: string, options?: ErrorOptions) {
    super(printable(message), options);
  }
}

/** The tokens of a login are not accepted any more, and cannot be refreshed. */
export class LoginExpired extends UnauthorizedError {
  override readonly name = 'LoginExpired';

  constructor(server: string) {
    super(`The login at ${server} has expired`);
  }
}

/** An error of the SDK or the network as a `LoginError`. */
export function asLoginError(error: unknown): Error {
  if (error instanceof LoginError) return error;
  if (error instanceof OAuthError) {
    const message = `The authorization server refused: ${error.message} (${error.code})`;
    return new LoginError(message, { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new LoginError(message, { cause: error });
}
