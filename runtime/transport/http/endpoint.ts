import type { Peer } from '../../peer/index.js';
import { ByteBudget, type JsonObject } from '../../tasks/index.js';
import { type Operations, RECORDS_NOTHING } from '../../telemetry/index.js';
import { claimedIn } from '../../peer/wire/revision.js';
import { member } from '../../peer/wire/json.js';
import type { Backlog } from '../queue/backlog.js';
import { type Bounds, boundsFor, FOR_SERVERS } from '../reading/bounds.js';
import { answeredIn, MessageFault } from '../reading/envelope.js';
import { readJson, textOf } from '../reading/read-json.js';
import { isNew, type Origin, type Served, type ServedSession } from '../served.js';
import { classify, type Kind, refuseUnserved, refuseHeaders } from './classify.js';
import { KEEP_ALIVE_MS, PostChannel, Stateless } from './post-channel.js';
import type { Incoming, Unread } from './incoming.js';
import {
  BAD_REQUEST,
  emptyReply,
  methodNotAllowed,
  refusal,
  Refused,
  type Reply,
  type TextReply,
} from './reply.js';
import type { OpenSessions, SessionEndpoint } from './session-endpoint.js';
import type { Identified, Sender, SessionOptions } from './sessions.js';

export interface EndpointOptions<W, S extends ServedSession<W, S>> extends SessionOptions {
  readonly served: Served<W, S>;
  readonly backlog: Backlog;
  readonly maxBodyBytes: number;
  /** Bytes of the bodies of all requests that are not answered yet. */
  readonly maxPendingBytes: number;
  /** Milliseconds between comments on a stream on which nothing else is sent. Default 15,000. */
  readonly keepAliveMs?: number | undefined;
  /** Milliseconds after which the answer to a request gets a stream; default 100. */
  readonly streamAfterMs?: number;
  /** Milliseconds for which a client of a session that has disconnected may come back; default 5,000. */
  readonly resumeMs?: number;
  /** Called when a stream ends because its reader is too slow. */
  readonly onTooSlow: (owner: string) => void;
  /** Serves sessions. Undefined where no revision with sessions is offered, so that a bundle for one has no such code. */
  readonly openSessions?: OpenSessions | undefined;
  /**
   * Refuses a message for what its sender may not do. Undefined where everyone who is let in may do everything, so that
   * no message is looked at.
   */
  readonly forbid?: ((message: JsonObject, who: W) => TextReply | undefined) | undefined;
  /** Records requests that are refused before a peer gets them. */
  readonly operations?: Operations;
}

/** The MCP path of a server. */
export interface Endpoint<W> {
  /** Answers a POST, GET or DELETE. Rejects when the client disconnects while it sends a body. */
  answer(incoming: Incoming, sender: Identified<W>): Reply | Promise<Reply>;
  /** Ends sessions and requests. Those that come later are refused. */
  close(): void;
}

export function createEndpoint<W, S extends ServedSession<W, S>>(
  options: EndpointOptions<W, S>,
): Endpoint<W> {
  return new HttpEndpoint(options);
}

const ACCEPTED = emptyReply(202);

class HttpEndpoint<W, S extends ServedSession<W, S>> implements Endpoint<W> {
  readonly #options: EndpointOptions<W, S>;
  readonly #stateless: Stateless;
  readonly #bounds: Bounds;
  readonly #pending: ByteBudget;
  /** Undefined where no revision without sessions is offered. */
  readonly #requests: Peer<Origin<W, S>> | undefined;
  /** Undefined where no revision with sessions is offered. */
  readonly #sessions: SessionEndpoint<W> | undefined;
  #isClosed = false;

