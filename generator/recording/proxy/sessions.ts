import type { IncomingMessage } from 'node:http';
import { BoundedMap, isRecord } from '../../validate/index.js';

const HEADER = 'mcp-session-id';
const MOST = { entries: 10_000, characters: 1_000_000 };

/** Numbers the sessions of an HTTP server. Requests without a session are one conversation, unless they begin one. */
export class SessionNumbers {
  readonly #numbers = new BoundedMap<number>(MOST);
  #last = 0;
  #without: number | undefined;

  /** The number of a request with this message, if it has one. */
  of({ headers }: IncomingMessage, message?: unknown): number {
    const id = headers[HEADER];
    if (typeof id === 'string') return this.#numbers.get(id) ?? this.#name(id, this.#next());
    if (isRecord(message) && message['method'] === 'initialize') return this.#next();
    return (this.#without ??= this.#next());
  }

  /** Notes the id that the server gives to a session that begins. */
  named(answer: IncomingMessage, number: number): void {
    const id = answer.headers[HEADER];
    if (typeof id === 'string') this.#name(id, number);
  }

  #name(id: string, number: number): number {
    this.#numbers.set(id, number, []);
    return number;
  }

  #next(): number {
    return (this.#last += 1);
  }
}
