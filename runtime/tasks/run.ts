import type { Audit } from './audit.js';
import { deferred, type Deferred } from './deferred.js';
import { TaskError, taskError } from './errors.js';
import type { ElicitAnswer, HandlerContext, InputOptions, Progress } from './handler.js';
import type { Hub, TaskEvent } from './hub.js';
import type { Slot } from './executor.js';
import { ask } from './input.js';
import { encode } from './json.js';
import type { TaskLimits } from './limits.js';
import type { InputAnswer, JsonObject, TaskRecord } from './record.js';
import { retry, type RetryDependencies } from './retry.js';
import { isTerminal, type Patch } from './transitions.js';
import type { Writer } from './writer.js';

type Decide = (record: TaskRecord) => Patch | undefined;

/** One run of a task's handler: its controls, and its right to write for as long as it holds the task. */
export interface Run {
  readonly context: HandlerContext;
  /** Hears what happened to a task that was taken over, before it was listened to. */
  catchUp(): Promise<void>;
  /** Records how the handler ended. From then on it is past being stopped. */
  finish(ending: Patch): Promise<TaskRecord | undefined>;
  /** Records that the handler is about to start, if the task was stored as queued. */
  begin(): Promise<void>;
  /** The slot in which the handler runs; set before it starts. */
  slot: Slot;
  readonly over: boolean;
  /** After this nothing that the handler still does has any effect. */
  end(): void;
}

export interface RunDependencies extends RetryDependencies {
  readonly hub: Hub;
  readonly writer: Writer;
  readonly audit: Audit;
  readonly limits: TaskLimits;
}

const ignore = (): void => undefined;

const NO_SLOT: Slot = { leave: ignore, enter: (resume) => resume() };

