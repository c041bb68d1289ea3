import { type Channel, LazyAbort } from '../../peer/index.js';
import { MOST_IN_BATCH } from '../../batches.js';
import { ERROR_CODES, METHODS } from '../../protocol.js';
import type { Hold, JsonObject } from '../../tasks/index.js';
import { isObject } from '../../peer/wire/json.js';
import { isMeantAsAnswer, MessageFault } from '../reading/envelope.js';
import type { Origin, Served, ServedSession } from '../served.js';
import type { Kind } from './classify.js';
import { Histories } from './history.js';
import {
  type HttpSession,
  type Identified,
  type Sender,
  type SessionOptions,
  Sessions,
  type SessionTerms,
} from './sessions.js';
import type { Incoming } from './incoming.js';
import { type Events, PostChannel, type PostPlace, type PostSender } from './post-channel.js';
import { BAD_REQUEST, emptyReply, isReply, Refused, type Reply, type TextReply } from './reply.js';

/** The part of an endpoint that serves sessions. Bundles for revisions without sessions do not contain it. */
export interface SessionEndpoint<W> {
  post(incoming: Incoming, kind: SessionKind, sender: Sender<W>): Reply | Promise<Reply>;
  /** Takes a body that was refused, or why it cannot be read: what it answers ends. */
  refused(incoming: Incoming, sender: Identified<W>, body: unknown): void;
  /** GET opens a stream, or goes on with one; DELETE ends the session. */
  withoutBody(incoming: Incoming, sender: Identified<W>): Reply;
  /** Ends all sessions. */
  close(): void;
}

interface SessionEndpointParts<W, S extends ServedSession<W, S>> {
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

type SessionKind = Exclude<Kind, { kind: 'stateless' }>;

const DELETED = /* @__PURE__ */ emptyReply(200);
/** For a message whose sender has got its reply. */
const NOWHERE: Channel = {
  gone: /* @__PURE__ */ new LazyAbort(),
  send: () => undefined,
  close: () => undefined,
};
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

  post(incoming: Incoming, kind: SessionKind, sender: Sender<W>): Reply | Promise<Reply> {
    const { refuse } = this.#parts;
    const body = kind.kind === 'batch' ? kind.messages : kind.message;
    if (kind.kind === 'handshake' && incoming.header('mcp-session-id') === null) {
      return this.#begin(incoming, kind.message, sender);
    }
    const id = idOf(kind);
    const session = this.#sessions.find(incoming, sender, { id });
    if (isReply(session)) return refuse(incoming, body, session);
    const refused = refuseInSession(incoming, kind, session);
    if (refused !== undefined) {
      this.refused(incoming, sender, body);
      return refuse(incoming, body, refused.reply(id));
    }
    return this.#postToSession(incoming, kind, sender, session);
  }

  #begin(incoming: Incoming, message: JsonObject, sender: Sender<W>): Reply | Promise<Reply> {
    const { refuse } = this.#parts;
    if (!acceptsBoth(incoming.header('accept'))) {
      return refuse(incoming, message, NOT_ACCEPTABLE.reply(message['id']));
    }
    const session = this.#sessions.begin(incoming, sender, { id: message['id'] });
    if (isReply(session)) return refuse(incoming, message, session);
    const { peer } = session;
    session.use();
    const channel = new PostChannel(session, sender, new LazyAbort(), true);
    peer.receive(message, channel, this.#origin(incoming, sender, session));
    // A client that does not get the id cannot use or end the session.
    incoming.watch?.();
    incoming.gone.onAbort(() => peer.close());
    return channel.reply();
  }

