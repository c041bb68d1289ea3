import { type Channel, LazyAbort } from '../../peer/index.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Events } from './events.js';
import type { PostPlace } from './post-channel.js';
import { emptyReply, type Reply } from './reply.js';

/** What belongs to the messages of one POST with several: a stream with all answers, if there will be any. */
export class Batch {
  readonly #place: PostPlace;
  /** One for each message. */
  readonly channels: readonly BatchChannel[];
  readonly reply: Reply;
  readonly #events: Events | undefined;
  #open: number;

  constructor(place: PostPlace, owner: string, messages: readonly JsonObject[]) {
    this.#place = place;
    const isAnswered = messages.some(({ id, method }) => id !== undefined && method !== undefined);
    const gone = new LazyAbort();
    this.#events = isAnswered ? place.openEvents(owner, gone) : undefined;
    this.#open = messages.length;
    this.reply = this.#events?.reply ?? emptyReply(202);
    this.channels = messages.map((message) => new BatchChannel(this, message, gone));
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    return this.#events?.send(message, text);
  }

  channelClosed(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#events?.end();
    this.#place.closed();
  }
}

class BatchChannel implements Channel {
  readonly message: JsonObject;
  readonly gone = new LazyAbort();
  #batch: Batch | undefined;

  constructor(batch: Batch, message: JsonObject, gone: LazyAbort) {
    this.message = message;
    this.#batch = batch;
    gone.addEventListener('abort', () => this.gone.abort(undefined));
  }

  send(message: JsonObject, text: string): Promise<void> | undefined {
    return this.#batch?.send(message, text);
  }

  close(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    batch?.channelClosed();
  }
}