export function createRun(
  { hub, writer, audit, limits, ...retrying }: RunDependencies,
  first: TaskRecord,
  onStopped: () => void,
): Run {
  // Most handlers never look at their signal, and it is the dearest part of a run.
  let controller: AbortController | undefined;
  let stopped: TaskError | undefined;
  const pending = new Map<string, Deferred<JsonObject>>();
  const asked = new Set<string>();
  let latest = first;
  let over = false;
  let lastProgress = -Infinity;
  let message: string | undefined;
  let writingMessage: Promise<void> | undefined;

  const detach = hub.attach(first, hear);

  function hear(event: TaskEvent): void {
    if (event.type === 'progress' || event.type === 'closed') return;
    if (event.type === 'removed') return stop('The task has expired');
    // What another process did before may be heard only now.
    if (event.task.version < latest.version) return;
    latest = event.task;
    if (latest.fence !== first.fence) return stop('The task was taken over');
    if (isTerminal(latest.status)) return stop(`The task is ${latest.status}`);
    for (const entry of latest.input) {
      if (entry.answer !== undefined) resume(entry.key, entry.answer);
    }
  }

  function stop(why: string): void {
    if (over) return;
    end();
    stopped = taskError('not_running', why);
    controller?.abort(stopped);
    onStopped();
  }

  function end(): void {
    if (over) return;
    over = true;
    detach();
    if (pending.size === 0) return;
    const all = [...pending.values()];
    pending.clear();
    run.slot.enter(() => {
      for (const waiting of all) waiting.reject(taskError('not_running', 'The run is over'));
    });
  }

  function resume(key: string, answerText: string): void {
    const waiting = pending.get(key);
    if (waiting === undefined) return;
    pending.delete(key);
    const deliver = (): void => settle(waiting, answerText);
    if (pending.size === 0) run.slot.enter(deliver);
    else deliver();
  }

  /**
   * Records a change and returns its result; undefined if there was none, or the task has ended or
   * changed hands. When the store fails it tries again: what a handler did is worth waiting for.
   */
  const write = (decide: Decide): Promise<TaskRecord | undefined> =>
    retry(
      retrying,
      () => !over,
      () => tryToWrite(decide),
    );

  async function tryToWrite(decide: Decide): Promise<TaskRecord | undefined> {
    const ours = (record: TaskRecord): Patch | undefined => {
      if (record.fence !== first.fence) {
        if (!isTerminal(record.status)) audit('fenced', record);
        stop('The task was taken over');
        return undefined;
      }
      return isTerminal(record.status) ? undefined : decide(record);
    };
    const { task, changed } = await writer.change(first, ours, latest);
    return changed ? task : undefined;
  }

  async function writeMessages(): Promise<void> {
    while (message !== undefined && !over) {
      const statusMessage = message;
      message = undefined;
      // A message is not worth a handler: if the store fails here, the outcome will tell.
      await tryToWrite(() => ({ statusMessage })).catch(ignore);
    }
    writingMessage = undefined;
  }

  async function input(method: string, params: JsonObject, name?: string): Promise<JsonObject> {
    const key = name ?? `input-${asked.size + 1}`;
    if (asked.has(key)) throw taskError('invalid_params', `Input ${key} was already asked for`);
    asked.add(key);
    const encoded = encode(params, limits.inputBytes);
    if ('problem' in encoded) {
      throw taskError('invalid_params', `Input ${key} is ${encoded.problem}: ${encoded.detail}`);
    }

    let actualKey = key;
    const added = await write((record) => {
      const { key: entryKey, patch } = ask(record, { key, method, params: encoded.text });
      if (patch?.input !== undefined && patch.input.length > limits.inputRequests) {
        throw taskError('limit', `A task may ask for input ${limits.inputRequests} times`, {
          limit: 'inputRequests',
          max: limits.inputRequests,
        });
      }
      actualKey = entryKey;
      return patch;
    });
    if (over) throw taskError('not_running', 'The run is over');
    if (added !== undefined) audit('input_requested', first);

    const waiting = deferred<JsonObject>();
    if (pending.size === 0) run.slot.leave();
    pending.set(actualKey, waiting);
    // An answer from an earlier run is already there; one to this run may have come meanwhile.
    const answer = latest.input.find((entry) => entry.key === actualKey)?.answer;
    if (answer !== undefined) resume(actualKey, answer);
    return waiting.promise;
  }

  /** A handler that does not await must not bring the process down when its run ends. */
  function harmless<T>(promise: Promise<T>): Promise<T> {
    promise.catch(ignore);
    return promise;
  }

  const request = (method: string, params: JsonObject, options?: InputOptions) =>
    harmless(input(method, params, options?.key));

  const run: Run = {
    end,
    async catchUp() {
      try {
        const task = await retry(
          retrying,
          () => !over,
          () => writer.read(first),
        );
        if (task !== undefined) hear({ type: 'changed', task });
      } catch (error) {
        if (!(error instanceof TaskError)) throw error;
        hear({ type: 'removed' });
      }
    },
    finish(ending) {
      detach();
      return write(() => ending);
    },
    slot: NO_SLOT,
    async begin() {
      if (first.queued) await write(({ queued }) => (queued ? { queued: false } : undefined));
    },
    get over() {
      return over;
    },
    context: {
      args: JSON.parse(first.args) as unknown,
      task: {
        id: first.id,
        owner: first.owner,
        attempt: first.attempt,
        get signal() {
          controller ??= new AbortController();
          if (stopped !== undefined) controller.abort(stopped);
          return controller.signal;
        },
        progress(progress: Progress) {
          if (over || !(progress.progress > lastProgress)) return;
          lastProgress = progress.progress;
          hub.progress(first, progress);
        },
        setStatus(text) {
          if (over) return Promise.resolve();
          message = text.slice(0, limits.statusMessageChars);
          return (writingMessage ??= writeMessages());
        },
        elicit: (params, options) =>
          request('elicitation/create', params, options) as Promise<JsonObject & ElicitAnswer>,
        sample: (params, options) => request('sampling/createMessage', params, options),
        input: request,
      },
    },
  };
  return run;
}

function settle({ resolve, reject }: Deferred<JsonObject>, answerText: string): void {
  const answer = JSON.parse(answerText) as InputAnswer;
  if ('result' in answer) return resolve(answer.result);
  const { code, message, data } = answer.error;
  reject(Object.assign(new Error(message), { code, ...(data !== undefined && { data }) }));
}
