import type { AuthInfo, ServerNotifier } from '@modelcontextprotocol/server';

import { isObject, member } from '../wire/json.js';
import type { Authorization } from './auth.js';
import { readBody } from './body.js';
import { MISSING_CAPABILITY } from './errors.js';
import { createHealth, livePathOf, LIVE } from './health.js';
import type { Asked as Asking } from './door/index.js';
import { checkedHosts, createHostCheck } from './hosts.js';
import type { HttpOptions } from './http-options.js';
import { createOrigins } from './origins.js';
import { createIdentifier, identificationOf } from './identification.js';
import { type Answered, type Incoming, incomingOf, responseOf } from './incoming.js';
import { refuseParamHeaders } from './param-headers.js';
import { ANYBODY, ownerOf } from './principal.js';
import { createReceiving, mostReceived, type Receiving } from './receiving.js';
import { createRecorder } from './recorder.js';
import { BAD_REQUEST, methodNotAllowed, HTTP_METHODS, refusal } from './refusals.js';
import {
  type Backlog,
  createBacklog,
  createRequestHandler,
  isOfSession,
  KEEP_ALIVE_MS,
  listenOverHttp,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  offers,
  refuseUnoffered,
} from './sdk/index.js';
import type { TaskServer } from './server.js';
import { createSessions } from './sessions.js';
import { knownToSdk } from './spoken.js';
import { Warning } from './warning.js';

export interface HttpHandler {
  /** Tells open subscriptions that resources or prompts have changed. */
  readonly notify: Pick<ServerNotifier, 'promptsChanged' | 'resourcesChanged' | 'resourceUpdated'>;
  fetch(request: Request): Promise<Response>;
  /** Ends sessions and streams. The task server stays open. */
  close(): Promise<void>;
}

export const DEFAULT_MAX_BODY = 4 * 2 ** 20;
const DEFAULT_MAX_WAITING = 64 * 2 ** 20;

/**
 * Throws when neither `auth` nor `identify` tells requestors apart and `allowUnidentified` does not say that this is meant. Reports to
 * `onError` when the package is missing with which `auth` verifies tokens.
 */
