import type { Answers } from '../connection.js';
import type { Exchange } from './exchange.js';

/** A session, as the door needs it. */
export interface DoorSession {
  readonly id: string;
  readonly answers: Answers;
  /** The requests that the door is answering, by id. */
  readonly open: Map<unknown, Exchange>;
}
