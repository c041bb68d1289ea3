import { onTestFinished } from 'vitest';

import {
  createInProcessExecutor,
  type InProcessOptions,
} from '../../runtime/executors/in-process/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  createTaskEngine,
  outcomeOf,
  TaskError,
  type AuditEvent,
  type Caller,
  type Clock,
  type CreateRequest,
  type HandlerContext,
  type Outcome,
  type TaskEngine,
  type TaskEngineOptions,
  type TaskChange,
  type TaskHandler,
  type TaskRecord,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { untilAtRest } from '../support/stores.js';

export const ANN: Caller = { owner: 'ann', dialect: 'core' };
export const ANN_EXT: Caller = { owner: 'ann', dialect: 'ext' };
export const BEN: Caller = { owner: 'ben', dialect: 'core' };

/** Time that stands still until a test moves it on. */
export interface ManualClock extends Clock {
  /** Moves on, calling what becomes due on the way at its own time. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock forward, or back, as an administrator does. No time passes. */
  step(ms: number): void;
}

export function manualClock(start = 1_700_000_000_000): ManualClock {
  let now = start;
  let stepped = 0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now + stepped,
    monotonic: () => now - start,
    wake(delayMs, callback) {
      const timer = { at: now + Math.min(delayMs, 2 ** 31 - 1), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    soon: (callback) => void setImmediate(callback),
    step(ms) {
      stepped += ms;
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await turns();
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = end;
      await turns();
    },
  };
}

/** Lets pending work run, group commits, tracked stores and the starts of handlers included. */
export function turns(count = 8): Promise<void> {
  return untilAtRest(async () => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
  });
}

export interface Rig {
  readonly engine: TaskEngine;
  readonly audit: readonly AuditEvent[];
  /** Creates a tool task for `ann` in the core dialect, unless told otherwise. */
  readonly start: (
    tool: string,
    request?: Partial<CreateRequest>,
    caller?: Caller,
  ) => Promise<TaskRecord>;
}

export type Tools = Readonly<Record<string, TaskHandler | TaskHandler['run']>>;

/** An engine on a memory store, closed when the test is over. */
export async function rig(
  tools: Tools,
  options: Partial<TaskEngineOptions> & { readonly inProcess?: InProcessOptions } = {},
): Promise<Rig> {
  const audit: AuditEvent[] = [];
  const engine = await createTaskEngine({
    store: createMemoryStore(),
    executor: createInProcessExecutor(options.inProcess),
    handlers: ({ tool, method }) => {
      const found = tools[tool ?? method];
      return typeof found === 'function' ? { run: found } : found;
    },
    audit: (event) => audit.push(event),
    ...options,
  });
  onTestFinished(() => engine.close(0));
  return {
    engine,
    audit,
    start: (tool, request, caller = ANN) =>
      engine.create(caller, { method: 'tools/call', tool, args: {}, ...request }),
  };
}

/** A rig whose process stops dead at a kill: its clock stands still and its store never answers again. */
export async function mortalRig(
  store: TaskStore,
  clock: ManualClock,
  tools: Tools,
): Promise<Rig & { kill(): void }> {
  const never = (): Promise<never> => new Promise(() => undefined);
  let dead = false;
  const guarded = Object.fromEntries(
    Object.entries(store).map(([name, operation]) => [
      name,
      (...args: never[]) => (dead ? never() : (operation as (...all: never[]) => unknown)(...args)),
    ]),
  ) as unknown as TaskStore;
  const made = await rig(tools, {
    store: guarded,
    clock: { ...clock, wake: (ms, callback) => clock.wake(ms, () => !dead && callback()) },
  });
  return {
    ...made,
    kill() {
      dead = true;
      // The test's own clean-up closes every engine; this one must not wait for the store.
      made.engine.close = () => Promise.resolve();
    },
  };
}

/** Resolves with what the promise rejected with, which must be a TaskError. */
export async function refusal(promise: Promise<unknown>): Promise<TaskError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof TaskError) return outcome;
  throw new Error(`Expected a TaskError, got ${String(outcome)}`);
}

/** The outcome of a task once it has ended. */
export async function ending(
  { engine }: Rig,
  task: TaskRecord,
): Promise<{ readonly task: TaskRecord; readonly outcome: Outcome | undefined }> {
  const ended = await engine.wait(task, task.id);
  return { task: ended, outcome: outcomeOf(ended) };
}

/** A tool that runs until the test releases it. */
export function heldTool(result: unknown = { content: [] }): {
  readonly run: TaskHandler['run'];
  readonly contexts: HandlerContext[];
  release(): void;
} {
  const contexts: HandlerContext[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    contexts,
    release: () => release(),
    async run(context) {
      contexts.push(context);
      await released;
      return result;
    },
  };
}

/** One set of tasks for several engines. Each is notified of the others' changes, as by a database. */
export function sharedStore(): TaskStore {
  const memory = createMemoryStore();
  const listeners = new Set<(change: TaskChange) => void>();
  const notify = (change: TaskChange): void => listeners.forEach((listener) => listener(change));
  return {
    ...memory,
    async update(next) {
      const updated = await memory.update(next);
      if (updated) notify({ kind: 'changed', key: next, version: next.version });
      return updated;
    },
    async expire(now, limit) {
      const expiry = await memory.expire(now, limit);
      for (const key of expiry.removed) notify({ kind: 'removed', key });
      return expiry;
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    now: () => Math.floor(performance.timeOrigin + performance.now()),
  };
}
