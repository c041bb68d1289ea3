import fc from 'fast-check';
import { expect } from 'vitest';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import {
  createTaskEngine,
  IDEMPOTENCY_META_KEY,
  isTerminal,
  outcomeOf,
  outstanding,
  type Caller,
  type HandlerContext,
  type Outcome,
  type TaskEngine,
  type TaskRecord,
  type TaskStatus,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import type { StoreKind, StorePlace } from '../support/stores.js';
import { ANN, ANN_EXT, BEN, manualClock, refusal, turns, type ManualClock } from './support.js';

/**
 * Random commands of several owners, restarts included, against the engine and against a model of a
 * few lines. Whatever the engine answers is compared.
 */

const CALLERS: readonly Caller[] = [ANN, ANN_EXT, BEN];
const PAGE_SIZE = 3;

interface ModelTask {
  readonly caller: Caller;
  readonly tool: 'once' | 'again';
  readonly key: string | undefined;
  readonly expires: number;
  id: string;
  ended: TaskStatus | undefined;
  outcome: Outcome | undefined;
  /** Whether each request for input is answered. */
  answered: boolean[];
  askedThisRun: number;
  finishing: 'returned' | 'complained' | 'threw' | undefined;
}

interface Model {
  now: number;
  tasks: ModelTask[];
}

interface Real {
  readonly clock: ManualClock;
  readonly place: StorePlace;
  readonly handlers: Map<string, { readonly context: HandlerContext; end(outcome: Ending): void }>;
  store: TaskStore;
  engine: TaskEngine;
}

type Ending = 'returned' | 'complained' | 'threw';
type Command = fc.AsyncCommand<Model, Real>;

const ERROR = { code: -32050, message: 'Broken', data: { why: [1] } };
const RESULT = { content: [] };
const TOOL_ERROR = { content: [], isError: true };

const alive = (model: Model, task: ModelTask): boolean => task.expires > model.now;
const live = (model: Model, task: ModelTask): boolean =>
  alive(model, task) && task.ended === undefined;

function statusOf(task: ModelTask): TaskStatus {
  return task.ended ?? (task.answered.includes(false) ? 'input_required' : 'working');
}

/** The handler goes on to its end only when it is not waiting for input. */
function settle(model: Model, task: ModelTask): void {
  const waiting = task.answered.slice(0, task.askedThisRun).includes(false);
  if (!live(model, task) || task.finishing === undefined || waiting) return;
  const complained = task.caller.dialect === 'core' ? 'failed' : 'completed';
  const endings = { returned: 'completed', complained, threw: 'failed' } as const;
  const outcomes = {
    returned: { result: RESULT },
    complained: { result: TOOL_ERROR },
    threw: { error: ERROR },
  };
  task.ended = endings[task.finishing];
  task.outcome = outcomes[task.finishing];
}

function compare(record: TaskRecord, task: ModelTask): void {
  expect(record.status).toBe(statusOf(task));
  expect(outcomeOf(record)).toEqual(task.outcome);
  const open = isTerminal(record.status) ? [] : outstanding(record.input);
  const expected = task.ended === undefined ? task.answered : [];
  expect(open.map(({ key }) => key)).toEqual(
    expected.flatMap((answered, n) => (answered ? [] : [`input-${n + 1}`])),
  );
}

async function start(real: Omit<Real, 'engine'>): Promise<TaskEngine> {
  real.handlers.clear();
  const run = (context: HandlerContext): Promise<unknown> =>
    new Promise((resolve, reject) => {
      real.handlers.set(context.task.id, {
        context,
        end(ending) {
          if (ending === 'threw') reject(Object.assign(new Error(ERROR.message), ERROR));
          else resolve(ending === 'returned' ? RESULT : TOOL_ERROR);
        },
      });
    });
  return createTaskEngine({
    store: real.store,
    clock: real.clock,
    executor: createInProcessExecutor(),
    handlers: ({ tool }) => ({ run, retryable: tool === 'again' }),
    limits: { pageSize: PAGE_SIZE, readBurst: 1e6 },
  });
}

/** A command on one of the tasks so far, with the caller who gives it. */
function onTask(
  name: string,
  run: (model: Model, real: Real, task: ModelTask, caller: Caller) => Promise<void>,
): fc.Arbitrary<Command> {
  return fc
    .tuple(fc.nat(), fc.oneof(fc.constant(undefined), fc.constantFrom(...CALLERS)))
    .map(([index, stranger]): Command => ({
      check: ({ tasks }) => tasks.length > 0,
      async run(model, real) {
        const task = model.tasks[index % model.tasks.length];
        if (task === undefined) return;
        await run(model, real, task, stranger ?? task.caller);
        await turns();
      },
      toString: () => `${name}(${index}, ${JSON.stringify(stranger ?? 'its owner')})`,
    }));
}

function finds(model: Model, task: ModelTask, caller: Caller): boolean {
  const { owner, dialect } = task.caller;
  return alive(model, task) && caller.owner === owner && caller.dialect === dialect;
}

async function expectUnknown(promise: Promise<unknown>): Promise<void> {
  expect(await refusal(promise)).toMatchObject({ code: -32602, reason: 'unknown_task' });
}

const create = fc
  .record({
    caller: fc.constantFrom(...CALLERS),
    tool: fc.constantFrom('once' as const, 'again' as const),
    ttl: fc.integer({ min: 1, max: 200_000 }),
    key: fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined }),
  })
  .map(({ caller, tool, ttl, key }): Command => ({
    check: () => true,
    async run(model, real) {
      const request = {
        method: 'tools/call',
        tool,
        args: {},
        ttl,
        meta: key === undefined ? {} : { [IDEMPOTENCY_META_KEY]: key },
      };
      const earlier = model.tasks.find(
        (task) => key !== undefined && task.key === key && finds(model, task, caller),
      );
      if (earlier !== undefined && earlier.tool !== tool) {
        const refused = await refusal(real.engine.create(caller, request));
        expect(refused.reason).toBe('idempotency_conflict');
        return;
      }
      const record = await real.engine.create(caller, request);
      if (earlier !== undefined) {
        expect(record.id).toBe(earlier.id);
        return compare(record, earlier);
      }
      expect(record).toMatchObject({ status: 'working', ttl, createdAt: model.now });
      model.tasks.push({
        caller,
        tool,
        key,
        expires: model.now + ttl,
        id: record.id,
        ended: undefined,
        outcome: undefined,
        answered: [],
        askedThisRun: 0,
        finishing: undefined,
      });
      await turns();
    },
    toString: () => `create(${JSON.stringify({ caller, tool, ttl, key })})`,
  }));

