import type { IncomingMessage } from 'node:http';
import { eventReader } from '../../../runtime/transport/reading/events.js';
import { GrowingBytes } from '../../../runtime/transport/reading/growing-bytes.js';
import { messageIn, messageInBody, tooLong } from './message.js';
import { LONGEST_MESSAGE } from './watcher.js';
import type { Passing } from './watcher.js';

export type Read = Pick<Passing, 'message' | 'json' | 'fault'>;

/** The bytes of a body, or their beginning when they are too many. */
export class Gathered {
  size = 0;
  readonly #bytes = new GrowingBytes();

  add(chunk: Uint8Array): void {
    this.size += chunk.length;
    if (this.size <= LONGEST_MESSAGE || this.#bytes.length === 0) this.#bytes.add(chunk);
  }

  /** What is in it, by a function for a body that is not too large. */
  read(of: (bytes: Uint8Array) => Read | undefined): Read | undefined {
    const bytes = this.#bytes.whole();
    return this.size > LONGEST_MESSAGE ? tooLong(bytes) : of(bytes);
  }

  readStrictly(): Read | undefined {
    return this.read((bytes) => messageIn(bytes, true));
  }
}

/** Finds the messages in the body of an answer that passes in any case: one, or those of an event stream. */
export class AnswerBody {
  readonly #gathered: Gathered | undefined;
  readonly #take: ((chunk: Uint8Array) => void) | undefined;
  #found: Read[] = [];

  constructor(
    { headers }: IncomingMessage,
    readonly see: (read: Read) => Promise<void>,
  ) {
    const type = headers['content-type'] ?? '';
    if (/^application\/json\b/i.test(type)) this.#gathered = new Gathered();
    else if (/^text\/event-stream\b/i.test(type)) this.#take = this.#events();
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#gathered?.add(chunk);
    this.#take?.(chunk);
    for (const read of this.#found.splice(0)) await this.see(read);
  }

  async end(): Promise<void> {
    const read = this.#gathered?.read(messageInBody);
    if (read) await this.see(read);
  }

  #events(): (chunk: Uint8Array) => void {
    const add = (read: Read | undefined): void => void (read && this.#found.push(read));
    return eventReader(LONGEST_MESSAGE, {
      event: ({ type, data }) => {
        if (type === 'message') add(messageInBody(data));
      },
      tooLong: (begun) => add(tooLong(begun)),
    });
  }
}

/** The chunks of a body until its end, or until the connection is cut. */
export async function* chunksOf(body: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
  } catch {
    // `complete` says that it is cut.
  }
}
