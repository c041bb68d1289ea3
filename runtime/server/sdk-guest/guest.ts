import { rpcError } from '../../peer/index.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../../protocol.js';
import {
  clientCapabilitiesOf,
  type Guest,
  type GuestHost,
  type JoinedGuest,
  type Owned,
  type SdkServer,
  type ServerExchange,
  type ServerRows,
  type Session,
  type WantedChanges,
  type Change,
} from '../guest.js';
import type { Dialect, JsonObject } from '../../tasks/index.js';
import { at, isObject, member } from '../../peer/wire/json.js';
import { ON_DEMAND } from '../../peer/wire/on-demand.js';
import { loadDialect } from '../../peer/wire/revision.js';
import { listenClient, requestClient, sessionClient } from './client.js';
import { Conversation, type Opening, withoutTasks } from './conversation.js';
import { assertApart, entriesOf, LISTS } from './lists.js';
import { joinedRows } from './rows.js';

export interface InvitedGuest {
  /** Makes a server for one client. */
  readonly make: () => SdkServer | Promise<SdkServer>;
  readonly owns: Owned;
  /** How the guest knows the server while it is asked what it has. */
  readonly serverInfo: JsonObject;
  readonly onError: (error: unknown) => void;
  /** Milliseconds for handshakes and lists. Default 10,000. */
  readonly patience?: number;
}

/**
 * A guest that is made anew for each session, and for each request without one. A first one says what it has: rejects
 * where it cannot be asked, and with a TypeError where the server itself has something of that name.
 */
export async function inviteGuest(invited: InvitedGuest): Promise<Guest> {
  await loadDialect('core', ON_DEMAND);
  const { make, owns, serverInfo, patience, onError } = invited;
  const used = new Set<SdkServer>();

  function open(
    opening: Opening,
    sessionId?: () => string | undefined,
    report = onError,
  ): Conversation {
    let server: SdkServer | undefined;
    return new Conversation({
      opening,
      ...(sessionId && { sessionId }),
      patience,
      onError: report,
      async connect() {
        const made = await make();
        if (used.has(made)) {
          throw new TypeError('`guest` returned a server that is in use: make one in each call');
        }
        used.add((server = made));
        return made;
      },
      onClosed: () => void (server && used.delete(server)),
    });
  }

  const name = { name: serverInfo['name'], version: serverInfo['version'] };
  const first = open({ capabilities: {}, clientInfo: name }, undefined, () => undefined);
  try {
    const handshake = await first.opened;
    const capabilities = featuresIn(handshake);
    first.notify(METHODS.notificationsInitialized);
    const schemas = new Map<unknown, unknown>();
    for (const list of LISTS) {
      if (!(list.feature in capabilities)) continue;
      const entries = await entriesOf(first, list);
      assertApart(list, entries, owns);
      if (list.feature !== 'tools') continue;
      for (const tool of entries) schemas.set(tool['name'], tool['inputSchema']);
    }
    return createGuest({
      open: (opening, sessionId) => open(opening, sessionId),
      capabilities,
      schemas,
      instructions: handshake['instructions'] as string | undefined,
    });
  } finally {
    first.close();
  }
}

/** What a server declares that another one can hand on. */
export function featuresIn(handshake: JsonObject): JsonObject {
  return withoutTasks(handshake['capabilities'] as JsonObject);
}

export interface GuestParts {
  readonly open: (opening: Opening, sessionId?: () => string | undefined) => Conversation;
  readonly capabilities: JsonObject;
  /** The JSON Schemas of tools' arguments, by name. */
  readonly schemas: ReadonlyMap<unknown, unknown>;
  readonly instructions?: string | undefined;
  /** What the answer to the client's handshake says of the server. */
  readonly introduction?: JsonObject;
}

export function createGuest(parts: GuestParts): Guest {
  return {
    capabilities: parts.capabilities,
    instructions: parts.instructions,
    inputSchemaOf: (tool) => parts.schemas.get(tool),
    join: (host) => new Joined(parts, host),
  };
}

class Joined implements JoinedGuest {
  readonly #parts: GuestParts;
  readonly #host: GuestHost;
  readonly #sessions = new Map<Session, Conversation>();

  constructor(parts: GuestParts, host: GuestHost) {
    this.#parts = parts;
    this.#host = host;
  }

  rows(dialect: Dialect, own: ServerRows): ServerRows {
    const { capabilities } = this.#parts;
    const rows = joinedRows(own, {
      host: this.#host,
      capabilities,
      within: (exchange, work) => this.#within(exchange, work),
    });
    return dialect === 'core' ? { ...rows, ...this.#handshake(own) } : rows;
  }

  notified(session: Session, method: string, params: JsonObject): void {
    this.#sessions.get(session)?.notify(method, params);
  }

  follow(
    exchange: ServerExchange,
    wanted: WantedChanges,
    onChange: (change: Change) => void,
  ): () => void {
    const guest = this.#open(exchange);
    guest.client = listenClient(exchange, wanted, onChange);
    guest.notify(METHODS.notificationsInitialized);
    if (at(this.#parts.capabilities, ['resources', 'subscribe']) === true) {
      for (const uri of wanted.uris) {
        if (this.#host.owns.resource(uri)) continue;
        // A resource that the guest does not have does not change.
        guest.soon(METHODS.resourcesSubscribe, { uri }, exchange).catch(() => undefined);
      }
    }
    return () => guest.close();
  }

  /** The handshake of a session opens the guest's. */
  #handshake(own: ServerRows): ServerRows {
    const row = own[METHODS.initialize];
    if (row === undefined) return {};
    const { introduction } = this.#parts;
    return {
      [METHODS.initialize]: {
        answer: async (params, exchange) => {
          const result = await row.answer(params, exchange);
          const { session } = exchange.origin;
          if (session !== undefined) this.#begin(session);
          return { ...result, ...introduction };
        },
      },
    };
  }

  #begin(session: Session): void {
    const { clientCapabilities: capabilities, clientInfo } = session;
    const guest = this.#parts.open({ capabilities, clientInfo }, () => session.id);
    guest.client = sessionClient(session, this.#host);
    this.#sessions.set(session, guest);
    session.peer.onClosed(() => {
      this.#sessions.delete(session);
      guest.close();
    });
  }

  #open(exchange: ServerExchange): Conversation {
    const info = member(exchange.meta, META_KEYS.clientInfo);
    return this.#parts.open({
      capabilities: clientCapabilitiesOf(exchange),
      clientInfo: isObject(info) ? info : UNKNOWN_CLIENT,
    });
  }

  async #within(
    exchange: ServerExchange,
    work: (guest: Conversation) => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const { session } = exchange.origin;
    if (session !== undefined) {
      const guest = this.#sessions.get(session);
      if (guest !== undefined) return work(guest);
      throw rpcError(ERROR_CODES.InvalidRequest, 'The session is not initialized');
    }
    const guest = this.#open(exchange);
    guest.client = requestClient(exchange);
    try {
      guest.notify(METHODS.notificationsInitialized);
      await this.#tellLevel(guest, exchange);
      return await work(guest);
    } finally {
      guest.close();
    }
  }

  /** A request without a session names the least severe level of the log messages that it wants; none without. */
  async #tellLevel(guest: Conversation, exchange: ServerExchange): Promise<void> {
    const level = member(exchange.meta, META_KEYS.logLevel);
    if (level === undefined || !('logging' in this.#parts.capabilities)) return;
    await guest.soon(METHODS.loggingSetLevel, { level }, exchange).catch(() => undefined);
  }
}

const UNKNOWN_CLIENT = { name: 'unknown', version: '0' };
