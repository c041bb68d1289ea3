import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import {
  createTaskEngine,
  type HandlerContext,
  type TaskHandler,
} from '../../runtime/tasks/index.js';
import { NO_LIMITS } from './sqlite-engine.js';
import type { Load, NodeOrder, NodeReport } from './nodes.js';

/** A node of its own, which does what the bench orders and reports back. */

/** Milliseconds on a clock that all processes of this machine share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

function send(report: NodeReport): void {
  process.send?.(report);
}

const finishes = new Map<string, () => void>();

/** Runs until it is told to finish, or cancelled. */
function held({ task }: HandlerContext): Promise<object> {
  return new Promise((resolve) => {
    finishes.set(task.id, () => resolve({ content: [], at: now() }));
    task.signal.addEventListener('abort', () => {
      send({ kind: 'aborted', at: now() });
      resolve({ content: [] });
    });
    send({ kind: 'runs' });
  });
}

async function stepped({ task }: HandlerContext): Promise<object> {
  for (let step = 0; step < 10; step += 1) await task.step(`step-${step}`, () => step);
  return { content: [] };
}

const HANDLERS: Readonly<Record<string, TaskHandler['run']>> = {
  held,
  steps: stepped,
  lifecycles: () => ({ content: [] }),
};

const store = await openPostgresStore({ connectionString: process.argv[2] ?? '' });
const engine = await createTaskEngine({
  store,
  executor: createInProcessExecutor(),
  handlers: ({ tool = '' }) => ({ run: HANDLERS[tool] ?? held }),
  limits: NO_LIMITS,
});
const callerOf = (owner: string) => ({ owner, dialect: 'core' }) as const;

async function create(owner: string, tool: string): Promise<string> {
  const { id } = await engine.create(callerOf(owner), { method: 'tools/call', tool, args: {} });
  return id;
}

/** As many tasks as it can, each lane one after the other for an owner of its own. */
async function load({ tool, lanes, ms }: Load): Promise<number> {
  const end = now() + ms;
  let done = 0;
  const lane = async (n: number): Promise<void> => {
    const owner = `${process.pid}-${n}`;
    while (now() < end) {
      await engine.wait(callerOf(owner), await create(owner, tool));
      if (now() < end) done += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)));
  return done;
}

process.on('message', (order: NodeOrder) => {
  if (order.kind === 'start')
    void create('ann', 'held').then((id) => send({ kind: 'started', id }));
  if (order.kind === 'finish') finishes.get(order.id)?.();
  if (order.kind === 'load') {
    const before = process.cpuUsage();
    void load(order).then((done) => {
      const { user, system } = process.cpuUsage(before);
      send({ kind: 'done', done, cpuMs: (user + system) / 1_000 });
    });
  }
});
process.on('disconnect', () => process.exit());
send({ kind: 'ready' });
