import { METHODS } from '../protocol.js';
import {
  CallSteps,
  type Caller,
  type Dialect,
  harmless,
  type Progress,
  stepping,
  type TaskControls,
  withSignal,
} from '../tasks/index.js';
import { lastOfMany } from '../peer/wire/last-of-many.js';
import { type AskClient, type Asking, assertAskable } from './asks.js';
import { elicitBy, sampleBy, type ToolControls } from './elicit.js';
import { announceCompleted, type ServerExchange } from './session.js';

/** The controls of a handler in a plain call: those of a task, on the request instead of the engine. */
export function plainControls(
  exchange: ServerExchange,
  { owner, subjectKey }: Pick<Caller, 'owner' | 'subjectKey'>,
  ask: AskClient,
): ToolControls {
  const token = exchange.meta?.progressToken;
  let last = -Infinity;
  let report: ((progress: Progress) => void) | undefined;
  const notify = (progress: Progress): void => {
    const params = { progressToken: token, ...progress };
    // A client that disconnected does not receive it.
    exchange.notify(METHODS.notificationsProgress, params).catch(() => undefined);
  };

  const id = crypto.randomUUID();
  let steps: CallSteps | undefined;
  const stepsOf = (): CallSteps => (steps ??= new CallSteps(id));
  return withSignal<ToolControls>(() => exchange.signal, {
    id,
    owner,
    ...(subjectKey !== undefined && { subjectKey }),
    attempt: 1,
    progress(progress: Progress) {
      if (token === undefined || !(progress.progress > last)) return;
      last = progress.progress;
      (report ??= lastOfMany(notify))(progress);
    },
    // A plain call has no status that a client could read.
    setStatus: () => Promise.resolve(),
    // The client waits for a plain call: its steps are not recorded, and its pauses do not outlive it.
    step: stepping((name, work) => harmless(stepsOf().step(name, work))),
    sleep: (until) => harmless(pause(() => stepsOf().sleep(until), exchange.signal)),
    elicit: elicitBy(ask),
    elicitationComplete: (elicitationId) => announceCompleted(exchange, elicitationId),
    sample: sampleBy(ask),
    input: ask,
  });
}

/** The controls of a task, whose requestor is asked only for input that it declared. */
export function guardedControls(
  task: TaskControls,
  dialect: Dialect,
  asking: Asking,
): ToolControls {
  const guarded: AskClient = async (method, params, options) => {
    assertAskable(asking, dialect, method, params);
    return task.input(method, params, options);
  };
  return withSignal<ToolControls>(() => task.signal, {
    id: task.id,
    owner: task.owner,
    ...(task.subjectKey !== undefined && { subjectKey: task.subjectKey }),
    attempt: task.attempt,
    progress: (progress) => task.progress(progress),
    setStatus: (message) => task.setStatus(message),
    step: task.step,
    sleep: (until) => task.sleep(until),
    elicit: elicitBy(guarded),
    elicitationComplete: (elicitationId) => task.elicitationComplete(elicitationId),
    sample: sampleBy(guarded),
    input: guarded,
  });
}

/** Timers of more milliseconds fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Resolves at the time that `until` returns. Rejects with the signal's reason when it aborts. */
function pause(until: () => number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = until();
    let timer: ReturnType<typeof setTimeout>;
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const wait = (): void => {
      const rest = end - Date.now();
      if (rest > 0) {
        timer = setTimeout(wait, Math.min(rest, LONGEST_TIMER));
        return;
      }
      signal.removeEventListener('abort', abort);
      resolve();
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    wait();
  });
}
