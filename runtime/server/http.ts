import {
  ANYBODY,
  type AuthInfo,
  type Authorization,
  ConfigError,
  LOCAL_HOSTS,
  ownerOf,
  scopeChallenge,
  principalOf,
  type Identification,
  IdentityError,
  settled,
} from './auth/index.js';
import { Warning } from './log/log.js';
import {
  atMost,
  DEFAULT_DRAIN_MS,
  type JsonObject,
  systemClock,
  type CallerIdentity,
} from '../tasks/index.js';
import {
  BAD_REQUEST,
  createBacklog,
  createEndpoint,
  createReceiving,
  HTTP_METHODS,
  type Identified,
  type Incoming,
  jsonReply,
  KEEP_ALIVE_MS,
  methodNotAllowed,
  type Receiving,
  refusal,
  type Reply,
  replyOf,
  type TextReply,
  webHandler,
  withHeaders,
} from '../transport/index.js';
import { createHealth, LIVE, livePathOf, reasonOf } from './health.js';
import { checkedHosts, createHostCheck, createOrigins } from './hosts.js';
import type { HttpOptions, Identify } from './http-options.js';
import { missingScopes, type ScopesOf } from './scopes.js';
import type { TaskServer } from './server.js';
import { isObject, kindOf } from '../peer/wire/json.js';
import { assertUnidentified } from './capabilities.js';
import { INTERNAL_ERROR } from './errors.js';

export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  /**
   * Refuses new requests, lets those under way finish for `drainMs` (default 5,000), then ends sessions and streams. The
   * task server stays open.
   */
  close(drainMs?: number): Promise<void>;
}

const CLOSES = { connection: 'close' };
const METHODS: ReadonlySet<string> = new Set(HTTP_METHODS);
const DEFAULT_MAX_BODY = 4 * 2 ** 20;
const DEFAULT_MAX_WAITING = 64 * 2 ** 20;
const DEFAULT_MAX_RECEIVING = 64 * 2 ** 20;
const DEFAULT_MAX_PENDING = 128 * 2 ** 20;

/**
 * Serves web-standard requests: in workers, Deno, Bun, and behind frameworks such as Hono.
 *
 * Throws when neither `auth` nor `identify` tells requestors apart and `allowUnidentified` does not say that this is meant. Reports to
 * `onError` when the package is missing with which `auth` verifies tokens.
 */
export function createHttpHandler(server: TaskServer, options: HttpOptions<Request>): HttpHandler {
  const { answer, receiving, close } = createHttpParts(server, options);
  warnIfUnidentified(server, options);
  reportUnready(server, options);
  return { fetch: webHandler({ answer, receiving, onError: server.onError }), close };
}

/** Reports that no token can be verified. For handlers: they are made at once, so they cannot reject. */
export function reportUnready(server: TaskServer, { auth }: Pick<HttpOptions, 'auth'>): void {
  auth?.ready?.().catch((error: unknown) => server.onError(error));
}

/** Warns that the server serves without authorization. Call it when it serves. */
export function warnIfUnidentified<R>(
  server: TaskServer,
  { auth, identify }: HttpOptions<R>,
): void {
  if (auth !== undefined || identify !== undefined) return;
  server.onError(
    new Warning(
      'Serving without authorization: anybody who knows the id of a task may read, answer and cancel it',
    ),
  );
}

/** What the adapters for Node and for web-standard requests share. */
export interface HttpParts {
  readonly answer: (incoming: Incoming) => Promise<Reply>;
  readonly receiving: Receiving;
  /** Every refusal passes here, save those by Node's own parser, which sees no request. */
  readonly refused: <A extends Reply>(reply: A, incoming?: Incoming) => A;
  readonly close: (drainMs?: number) => Promise<void>;
}

