import { createMemoryStore } from '../../stores/memory/index.js';
import { createTaskEngine } from '../../tasks/index.js';
import type { Clock, TaskEngine, TaskExecutor, TaskHandler, TaskStore } from '../../tasks/index.js';
import { NOW } from './sample.js';

/** Time that stands still until a check moves it on. */
export interface ManualClock extends Clock {
  /** Moves on, calling what becomes due on the way at its own time. */
  advance(ms: number): Promise<void>;
}

export function manualClock(): ManualClock {
  let now = NOW;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    monotonic: () => now - NOW,
    wake(delayMs, callback) {
      const timer = { at: now + Math.min(delayMs, 2 ** 31 - 1), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    soon: (callback) => void setImmediate(callback),
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await turns();
        const [first] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (first === undefined) break;
        timers.delete(first);
        now = Math.max(now, first.at);
        first.callback();
      }
      now = end;
      await turns();
    },
  };
}

/** Lets pending work run. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise(setImmediate);
}

export interface ExecutorTrial {
  /** An engine with one tool, `run`, on a memory store unless told otherwise. Closed at the end. */
  readonly engine: (
    executor: TaskExecutor,
    run: TaskHandler['run'],
    options?: { readonly store?: TaskStore; readonly clock?: Clock },
  ) => Promise<TaskEngine>;
}

export async function runTrial(check: (trial: ExecutorTrial) => Promise<void>): Promise<void> {
  const engines: TaskEngine[] = [];
  try {
    await check({
      async engine(executor, run, { store = createMemoryStore(), clock } = {}) {
        const made = await createTaskEngine({
          store,
          executor,
          ...(clock && { clock }),
          handlers: ({ tool }) => (tool === 'run' ? { run, retryable: true } : undefined),
        });
        engines.push(made);
        return made;
      },
    });
  } finally {
    await Promise.all(engines.map((engine) => engine.close(0)));
  }
}
