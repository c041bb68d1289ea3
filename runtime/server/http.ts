import {
  ANYBODY,
  type AuthInfo,
  type Authorization,
  ConfigError,
  LOCAL_HOSTS,
  ownerOf,
  scopeChallenge,
  subjectKeyOf,
} from './auth/index.js';
import { Warning } from './log/index.js';
import { atMost, DEFAULT_DRAIN_MS, type JsonObject, systemClock } from '../tasks/index.js';
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
import { createHealth, LIVE, livePathOf } from './health.js';
import { checkedHosts, createHostCheck, createOrigins } from './hosts.js';
import type { HttpOptions } from './http-options.js';
import { createIdentifier, identificationOf } from './identification.js';
import { missingScopes, type ScopesOf } from './scopes.js';
import type { TaskServer } from './server.js';

export interface HttpHandler {
  fetch(request: Request): Promise<Response>;
  /**
   * Refuses new requests, lets those under way finish for `drainMs` (default 5,000), then ends sessions and streams. The
   * task server stays open.
   */
  close(drainMs?: number): Promise<void>;
}

const CLOSES = { connection: 'close' };
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
    if (!HTTP_METHODS.some((method) => method === incoming.method)) return methodNotAllowed();
    return undefined;
  }

  /** While the server stops, the client is told to close its connection. */
  function told<A extends Reply>(reply: A): A {
    return serving.isDraining ? withHeaders(reply, CLOSES) : reply;
  }

  /** `who` may be the answer that refuses the caller. */
  function answerTo(incoming: Incoming, who: AuthInfo | Reply | undefined): Reply | Promise<Reply> {
    if (who !== undefined && 'status' in who) return who;
    return endpoint.answer(incoming, identified(who));
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
    const who = found instanceof Promise ? await found : found;
    const reply = told(origins.share(incoming, await (early ?? answerTo(incoming, who))));
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
  return { who, owner: ownerOf(who), subject: subjectKeyOf(who) };
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
