import { rpcError } from '../../peer/index.js';
import { ERROR_CODES } from '../../protocol.js';
import { byteLength, type Caller, type CallerIdentity, type Dialect } from '../../tasks/index.js';
import { kindOf } from '../../peer/wire/json.js';

/** A verified identity. It has the shape that the middleware and the transports of the official SDK use as well. */
export interface AuthInfo {
  /** The access token. Empty where code in front of the server identified the caller. */
  readonly token: string;
  /** The application that got the token. */
  readonly clientId: string;
  readonly scopes: string[];
  /** Seconds since the epoch. */
  readonly expiresAt?: number;
  /** The resource for which the token was issued (RFC 8707). */
  readonly resource?: URL;
  /** Where the document says how clients get a token (RFC 9728). */
  readonly resourceMetadataUrl?: string;
  /** `issuer` and `subject`, which identify the user, and whatever else a verifier adds. */
  readonly extra?: Record<string, unknown>;
}

/** The owner of all tasks on a transport without authorization: the local user, or any client. */
export const LOCAL_OWNER = 'local';
export const ANYBODY = 'anybody';

/** How requestors are identified. */
export type Identification = 'authorization' | typeof LOCAL_OWNER | typeof ANYBODY;

/** Bytes of issuer, subject and client together: stores search by them, and indexes hold no longer keys. */
const LONGEST_OWNER = 1_500;
/** Bytes of the scopes: each task of the caller keeps them. */
const LONGEST_SCOPES = 8_192;

/** What is wrong with an identity. Its message names the member, and quotes no value: it goes to logs. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}

interface Principal {
  readonly identity: CallerIdentity;
  readonly owner: string;
  readonly subjectKey: string;
}

/** By objects of this server alone: one of the user's may be changed, and then be another caller. */
const principals = new WeakMap<AuthInfo, Principal>();

/**
 * A copy of the identity, whose caller is settled: changes of the original do not reach it.
 *
 * @throws {IdentityError} when it has no issuer, subject or client, or is too long to be kept.
 */
export function settled<A extends AuthInfo>(authInfo: A): A {
  if (principals.has(authInfo)) return authInfo;
  const copy = { ...authInfo };
  principals.set(copy, principalIn(copy));
  return copy;
}

function principalIn({ clientId: client, extra, scopes }: AuthInfo): Principal {
  const identity = {
    issuer: named('extra.issuer', extra?.['issuer']),
    subject: named('extra.subject', extra?.['subject']),
    client: named('clientId', client),
    scopes: scopesOf(scopes),
  };
  // An array, because no two different identities have the same JSON.
  const owner = JSON.stringify([identity.issuer, identity.subject, identity.client]);
  const bytes = byteLength(owner);
  if (bytes > LONGEST_OWNER) {
    throw new IdentityError(
      `issuer, subject and client are ${bytes} bytes together, limit ${LONGEST_OWNER}`,
    );
  }
  const subjectKey = JSON.stringify([identity.issuer, identity.subject]);
  return { identity: Object.freeze(identity), owner, subjectKey };
}

function principalOf(authInfo: AuthInfo): Principal {
  return principals.get(authInfo) ?? principalIn(authInfo);
}

function named(member: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new IdentityError(`${member} must be a text that is not empty, not ${kindOf(value)}`);
}

function scopesOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new IdentityError(`scopes must be a list of texts, not ${kindOf(value)}`);
  }
  const bytes = byteLength(JSON.stringify(value));
  if (bytes <= LONGEST_SCOPES) return Object.freeze([...value]);
  throw new IdentityError(`scopes are ${bytes} bytes, limit ${LONGEST_SCOPES}`);
}

/** A verified identity as one key: issuer, subject and client. It contains no session. */
export function ownerOf(authInfo: AuthInfo): string {
  return principalOf(authInfo).owner;
}

/** The user behind an owner, whichever client the user uses. */
export function subjectKeyOf(authInfo: AuthInfo): string {
  return principalOf(authInfo).subjectKey;
}

export function callerOf(
  identification: Identification,
  dialect: Dialect,
  authInfo: AuthInfo | undefined,
): Caller {
  if (identification !== 'authorization') return { owner: identification, dialect };
  const { owner, subjectKey } = principalOf(carried(authInfo));
  return { owner, subjectKey, dialect };
}

/** What a tool gets of the caller: undefined where nothing identifies callers. */
export function identityOf(
  identification: Identification,
  authInfo: AuthInfo | undefined,
): CallerIdentity | undefined {
  return identification === 'authorization' ? principalOf(carried(authInfo)).identity : undefined;
}

function carried(authInfo: AuthInfo | undefined): AuthInfo {
  if (authInfo === undefined)
    throw rpcError(ERROR_CODES.InternalError, 'The request carries no identity');
  return authInfo;
}
