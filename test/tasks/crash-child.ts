import { setTimeout as pause } from 'node:timers/promises';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import {
  createTaskEngine,
  outcomeOf,
  TaskError,
  type TaskRecord,
} from '../../runtime/tasks/index.js';
import { notedHandlers } from './starts.js';

/**
 * A server to be killed: it creates and finishes tasks as fast as it can, and writes a line to its
 * standard output for every promise that it makes, after having made it. A fault of the store, for
 * instance of a full disk, is no promise; it goes on.
 */
const [file = '', round = '', log = ''] = process.argv.slice(2);

const caller = { owner: `owner-${Number(round) % 3}`, dialect: 'core' } as const;
const store = openSqliteStore({ file });
const engine = await createTaskEngine({
  store,
  // Fewer slots than lanes: a kill also meets tasks that wait for one.
  executor: createInProcessExecutor({ leaseMs: 200, concurrency: 12 }),
  handlers: notedHandlers(log, async ({ args, task }) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    return { content: [], args, attempt: task.attempt };
  }),
  limits: { livePerOwner: 1e6, live: 1e6, storedPerOwner: 1e6, createBurst: 1e6, readBurst: 1e6 },
});

function promise(kind: 'created' | 'ended' | 'fault', task?: TaskRecord): void {
  const outcome = task && outcomeOf(task);
  const { id, owner, status } = task ?? {};
  process.stdout.write(`${JSON.stringify({ kind, id, owner, status, outcome })}\n`);
}

/** Undefined, and a pause, when the store has failed. */
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TaskError) || error.reason !== 'internal') throw error;
    promise('fault');
    await pause(5);
    return undefined;
  }
}

const LONGEST_WAIT_MS = 100;
const TOOLS = ['again', 'once', 'steps', 'stepped'];

async function client(lane: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const tool = TOOLS[n % TOOLS.length] ?? 'once';
    const args = { round, lane, n };
    const request = { method: 'tools/call', tool, args, ttl: 86_400_000 };
    const task = await attempt(() => engine.create(caller, request));
    if (task === undefined) continue;
    promise('created', task);
    const ended = attempt(() =>
      n % 7 === 3 ? engine.cancel(caller, task.id) : engine.wait(caller, task.id),
    ).then((last) => last && promise('ended', last));
    // The end of a task cannot be stored while the disk is full: then the next one is refused.
    await Promise.race([ended, pause(LONGEST_WAIT_MS)]);
  }
}

// The engine's own timers do not keep a process alive, as a server's socket does.
setInterval(() => undefined, 1_000);
process.stdout.write('{"kind":"ready"}\n');
await Promise.all(Array.from({ length: 16 }, (_, lane) => client(lane)));
