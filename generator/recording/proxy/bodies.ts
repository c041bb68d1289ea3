import type { IncomingMessage } from 'node:http';
import { EventCutter, withData } from './events.js';
import type { StreamPart } from './events.js';
import { messageInBody } from './message.js';
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

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** The message in the body of a request. */
export class RequestBody {
  readonly #gathered = new Gathered();
  #session: number | undefined;

  constructor(
    readonly watcher: Watcher,
    readonly sessionOf: (message?: unknown) => number,
  ) {}

  get isTooLarge(): boolean {
    return this.#gathered.isTooLarge;
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
    if (this.isTooLarge) watcher.tooLarge('client', this.#gathered.size);
    const read = this.isTooLarge ? undefined : messageInBody(this.#gathered.text);
    if (!read) return undefined;
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
    if (this.#gathered.isTooLarge) this.watcher.tooLarge('server', this.#gathered.size);
    const { isTooLarge, text, bytes } = this.#gathered;
    const ruling = isTooLarge ? undefined : await this.#see(text);
    if (!this.watcher.holds) return;
    if (!ruling) yield bytes;
    else if (ruling.instead !== undefined) yield JSON.stringify(ruling.instead);
  }

  async *#passed(parts: readonly StreamPart[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      if ('tooLong' in part) {
        this.watcher.tooLarge('server', part.tooLong);
        continue;
      }
      const isMessage = part.name === 'message' && part.data !== undefined;
      const ruling = isMessage ? await this.#see(part.data ?? '') : undefined;
      if (!this.watcher.holds) continue;
      // The event stays, because its id tells the client where to go on.
      const { instead } = ruling ?? {};
      const data = instead === undefined ? undefined : JSON.stringify(instead);
      yield ruling ? withData(part, data) : part.raw;
    }
  }

  async #see(text: string): Promise<Ruling | undefined> {
    const read = messageInBody(text);
    if (!read) return undefined;
    const ruling = await this.watcher.see({ from: 'server', session: this.session, ...read });
    if (ruling?.back !== undefined) this.sendBack(ruling.back);
    return ruling;
  }
}
