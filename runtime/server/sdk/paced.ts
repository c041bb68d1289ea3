import type { Backlog } from './backlog.js';
import { messageIn } from './event-stream.js';
import { createFrameQueue, SLICE, supersedingKey } from './frame-queue.js';

/** Ends a stream whose reader does not keep up. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
  override readonly message = 'The reader is too slow';
}

/** Bytes of one stream that may wait for its reader when more is added. */
const MOST_WAITING = 2 ** 20;
export interface PaceOptions {
  /** Its signal ends the stream. It is kept, because Node would collect the controller of the signal. */
  readonly request: Request;
  readonly backlog: Backlog;
  /** Bytes before the first of the source. */
  readonly opening?: Uint8Array;
  /**
   * Whether the source waits for its reader. The SDK's streams do not: they queue without end, so they are
   * read as they come. A reader that is behind gets the last state of each task, and the last progress of each
   * request. The stream ends when more than 1 MiB waits for its reader all the same.
   */
  readonly waits: boolean;
  /** Called when the stream ends because its reader is too slow. */
  readonly onTooSlow?: () => void;
  /** Called once, when the stream has ended or its reader has disconnected. */
  readonly onEnd?: () => void;
}

/** The same bytes, with a bound for those that wait for the reader. */
export function paced(
  source: ReadableStream<Uint8Array>,
  { request, backlog, opening, waits, onTooSlow, onEnd }: PaceOptions,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const queue = createFrameQueue();
  let wake = (): void => undefined;
  let state: 'open' | 'complete' | 'ended' = 'open';
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const account = backlog.open(() => endSlow());

  function endSlow(): void {
    if (state === 'ended') return;
    onTooSlow?.();
    end(new TooSlow());
  }

  function push(chunk: Uint8Array): void {
    const before = queue.waiting;
    queue.push(chunk, () => keyOf(chunk));
    const more = queue.waiting - before;
    // What waited before decides, because a single event may be larger. An event that replaces another is welcome.
    if (!waits && before > MOST_WAITING && more === chunk.byteLength) return endSlow();
    account.added(more);
    wake();
  }

  function shift(): Uint8Array | undefined {
    const slice = queue.shift();
    if (slice !== undefined) account.taken(slice.byteLength);
    return slice;
  }

  async function fetch(): Promise<void> {
    try {
      const { done, value } = await reader.read();
      if (done) state = state === 'open' ? 'complete' : state;
      else if (state === 'open') push(value);
    } catch (error) {
      end(error);
    }
    wake();
  }

  async function drain(): Promise<void> {
    while (state === 'open') await fetch();
  }

  function release(): void {
    if (state === 'ended') return;
    state = 'ended';
    queue.clear();
    account.close();
    request.signal.removeEventListener('abort', leave);
    reader.cancel().catch(() => undefined);
    wake();
    onEnd?.();
  }

  function end(error: unknown): void {
    if (state === 'ended') return;
    release();
    controller?.error(error);
  }

  function leave(): void {
    if (state === 'ended') return;
    release();
    controller?.close();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
        if (opening !== undefined) push(opening);
        request.signal.addEventListener('abort', leave, { once: true });
        if (request.signal.aborted) leave();
        else if (!waits) void drain();
      },
      async pull(own) {
        for (;;) {
          const slice = shift();
          if (slice !== undefined) return own.enqueue(slice);
          if (state === 'complete') leave();
          if (state === 'ended') return;
          await (waits ? fetch() : new Promise<void>((resolve) => (wake = resolve)));
        }
      },
      cancel: release,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}

/** The SDK writes each event at once. No notification that another one replaces is longer than `SLICE`. */
function keyOf(chunk: Uint8Array): string | undefined {
  if (chunk.byteLength > SLICE) return undefined;
  const message = messageIn(new TextDecoder().decode(chunk));
  return message && supersedingKey(message);
}
