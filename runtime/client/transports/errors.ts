/** What is wrong with an answer over HTTP. */

/** A status that is no success. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  /** `text`: the beginning of the body. */
  readonly data: { readonly status: number; readonly text: string };

  constructor(status: number, text = '', message?: string) {
    const said = text.trim() === '' ? '' : `: ${text.trim()}`;
    super(message ?? `The server answered with HTTP ${String(status)}${said}`);
    this.data = { status, text };
  }

  get status(): number {
    return this.data.status;
  }
}

/** A token has too few scopes (403, `insufficient_scope`). */
export class InsufficientScope extends HttpError {
  override readonly name = 'InsufficientScope';
  /** Those that the server names, separated by spaces. */
  readonly requiredScope: string | undefined;

  constructor(scope: string | undefined) {
    super(
      403,
      '',
      `The server requires ${scope === undefined ? 'more scopes' : `the scope ${scope}`}`,
    );
    this.requiredScope = scope;
  }
}

/** The body of a success is no message. */
export class NotMcp extends Error {
  override readonly name = 'NotMcp';
}
