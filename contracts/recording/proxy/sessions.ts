import type { IncomingMessage } from 'node:http';
import { META_KEYS } from '../../../runtime/protocol.js';
import { at, BoundedMap, isId, isRecord, textAt } from '../../validate/index.js';

const HEADER = 'mcp-session-id';
const MOST = { entries: 10_000, characters: 1_000_000 };
/** Of one connection. */
const MOST_VERSIONS = 20;
/** Stands for the version of a conversation that began with a handshake without an id. */
const HANDSHAKE = 'initialize';

/**
 * Numbers the conversations with an HTTP server: by `Mcp-Session-Id`, or else by connection and version. A client has several
 * connections, so a request of a new one belongs to the latest conversation of its version.
 */
export class SessionNumbers {
  readonly #named = new BoundedMap<number>(MOST);
  readonly #latest = new BoundedMap<number>(MOST);
  readonly #ofConnection = new WeakMap<object, Map<string, number>>();
  readonly #open = new Map<string, number>();
  #last = 0;

  /** The number of a request with this message, if it has one. */
  of(incoming: IncomingMessage, message?: unknown): number {
    const { headers } = incoming;
    const id = headers[HEADER];
    if (typeof id === 'string') return this.#named.get(id) ?? this.#name(id, this.#next());
    if (isRecord(message) && message['method'] === HANDSHAKE) {
      return this.#belongs(incoming, HANDSHAKE, this.#next());
    }
    const stateless = textAt(message, 'params', '_meta', META_KEYS.protocolVersion);
    const version = stateless ?? textAt(headers, 'mcp-protocol-version') ?? HANDSHAKE;
    const own = this.#connection(incoming);
    const found =
      own.get(version) ??
      (stateless === undefined ? own.get(HANDSHAKE) : undefined) ??
      this.#latest.get(version) ??
      (stateless === undefined ? this.#latest.get(HANDSHAKE) : undefined);
    const number = found ?? this.#next();
    // Another client, because no request that is open has the same id.
    const isOther = stateless !== undefined && this.#open.has(keyOf(number, message));
    return this.#belongs(incoming, version, isOther ? this.#next() : number);
  }

  /** Notes a request until it is over: call what it returns then. */
  opened(number: number, message: unknown): () => void {
    if (!isRecord(message) || !isId(message['id'])) return () => undefined;
    const key = keyOf(number, message);
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#open.get(key) ?? 1) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }

  /** Notes the id that the server gives to a session that begins. */
  named(answer: IncomingMessage, number: number): void {
    const id = answer.headers[HEADER];
    if (typeof id === 'string') this.#name(id, number);
  }

  /** Notes the version that the answer to a handshake settles. */
  settled(number: number, message: unknown): void {
    const version = textAt(message, 'result', 'protocolVersion');
    if (version !== undefined) this.#latest.set(version, number, [version]);
  }

  #belongs(incoming: IncomingMessage, version: string, number: number): number {
    const own = this.#connection(incoming);
    if (version === HANDSHAKE || own.size > MOST_VERSIONS) own.clear();
    own.set(version, number);
    if (this.#latest.get(version) === undefined || version === HANDSHAKE) {
      this.#latest.set(version, number, [version]);
    }
    return number;
  }

  #connection({ socket }: IncomingMessage): Map<string, number> {
    const known = this.#ofConnection.get(socket) ?? new Map<string, number>();
    this.#ofConnection.set(socket, known);
    return known;
  }

  #name(id: string, number: number): number {
    this.#named.set(id, number, []);
    return number;
  }

  #next(): number {
    return (this.#last += 1);
  }
}

function keyOf(number: number, message: unknown): string {
  return `${String(number)} ${JSON.stringify(at(message, 'id'))}`;
}
