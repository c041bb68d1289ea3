import type { AuthInfo } from '@modelcontextprotocol/server';

import type { Caller, Dialect } from '../tasks/index.js';
import { INTERNAL_ERROR, rpcError } from './errors.js';

/** The owner of all tasks on a transport without authorization: the local user, or any client. */
export const LOCAL_OWNER = 'local';
export const ANYBODY = 'anybody';

/** How requestors are identified. */
export type Identification = 'authorization' | typeof LOCAL_OWNER | typeof ANYBODY;

/** A verified identity as one key: issuer, subject and client. It contains no session. */
export function ownerOf({ clientId, extra = {} }: AuthInfo): string {
  const { issuer, subject } = extra;
  if (typeof issuer !== 'string' || typeof subject !== 'string') {
    throw rpcError(INTERNAL_ERROR, 'The token verifier returned no issuer and subject');
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