export function createHttpParts<R>(server: TaskServer, options: HttpOptions<R>): HttpParts {
  const { auth, path = '/mcp', healthPath = '/health', keepAliveMs = KEEP_ALIVE_MS } = options;
  const { maxBodyBytes = DEFAULT_MAX_BODY, maxSubscriptions } = options;
  const livePath = livePathOf(healthPath);
  const identification = identificationOf(server, options);
  const identityOf = createIdentifier(server, options, identification, maxBodyBytes);
  const refuseHost = createHostCheck(checkedHosts(options.allowedHosts ?? LOCAL_HOSTS));
  const origins = createOrigins(options.allowedOrigins ?? LOCAL_HOSTS);
  const serving = server.serve({
    identification,
    asksUnidentified: options.allowUnidentifiedInput ?? false,
    maxSubscriptions,
  });
  const endpoint = createEndpoint({
    ...options,
    served: serving,
    openSessions: serving.openSessions,
    backlog: createBacklog(options.maxWaitingBytes ?? DEFAULT_MAX_WAITING),
    maxBodyBytes,
    maxPendingBytes: bound(options, 'maxPendingBytes', DEFAULT_MAX_PENDING, maxBodyBytes),
    keepAliveMs,
    onTooSlow: (owner) =>
      server.engine.refused(owner === undefined ? {} : { owner }, 'slow_reader'),
    operations: serving.operations,
    forbid: serving.scopesOf && forbidding(serving.scopesOf, auth),
  });
  const health = createHealth({
    parts: {
      store: () => server.probe(),
      ...((auth?.ready ?? auth?.probe) && { authorization: () => probeOf(auth) }),
    },
    onFault: server.onError,
  });
  function refused<A extends Reply>(reply: A, incoming?: Incoming): A {
    const { status } = reply;
    options.onRefused?.({
      status,
      ...(incoming && { method: incoming.method, path: incoming.path }),
    });
    return reply;
  }

  function note(incoming: Incoming, who: AuthInfo | Reply | undefined, { status }: Reply): void {
    if (!AUDITED.has(status)) return;
    const method = `${incoming.method} ${incoming.path}`.slice(0, LONGEST_NOTED);
    const owner = who !== undefined && !('status' in who) && { owner: ownerOf(who) };
    server.engine.refused({ method, ...owner }, `http_${status}`);
  }

  function metadataFor(incoming: Incoming): Promise<Reply> | undefined {
    const { metadataPath = incoming.path } = auth ?? {};
    if (auth === undefined || incoming.path !== metadataPath) return undefined;
    const response = auth.metadata(incoming.head());
    return response && replyOf(response);
  }

  /** The answer that is the same for all callers; undefined where it depends on them. */
  function answerToAnybody(incoming: Incoming): Reply | Promise<Reply> | undefined {
    const metadata = metadataFor(incoming);
    if (metadata !== undefined) return metadata;
    if (incoming.path !== path) return refusal(404, BAD_REQUEST, 'Not found');
    if (incoming.method === 'OPTIONS') return origins.preflight(incoming);
    if (!METHODS.has(incoming.method)) return methodNotAllowed();
    return undefined;
  }

  /** While the server stops, the client is told to close its connection. */
  function told<A extends Reply>(reply: A): A {
    return serving.isDraining ? withHeaders(reply, CLOSES) : reply;
  }

  async function answer(incoming: Incoming): Promise<Reply> {
    if (incoming.path === healthPath) return told(await health.answer(serving.isDraining));
    if (incoming.path === livePath) return jsonReply(LIVE);
    const foreign = refuseHost(incoming) ?? origins.refuse(incoming);
    if (foreign !== undefined) {
      note(incoming, undefined, foreign);
      return refused(foreign, incoming);
    }
    const early = answerToAnybody(incoming);
    const found = early === undefined ? identityOf(incoming) : undefined;
    // Or the answer that refuses the caller.
    const who = found instanceof Promise ? await found : found;
    const isRefused = who !== undefined && 'status' in who;
    const own = early ?? (isRefused ? who : endpoint.answer(incoming, identified(who)));
    const reply = told(origins.share(incoming, await own));
    note(incoming, who, reply);
    return reply.status < 400 ? reply : refused(reply, incoming);
  }

  return {
    answer,
    receiving: createReceiving(
      bound(options, 'maxReceivingBytes', DEFAULT_MAX_RECEIVING, maxBodyBytes),
    ),
    refused,
    async close(drainMs = DEFAULT_DRAIN_MS) {
      await atMost(systemClock, drainMs, serving.drain());
      serving.close();
    },
  };
}

/** Refusals that may be attempts to get at what is another's. */
const AUDITED: ReadonlySet<number> = new Set([401, 403, 404]);
/** Characters of a path: anybody may send any. */
const LONGEST_NOTED = 100;

function identified(who: AuthInfo | undefined): Identified<AuthInfo | undefined> {
  if (who === undefined) return UNIDENTIFIED;
  const { owner, subjectKey } = principalOf(who);
  return { who, owner, subject: subjectKey };
}

const UNIDENTIFIED = { who: undefined, owner: ANYBODY, subject: ANYBODY };

/** Refuses a request whose caller lacks scopes, with the challenge by which its client asks for them. */
function forbidding(
  scopesOf: ScopesOf,
  auth: Authorization | undefined,
): (message: JsonObject, who: AuthInfo | undefined) => TextReply | undefined {
  return (message, who) => {
    const needed = scopesOf(message);
    if (needed.length === 0) return undefined;
    const missing = missingScopes(needed, who ?? NO_SCOPES);
    if (missing.length === 0) return undefined;
    const header = auth?.challenge?.(needed) ?? scopeChallenge({ scopes: needed });
    return refusal(403, BAD_REQUEST, `The caller lacks scopes: ${missing.join(' ')}`, {
      id: message['id'],
      headers: { 'www-authenticate': header },
    });
  };
}

const NO_SCOPES = { scopes: [] };

async function probeOf(auth: Authorization): Promise<void> {
  await auth.ready?.();
  await auth.probe?.();
}

/** @throws {ConfigError} for a bound that the largest body exceeds. */
function bound<N extends 'maxPendingBytes' | 'maxReceivingBytes'>(
  options: { readonly [K in N]?: number },
  name: N,
  usual: number,
  maxBodyBytes: number,
): number {
  const most: number = options[name] ?? Math.max(usual, maxBodyBytes);
  if (most >= maxBodyBytes) return most;
  throw new ConfigError(
    `${name}: ${most} is less than maxBodyBytes (${maxBodyBytes}), so no body of that size could be received`,
  );
}

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
function identificationOf<R>(server: TaskServer, options: HttpOptions<R>): Identification {
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
function createIdentifier<R>(
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
