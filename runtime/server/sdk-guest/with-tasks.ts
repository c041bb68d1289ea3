import { errorOf, rpcError, type Channel, LazyAbort } from '../../peer/index.js';
import { DIALECT_VERSIONS, ERROR_CODES, METHODS } from '../../protocol.js';
import {
  ANYBODY,
  assertIdentified,
  assertUnidentified,
  type AuthInfo,
  IdentityError,
  LOCAL_OWNER,
  ownerOf,
  type SdkServer,
  type Session,
  settled,
} from '../guest.js';
import type { TaskServer } from '../index.js';
import type { JsonObject } from '../../tasks/index.js';
import { claimedIn } from '../../peer/wire/revision.js';
import { isObject, member } from '../../peer/wire/json.js';
import { Conversation, type Opening } from './conversation.js';
import { createGuest, featuresIn } from './guest.js';
import type { MessageExtra, SdkTransport } from './transport.js';

/** Who calls. Default: what the SDK's `requireBearerAuth` says of each request, with `issuer` and `subject` in `extra`. */
export interface WithTasksOptions {
  /** The transport is a pipe of the local user, such as stdio. */
  readonly local?: boolean;
  /** Serves anybody who reaches the transport, all as one caller. Tasks are then protected by nothing but their ids. */
  readonly allowUnidentified?: boolean;
  /** Asks unidentified callers for input (elicitation) too. */
  readonly allowUnidentifiedInput?: boolean;
}

/** Takes the place of an `McpServer` between the user's code and a transport of the SDK. */
export interface ServerWithTasks {
  /** Serves the one client of the transport, until the transport or the server closes. */
  connect(transport: SdkTransport): Promise<void>;
  close(): Promise<void>;
}

/**
 * A server of the SDK with the tools and tasks of `tasks`, on the user's own transport. Many may share the tasks: one
 * for each session, or one for each request of a server without sessions. Throws a TypeError where they serve no
 * sessions, or declare what unidentified callers cannot get.
 */
export function withTasks(
  server: SdkServer,
  tasks: TaskServer,
  options: WithTasksOptions = {},
): ServerWithTasks {
  if (!tasks.revisions.includes(DIALECT_VERSIONS.core)) {
    throw new TypeError(
      `withTasks serves sessions: add ${DIALECT_VERSIONS.core} to \`revisions\` of createTaskServer`,
    );
  }
  const { allowUnidentified, allowUnidentifiedInput = false } = options;
  if (allowUnidentified) assertIdentified(tasks.scoped);
  if (allowUnidentified && tasks.capabilities) {
    assertUnidentified(tasks.capabilities, allowUnidentifiedInput);
  }
  return {
    async connect(transport) {
      await new Connection(server, tasks, options, transport as Transport).start();
    },
    close: () => server.close(),
  };
}

/** The user's transport, with messages that are objects. */
type Transport = Omit<SdkTransport, 'send' | 'onmessage'> & {
  send(message: JsonObject, options?: object): Promise<void>;
  onmessage?: ((message: JsonObject, extra?: MessageExtra) => void) | undefined;
};

class Connection {
  readonly #tasks: TaskServer;
  readonly #options: WithTasksOptions;
  readonly #transport: Transport;
  /** Undefined until the first message says who the client is. */
  #session: Session | undefined;
  readonly #guest: Conversation;
  #serving: ReturnType<TaskServer['serve']> | undefined;
  #knows: (opening: Opening) => void = () => undefined;
  #opening: Promise<void> | undefined;
  /** Of the caller that the session belongs to. */
  #owner: string | undefined;
  #closed = false;

  constructor(
    server: SdkServer,
    tasks: TaskServer,
    options: WithTasksOptions,
    transport: Transport,
  ) {
    this.#tasks = tasks;
    this.#options = options;
    this.#transport = transport;
    this.#guest = new Conversation({
      connect: () => server,
      opening: new Promise((resolve) => (this.#knows = resolve)),
      sessionId: () => transport.sessionId,
      onError: tasks.onError,
      onClosed: () => this.#close(true),
    });
  }

