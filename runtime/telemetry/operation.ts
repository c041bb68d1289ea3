import type { Answer, Facts, Interruption, Message } from './attributes.js';

/** One request or notification, from its arrival to its answer. */
export interface Operation {
  /** Runs `work` in the operation's trace. */
  run<T>(work: () => T): T;
  /** The first call counts. */
  end(answer?: Answer): void;
}

export interface Operations {
  /** A message that a peer sent. `startedAt` is milliseconds since the epoch, for one that began before. */
  received(message: Message, facts: () => Facts, startedAt?: number): Operation;
  /** A request that is about to be sent: send the message that is returned, which carries the trace. */
  sent<M extends Message>(
    message: M,
    facts: () => Facts,
  ): { readonly message: M; readonly operation: Operation };
  /** A session begins. Call the function that is returned when it ends. */
  session(): (facts: Facts, problem?: Interruption) => void;
}

/** For processes without an SDK of OpenTelemetry. */
export const RECORDS_NOTHING: Operation = { run: (work) => work(), end: () => undefined };

/** For processes without OpenTelemetry. */
export const NO_OPERATIONS: Operations = {
  received: () => RECORDS_NOTHING,
  sent: (message) => ({ message, operation: RECORDS_NOTHING }),
  session: () => () => undefined,
};
