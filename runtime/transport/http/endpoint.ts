import { LazyAbort, type Peer } from '../../peer/index.js';
import { ERROR_CODES, METHODS, REVISIONS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import { type Operations, RECORDS_NOTHING } from '../../telemetry/index.js';
import { claimedIn } from '../../wire/claims.js';
import { member } from '../../wire/json.js';
import type { Backlog } from '../queue/backlog.js';
import type { Origin, Served, ServedSession } from '../served.js';
import { acceptsBoth, acceptsEvents } from './accept.js';
import { Batch } from './batch.js';
import { readBody } from './body.js';
import { classify, type Kind } from './classify.js';
import { KEEP_ALIVE_MS } from './events.js';
import { Histories } from './history.js';
import type { HttpSession } from './http-session.js';
import type { Incoming } from './incoming.js';
import { refuseHeaders } from './mirrored.js';
import { PostChannel } from './post-channel.js';
import { Refused } from './refused.js';
import {
  BAD_REQUEST,
  emptyReply,
  isReply,
  methodNotAllowed,
  refusal,
  type Reply,
  type TextReply,
} from './reply.js';
import { type Identified, type SessionOptions, Sessions } from './sessions.js';
import { Stateless } from './stateless.js';
import { refuseUnserved } from './unserved.js';

export interface EndpointOptions<W, S extends ServedSession<W, S>> extends SessionOptions {
  readonly served: Served<W, S>;
  readonly backlog: Backlog;
  readonly maxBodyBytes: number;
  /** Milliseconds between comments on a stream on which nothing else is sent. Default 15,000. */
  readonly keepAliveMs?: number | undefined;
  /** Milliseconds after which the answer to a request gets a stream; default 100. */
  readonly streamAfterMs?: number;
  /** Milliseconds for which a client of a session that has disconnected may come back; default 5,000. */
  readonly resumeMs?: number;
  /** Called when a stream ends because its reader is too slow. */
  readonly onTooSlow: (owner: string) => void;
  /** Records requests that are refused before a peer gets them. */
  readonly operations?: Operations;
}

/** The MCP path of a server. */
export interface Endpoint<W> {
  /** Answers a POST, GET or DELETE. Rejects when the client disconnects while it sends a body. */
  answer(incoming: Incoming, sender: Identified<W>): Promise<Reply>;
  /** Ends sessions and requests. Those that come later are refused. */
  close(): void;
}

export function createEndpoint<W, S extends ServedSession<W, S>>(
  options: EndpointOptions<W, S>,
): Endpoint<W> {
  return new HttpEndpoint(options);
}

type SessionKind = Exclude<Kind, { kind: 'stateless' }>;

/** More messages in one POST are refused. */
const MOST_IN_BATCH = 100;
const ACCEPTED = emptyReply(202);
const DELETED = emptyReply(200);
const NOT_ACCEPTABLE = new Refused(
  406,
  BAD_REQUEST,
  'Not Acceptable: Client must accept both application/json and text/event-stream',
);
const NO_EVENTS = new Refused(
  406,
  BAD_REQUEST,
  'Not Acceptable: Client must accept text/event-stream',
);

class HttpEndpoint<W, S extends ServedSession<W, S>> implements Endpoint<W> {
  readonly #options: EndpointOptions<W, S>;
  readonly #stateless: Stateless;
  /** Undefined where no revision without sessions is offered. */
  readonly #requests: Peer<Origin<W, S>> | undefined;
  /** Undefined where no revision with sessions is offered. */
  readonly #sessions: Sessions<W, S> | undefined;
  #isClosing = false;

  constructor(options: EndpointOptions<W, S>) {
    const { served, backlog, onTooSlow, keepAliveMs = KEEP_ALIVE_MS } = options;
    const { streamAfterMs = 100, resumeMs = 5_000 } = options;
    const terms = { backlog, keepAliveMs, streamAfterMs, resumeMs, onTooSlow };
    this.#options = options;
    this.#stateless = new Stateless(terms);
    this.#requests = served.requests(false);
    const hasSessions = served.versions.some((version) => REVISIONS[version].dialect === 'core');
    const histories = new Histories();
    this.#sessions = hasSessions
      ? new Sessions(served, { ...terms, histories }, options)
      : undefined;
  }

  async answer(incoming: Incoming, sender: Identified<W>): Promise<Reply> {
    const { method } = incoming;
    if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') return methodNotAllowed();
    if (this.#isClosing) return refusal(503, BAD_REQUEST, 'The server is shutting down');
    if (method !== 'POST') return this.#withoutBody(incoming, sender);
    const body = await readBody(incoming, this.#options.maxBodyBytes);
    // Also where the server was closed while the body came.
    if (this.#isClosing) return refusal(503, BAD_REQUEST, 'The server is shutting down');
    return 'value' in body ? this.#post(incoming, body.value, sender) : body;
  }

  close(): void {
    this.#isClosing = true;
    this.#sessions?.close();
    this.#requests?.close();
  }

  #post(incoming: Incoming, body: unknown, sender: Identified<W>): Reply | Promise<Reply> {
    const kind = classify(incoming, body);
    if (kind instanceof Refused) return this.#refuse(incoming, body, kind.reply(idOf(body)));
    if (kind.kind === 'stateless') return this.#postStateless(incoming, kind.message, sender);
    if (this.#sessions === undefined) {
      const unserved = refuseUnserved(kind, incoming, this.#options.served.versions);
      return unserved === undefined
        ? ACCEPTED
        : this.#refuse(incoming, body, unserved.reply(idOf(body)));
    }
    if (kind.kind === 'handshake' && incoming.header('mcp-session-id') === null) {
      return this.#begin(incoming, kind.message, sender, this.#sessions);
    }
    const session = this.#sessions.find(incoming, sender);
    if (isReply(session)) return this.#refuse(incoming, body, session);
    const refused = refuseInSession(incoming, kind, session);
    if (refused !== undefined) return this.#refuse(incoming, body, refused.reply(null));
    return this.#postToSession(incoming, kind, sender, session);
  }

  #postStateless(
    incoming: Incoming,
    message: JsonObject,
    { who, owner }: Identified<W>,
  ): Reply | Promise<Reply> {
    const isRequest = message['id'] !== undefined;
    const refused = this.#refusedStateless(incoming, message, isRequest);
    if (refused !== undefined) return this.#refuse(incoming, message, refused.reply(idOf(message)));
    const peer = this.#requests;
    // A notification whose body names no version is about nothing.
    if (peer === undefined || claimedIn(message) === undefined) return ACCEPTED;
    const channel = new PostChannel(this.#stateless, owner, incoming.gone, isRequest);
    peer.receive(message, channel, { who, session: undefined, http: incoming });
    return channel.reply();
  }

  #refusedStateless(
    incoming: Incoming,
    message: JsonObject,
    isRequest: boolean,
  ): Refused | undefined {
    const { served } = this.#options;
    const error = claimedIn(message) === undefined ? undefined : served.refuseVersion(message);
    if (error !== undefined) return new Refused(400, error.code, error.message, error.data);
    if (!isRequest) return undefined;
    return refuseHeaders(incoming, message, (tool) => served.inputSchemaOf(tool));
  }

  #begin(
    incoming: Incoming,
    message: JsonObject,
    sender: Identified<W>,
    sessions: Sessions<W, S>,
  ): Reply | Promise<Reply> {
    if (!acceptsBoth(incoming.header('accept'))) {
      return this.#refuse(incoming, message, NOT_ACCEPTABLE.reply(null));
    }
    const session = sessions.begin(incoming, sender);
    if (isReply(session)) return this.#refuse(incoming, message, session);
    const { peer } = session;
    session.use();
    const channel = new PostChannel(session, sender.owner, new LazyAbort(), true);
    peer.receive(message, channel, this.#origin(incoming, sender, session));
    // A client that does not get the id cannot use or end the session.
    incoming.gone.onAbort(() => peer.close());
    return channel.reply();
  }

  #postToSession(
    incoming: Incoming,
    kind: SessionKind,
    sender: Identified<W>,
    session: HttpSession<W, S>,
  ): Reply | Promise<Reply> {
    const origin = this.#origin(incoming, sender, session);
    session.use();
    if (kind.kind === 'batch') return batchReply(kind.messages, sender.owner, session, origin);
    const isRequest = kind.kind === 'request' || kind.kind === 'handshake';
    const channel = new PostChannel(session, sender.owner, new LazyAbort(), isRequest);
    if (isRequest) {
      incoming.gone.onAbort(() => {
        // The stream knows when its reader leaves, and waits for it to come back.
        if (!channel.streams) channel.gone.abort(undefined);
      });
    }
    session.peer.receive(kind.message, channel, origin);
    return channel.reply();
  }

  #origin(
    incoming: Incoming,
    { who }: Identified<W>,
    { session }: HttpSession<W, S>,
  ): Origin<W, S> {
    return { who, session, http: incoming };
  }

  /** GET opens a stream, or goes on with one; DELETE ends the session. */
  #withoutBody(incoming: Incoming, sender: Identified<W>): Reply {
    if (this.#sessions === undefined) return methodNotAllowed();
    const session = this.#sessions.find(incoming, sender);
    if (isReply(session)) return session;
    const isGet = incoming.method === 'GET';
    if (isGet && !acceptsEvents(incoming.header('accept'))) return NO_EVENTS.reply(null);
    const refused = session.refuseVersion(incoming.header('mcp-protocol-version'));
    if (refused !== undefined) return refused.reply(null);
    if (!isGet) {
      session.peer.close();
      return DELETED;
    }
    const last = incoming.header('last-event-id') ?? '';
    const { streams } = session;
    return (last === '' ? streams.openStandalone() : streams.resume(last)).reply;
  }

  /** Records a refusal that no peer sees. */
  #refuse(incoming: Incoming, body: unknown, reply: TextReply): TextReply {
    const { operations, served } = this.#options;
    const method = member(body, 'method');
    if (operations === undefined || typeof method !== 'string') return reply;
    const claimed = incoming.header('mcp-protocol-version');
    const revision = served.versions.find((version) => version === claimed);
    const message = body as { readonly method: string };
    const operation = operations.received(message, () => ({ transport: 'tcp', revision }));
    if (operation === RECORDS_NOTHING) return reply;
    operation.end({ error: member(JSON.parse(reply.body), 'error') });
    return reply;
  }
}

