import type { AuthInfo } from '@modelcontextprotocol/server';

import type { Caller, Dialect } from '../tasks/index.js';
import { INTERNAL_ERROR, rpcError } from './errors.js';

/** Who is at the other end of a transport without authorization: one local user, or anybody. */
export const LOCAL_OWNER = 'local';
export const ANYBODY = 'anybody';

/** How requestors are told apart. */
export type Identification = 'authorization' | typeof LOCAL_OWNER | typeof ANYBODY;

/** A verified identity: issuer, subject and client, as one key. A session never is part of it. */
export function ownerOf({ clientId, extra = {} }: AuthInfo): string {
  const { issuer, subject } = extra;
  if (typeof issuer !== 'string' || typeof subject !== 'string') {
    throw rpcError(INTERNAL_ERROR, 'The token verifier told no issuer and subject');
  }
  return JSON.stringify([issuer, subject, clientId]);
}

export function callerOf(
  identification: Identification,
  dialect: Dialect,
  authInfo: AuthInfo | undefined,
): Caller {
  if (identification !== 'authorization') return { owner: identification, dialect };
  if (authInfo === undefined) throw rpcError(INTERNAL_ERROR, 'The request carries no identity');
  return { owner: ownerOf(authInfo), dialect };
}
