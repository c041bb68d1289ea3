import type { IncomingMessage } from 'node:http';
import { EventCutter, withData } from './events.js';
import type { StreamPart } from './events.js';
import { messageInBody, sizeOf } from './message.js';
import { LONGEST_MESSAGE } from './watcher.js';
import type { Ruling, Watcher } from './watcher.js';

/** The bytes of a body, as long as they are not too many. */
class Gathered {
  size = 0;
  #chunks: Buffer[] = [];

  add(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.isTooLarge) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  get isTooLarge(): boolean {
    return this.size > LONGEST_MESSAGE;
  }

  message(): ReturnType<typeof messageInBody> {
    return this.isTooLarge ? { unread: sizeOf(this.size) } : messageInBody(this.bytes);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** The message in the body of a request. */
export class RequestBody {
  readonly #gathered = new Gathered();
  #session: number | undefined;
  #isUnread = false;

  constructor(
    readonly watcher: Watcher,
    readonly sessionOf: (message?: unknown) => number,
  ) {}

  /** Whether nothing more of it is kept, or it was not looked at. */
  get isUnread(): boolean {
    return this.#isUnread || this.#gathered.isTooLarge;
  }

  /** The number of the request's session. */
  get session(): number {
    return (this.#session ??= this.sessionOf());
  }

  add(chunk: Buffer): void {
    this.#gathered.add(chunk);
  }

  end(): Promise<Ruling | undefined> | Ruling | undefined {
    const { watcher } = this;
    const read = this.#gathered.message();
    if (!read) return undefined;
    if (read.unread !== undefined) {
      this.#isUnread = true;
      return void watcher.unread('client', read.unread);
    }
    this.#session = this.sessionOf(read.message);
    return watcher.see({ from: 'client', session: this.#session, ...read });
  }
}

/** The messages in the body of an answer: one, or those of an event stream. */
export class AnswerBody {
  readonly #gathered: Gathered | undefined;
  readonly #events: EventCutter | undefined;

  constructor(
    answer: IncomingMessage,
    isToGet: boolean,
    readonly session: number,
    readonly watcher: Watcher,
    readonly sendBack: (message: unknown) => void,
  ) {
    const type = answer.headers['content-type'] ?? '';
    // Clients read every answer to GET as a stream, and may read others without looking at the type.
    const isStream = /^text\/event-stream\b/i.test(type) || (watcher.holds && isToGet);
    if (isStream) this.#events = new EventCutter(LONGEST_MESSAGE);
    else if (watcher.holds || /^application\/json\b/i.test(type)) this.#gathered = new Gathered();
  }

  get hasMessages(): boolean {
    return this.#gathered !== undefined || this.#events !== undefined;
  }

  /** Whether it is one message, rather than a stream. */
  get isOne(): boolean {
    return this.#gathered !== undefined;
  }

  /** The bytes for the client. */
  async *add(chunk: Buffer): AsyncGenerator<Uint8Array | string> {
    const { holds } = this.watcher;
    if (!holds || !this.hasMessages) yield chunk;
    this.#gathered?.add(chunk);
    yield* this.#passed(this.#events?.push(chunk) ?? []);
  }

  async *end(): AsyncGenerator<Uint8Array | string> {
    yield* this.#passed(this.#events?.end() ?? []);
    if (!this.#gathered) return;
    const read = this.#gathered.message();
    const ruling = await this.#see(read);
    if (!this.watcher.holds || read?.unread !== undefined) return;
    if (!ruling) yield this.#gathered.bytes;
    else if (ruling.instead !== undefined) yield JSON.stringify(ruling.instead);
  }

  async *#passed(parts: readonly StreamPart[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      if ('tooLong' in part) {
        this.watcher.unread('server', sizeOf(part.tooLong));
        continue;
      }
      const isMessage = part.name === 'message' && part.data !== undefined;
      const read = isMessage ? messageInBody(Buffer.from(part.data ?? '')) : undefined;
      const ruling = await this.#see(read);
      if (!this.watcher.holds || read?.unread !== undefined) continue;
      // The event stays, because its id tells the client where to go on.
      const { instead } = ruling ?? {};
      const data = instead === undefined ? undefined : JSON.stringify(instead);
      yield ruling ? withData(part, data) : part.raw;
    }
  }

  async #see(read: ReturnType<typeof messageInBody>): Promise<Ruling | undefined> {
    if (!read) return undefined;
    if (read.unread !== undefined) return void this.watcher.unread('server', read.unread);
    const ruling = await this.watcher.see({ from: 'server', session: this.session, ...read });
    if (ruling?.back !== undefined) this.sendBack(ruling.back);
    return ruling;
  }
}
