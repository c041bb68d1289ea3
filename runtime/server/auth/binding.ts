import type { JsonObject } from '../../tasks/index.js';
import { isObject } from '../../peer/wire/json.js';

/** A token that only the holder of a key may use, and the request that sends it. */
export interface BoundToken {
  readonly token: string;
  /** `dpop` for `Authorization: DPoP …` (RFC 9449), else `bearer`. A token with `jkt` never comes as `bearer`. */
  readonly scheme: 'bearer' | 'dpop';
  /** The `cnf` of the token: `jkt` is the thumbprint of a DPoP key, `x5t#S256` that of a client certificate (RFC 8705). */
  readonly confirmation: JsonObject;
  /**
   * Method, URL and headers of the request, without its body. The URL is the one under which the request arrived, so
   * compare the `htu` of a DPoP proof with `resource` instead where a proxy is in front of the server.
   */
  readonly request: Request;
}

/**
 * Checks that the client that sends a bound token holds its key: by the header `DPoP`, for instance, or by the client
 * certificate that a proxy passes on in a header. Called for each request. Everything but `true` refuses it with 401.
 */
export type ConfirmBinding = (bound: BoundToken) => boolean | Promise<boolean>;

/** What an `Authorization` header presents. */
export interface Presented {
  readonly scheme: BoundToken['scheme'];
  readonly token: string;
}

/** Undefined for a header that does not hold exactly one token. Headers that came twice are joined by a comma. */
export function presentedIn(header: string | null): Presented | undefined {
  const [, scheme = '', token = ''] = /^ *(bearer|dpop) +([^\s,]+) *$/i.exec(header ?? '') ?? [];
  return token === '' ? undefined : { scheme: scheme.toLowerCase() as Presented['scheme'], token };
}

/** Whether a header presents at least one token, however malformed. */
export function presentsToken(header: string | null): boolean {
  return /^ *(?:bearer|dpop) +[^ ]/i.test(header ?? '');
}

/** Why a token may not be used as it was presented; undefined when `confirm` has to decide. */
export function bindingProblem({ scheme }: Presented, confirmation: unknown): string | undefined {
  if (confirmation === undefined) return 'The token is not bound to a key, as DPoP needs it';
  if (!isObject(confirmation)) return 'The confirmation of the token is malformed';
  const isDpop = 'jkt' in confirmation;
  if (isDpop && scheme === 'bearer') return 'The token has to be sent as DPoP, with a proof';
  return undefined;
}
