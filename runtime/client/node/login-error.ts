import { HttpError } from '../index.js';
import { printable } from '../printable.js';

/** A login failed. The message says why, and is safe on a terminal: it may quote an authorization server. */
export class LoginError extends Error {
  override readonly name = 'LoginError';

  constructor(message: string, options?: ErrorOptions) {
    super(printable(message), options);
  }
}

/** An authorization server answered with an error of OAuth. */
export class Refused extends LoginError {
  constructor(
    readonly code: string,
    said = 'it gives no reason',
  ) {
    super(`The authorization server refused: ${said} (${code})`);
  }
}

/** The tokens of a login are not accepted any more, and cannot be refreshed. */
export class LoginExpired extends HttpError {
  override readonly name = 'LoginExpired';

  constructor(server: string) {
    super(401, '', `The login at ${server} has expired`);
  }
}

/** Errors that say what to do as they are. */
const CLEAR: ReadonlySet<string> = new Set([
  'LoginError',
  'MissingPackageError',
  'PrivateFileError',
]);

/** An error of the network as a `LoginError`. */
export function asLoginError(error: unknown): Error {
  if (error instanceof Error && CLEAR.has(error.name)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new LoginError(message, { cause: error });
}