  constructor(options: EndpointOptions<W, S>) {
    const { served, backlog, onTooSlow, keepAliveMs = KEEP_ALIVE_MS } = options;
    const { streamAfterMs = 100, resumeMs = 5_000 } = options;
    const terms = { backlog, keepAliveMs, streamAfterMs, resumeMs, onTooSlow };
    this.#options = options;
    this.#bounds = boundsFor(options.maxBodyBytes, FOR_SERVERS);
    this.#pending = new ByteBudget(options.maxPendingBytes);
    this.#stateless = new Stateless(terms);
    this.#requests = served.requests(false);
    this.#sessions = options.openSessions?.({
      served,
      terms,
      options,
      refuse: (incoming, body, reply) => this.#refuse(incoming, body, reply),
    });
  }

  answer(incoming: Incoming, sender: Identified<W>): Reply | Promise<Reply> {
    const { method } = incoming;
    if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') return methodNotAllowed();
    // A client may come back to the stream of a request that is under way.
    if (method === 'GET' && incoming.header('last-event-id') === null && this.#isDraining)
      return shuttingDown();
    if (method !== 'POST')
      return this.#sessions?.withoutBody(incoming, sender) ?? methodNotAllowed();
    const body = readBody(incoming, this.#options.maxBodyBytes, this.#bounds);
    return 'then' in body ? body.then((read) => this.#read(incoming, read, sender)) : body;
  }

  #read(
    incoming: Incoming,
    body: Body | Unreadable | TextReply,
    sender: Identified<W>,
  ): Reply | Promise<Reply> {
    if ('fault' in body) {
      this.#sessions?.refused(incoming, sender, body.fault);
      return body.reply;
    }
    if (!('value' in body)) return body;
    const hold = this.#pending.take(sender.subject, body.bytes);
    if (typeof hold === 'string') return this.#refuse(incoming, body.value, noRoom(hold, body));
    const reply = this.#post(incoming, body.value, hold ? { ...sender, hold } : sender);
    // Every other reply is that of a channel, which releases it.
    if ('body' in reply) hold?.release();
    return reply;
  }

  close(): void {
    this.#isClosed = true;
    this.#sessions?.close();
    this.#requests?.close();
  }

  get #isDraining(): boolean {
    return this.#isClosed || this.#options.served.isDraining === true;
  }

  #post(incoming: Incoming, body: unknown, sender: Sender<W>): Reply | Promise<Reply> {
    const kind = classify(incoming, body);
    if (kind instanceof Refused) {
      this.#sessions?.refused(incoming, sender, body);
      return this.#refuse(incoming, body, kind.reply(idOf(body)));
    }
    if (this.#isDraining && (kind.kind === 'batch' ? kind.messages : [kind.message]).some(isNew)) {
      return this.#refuse(incoming, body, shuttingDown(idOf(body)));
    }
    const forbidden = this.#forbidden(kind, sender);
    if (forbidden !== undefined) return this.#refuse(incoming, body, forbidden);
    if (kind.kind === 'stateless') return this.#postStateless(incoming, kind.message, sender);
    if (this.#sessions !== undefined) return this.#sessions.post(incoming, kind, sender);
    const unserved = refuseUnserved(kind, incoming, this.#options.served.versions);
    return unserved === undefined
      ? ACCEPTED
      : this.#refuse(incoming, body, unserved.reply(idOf(body)));
  }

  #forbidden(kind: Kind, { who }: Identified<W>): TextReply | undefined {
    const { forbid } = this.#options;
    if (forbid === undefined) return undefined;
    if (kind.kind !== 'batch') return forbid(kind.message, who);
    for (const message of kind.messages) {
      const refused = forbid(message, who);
      if (refused !== undefined) return refused;
    }
    return undefined;
  }

  #postStateless(
    incoming: Incoming,
    message: JsonObject,
    sender: Sender<W>,
  ): Reply | Promise<Reply> {
    const isRequest = message['id'] !== undefined;
    const refused = this.#refusedStateless(incoming, message, isRequest);
    if (refused !== undefined) return this.#refuse(incoming, message, refused.reply(idOf(message)));
    const peer = this.#requests;
    // A notification whose body names no version is about nothing.
    if (peer === undefined || claimedIn(message) === undefined) return ACCEPTED;
    const channel = new PostChannel(this.#stateless, sender, incoming.gone, isRequest);
    peer.receive(message, channel, { who: sender.who, session: undefined, http: incoming });
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
    return refuseHeaders(incoming, message, served);
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

function shuttingDown(id?: unknown): TextReply {
  const headers = { 'retry-after': '1' };
  return refusal(503, BAD_REQUEST, 'The server is shutting down', { id, headers });
}

function idOf(body: unknown): unknown {
  return member(body, 'id');
}

/** Its value is any JSON. */
interface Body {
  readonly value: unknown;
  readonly bytes: number;
}

/** What is no JSON, or exceeds a bound. */
interface Unreadable {
  readonly fault: MessageFault;
  readonly reply: TextReply;
}

/** Refuses a body while the requests before it keep too many bytes: of all clients, or of its sender. */
function noRoom(whose: 'all' | 'subject', { value, bytes }: Body): TextReply {
  const [status, who] = whose === 'all' ? [503, 'The server has'] : [429, 'The caller has'];
  const message = `${who} too many bytes of requests that are not answered yet for another ${bytes}. Send this one again`;
  return refusal(status, BAD_REQUEST, message, {
    id: idOf(value),
    headers: { 'retry-after': '1' },
  });
}

/** Reads the JSON of a POST once, or refuses it. */
function readBody(
  incoming: Incoming,
  maxBytes: number,
  bounds: Bounds,
): Promise<Body | Unreadable | TextReply> | TextReply {
  if (!isJsonContentType(incoming.header('content-type'))) {
    return refusal(415, BAD_REQUEST, 'Content-Type must be application/json');
  }
  return incoming.read(maxBytes).then((bytes) => {
    if (typeof bytes === 'string') return REFUSALS[bytes](incoming, maxBytes);
    const read = readJson(bytes, bounds);
    if (read.code === undefined) return { value: read.value, bytes: bytes.byteLength };
    const why = `The body ${read.why}`;
    return {
      fault: new MessageFault(why, answeredIn(textOf(bytes))),
      reply: refusal(400, read.code, why),
    };
  });
}

const REFUSALS: Readonly<Record<Unread, (incoming: Incoming, maxBytes: number) => TextReply>> = {
  encoded(incoming) {
    const encoding = JSON.stringify(incoming.header('content-encoding'));
    const message = `Content-Encoding must be identity, not ${encoding}`;
    return refusal(415, BAD_REQUEST, message, { headers: { 'accept-encoding': 'identity' } });
  },
  'too large': (_, maxBytes) =>
    refusal(413, BAD_REQUEST, `The body is larger than ${maxBytes} bytes`),
  'no room': () =>
    refusal(
      503,
      BAD_REQUEST,
      'The server is receiving too many request bodies. Send this one again',
      { headers: { 'retry-after': '1' } },
    ),
};

const JSON_TYPE = 'application/json';

/** Whether a `Content-Type` header is that of JSON, with whatever parameters. */
function isJsonContentType(header: string | null): boolean {
  if (header === JSON_TYPE) return true;
  const [type = ''] = (header ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== JSON_TYPE) return false;
  return !isSeveral((header ?? '').slice(type.length));
}

/** Whether a comma stands outside of quotes: the values of several headers, joined. */
function isSeveral(parameters: string): boolean {
  let isQuoted = false;
  for (let at = 0; at < parameters.length; at += 1) {
    const character = parameters[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\' && isQuoted) at += 1;
    else if (character === ',' && !isQuoted) return true;
  }
  return isQuoted && parameters.includes(',');
}
