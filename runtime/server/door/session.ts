import type { Answers } from '../connection.js';
import type { ServerContext } from '@modelcontextprotocol/server';

import type { JsonObject, TransientMap } from '../../tasks/index.js';
import type { Operation } from '../../telemetry/index.js';
import type { Exchange } from './exchange.js';

/** A session, as the door needs it. */
export interface DoorSession {
  readonly id: string;
  readonly answers: Answers;
  /** The requests that the door is answering, by id. */
  readonly open: TransientMap<unknown, Exchange>;
  /** Those that were cancelled, and whose streams are open. */
  readonly cancelled: Set<Exchange>;
}

/** The one client at the other end of a pipe. */
export interface DoorPipe extends Pick<DoorSession, 'answers' | 'open'> {
  /** Sends an answer, whose text is known. */
  readonly send: (message: JsonObject, text: string) => void;
  /** See `HandOver`. */
  readonly handOver: (
    message: JsonObject,
    continuation: (ctx: ServerContext) => Promise<JsonObject>,
    operation: Operation,
  ) => Promise<unknown>;
}
