import type { IncomingMessage } from 'node:http';

import type { CallerIdentity } from '../tasks/index.js';
import { BAD_REQUEST, refusal, type Reply, replyOf } from '../transport/index.js';
import { isObject } from '../wire/json.js';
import type { AuthInfo } from './auth-info.js';
import { IdentityError, kindOf, settled } from './principal.js';

/**
 * Who makes a request, found out by code in front of this server: a `CallerIdentity`, or the `AuthInfo` of the SDK's
 * `requireBearerAuth` with `issuer` and `subject` in its `extra`. A `Response` refuses the request, and `undefined`
 * refuses it with 401. A rejection, and every other value, refuse it with 500 and are reported to `onError`.
 */
export type Identify<R> = (request: R) => Identified | Promise<Identified>;

export type Identified = CallerIdentity | AuthInfo | Response | undefined;

/** A request of Node's HTTP server, of Express or of Fastify; `auth` is what middleware such as `requireBearerAuth` sets. */
export type NodeRequest = IncomingMessage & { readonly auth?: AuthInfo };

/** Asks `identify`, and checks what it returns. */
export async function identified<R>(identify: Identify<R>, request: R): Promise<AuthInfo | Reply> {
  const found: unknown = await identify(request);
  if (found instanceof Response) return replyOf(found);
  if (found === undefined || found === null) {
    const headers = { 'www-authenticate': 'Bearer' };
    return refusal(401, BAD_REQUEST, 'The request carries no identity', { headers });
  }
  if (!isObject(found)) {
    throw new IdentityError(`it must be an object or undefined, not ${kindOf(found)}`);
  }
  return settled(authInfoOf(found));
}

function authInfoOf(found: object): AuthInfo {
  if (!('issuer' in found || 'subject' in found)) return found as AuthInfo;
  const { issuer, subject, client, scopes } = found as CallerIdentity;
  return { token: '', clientId: client, scopes: scopes as string[], extra: { issuer, subject } };
}

/** Whether middleware in front of this server has identified the caller. */
export function carriesIdentity(request: unknown): boolean {
  const { auth } = request as { readonly auth?: unknown };
  return auth !== undefined && auth !== null;
}
