import { randomBytes } from 'node:crypto';

import { METHODS } from '../protocol/index.js';
import { parseProgressText, type Progress } from '../tasks/index.js';
import { isObject } from '../wire/json.js';
import { DIALECT_REVISIONS } from '../wire/dialect-revisions.js';
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

/** Progress tokens that stay valid until the task ends; the SDK drops its own with the answer. */
export interface ProgressTokens {
  /** A new token. The caller has to call `end`. */
  issue(listener: (progress: Progress) => void): {
    readonly token: string;
    readonly end: () => void;
  };
  /** Takes any notification. Returns whether it is progress with a token of this client. */
  receive(notification: { readonly method: string; readonly params?: unknown }): boolean;
}

export function createProgressTokens(onProblem: (error: Error) => void): ProgressTokens {
  const prefix = `call-${randomBytes(9).toString('base64url')}-`;
  const listeners = new Map<string, (progress: Progress) => void>();
  let issued = 0;

  return {
    issue(listener) {
      const token = `${prefix}${(issued += 1)}`;
      listeners.set(token, listener);
      return { token, end: () => listeners.delete(token) };
    },
    receive(notification) {
      const { method, params } = notification;
      if (method !== METHODS.notificationsProgress || !isObject(params)) return false;
      const { progressToken, progress, total, message } = params;
      if (typeof progressToken !== 'string' || !progressToken.startsWith(prefix)) return false;
      // Progress notifications are the same in every revision.
      const problem = DIALECT_REVISIONS.core.check(notification, 'server');
      if (problem !== undefined) {
        onProblem(
          new Error(`Ignored an invalid notifications/progress notification: ${problem.message}`),
        );
        return true;
      }
      try {
        listeners.get(progressToken)?.({
          progress: Number(progress),
          ...(typeof total === 'number' && { total }),
          ...(typeof message === 'string' && { message }),
        });
      } catch (error) {
        onProblem(error instanceof Error ? error : new Error(String(error)));
      }
      return true;
    },
  };
}