  #postToSession(
    incoming: Incoming,
    kind: SessionKind,
    sender: Sender<W>,
    session: HttpSession<W, S>,
  ): Reply | Promise<Reply> {
    const origin = this.#origin(incoming, sender, session);
    session.use();
    if (kind.kind === 'batch') return batchReply(kind.messages, sender, session, origin);
    const isRequest = kind.kind === 'request' || kind.kind === 'handshake';
    const channel = new PostChannel(session, sender, new LazyAbort(), isRequest);
    if (isRequest) {
      incoming.gone.onAbort(() => {
        // The stream knows when its reader leaves, and waits for it to come back.
        if (!channel.streams) channel.gone.abort(undefined);
      });
    }
    session.peer.receive(kind.message, channel, origin);
    return channel.reply();
  }

  refused(incoming: Incoming, sender: Identified<W>, body: unknown): void {
    const answers = (Array.isArray(body) ? (body as readonly unknown[]) : [body]).filter(
      (each) => each instanceof MessageFault || (isObject(each) && isMeantAsAnswer(each)),
    );
    const session = answers.length > 0 ? this.#sessions.find(incoming, sender) : DELETED;
    if (isReply(session)) return;
    const { peer } = session;
    if (body instanceof MessageFault) peer.faulted(body);
    else if (Array.isArray(body)) peer.listRefused(answers);
    else peer.receive(body, NOWHERE, this.#origin(incoming, sender, session));
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
    if (isGet && !acceptsEvents(incoming.header('accept'))) return NO_EVENTS.reply();
    const refused = session.refuseVersion(incoming.header('mcp-protocol-version'));
    if (refused !== undefined) return refused.reply();
    if (!isGet) {
      session.peer.close();
      return DELETED;
    }
    const last = incoming.header('last-event-id') ?? '';
    const { streams } = session;
    return (last === '' ? streams.openStandalone() : streams.resume(last)).reply;
  }
}

/** The id that the answer to a refused message repeats. */
function idOf(kind: SessionKind): unknown {
  return kind.kind === 'request' || kind.kind === 'handshake' ? kind.message['id'] : undefined;
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
  sender: PostSender,
  session: HttpSession<W, S>,
  origin: Origin<W, S>,
): Reply {
  const batch = new Batch(session, sender, messages);
  for (const channel of batch.channels) session.peer.receive(channel.message, channel, origin);
  return batch.reply;
}

/** What belongs to the messages of one POST with several: a stream with all answers, if there will be any. */
class Batch {
  readonly #place: PostPlace;
  /** One for each message. */
  readonly channels: readonly BatchChannel[];
  readonly reply: Reply;
  readonly #events: Events | undefined;
  readonly #hold: Hold | undefined;
  #open: number;

  constructor(place: PostPlace, { owner, hold }: PostSender, messages: readonly JsonObject[]) {
    this.#hold = hold;
    this.#place = place;
    const isAnswered = messages.some(({ id, method }) => id !== undefined && method !== undefined);
    const gone = new LazyAbort();
    this.#events = isAnswered ? place.openEvents(owner, gone) : undefined;
    this.#open = messages.length;
    this.reply = this.#events?.reply ?? emptyReply(202);
    this.channels = messages.map((message) => new BatchChannel(this, message, gone));
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    return this.#events?.send(message, text);
  }

  channelClosed(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#events?.end();
    this.#hold?.release();
    this.#place.closed?.();
  }
}

class BatchChannel implements Channel {
  readonly message: JsonObject;
  readonly gone = new LazyAbort();
  #batch: Batch | undefined;

  constructor(batch: Batch, message: JsonObject, gone: LazyAbort) {
    this.message = message;
    this.#batch = batch;
    gone.addEventListener('abort', () => this.gone.abort(undefined));
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    return this.#batch?.send(message, text);
  }

  close(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    batch?.channelClosed();
  }
}

/** The last header that was accepted: a client sends the same one with each request. */
let lastAccepted: string | undefined;

/** Whether an `Accept` header accepts both JSON and event streams. Without one, everything is accepted. */
function acceptsBoth(header: string | null): boolean {
  if (header === null || header === lastAccepted) return true;
  if (!accepts(header, 'application/json') || !acceptsEvents(header)) return false;
  lastAccepted = header;
  return true;
}

function acceptsEvents(header: string | null): boolean {
  return header === null || accepts(header, 'text/event-stream');
}

/** The most specific range decides. */
function accepts(header: string, type: string): boolean {
  const ranges = [type, `${type.split('/', 1)[0]}/*`, '*/*'];
  let [best, isAccepted] = [ranges.length, header.trim() === ''];
  for (const part of header.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const at = ranges.indexOf(range);
    if (at < 0 || at > best) continue;
    // Of equal ranges with other parameters, one that accepts is enough.
    isAccepted = !isExcluded(parameters) || (at === best && isAccepted);
    best = at;
  }
  return isAccepted;
}

function isExcluded(parameters: readonly string[]): boolean {
  return parameters.some((each) => /^q=0(?:\.0{0,3})?$/.test(each));
}
