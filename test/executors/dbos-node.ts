import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { createDbosExecutor, type DbosOptions } from '../../runtime/executors/dbos/index.js';
import { openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { createTaskEngine, type TaskHandler } from '../../runtime/tasks/index.js';

/** What a node of a test cluster is told on its command line, as JSON. */
export interface NodeOptions extends DbosOptions {
  readonly connectionString: string;
  /** Of the cluster, and of the task store's schema. */
  readonly name: string;
  /** Handlers write to this file. */
  readonly log: string;
  /** The node's name in the log. */
  readonly node: string;
  /** Tools that only a newer version of the code has. */
  readonly newTools?: readonly string[];
  /** Tools of which a newer version of the code refuses the stored arguments. */
  readonly refusing?: readonly string[];
}

const options = JSON.parse(process.argv[2] ?? '') as NodeOptions;
const { log, node, newTools = [], refusing = [], ...dbos } = options;

function note(...words: readonly string[]): void {
  appendFileSync(log, `${words.join(' ')}\n`);
}

/** Waits for the test to create a file of this name beside the log. */
async function gate(name: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(`${log}.${name}`) && !signal.aborted) await sleep(20);
}

const where = { content: [], node };

const tools: Readonly<Record<string, TaskHandler['run']>> = {
  quick: () => ({ ...where, startedAt: Date.now() }),
  /** Runs until the test opens its gate. */
  held: async ({ task }) => {
    await gate('held', task.signal);
    return where;
  },
  steps: async ({ task }) => {
    for (const name of ['one', 'two', 'three']) {
      await task.step(name, async () => {
        note('step', task.id, name, node);
        if (name === 'three') await gate('three', task.signal);
      });
    }
    return where;
  },
  /** Its first step starts when the test opens its gate. */
  stepped: async ({ task }) => {
    await gate('stepped', task.signal);
    return { ...where, paid: await task.step('pay', () => true) };
  },
  ask: async ({ task }) => {
    const { content } = await task.elicit({ message: 'Which?', requestedSchema: {} });
    return { ...where, answer: content };
  },
};

const store = await openPostgresStore({
  connectionString: dbos.connectionString,
  schema: dbos.name,
  pollMs: 300,
});
const engine = await createTaskEngine({
  store,
  executor: createDbosExecutor(dbos),
  handlers({ id, tool = '', owner, caller }) {
    const run = newTools.includes(tool) ? () => where : tools[tool];
    if (run === undefined) return undefined;
    return {
      retryable: tool !== 'stepped',
      steps: tool === 'stepped',
      refuses: () => (refusing.includes(tool) ? 'refused' : undefined),
      run(context) {
        note('start', id, tool, node, owner);
        if (caller) note('caller', id, node, JSON.stringify(caller));
        context.task.signal.addEventListener('abort', () => note('abort', id, tool, node));
        return run(context);
      },
    };
  },
  onLeft: (why) => note('left', node, why),
  onFault: (error) => note('fault', node, String(error)),
});

process.once('SIGTERM', () => {
  void (async () => {
    await engine.close(0);
    await store.close();
    note('closed', node);
  })();
});
note('ready', node, ...process.getActiveResourcesInfo().filter((name) => name.includes('Server')));
