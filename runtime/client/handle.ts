import type { TaskStatus } from '../tasks/index.js';
import { isTerminal } from '../tasks/index.js';
import { asCallError, CallError, isTransient } from './errors.js';
import { errorTextOf, type TaskSource, type Watch } from './watch.js';
import type { CallHandle, ToolResult } from './types.js';

/** The handle of a call that the server answered at once. */
export function answeredHandle(result: ToolResult): CallHandle {
  const status: TaskStatus = result.isError === true ? 'failed' : 'completed';
  return {
    state: undefined,
    status,
    reference: undefined,
    immediateResponse: undefined,
    result: () =>
      status === 'completed'
        ? Promise.resolve(result)
        : Promise.reject(new CallError({ reason: 'tool_error', result }, errorTextOf(result))),
    cancel: () => Promise.resolve(),
    async *[Symbol.asyncIterator]() {},
  };
}

/** The handle of a call that became a task. */
export function taskHandle(
  watch: Watch,
  source: TaskSource,
  result: Promise<ToolResult>,
  reference: string,
  immediateResponse?: string,
): CallHandle {
  return {
    get state() {
      return watch.state;
    },
    get status() {
      return watch.state.status;
    },
    reference,
    immediateResponse,
    result: () => result,
    async cancel() {
      if (watch.ended || isTerminal(watch.state.status)) return;
      await source.cancel();
      // Gets the final status now instead of at the next regular poll.
      await source.poll().catch((error: unknown) => {
        if (!isTransient(asCallError(error))) watch.fail(error);
      });
    },
    [Symbol.asyncIterator]: () => watch.states(),
  };
}