export function createHttpHandler(server: TaskServer, options: HttpOptions<Request>): HttpHandler {
  const { handler } = createHttpParts(server, options);
  warnIfUnidentified(server, options);
  reportUnready(server, options);
  return handler;
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

/** A handler, and what an adapter for an HTTP server shares with it. */
export interface HttpParts {
  readonly handler: HttpHandler;
  /** As `handler.fetch`, without web requests where none is needed. */
  readonly answerTo: (incoming: Incoming) => Promise<Answered>;
  readonly backlog: Backlog;
  readonly receiving: Receiving;
  /** To be called when an answer ends because its reader is too slow. */
  readonly onTooSlow: () => void;
  /** Every refusal passes here, save those by Node's own parser, which sees no request. */
  readonly refused: <A extends Answered>(answered: A, incoming?: Incoming) => A;
}

/** Without the door the SDK answers every request, with the same answers. */
export function createHttpParts<R>(
  server: TaskServer,
  options: HttpOptions<R>,
  withDoor = true,
): HttpParts {
  const { auth, path = '/mcp', healthPath = '/health', keepAliveMs = KEEP_ALIVE_MS } = options;
  const { maxBodyBytes = DEFAULT_MAX_BODY, maxSubscriptions = 10_000 } = options;
  const { allowUnidentifiedInput: asksUnidentified = false } = options;
  const identification = identificationOf(server, options);
  const identityOf = createIdentifier(server, options, identification);
  const allowedHosts = checkedHosts(options.allowedHosts ?? localhostAllowedHostnames());
  const refuseHost = createHostCheck(allowedHosts);
  const origins = createOrigins(options.allowedOrigins ?? localhostAllowedOrigins());
  const onTooSlow = (owner?: string): void =>
    server.engine.refused(owner === undefined ? {} : { owner }, 'slow_reader');
  const backlog = createBacklog(options.maxWaitingBytes ?? DEFAULT_MAX_WAITING);
  const receiving = createReceiving(mostReceived(options.maxReceivingBytes, maxBodyBytes));
  const sessions = createSessions(
    () => server.connection('core', identification, asksUnidentified),
    { backlog, keepAliveMs, onTooSlow },
    options,
  );
  const requests = createRequestHandler(
    () => server.connection('ext', identification, asksUnidentified),
    { maxSubscriptions, maxBodyBytes, keepAliveMs, onError: server.onError },
  );
  const listening = listenOverHttp(server.subscriptions(identification), requests.fetch, {
    backlog,
    refuse: refuseSubscription,
    onTooSlow: (authInfo) => onTooSlow(authInfo && ownerOf(authInfo)),
    maxStreams: maxSubscriptions,
    keepAliveMs,
  });
  const health = createHealth({
    parts: {
      store: () => server.probe(),
      ...((auth?.ready ?? auth?.probe) && { authorization: () => probeOf(auth) }),
    },
    onFault: server.onError,
  });
  const door = withDoor ? server.door(identification, asksUnidentified) : undefined;
  const recorder = createRecorder(server.revisions);
  let closing = false;

  function refused<A extends Answered>(answered: A, incoming?: Incoming): A {
    const { status } = answered;
    options.onRefused?.({
      status,
      ...(incoming && { method: incoming.method, path: incoming.path }),
    });
    return answered;
  }

  async function serve(given: Incoming, authInfo: AuthInfo | undefined): Promise<Answered> {
    const body = await readBody(given, maxBodyBytes);
    if (body instanceof Response) return body;
    const { incoming, value } = knownToSdk(given, body.value, server.revisions);
    const throughSdk = async (): Promise<Response> =>
      withoutConnection(await route(incoming, { value }, authInfo));
    const asked: Asking = { incoming, message: value, authInfo, throughSdk };
    const answered =
      door && (door.answer(asked) ?? sessions.answer(door, asked, ownerIn(authInfo)));
    if (answered !== undefined) return answered;
    const startedAt = Date.now();
    const response = await throughSdk();
    await recorder.record(incoming.request(), value, response, startedAt);
    await asked.learn?.(response);
    return response;
  }

  /** The answers of the SDK. */
  async function route(
    incoming: Incoming,
    body: { readonly value?: unknown },
    authInfo: AuthInfo | undefined,
  ): Promise<Response> {
    const request = incoming.request();
    const unoffered = refuseUnoffered(body.value, server.revisions);
    if (unoffered !== undefined) {
      const { code, message, data } = unoffered;
      return refusal(400, code, message, { id: member(body.value, 'id'), data });
    }
    if (offers(server.revisions, 'core') && (await isOfSession(request, body.value))) {
      return sessions.handle(incoming, body.value, ownerIn(authInfo), authInfo);
    }
    const mismatch =
      isObject(body.value) &&
      refuseParamHeaders(incoming, body.value, (tool) => server.inputSchemaOf(tool));
    if (mismatch instanceof Response) return mismatch;
    return listening.fetch(request, { parsedBody: body.value, ...(authInfo && { authInfo }) });
  }

  function note(asked: Asked, { status }: Answered): void {
    if (AUDITED.has(status)) server.engine.refused(asked, `http_${status}`);
  }

  function metadataFor(incoming: Incoming): Response | undefined {
    const { metadataPath = incoming.path } = auth ?? {};
    return incoming.path === metadataPath ? auth?.metadata(incoming.request()) : undefined;
  }

  async function answer(incoming: Incoming, asked: Asked): Promise<Answered> {
    const metadata = metadataFor(incoming);
    if (metadata !== undefined) return metadata;
    if (incoming.path !== path) return refusal(404, BAD_REQUEST, 'Not found');
    if (incoming.method === 'OPTIONS') return origins.preflight(incoming);
    if (!HTTP_METHODS.some((method) => method === incoming.method)) return methodNotAllowed();
    if (closing) return refusal(503, BAD_REQUEST, 'The server is shutting down');
    const authInfo = await identityOf(incoming);
    if (authInfo instanceof Response) return authInfo;
    if (authInfo !== undefined) asked.owner = ownerOf(authInfo);
    return serve(incoming, authInfo);
  }

  async function answerTo(incoming: Incoming): Promise<Answered> {
    if (incoming.path === healthPath) return health.answer(closing);
    if (incoming.path === livePathOf(healthPath)) return Response.json(LIVE);
    const asked: Asked = { method: `${incoming.method} ${incoming.path}`.slice(0, LONGEST_NOTED) };
    const foreign = refuseHost(incoming) ?? origins.refuse(incoming);
    if (foreign !== undefined) {
      note(asked, foreign);
      return refused(foreign, incoming);
    }
    const answered = origins.share(incoming, await answer(incoming, asked));
    note(asked, answered);
    return answered.status < 400 ? answered : refused(answered, incoming);
  }

  const handler: HttpHandler = {
    notify: requests.notify,
    async fetch(request) {
      const incoming = incomingOf(request, receiving);
      const answered = await answerTo(incoming);
      incoming.handedOver();
      return responseOf(answered);
    },
    async close() {
      closing = true;
      door?.close();
      listening.close();
      await Promise.all([sessions.close(), requests.close()]);
    },
  };
  return { handler, answerTo, backlog, receiving, onTooSlow, refused };
}

/**
 * The HTTP server says whether a connection stays open. With the SDK's `keep-alive`, Node keeps one open that the
 * client has asked to close, and waits for another request.
 */
function withoutConnection(response: Response): Response {
  response.headers.delete('connection');
  return response;
}

function refuseSubscription(id: unknown, error: unknown): Response {
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  return refusal(code === MISSING_CAPABILITY ? 400 : 200, code, message, { id, data });
}

/** What the audit notes of a request. */
interface Asked {
  readonly method: string;
  owner?: string;
}

/** Refusals that may be attempts to get at what is another's. */
const AUDITED: ReadonlySet<number> = new Set([401, 403, 404]);
/** Characters of a path: anybody may send any. */
const LONGEST_NOTED = 100;

async function probeOf(auth: Authorization): Promise<void> {
  await auth.ready?.();
  await auth.probe?.();
}

function ownerIn(authInfo: AuthInfo | undefined): string {
  return authInfo === undefined ? ANYBODY : ownerOf(authInfo);
}
