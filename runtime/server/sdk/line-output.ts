import type { JsonObject } from '../../tasks/index.js';
import { METHODS } from '../../protocol/index.js';
import { createFrameQueue, SLICE, supersedingKey } from './frame-queue.js';

/** Bytes that may wait for the reader before the server takes no more requests, and drops log messages. */
export const MOST_WAITING = 2 ** 20;
/** Bytes beyond which the connection is closed. */
const MOST_EVER = 2 ** 26;

export interface LineOutputOptions {
  /** Called when less than `MOST_WAITING` waits again. */
  readonly onRoom: () => void;
  /** Called when messages begin to be dropped, and when `onOverflow` is. */
  readonly onTooSlow: () => void;
  /** Called when too much waits, although no more requests are taken. */
  readonly onOverflow: () => void;
}

export interface LineOutput {
  /** Resolves when the next message may be sent without adding to a queue. */
  send(message: JsonObject, text?: string): Promise<void>;
  /** In bytes, beside those that the sink has taken. */
  readonly waiting: number;
  readonly isFull: boolean;
  /** Hands over what waits, and resolves every `send`. */
  flush(): void;
}

const SENT = Promise.resolve();

/**
 * Writes the messages of one turn of the event loop at once. When the reader is behind, a notification replaces an
 * earlier one that says no more, and log messages are dropped; every other message waits for its turn.
 */
export function createLineOutput(
  sink: NodeJS.WritableStream,
  options: LineOutputOptions,
): LineOutput {
  const queue = createFrameQueue();
  let state: 'idle' | 'scheduled' | 'draining' = 'idle';
  let dropping = false;
  let room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  const isFull = (): boolean => queue.waiting > MOST_WAITING;

  function schedule(): void {
    if (state !== 'idle') return;
    state = 'scheduled';
    setImmediate(write);
  }

  function write(): void {
    if (state === 'scheduled') state = 'idle';
    const wasFull = isFull();
    for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
      if (sink.write(piece)) continue;
      state = 'draining';
      sink.once('drain', drained);
      break;
    }
    if (queue.waiting <= SLICE) release();
    if (!wasFull || isFull()) return;
    dropping = false;
    options.onRoom();
  }

  function drained(): void {
    state = 'idle';
    schedule();
  }

  function release(): void {
    room?.resolve();
    room = undefined;
  }

  function drop(): void {
    if (!dropping) options.onTooSlow();
    dropping = true;
  }

  return {
    get waiting() {
      return queue.waiting;
    },
    get isFull() {
      return isFull();
    },
    send(message, text = JSON.stringify(message)) {
      if (isFull() && message['method'] === METHODS.notificationsMessage) {
        drop();
        return SENT;
      }
      if (queue.waiting > MOST_EVER) {
        options.onTooSlow();
        options.onOverflow();
        return SENT;
      }
      queue.push(Buffer.from(`${text}\n`), () => supersedingKey(message));
      schedule();
      // Their senders do not wait, and would be many.
      if (queue.waiting <= SLICE || STATES.has(message['method'])) return SENT;
      room ??= withResolvers();
      return room.promise;
    },
    flush() {
      for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) sink.write(piece);
      release();
    },
  };
}

const STATES: ReadonlySet<unknown> = new Set([
  METHODS.notificationsTasksStatus,
  METHODS.notificationsProgress,
]);

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
