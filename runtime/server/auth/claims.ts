import { isObject, kindOf } from '../../peer/wire/json.js';

/**
 * The claims of a token whose signature was checked, or which the authorization server confirmed. Every member has to
 * be there. The names in brackets are those of the claims in a JWT (RFC 9068) and in an introspection (RFC 7662).
 */
export interface VerifiedToken {
  /** Who issued it (`iss`): a URL, compared with that of `bearer` character by character. */
  readonly issuer: string;
  /** The user (`sub`). A token of which it is empty or undefined is refused with 401. */
  readonly subject: string;
  /** The application that got it (`client_id`). Empty or undefined is refused with 401. */
  readonly clientId: string;
  /** The resources for which it was issued (`aud`): one URL, or a list of URLs. */
  readonly audience: string | readonly string[];
  /** What it may do (`scope`): a list, or one text with a space between two scopes. */
  readonly scopes: string | readonly string[];
  /** When it expires (`exp`): seconds since the epoch, not milliseconds. */
  readonly expiresAt: number;
  /**
   * The key to which it is bound (`cnf`, RFC 7800): for DPoP `{ jkt }`, for mutual TLS `{ 'x5t#S256' }`. A token that
   * has it, of whatever value, is refused with 401 unless `confirm` of `bearer` checks the binding.
   */
  readonly confirmation?: unknown;
}

/** The same, in one shape. Without a value where the token has none. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly clientId: string;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly expiresAt: number | undefined;
  readonly confirmation: unknown;
}

/** A verifier returned something else than a `VerifiedToken`: a fault of the program, not of the token. */
export class ClaimsError extends Error {
  override readonly name = 'ClaimsError';
}

/** In the year 5138. What comes later was meant in milliseconds. */
const LATEST_SECONDS = 1e11;

const MEMBERS = ['issuer', 'subject', 'clientId', 'audience', 'scopes', 'expiresAt'] as const;

/** @throws {ClaimsError} which names the member that is wrong, and no value. */
export function readClaims(verified: unknown): Claims {
  if (!isObject(verified)) {
    throw wrong(`it has to return an object, or undefined, not ${kindOf(verified)}`);
  }
  const missing = MEMBERS.filter((member) => !(member in verified));
  if (missing.length > 0)
    throw wrong(`${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  const { audience, scopes, expiresAt, confirmation } = verified;
  return {
    issuer: textOf(verified, 'issuer'),
    subject: textOf(verified, 'subject'),
    clientId: textOf(verified, 'clientId'),
    audience: listOf('audience', typeof audience === 'string' ? [audience] : audience),
    scopes: listOf('scopes', typeof scopes === 'string' ? wordsOf(scopes) : scopes),
    expiresAt: secondsOf(expiresAt),
    // A verifier may have copied all claims of a JWT.
    confirmation: confirmation === undefined ? verified['cnf'] : confirmation,
  };
}

/** The scopes in a text. */
export function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** Whether a number can be the expiry of a token, in seconds since the epoch. */
export function isExpiry(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) <= LATEST_SECONDS;
}

function textOf(verified: Readonly<Record<string, unknown>>, member: string): string {
  const value = verified[member] ?? '';
  if (typeof value === 'string') return value;
  throw wrong(`${member} has to be a text, not ${kindOf(value)}`);
}

function listOf(member: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw wrong(`${member} has to be a text or a list of texts, not ${kindOf(value)}`);
}

function secondsOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number') {
    throw wrong(`expiresAt has to be a number of seconds since the epoch, not ${kindOf(value)}`);
  }
  if (value > LATEST_SECONDS && value !== Infinity) {
    throw wrong('expiresAt has to be in seconds since the epoch, and is in milliseconds');
  }
  return Number.isFinite(value) ? value : undefined;
}

function wrong(what: string): ClaimsError {
  return new ClaimsError(`The token verifier returned no VerifiedToken: ${what}`);
}
