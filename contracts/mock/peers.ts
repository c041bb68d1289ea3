import {
  type Channel,
  isRequestId,
  type Methods,
  type Peer,
  type PeerOptions,
  ProtocolError,
  rpcError,
} from '../../runtime/peer/index.js';
import { ERROR_CODES, EXTENSION_ID, META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { TaskServer } from '../../runtime/server/index.js';
import type { ServerExchange, Session } from '../../runtime/server/guest.js';
import { isRpcError, type JsonObject, messageOf } from '../../runtime/tasks/index.js';
import { at, isObject, member } from '../../runtime/peer/wire/json.js';
import { dialectRevision, type Revision } from '../../runtime/peer/wire/revision.js';
import { withNumbers } from '../validate/index.js';
import type { Found, Play } from './answering.js';
import type { Asked } from './matcher.js';
import { isUnchecked, uncheckedRevision } from './revisions.js';
import { Cursors, Talk } from './talk.js';
import type { MockRequest } from './types.js';

type ServerOrigin = ServerExchange['origin'];

/** A revision in which one request is written that the mock answers itself. */
interface OwnRevision extends Revision {
  readonly methods: Methods<ServerOrigin>;
}

/** The same server, whose peers answer from a recording what it has, as it was recorded. */
export function playedBy(
  server: TaskServer,
  find: (asked: Asked) => Found,
  onRequest: (request: MockRequest) => void,
): TaskServer {
  const talks = new WeakMap<Session, Talk>();
  const shared = new Cursors();
  const talkOf = ({ session }: ServerOrigin): Talk | undefined => session && talks.get(session);

  function peers(options: PeerOptions<ServerOrigin>): PeerOptions<ServerOrigin> {
    return {
      ...options,
      revisionOf(message, origin) {
        const agreed = options.revisionOf(message, origin);
        if (agreed instanceof ProtocolError) return agreed;
        // The runtime does not have the revision that a recorded handshake settled.
        const revision = isUnchecked(agreed) ? dialectRevision('core') : agreed;
        const { id, method, params } = message;
        if (typeof method !== 'string' || !isRequestId(id)) return revision;
        const talk = talkOf(origin);
        const version = talk?.version ?? revision.version;
        const asked: Asked = {
          ...{ method, params: isObject(params) ? params : {}, version, talk },
          cursors: talk?.cursors ?? shared,
          takesTask: takesTask(revision, message),
          serve: options.methodsIn(revision).get(method)?.answer,
        };
        const { play, ...by } = found(() => find(asked));
        onRequest({ method, params: asked.params, revision: version, ...by });
        if (play === undefined) return revision;
        return ownRevision(play, play.isTranslated ? revision : uncheckedRevision(version), method);
      },
      methodsIn: (revision) => methodsIn(revision) ?? options.methodsIn(revision),
      complete: (result, exchange) =>
        (isUnchecked(exchange.revision) ? undefined : options.complete?.(result, exchange)) ??
        result,
      degraded: (method, revision, params) =>
        (isUnchecked(revision) ? undefined : options.degraded?.(method, revision, params)) ??
        params,
      onNotification(method, params, origin) {
        if (method === METHODS.notificationsInitialized) talkOf(origin)?.begin();
        options.onNotification?.(method, params, origin);
      },
    };
  }

  return {
    ...server,
    serve(terms) {
      const serving = server.serve({ ...terms, peers });
      const requests = serving.requests.bind(serving);
      const openSession = serving.openSession.bind(serving);
      serving.requests = (isPipe) => writing(requests(isPipe));
      serving.openSession = (id, standalone) => {
        const channel = written(standalone);
        const session = openSession(id, channel);
        talks.set(session, new Talk(session, channel));
        writing(session.peer);
        return session;
      };
      return serving;
    },
  };
}

function methodsIn(revision: Revision): Methods<ServerOrigin> | undefined {
  return (revision as Partial<OwnRevision>).methods;
}

/** A mock serves its author, so its own errors are answers: that the recording has changed, for example. */
function found(find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    const problem = messageOf(error);
    return { answeredBy: 'nothing', problem, play: { answer: () => Promise.reject(shown(error)) } };
  }
}

function shown(error: unknown): Error {
  if (error instanceof Error && isRpcError(error)) return error;
  return rpcError(ERROR_CODES.InternalError, messageOf(error));
}

function ownRevision({ answer }: Play, revision: Revision, method: string): OwnRevision {
  const row = {
    method,
    checkedAs: method,
    info: { carrier: 'message', senders: ['client'], capabilities: [] } as never,
    async answer(params: JsonObject, exchange: ServerExchange): Promise<JsonObject> {
      try {
        return await answer(params, exchange);
      } catch (error) {
        throw shown(error);
      }
    },
  };
  return { ...revision, methods: new Map([[method, row]]) };
}

/** Whether a client takes a task for an answer. */
function takesTask({ dialect }: Revision, { params }: JsonObject): boolean {
  if (dialect === 'core') return isObject(member(params, 'task'));
  const path = ['_meta', META_KEYS.clientCapabilities, 'extensions', EXTENSION_ID];
  return at(params, path) !== undefined;
}

/** Sends recorded numbers as they were written. */
function writing<P extends Peer<ServerOrigin> | undefined>(peer: P): P {
  const receive = peer?.receive.bind(peer);
  if (peer !== undefined) {
    peer.receive = (message, channel, origin) => receive?.(message, written(channel), origin);
  }
  return peer;
}

function written(channel: Channel): Channel {
  return {
    send: (message, text, refused) => channel.send(message, withNumbers(text), refused),
    close: () => channel.close(),
    get gone() {
      return channel.gone;
    },
  };
}
