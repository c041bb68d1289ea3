import { LazyAbort } from '../../peer/index.js';
import { ERROR_CODES, METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Origin, Served, ServedSession } from '../served.js';
import { acceptsBoth, acceptsEvents } from './accept.js';
import { Batch } from './batch.js';
import type { Kind } from './classify.js';
import { Histories } from './history.js';
import type { HttpSession, SessionTerms } from './http-session.js';
import type { Incoming } from './incoming.js';
import { PostChannel } from './post-channel.js';
import { Refused } from './refused.js';
import { BAD_REQUEST, emptyReply, isReply, type Reply, type TextReply } from './reply.js';
import { type Identified, type SessionOptions, Sessions } from './sessions.js';

/** The part of an endpoint that serves sessions. Bundles for revisions without sessions do not contain it. */
export interface SessionEndpoint<W> {
  post(incoming: Incoming, kind: SessionKind, sender: Identified<W>): Reply | Promise<Reply>;
  /** GET opens a stream, or goes on with one; DELETE ends the session. */
  withoutBody(incoming: Incoming, sender: Identified<W>): Reply;
  /** Ends all sessions. */
  close(): void;
}

export interface SessionEndpointParts<W, S extends ServedSession<W, S>> {
  readonly served: Served<W, S>;
  readonly terms: Omit<SessionTerms, 'histories'>;
  readonly options: SessionOptions;
  /** Records a refusal that no peer sees. */
  readonly refuse: (incoming: Incoming, body: unknown, reply: TextReply) => TextReply;
}

export function openSessions<W, S extends ServedSession<W, S>>(
  parts: SessionEndpointParts<W, S>,
): SessionEndpoint<W> {
  return new HttpSessions(parts);
}

export type OpenSessions = typeof openSessions;

export type SessionKind = Exclude<Kind, { kind: 'stateless' }>;

/** More messages in one POST are refused. */
const MOST_IN_BATCH = 100;
const DELETED = /* @__PURE__ */ emptyReply(200);
const NOT_ACCEPTABLE = /* @__PURE__ */ new Refused(
  406,
  BAD_REQUEST,
  'Not Acceptable: Client must accept both application/json and text/event-stream',
);
const NO_EVENTS = /* @__PURE__ */ new Refused(
  406,
  BAD_REQUEST,
  'Not Acceptable: Client must accept text/event-stream',
);

class HttpSessions<W, S extends ServedSession<W, S>> implements SessionEndpoint<W> {
  readonly #parts: SessionEndpointParts<W, S>;
  readonly #sessions: Sessions<W, S>;

  constructor(parts: SessionEndpointParts<W, S>) {
    const { served, terms, options } = parts;
    this.#parts = parts;
    this.#sessions = new Sessions(served, { ...terms, histories: new Histories() }, options);
  }

  close(): void {
    this.#sessions.close();
  }

  post(incoming: Incoming, kind: SessionKind, sender: Identified<W>): Reply | Promise<Reply> {
    const { refuse } = this.#parts;
    const body = kind.kind === 'batch' ? kind.messages : kind.message;
    if (kind.kind === 'handshake' && incoming.header('mcp-session-id') === null) {
      return this.#begin(incoming, kind.message, sender);
    }
    const session = this.#sessions.find(incoming, sender);
    if (isReply(session)) return refuse(incoming, body, session);
    const refused = refuseInSession(incoming, kind, session);
    if (refused !== undefined) return refuse(incoming, body, refused.reply(null));
    return this.#postToSession(incoming, kind, sender, session);
  }

  #begin(incoming: Incoming, message: JsonObject, sender: Identified<W>): Reply | Promise<Reply> {
    const { refuse } = this.#parts;
    if (!acceptsBoth(incoming.header('accept'))) {
      return refuse(incoming, message, NOT_ACCEPTABLE.reply(null));
    }
    const session = this.#sessions.begin(incoming, sender);
    if (isReply(session)) return refuse(incoming, message, session);
    const { peer } = session;
    session.use();
    const channel = new PostChannel(session, sender.owner, new LazyAbort(), true);
    peer.receive(message, channel, this.#origin(incoming, sender, session));
    // A client that does not get the id cannot use or end the session.
    incoming.watch?.();
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

  withoutBody(incoming: Incoming, sender: Identified<W>): Reply {
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
