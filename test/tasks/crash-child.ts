import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { openSqliteStore } from '../../runtime/stores/index.js';
import { createTaskEngine, outcomeOf, type TaskRecord } from '../../runtime/tasks/index.js';

/**
 * A server to be killed: it creates and finishes tasks as fast as it can, and writes a line to its
 * standard output for every promise that it makes, after having made it.
 */
const [file = '', round = ''] = process.argv.slice(2);

const caller = { owner: `owner-${Number(round) % 3}`, dialect: 'core' } as const;
const store = openSqliteStore({ file });
const engine = await createTaskEngine({
  store,
  executor: createInProcessExecutor(),
  handlers: ({ tool }) => ({
    rerunnable: tool === 'again',
    run: async ({ args, task }) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      return { content: [], args, attempt: task.attempt };
    },
  }),
  limits: { livePerOwner: 1e6, live: 1e6, storedPerOwner: 1e6, createBurst: 1e6, readBurst: 1e6 },
});

function promise(kind: 'created' | 'ended', task: TaskRecord): void {
  const { id, owner, status } = task;
  process.stdout.write(
    `${JSON.stringify({ kind, id, owner, status, outcome: outcomeOf(task) })}\n`,
  );
}

async function client(lane: number): Promise<never> {
  for (let n = 0; ; n += 1) {
    const tool = n % 2 === 0 ? 'again' : 'once';
    const args = { round, lane, n };
    const task = await engine.create(caller, { method: 'tools/call', tool, args, ttl: 86_400_000 });
    promise('created', task);
    const ended =
      n % 7 === 3 ? await engine.cancel(caller, task.id) : await engine.wait(caller, task.id);
    promise('ended', ended);
  }
}

process.stdout.write('{"kind":"ready"}\n');
await Promise.all(Array.from({ length: 16 }, (_, lane) => client(lane)));
