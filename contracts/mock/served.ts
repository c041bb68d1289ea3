import {
  type Channel,
  type Methods,
  Peer,
  type PeerOptions,
  type ProtocolError,
  rpcError,
} from '../../runtime/peer/index.js';
import {
  DIALECT_VERSIONS,
  ERROR_CODES,
  METHODS,
  type RevisionVersion,
} from '../../runtime/protocol.js';
import { isRpcError, type JsonObject, messageOf } from '../../runtime/tasks/index.js';
import { NO_OPERATIONS } from '../../runtime/telemetry/index.js';
import type { Served } from '../../runtime/transport/index.js';
import { claimedIn, type Revision } from '../../runtime/peer/wire/revision.js';
import { Behind, type Serving } from './behind.js';
import { withNumbers } from '../validate/index.js';
import type { Answering } from './answering.js';
import { NO_PARAMS } from './player.js';
import { dialectOfVersion, isSpoken, uncheckedRevision } from './revisions.js';
import { Cursors, type MockOrigin, MockSession } from './session.js';

type Method = NonNullable<ReturnType<Methods<MockOrigin>['get']>>;

/** A mock as the transports serve it: a player, or a server of the runtime, whose sessions are its own. */
export type AnyServed = Served<undefined, MockSession>;

export interface MockServedParts {
  readonly answering: Answering;
  /** What answers requests that were not recorded. */
  readonly serving: Serving;
  /** The revisions that clients may speak. */
  readonly versions: readonly RevisionVersion[];
  readonly onProblem: (error: unknown) => void;
}

/** A mock as the transports serve it. */
export class MockServed implements Served<undefined, MockSession> {
  readonly versions: readonly RevisionVersion[];
  readonly #parts: MockServedParts;
  /** Of clients without sessions, which cannot be told apart. */
  readonly #cursors = new Cursors();

  constructor(parts: MockServedParts) {
    this.#parts = parts;
    this.versions = parts.versions;
  }

  requests(isPipe: boolean): Peer<MockOrigin> | undefined {
    if (!this.versions.some((each) => dialectOfVersion(each) === 'ext')) return undefined;
    const behind = this.#parts.serving.requests(isPipe);
    if (behind === undefined) return undefined;
    const options = this.#optionsOf(isPipe, (message) => this.#claimed(message));
    return new MockPeer({ ...options, methodsIn: this.#methodsFor(new Behind(behind)) });
  }

  openSession(id: string | undefined, standalone: Channel): MockSession {
    const first = uncheckedRevision(DIALECT_VERSIONS.core);
    const options = this.#optionsOf(true, (_message, { session }) => session?.revision ?? first);
    const { serving } = this.#parts;
    const behind = Behind.ofSession(serving, standalone);
    let resolve: () => void;
    const begun = new Promise<void>((done) => (resolve = done));
    const peer = new MockPeer({
      ...options,
      methodsIn: this.#methodsFor(behind),
      onNotification(method) {
        if (method === METHODS.notificationsInitialized) resolve();
      },
    });
    return new MockSession(id, written(standalone), peer, behind, begun);
  }

  refuseVersion(message: JsonObject): ProtocolError | undefined {
    const claimed = this.#claimed(message);
    return claimed instanceof Error ? claimed : undefined;
  }

  inputSchemaOf(tool: string): unknown {
    return this.#parts.serving.inputSchemaOf(tool);
  }

  /** A notification over a pipe names no revision. */
  #claimed(message: JsonObject): Revision | ProtocolError {
    const claimed = claimedIn(message) ?? DIALECT_VERSIONS.ext;
    const supported = this.versions.filter((each) => dialectOfVersion(each) === 'ext');
    if (isSpoken(claimed) && supported.includes(claimed)) return uncheckedRevision(claimed);
    const shown = typeof claimed === 'string' ? claimed : JSON.stringify(claimed);
    return rpcError(
      ERROR_CODES.UnsupportedProtocolVersion,
      `Unsupported protocol version: ${shown}`,
      { supported: supported.length > 0 ? supported : this.versions, requested: shown },
    );
  }

  #optionsOf(
    isConversation: boolean,
    revisionOf: PeerOptions<MockOrigin>['revisionOf'],
  ): Omit<PeerOptions<MockOrigin>, 'methodsIn'> {
    const { onProblem } = this.#parts;
    return {
      other: 'client',
      isConversation,
      revisionOf,
      operations: NO_OPERATIONS,
      factsOf: () => ({ transport: 'pipe' }),
      invalidAnswer: ({ message }) => rpcError(ERROR_CODES.InvalidParams, message),
      onLateAnswer: () => undefined,
      onProblem,
    };
  }

  #methodsFor(behind: Behind): () => Methods<MockOrigin> {
    const methods = new AllMethods((method) => this.#method(method, behind));
    return () => methods;
  }

  #method(method: string, behind: Behind): Method {
    const { answering } = this.#parts;
    return {
      method,
      checkedAs: method,
      info: { carrier: 'message', senders: ['client'], capabilities: [] } as never,
      answer: (params, exchange) => {
        const { session } = exchange.origin;
        const cursors = session?.cursors ?? this.#cursors;
        return shown(answering.answer({ method, params, exchange, cursors, behind }));
      },
    };
  }
}

/** A mock serves its author, so its own errors are answers: that the recording has changed, for example. */
async function shown(answer: ReturnType<Answering['answer']>): Promise<JsonObject> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && isRpcError(error)) throw error;
    throw rpcError(ERROR_CODES.InternalError, messageOf(error));
  }
}

/** Sends recorded numbers as they were written. */
class MockPeer extends Peer<MockOrigin> {
  override receive(message: unknown, channel: Channel, origin: MockOrigin): void {
    super.receive(message, written(channel), origin);
  }
}

function written(channel: Channel): Channel {
  return {
    send(message, text, refused) {
      const { params, ...bare } = message;
      return params === NO_PARAMS
        ? channel.send(bare, JSON.stringify(bare), refused)
        : channel.send(message, withNumbers(text), refused);
    },
    close: () => channel.close(),
    get gone() {
      return channel.gone;
    },
  };
}

/** A server may have answered any method. */
class AllMethods extends Map<string, Method> {
  readonly #make: (method: string) => Method;

  constructor(make: (method: string) => Method) {
    super();
    this.#make = make;
  }

  override get(method: string): Method {
    return this.#make(method);
  }
}
