import {
  ANYBODY,
  type AuthInfo,
  type Identification,
  IdentityError,
  settled,
} from './auth/index.js';
import type { CallerIdentity } from '../tasks/index.js';
import { BAD_REQUEST, type Incoming, refusal, type Reply, replyOf } from '../transport/index.js';
import { isObject, kindOf } from '../peer/wire/json.js';
import { assertUnidentified } from './capabilities.js';
import { INTERNAL_ERROR } from './errors.js';
import { reasonOf } from './health.js';
import type { HttpOptions, Identify } from './http-options.js';
import type { TaskServer } from './server.js';

/** Asks `identify`, and checks what it returns. */
async function askIdentify<R>(identify: Identify<R>, request: R): Promise<AuthInfo | Reply> {
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
function carriesIdentity(request: unknown): boolean {
  const { auth } = request as { readonly auth?: unknown };
  return auth !== undefined && auth !== null;
}

/** How the options identify callers. Throws when they do not, and do not say that this is meant. */
export function identificationOf<R>(server: TaskServer, options: HttpOptions<R>): Identification {
  if (options.auth !== undefined && options.identify !== undefined) {
    throw new TypeError('Callers are identified by `auth` or by `identify`: remove one of them');
  }
  if (options.auth !== undefined || options.identify !== undefined) return 'authorization';
  if (options.allowUnidentified !== true) {
    throw new TypeError(
      'HTTP needs authorization: set `auth`, or `identify` behind middleware of your own, or `allowUnidentified: true` to serve anybody who can reach the address',
    );
  }
  if (server.capabilities) {
    assertUnidentified(server.capabilities, options.allowUnidentifiedInput === true);
  }
  return ANYBODY;
}

/**
 * Who makes a request, or the answer that refuses it; undefined where callers are not identified. Never rejects: what
 * `auth` or `identify` throw, and identities that cannot be used, are answered with 500 and reported.
 */
export function createIdentifier<R>(
  server: TaskServer,
  { auth, identify }: HttpOptions<R>,
  identification: Identification,
  maxBodyBytes: number,
): (incoming: Incoming) => AuthInfo | Reply | undefined | Promise<AuthInfo | Reply> {
  async function authenticated(incoming: Incoming): Promise<AuthInfo | Reply> {
    return settledIn(await auth?.authenticate(await incoming.request(maxBodyBytes)));
  }

  function settledIn(found: AuthInfo | Response | undefined): AuthInfo | Reply | Promise<Reply> {
    // A function of the user's, which types do not hold to its promise.
    if (!isObject(found)) throw new IdentityError(`it returned ${kindOf(found)}`);
    if (!(found instanceof Response)) return settled(found);
    const fault = found.status >= 500 ? auth?.fault?.() : undefined;
    if (fault !== undefined) report('Authorization', fault);
    return replyOf(found);
  }

  function report(what: string, fault: unknown): void {
    server.onError(new Error(`${what}: ${reasonOf(fault)}`, { cause: fault }));
  }

  function failed(error: unknown): Reply {
    report(identify === undefined ? 'Authorization' : 'identify', error);
    return refusal(500, INTERNAL_ERROR, 'The caller could not be identified');
  }

  function found(incoming: Incoming): AuthInfo | Reply | Promise<AuthInfo | Reply> {
    if (identify !== undefined) return askIdentify(identify, incoming.original as R);
    if (auth?.authenticateHeader === undefined) return authenticated(incoming);
    const header = incoming.header('authorization');
    const known = auth.authenticateHeader(header, () => incoming.head());
    return isPromise(known) ? Promise.resolve(known).then(settledIn) : settledIn(known);
  }

  return (incoming) => {
    if (identification === ANYBODY) {
      return carriesIdentity(incoming.original) ? unused(server) : undefined;
    }
    try {
      const caller = found(incoming);
      return caller instanceof Promise ? caller.catch(failed) : caller;
    } catch (error) {
      return failed(error);
    }
  };
}

/** Functions of users return other promises too. */
function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return isObject(value) && typeof value['then'] === 'function';
}

/** Serving such a request would make its user the same as all others, although middleware tells them apart. */
function unused(server: TaskServer): Reply {
  server.onError(
    new Error(
      'A request has an `auth`, which middleware has set, but `allowUnidentified` makes all callers one: ' +
        'set `identify: (request) => request.auth` instead',
    ),
  );
  return refusal(500, INTERNAL_ERROR, 'The server does not use the identity of its callers');
}
