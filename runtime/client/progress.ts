import { METHODS } from '../protocol.js';
import { type JsonObject, parseProgressText, type Progress } from '../tasks/index.js';
import type { TaskState } from './types.js';

/** The progress in a state's status message; undefined when the message says something else. */
export function progressOf({
  statusMessage = '',
}: Pick<TaskState, 'statusMessage'>): Progress | undefined {
  return parseProgressText(statusMessage);
}

/** Drops values that do not increase: the same progress may arrive as a notification and as a status. */
export function increasing(listener: (progress: Progress) => void): (progress: Progress) => void {
  let last = -Infinity;
  return (progress) => {
    if (!(progress.progress > last)) return;
    last = progress.progress;
    listener(progress);
  };
}

/** Progress tokens that stay valid until the task ends. */
export interface ProgressTokens {
  /** A new token. The caller has to call `end`. */
  issue(listener: (progress: Progress) => void): {
    readonly token: string;
    readonly end: () => void;
  };
  /** Takes a notification that matches its revision; ignores those of other methods. */
  receive(method: string, params: JsonObject): void;
}

export function createProgressTokens(onProblem: (error: Error) => void): ProgressTokens {
  const prefix = `call-${crypto.randomUUID()}-`;
  const listeners = new Map<unknown, (progress: Progress) => void>();
  let issued = 0;

  return {
    issue(listener) {
      const token = `${prefix}${(issued += 1)}`;
      listeners.set(token, listener);
      return { token, end: () => listeners.delete(token) };
    },
    receive(method, { progressToken, progress, total, message }) {
      if (method !== METHODS.notificationsProgress) return;
      try {
        listeners.get(progressToken)?.({
          progress: Number(progress),
          ...(typeof total === 'number' && { total }),
          ...(typeof message === 'string' && { message }),
        });
      } catch (error) {
        onProblem(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
}