  async start(): Promise<void> {
    const transport = this.#transport;
    await this.#guest.connected;
    // The user may have set them, as for the SDK's own servers.
    const { onmessage, onclose, onerror } = transport;
    transport.onmessage = (message, extra) => {
      onmessage?.(message, extra);
      this.#receive(message, extra);
    };
    transport.onclose = () => {
      onclose?.();
      this.#close(false);
    };
    transport.onerror = (error) => {
      onerror?.(error);
      this.#guest.failed(error);
    };
    transport.setSupportedProtocolVersions?.([...this.#tasks.revisions]);
    await transport.start();
  }

  #receive(message: JsonObject, extra: MessageExtra | undefined): void {
    let who: AuthInfo | undefined;
    try {
      who = this.#identified(extra);
    } catch (error) {
      if (error instanceof IdentityError) this.#tasks.onError(error);
      return this.#refuse(message, error);
    }
    const hand = (): void => {
      const session = this.#session;
      if (session === undefined || this.#closed) return;
      const origin = { who, session, http: undefined, extra };
      session.peer.receive(message, this.#channel(message['id']), origin);
    };
    if (this.#session !== undefined) return hand();
    // A client that tries a revision without sessions first then opens a session.
    if (claimedIn(message) !== undefined) return this.#refuse(message, NO_SESSION);
    this.#opening ??= this.#open(message, extra).catch((error: unknown) => {
      this.#tasks.onError(error);
      throw error;
    });
    this.#opening.then(hand, () => this.#refuse(message, NOT_AVAILABLE));
  }

  /** Throws for a caller that nothing identifies, and for one that the session does not belong to. */
  #identified(extra: MessageExtra | undefined): AuthInfo | undefined {
    if (this.#isUnidentified()) return undefined;
    if (!isObject(extra?.authInfo)) {
      throw new IdentityError(
        'The request carries no `authInfo`: put `requireBearerAuth` in front, or set `local` or `allowUnidentified`',
      );
    }
    const who = settled(extra.authInfo as unknown as AuthInfo);
    this.#owner ??= ownerOf(who);
    if (this.#owner === ownerOf(who)) return who;
    throw rpcError(ERROR_CODES.InvalidRequest, 'The session belongs to another caller');
  }

  #isUnidentified(): boolean {
    return this.#options.local === true || this.#options.allowUnidentified === true;
  }

  /** The guest gets to know its client first, and the client then gets to know both. */
  async #open(first: JsonObject, extra: MessageExtra | undefined): Promise<void> {
    const isHandshake = first['method'] === METHODS.initialize && isObject(first['params']);
    const said = isHandshake ? first['params'] : undefined;
    const [capabilities, clientInfo] = [member(said, 'capabilities'), member(said, 'clientInfo')];
    this.#knows({
      capabilities: isObject(capabilities) ? capabilities : {},
      clientInfo: isObject(clientInfo) ? clientInfo : UNKNOWN_CLIENT,
    });
    const handshake = await this.#guest.opened;
    const { serverInfo, instructions } = handshake;
    const { local, allowUnidentified, allowUnidentifiedInput = false } = this.#options;
    const serving = this.#tasks.serve({
      identification: local ? LOCAL_OWNER : allowUnidentified ? ANYBODY : 'authorization',
      asksUnidentified: allowUnidentifiedInput,
      guest: createGuest({
        open: () => this.#guest,
        capabilities: featuresIn(handshake),
        schemas: new Map(),
        introduction: { serverInfo, ...(instructions !== undefined && { instructions }) },
      }),
    });
    this.#serving = serving;
    const session = serving.openSession(this.#transport.sessionId, this.#channel(undefined));
    // A server without sessions gets each request on a transport of its own, and no handshake.
    if (!isHandshake) await begin(session, extra);
    this.#session = session;
  }

  #channel(id: unknown): SdkChannel {
    return new SdkChannel(this.#transport, id, (error) => this.#guest.failed(error));
  }

  #refuse({ id, method }: JsonObject, error: unknown): void {
    if (id === undefined || method === undefined) return;
    const answer = { jsonrpc: '2.0', id, error: errorOf(error) };
    this.#transport.send(answer).catch((failure: Error) => this.#guest.failed(failure));
  }

  #close(closesTransport: boolean): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#session?.peer.close();
    this.#serving?.close();
    this.#guest.close();
    if (closesTransport) this.#transport.close().catch(this.#tasks.onError);
  }
}

const NO_SESSION = rpcError(ERROR_CODES.MethodNotFound, 'Method not found: open a session first');
const NOT_AVAILABLE = new Error('The server is not available');
const UNKNOWN_CLIENT = { name: 'unknown', version: '0' };

/** The handshake that a client had with another transport. It declared nothing there that could be used here. */
async function begin(session: Session, extra: MessageExtra | undefined): Promise<void> {
  const params = {
    protocolVersion: versionIn(extra) ?? DIALECT_VERSIONS.core,
    capabilities: {},
    clientInfo: UNKNOWN_CLIENT,
  };
  const message = { jsonrpc: '2.0', id: 'handshake', method: METHODS.initialize, params };
  await new Promise<void>((resolve) => {
    const answered = new SdkChannel(
      { send: () => Promise.resolve(resolve()) },
      undefined,
      () => undefined,
    );
    session.peer.receive(message, answered, { who: undefined, session, http: undefined });
  });
}

/** The revision that the HTTP request names. */
function versionIn(extra: MessageExtra | undefined): unknown {
  const name = 'mcp-protocol-version';
  const { request, requestInfo } = extra ?? {};
  return request?.headers.get(name) ?? (requestInfo?.headers as JsonObject | undefined)?.[name];
}

interface Sends {
  send(message: JsonObject, options?: object): Promise<void>;
}

/** What belongs to one message of a client, on a transport of the SDK; or to none, without an `id`. */
class SdkChannel implements Channel {
  readonly gone = new LazyAbort();
  readonly #transport: Sends;
  readonly #id: unknown;
  readonly #onError: (error: Error) => void;

  constructor(transport: Sends, id: unknown, onError: (error: Error) => void) {
    this.#transport = transport;
    this.#id = id;
    this.#onError = onError;
  }

  send(message: JsonObject): Promise<void> {
    const belongs = this.#id !== undefined && message['method'] !== undefined;
    const options = belongs ? { relatedRequestId: this.#id } : undefined;
    return this.#transport.send(message, options).catch(this.#onError);
  }

  close(): void {
    // The transport ends the stream of a request with its answer.
  }
}
