import { METHODS } from '../../protocol.js';
import type { JsonObject } from '../../tasks/index.js';
import { every, type Timer } from '../timers.js';
import type { Account, Backlog } from './backlog.js';
import { Frames, SLICE, supersedingKey } from './frames.js';

/** Ends a stream whose reader does not keep up. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
  override readonly message = 'The reader is too slow';
}

/** What takes from a queue. */
export interface Reader {
  /** There is something to take, or the queue is over. */
  wake(): void;
  /** The queue has ended, because its reader is too slow. */
  cut(): void;
}

export interface OutgoingOptions {
  readonly backlog: Backlog;
  /** Called when the queue ends because its reader is too slow, and when messages begin to be dropped. */
  readonly onTooSlow: () => void;
  /** Called once, when nothing is sent any more: all was taken, the reader has left, or is too slow. */
  readonly onClosed?: () => void;
  /** What may wait when more is added. Default: `FULL`. */
  readonly most?: number;
  /** Whether log messages are dropped beyond `FULL`. Else they end the queue beyond `most`, as other messages do. */
  readonly dropsLogs?: boolean;
}

/** What may wait for one reader. */
const FULL = 2 ** 20;
/** A keep-alive, which clients ignore and proxies count as traffic. */
const COMMENT = ': keepalive\n\n';
/** Their senders do not wait, and would be many. */
const STATES: ReadonlySet<unknown> = new Set([
  METHODS.notificationsTasksStatus,
  METHODS.notificationsProgress,
]);

/**
 * What waits for one reader: an event stream, a long answer, or a pipe. A reader that is behind gets the last state of
 * each task and the last progress of each request; the queue ends when too much waits all the same.
 */
export class OutgoingQueue {
  readonly #frames = new Frames();
  readonly #options: OutgoingOptions;
  readonly #account: Account;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #isCut = false;
  #dropping = false;
  #reader: Reader | undefined;
  #room: Room | undefined;
  #keepAlive: Timer | undefined;

  constructor(options: OutgoingOptions) {
    this.#options = options;
    this.#account = options.backlog.open(this);
  }

  get waiting(): number {
    return this.#frames.waiting;
  }

  /** Whether so much waits that no more should be asked for. */
  get isFull(): boolean {
    return this.#frames.waiting > FULL;
  }

  /** Whether nothing is left to take, and nothing will come. */
  get isOver(): boolean {
    return this.#state !== 'open' && this.#frames.waiting === 0;
  }

  /** Adds a frame, with the message in it. The promise resolves when more may be sent without adding to the queue. */
  push(frame: string, message?: JsonObject): Promise<void> | undefined {
    if (this.#state !== 'open') return undefined;
    if (this.#drops(message)) return undefined;
    const before = this.#frames.waiting;
    const replaces = this.#frames.push(frame, keyOf, message);
    // What waited before decides, because a single frame may be larger. One that replaces another is welcome.
    if (before > (this.#options.most ?? FULL) && !replaces) {
      this.#cut();
      return undefined;
    }
    this.#account.added(this.#frames.waiting - before);
    this.#reader?.wake();
    if (this.#frames.waiting <= SLICE || STATES.has(message?.['method'])) return undefined;
    return (this.#room ??= withResolvers()).promise;
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    clearInterval(this.#keepAlive);
    if (this.#frames.waiting === 0) this.close();
    this.#reader?.wake();
  }

  /** The next piece, of at most `SLICE` characters. */
  take(): string | undefined {
    const piece = this.#frames.take();
    if (piece === undefined) return undefined;
    this.#account.taken(piece.length);
    const { waiting } = this.#frames;
    if (waiting <= SLICE) this.#release();
    if (waiting <= FULL) this.#dropping = false;
    if (this.isOver) this.close();
    return piece;
  }

  /** There is one reader. It is woken at once, to begin. */
  attach(reader: Reader): void {
    this.#reader = reader;
    if (this.#isCut) reader.cut();
    else reader.wake();
  }

  /** Sends a comment now and then while nothing waits. */
  keepAlive(ms: number): void {
    if (this.#state !== 'open') return;
    this.#keepAlive ??= every(ms, () => {
      if (this.#frames.waiting === 0) void this.push(COMMENT);
    });
  }

  /** The reader has left, or has all. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#frames.clear();
    this.#account.close();
    clearInterval(this.#keepAlive);
    this.#release();
    this.#options.onClosed?.();
  }

  /** For the backlog. */
  makeRoom(): void {
    this.#cut();
  }

  #cut(): void {
    if (this.#state === 'closed') return;
    this.#isCut = true;
    this.#options.onTooSlow();
    this.close();
    this.#reader?.cut();
  }

  #drops(message: JsonObject | undefined): boolean {
    if (this.#options.dropsLogs !== true || !this.isFull) return false;
    if (message?.['method'] !== METHODS.notificationsMessage) return false;
    if (!this.#dropping) this.#options.onTooSlow();
    this.#dropping = true;
    return true;
  }

  #release(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }
}

function keyOf(message: JsonObject | undefined): string | undefined {
  return message && supersedingKey(message);
}

interface Room {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolvers(): Room {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
