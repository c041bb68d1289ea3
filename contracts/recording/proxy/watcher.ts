import type { Address } from '../../../runtime/transport/reading/envelope.js';
import type { Party } from '../../validate/index.js';

/** A message, or what came in place of one, on its way from one side to the other. */
export interface Passing {
  readonly from: Party;
  /** The number of the session, from 1. */
  readonly session: number;
  /** A message or a batch of messages; for what is none, the beginning of its text. */
  readonly message: unknown;
  /** The JSON of the message as it was sent. */
  readonly json?: string | undefined;
  readonly fault?: Fault | undefined;
  /** The headers that came with the message of a client, over HTTP. */
  readonly headers?: Headers | undefined;
}

/** Why there is no message. */
export interface Fault {
  readonly kind: 'not-json' | 'too-large' | 'ambiguous';
  /** The code of JSON-RPC for it. */
  readonly code: number;
  /** Words that follow "The message". */
  readonly why: string;
  /** The id in it, if it can be read. */
  readonly address: Address | undefined;
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
   * Whether a message waits for what `see` returns, and is written anew. Otherwise all bytes are passed on first, and
   * `see` only watches.
   */
  readonly holds: boolean;
  /** Messages come one after the other, as they were sent. Undefined passes the message on. */
  see(passing: Passing): Promise<Ruling | undefined> | Ruling | undefined;
  /** A request of a client was refused by a status of HTTP. It may be sent again. */
  refused?(session: number, request: unknown): void;
}

/** The most bytes of a message that is looked at: the same as in `validate`. */
export const LONGEST_MESSAGE = 32 * 1024 * 1024;
