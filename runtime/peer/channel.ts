import type { JsonObject } from '../tasks/index.js';
import type { LazyAbort } from './lazy-abort.js';

/**
 * All that a peer knows of a connection: where the messages go that belong to one message of the other side, or to
 * none. A transport makes one for each HTTP request; a pipe has one for everything.
 */
export interface Channel {
  /**
   * Sends a message, whose text is known. Resolves when the next one may be sent without adding to a queue. `refused`
   * says that the peer itself refuses the request, and no handler ran: HTTP has other statuses for it.
   */
  send(message: JsonObject, text: string, refused?: boolean): Promise<void> | void;
  /** Nothing more belongs to the message: it is answered, or gets no answer. A pipe stays open. */
  close(): void;
  /** Aborted when what is sent does not reach the other side any more. */
  readonly gone: LazyAbort;
}
