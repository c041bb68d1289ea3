import {
  type Methods,
  methodsOf,
  type ProtocolError,
  type Rows,
  rpcError,
} from '../../peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../protocol.js';
import {
  assertAskable,
  type Change,
  type GuestHost,
  type ServerExchange,
  type Session,
  type WantedChanges,
} from '../guest.js';
import type { Abort, JsonObject } from '../../tasks/index.js';
import { member } from '../../peer/wire/json.js';
import type { Revision } from '../../peer/wire/revision.js';

/** The client of a guest: where its questions and notifications go. */
export interface GuestClient {
  /** `about` is the request that the question belongs to. */
  ask(
    method: string,
    params: JsonObject,
    about: ServerExchange | undefined,
    signal: Abort,
  ): Promise<JsonObject>;
  /** Resolves when the next notification may come. */
  notify(
    method: string,
    params: JsonObject,
    about: ServerExchange | undefined,
  ): Promise<void> | undefined;
}

/** A message of the guest. */
export interface GuestOrigin {
  readonly client: GuestClient;
  readonly about: ServerExchange | undefined;
}

/** The client of a session, which answers questions. */
export function sessionClient(session: Session, host: GuestHost): GuestClient {
  return {
    async ask(method, params, about, signal) {
      const { revision, clientCapabilities } = session;
      if (revision !== undefined && method !== METHODS.ping) {
        const asking = host.askingFor(clientCapabilities, revision);
        assertAskable(asking, 'core', method, params);
      }
      return (about ?? session).ask(method, params, { signal });
    },
    notify: (method, params, about) => (about ?? session).notify(method, params),
  };
}

/** The client of one request without a session, which gets what belongs to the request and answers no questions. */
export function requestClient(exchange: ServerExchange): GuestClient {
  // A request gets log messages only when it says so.
  const logs = member(exchange.meta, META_KEYS.logLevel) !== undefined;
  return {
    ask: (method) => Promise.reject(needsSession(method, exchange)),
    notify(method, params) {
      const belongs =
        method === METHODS.notificationsProgress ||
        (logs && method === METHODS.notificationsMessage);
      return belongs ? exchange.notify(method, params) : undefined;
    },
  };
}

/** The client of a `subscriptions/listen`. */
export function listenClient(
  exchange: ServerExchange,
  { methods, uris }: WantedChanges,
  onChange: (change: Change) => void,
): GuestClient {
  return {
    ask: (method) => Promise.reject(needsSession(method, exchange)),
    notify(method, { uri }) {
      if (methods.has(method)) onChange({ method });
      else if (method === METHODS.notificationsResourcesUpdated && uris.has(uri as string)) {
        onChange({ method, uri: uri as string });
      }
      return undefined;
    },
  };
}

function needsSession(method: string, { revision }: ServerExchange): ProtocolError {
  return rpcError(
    ERROR_CODES.InvalidRequest,
    `${method} needs a session: in revision ${revision.version} a guest cannot ask its client`,
  );
}

/** Before the client is known, and for a probe. */
export const NO_CLIENT: GuestClient = {
  ask: () => Promise.reject(rpcError(ERROR_CODES.InvalidRequest, 'There is no client to ask')),
  notify: () => undefined,
};

const QUESTION: Rows<GuestOrigin>[string] = {
  answer: (params, { method, origin, cancelled }) =>
    origin.client.ask(method, params, origin.about, cancelled),
};

const QUESTIONS: Rows<GuestOrigin> = {
  [METHODS.ping]: QUESTION,
  [METHODS.elicitationCreate]: QUESTION,
  [METHODS.samplingCreateMessage]: QUESTION,
  [METHODS.rootsList]: QUESTION,
};

/** What the guest may ask. Each client refuses itself what it does not declare. */
export function questionsIn(revision: Revision): Methods<GuestOrigin> {
  return methodsOf(revision, 'client', QUESTIONS, { elicitation: {}, sampling: {}, roots: {} });
}
