import type { Party } from '../../validate/index.js';

/** A message, or what came in place of one, on its way from one side to the other. */
export interface Passing {
  readonly from: Party;
  /** The number of the session, from 1. */
  readonly session: number;
  /** A message, a batch of messages, or a text that is no JSON. */
  readonly message: unknown;
  /** Whether the message is JSON. */
  readonly isJson: boolean;
  /** The JSON of the message as it was sent. */
  readonly json?: string | undefined;
}

/** What becomes of a message that is not passed on as it is. */
export interface Ruling {
  /** Goes on to the other side in place of the message. Nothing goes on where it is absent. */
  readonly instead?: unknown;
  /** Goes back to the sender. */
  readonly back?: unknown;
  /** The status with which it goes back over HTTP. Default: 200. */
  readonly status?: number;
}

/** Looks at the messages between a client and a server. */
export interface Watcher {
  /**
   * Whether a message waits for what `see` returns. Otherwise it is passed on first, and `see` only watches.
   */
  readonly holds: boolean;
  /** Messages come one after the other, as they were sent. Undefined passes the message on. */
  see(passing: Passing): Promise<Ruling | undefined> | Ruling | undefined;
  /** A message was not looked at, because it exceeds a bound. `why`: in words that follow "The message". */
  unread(from: Party, why: string): void;
}

/** The most bytes of a message that is looked at: the same as in `validate`. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;