function refuseInSession<W, S extends ServedSession<W, S>>(
  incoming: Incoming,
  kind: SessionKind,
  session: HttpSession<W, S>,
): Refused | undefined {
  if (!acceptsBoth(incoming.header('accept'))) return NOT_ACCEPTABLE;
  if (kind.kind === 'handshake') return invalid('Server already initialized');
  const batch =
    kind.kind === 'batch' ? refuseBatch(kind.messages, session.takesBatches) : undefined;
  return batch ?? session.refuseVersion(incoming.header('mcp-protocol-version'));
}

function refuseBatch(messages: readonly JsonObject[], isTaken: boolean): Refused | undefined {
  if (!isTaken) return invalid('The revision of the session has no batches');
  if (messages.length > MOST_IN_BATCH) {
    return invalid(`Batch must not exceed ${MOST_IN_BATCH} messages`);
  }
  const begins = messages.some(({ method }) => method === METHODS.initialize);
  return begins ? invalid('Server already initialized') : undefined;
}

function invalid(what: string): Refused {
  return new Refused(400, ERROR_CODES.InvalidRequest, `Invalid Request: ${what}`);
}

function batchReply<W, S extends ServedSession<W, S>>(
  messages: readonly JsonObject[],
  owner: string,
  session: HttpSession<W, S>,
  origin: Origin<W, S>,
): Reply {
  const batch = new Batch(session, owner, messages);
  for (const channel of batch.channels) session.peer.receive(channel.message, channel, origin);
  return batch.reply;
}

function idOf(body: unknown): unknown {
  return member(body, 'id');
}