const get = onTask('get', async (model, { engine }, task, caller) => {
  if (!finds(model, task, caller)) return expectUnknown(engine.get(caller, task.id));
  compare(await engine.get(caller, task.id), task);
});

const wait = onTask('wait', async (model, { engine }, task, caller) => {
  if (!finds(model, task, caller)) return expectUnknown(engine.wait(caller, task.id));
  const abort = new AbortController();
  const waiting = engine.wait(caller, task.id, abort.signal);
  if (task.ended !== undefined) return compare(await waiting, task);
  await turns();
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

const cancel = onTask('cancel', async (model, { engine }, task, caller) => {
  if (!finds(model, task, caller)) return expectUnknown(engine.cancel(caller, task.id));
  if (task.ended !== undefined && caller.dialect === 'core') {
    expect((await refusal(engine.cancel(caller, task.id))).reason).toBe('ended');
    return;
  }
  task.ended ??= 'cancelled';
  compare(await engine.cancel(caller, task.id), task);
});

const ask = onTask('ask', async (model, { handlers }, task) => {
  if (!live(model, task) || task.finishing !== undefined || task.answered.length >= 5) return;
  const replayed = task.answered[task.askedThisRun] === true;
  let answered = false;
  const controls = handlers.get(task.id)?.context.task;
  expect(controls).toBeDefined();
  controls?.elicit({ n: task.askedThisRun }).then(
    () => (answered = true),
    () => undefined,
  );
  if (task.askedThisRun === task.answered.length) task.answered.push(false);
  task.askedThisRun += 1;
  await turns();
  expect(answered).toBe(replayed);
});

const answer = onTask('answer', async (model, { engine }, task, caller) => {
  const which = task.answered.indexOf(false);
  const answers = {
    [`input-${which + 1}`]: { result: { action: 'accept' } },
    stray: { result: {} },
  };
  if (!finds(model, task, caller)) return expectUnknown(engine.answer(caller, task.id, answers));
  if (task.ended === undefined && which >= 0) task.answered[which] = true;
  compare(await engine.answer(caller, task.id, answers), task);
});

const finish = fc.constantFrom<Ending[]>('returned', 'complained', 'threw').chain((ending) =>
  onTask(ending, async (model, { handlers }, task) => {
    if (!live(model, task) || task.finishing !== undefined) return;
    // A handler that returns while it still waits for input withdraws its interest in the answer.
    task.finishing = ending;
    task.answered = task.answered.map(() => true);
    settle(model, task);
    handlers.get(task.id)?.end(ending);
    await turns();
  }),
);

const list = fc.constantFrom(...CALLERS).map((caller): Command => ({
  check: () => true,
  async run(model, { engine }) {
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { tasks, nextCursor } = await engine.list(caller, cursor);
      expect(tasks.length).toBeLessThanOrEqual(PAGE_SIZE);
      ids.push(...tasks.map(({ id }) => id));
      if (nextCursor === undefined) break;
      cursor = nextCursor;
    }
    const expected = model.tasks.filter((task) => finds(model, task, caller)).map(({ id }) => id);
    expect(ids).toEqual(expected.sort().reverse());
  },
  toString: () => `list(${JSON.stringify(caller)})`,
}));

const pass = fc.integer({ min: 1, max: 20_000 }).map((ms): Command => ({
  check: () => true,
  async run(model, { clock }) {
    await clock.advance(ms);
    model.now += ms;
  },
  toString: () => `pass(${ms})`,
}));

const restart = fc.constant<Command>({
  check: () => true,
  async run(model, real) {
    await real.engine.close(0);
    await real.store.close();
    // Memory keeps its data in the store itself; closing does nothing to it.
    real.store = await real.place.open();
    for (const task of model.tasks.filter((each) => live(model, each))) {
      task.askedThisRun = 0;
      task.finishing = undefined;
      if (task.tool === 'again') continue;
      task.ended = 'failed';
      task.outcome = {
        error: {
          code: -32603,
          message: 'The server shut down while the task ran',
          data: { reason: 'interrupted' },
        },
      };
    }
    real.engine = await start(real);
    await turns();
  },
  toString: () => 'restart',
});

/** Throws, with the commands that led there, when engine and model disagree. */
export async function checkAgainstModel(kind: StoreKind, numRuns: number): Promise<void> {
  const commands = fc.commands(
    [create, create, get, wait, cancel, ask, ask, answer, answer, finish, list, pass, restart],
    { maxCommands: 60, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const place = kind.place();
      const clock = manualClock();
      const held = await place.open();
      const reopened = kind.durable ? place : { ...place, open: () => held };
      const parts = { clock, place: reopened, handlers: new Map(), store: held };
      const real: Real = Object.assign(parts, { engine: await start(parts) });
      try {
        await fc.asyncModelRun(() => ({ model: { now: clock.now(), tasks: [] }, real }), sequence);
      } finally {
        await real.engine.close(0);
        await real.store.close();
        await place.remove();
      }
    }),
    { numRuns },
  );
}
