import type { Methods, Rows } from '../peer/index.js';
import { methodsOf, rpcError } from '../peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../protocol/index.js';
import {
  assertAskable,
  type Change,
  type GuestHost,
  type ServerExchange,
  type Session,
  type WantedChanges,
} from '../server/guest.js';
import type { Abort, JsonObject } from '../tasks/index.js';
import { member } from '../wire/json.js';
import type { Revision } from '../wire/revision.js';

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
export class SessionClient implements GuestClient {
  readonly #session: Session;
  readonly #host: GuestHost;

  constructor(session: Session, host: GuestHost) {
    this.#session = session;
    this.#host = host;
  }

  async ask(
    method: string,
    params: JsonObject,
    about: ServerExchange | undefined,
    signal: Abort,
  ): Promise<JsonObject> {
    const { revision, clientCapabilities } = this.#session;
    if (revision !== undefined && method !== METHODS.ping) {
      const asking = this.#host.askingFor(clientCapabilities, revision);
      assertAskable(asking, 'core', method, params);
    }
    return (about ?? this.#session).ask(method, params, { signal });
  }

  notify(method: string, params: JsonObject, about: ServerExchange | undefined): Promise<void> {
    return (about ?? this.#session).notify(method, params);
  }
}

/** Sent on only where they belong to a request. */
const OF_REQUESTS: ReadonlySet<string> = new Set([
  METHODS.notificationsProgress,
  METHODS.notificationsMessage,
]);

/** The client of one request without a session, which answers no questions. */
export class RequestClient implements GuestClient {
  readonly #exchange: ServerExchange;

  constructor(exchange: ServerExchange) {
    this.#exchange = exchange;
  }

  ask(method: string): Promise<JsonObject> {
    const { version } = this.#exchange.revision;
    return Promise.reject(
      rpcError(
        ERROR_CODES.InvalidRequest,
        `${method} needs a session: in revision ${version} a guest cannot ask its client`,
      ),
    );
  }

  notify(method: string, params: JsonObject): Promise<void> | undefined {
    const { meta } = this.#exchange;
    // A request gets log messages only when it says so.
    const isSilent = member(meta, META_KEYS.logLevel) === undefined;
    if (method === METHODS.notificationsMessage && isSilent) return undefined;
    return OF_REQUESTS.has(method) ? this.#exchange.notify(method, params) : undefined;
  }
}

/** The client of a `subscriptions/listen`. */
export class ListenClient implements GuestClient {
  readonly #exchange: ServerExchange;
  readonly #wanted: WantedChanges;
  readonly #onChange: (change: Change) => void;

  constructor(exchange: ServerExchange, wanted: WantedChanges, onChange: (change: Change) => void) {
    this.#exchange = exchange;
    this.#wanted = wanted;
    this.#onChange = onChange;
  }

  ask(method: string): Promise<JsonObject> {
    return new RequestClient(this.#exchange).ask(method);
  }

  notify(method: string, { uri }: JsonObject): undefined {
    const { methods, uris } = this.#wanted;
    if (methods.has(method)) this.#onChange({ method });
    else if (method === METHODS.notificationsResourcesUpdated && uris.has(uri as string)) {
      this.#onChange({ method, uri: uri as string });
    }
  }
}

/** Before the client is known, and for a probe. */
export const NO_CLIENT: GuestClient = {
  ask: () => Promise.reject(rpcError(ERROR_CODES.InvalidRequest, 'There is no client to ask')),
  notify: () => undefined,
};

/** A guest's question to the client, and whether it is still open. */
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
