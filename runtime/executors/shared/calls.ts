import { type Abort, overLimit, taskError, type DirectCall } from '../../tasks/index.js';
import { createOccupant, type Occupant, type OccupantDependencies } from './occupant.js';

/** Runs plain calls, in the same slots as tasks. */
export interface Calls {
  run<T>(call: DirectCall<T>): Promise<T>;
  /** Refuses calls that wait, and new ones. */
  close(): void;
}

/** Suggested to a caller with too many waiting calls. */
const RETRY_AFTER_MS = 1_000;

export function createCalls(dependencies: OccupantDependencies, waitingPerSubject: number): Calls {
  const { slots } = dependencies;
  const refusals = new Set<(reason: Error) => void>();
  let closed = false;

  async function admit({ subject, signal, onAbandoned }: DirectCall<unknown>): Promise<Occupant> {
    signal.throwIfAborted();
    if (closed) throw closedError();
    if (!slots.take(subject)) await turn(subject, signal);
    return createOccupant(dependencies, subject, onAbandoned);
  }

  /** Resolves when the subject has a slot for the call. */
  function turn(subject: string, signal: Abort): Promise<void> {
    if (slots.waiting(subject) >= waitingPerSubject) {
      throw overLimit('waitingPerSubject', waitingPerSubject, RETRY_AFTER_MS);
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => refuse(asError(signal.reason));
      const withdraw = slots.wait({
        subject,
        resumes: false,
        start() {
          settle();
          resolve();
        },
      });
      function settle(): void {
        refusals.delete(refuse);
        signal.removeEventListener('abort', abort);
      }
      function refuse(reason: Error): void {
        settle();
        withdraw();
        reject(reason);
      }
      refusals.add(refuse);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  return {
    async run(call) {
      const occupant = await admit(call);
      const stopping = (): void => occupant.stopping();
      call.signal.addEventListener('abort', stopping, { once: true });
      try {
        return await call.work(occupant);
      } finally {
        call.signal.removeEventListener('abort', stopping);
        occupant.end();
      }
    },
    close() {
      closed = true;
      refusals.forEach((refuse) => refuse(closedError()));
    },
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

function closedError(): Error {
  return taskError('closed', 'The server is shutting down');
}
