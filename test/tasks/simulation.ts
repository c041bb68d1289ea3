import assert from 'node:assert/strict';

import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  createTaskEngine,
  IDEMPOTENCY_META_KEY,
  isTerminal,
  outcomeOf,
  outstanding,
  TaskError,
  type Caller,
  type Clock,
  type HandlerContext,
  type TaskChange,
  type TaskEngine,
  type TaskHandler,
  type TaskRecord,
  type TaskStatus,
  type TaskStore,
  type TaskSummary,
} from '../../runtime/tasks/index.js';
import { tracked, untilAtRest } from '../support/stores.js';
import { createWorld, type World } from './world.js';

/**
 * A whole service under a seed: two nodes that crash, stall and come back, one store that is slow,
 * sometimes fails and loses acknowledgements, at times refuses most writes as a full disk does, clients
 * that retry, a wall clock that is set forward and back, and time that is only a number. Whatever goes wrong, what was acknowledged holds, and
 * no attempt runs twice. A failing seed fails again.
 */

const CALLER: Caller = { owner: 'ann', dialect: 'core' };
const LEASE_MS = 10_000;
const LONGEST_WORK_MS = 2_000;
const HOUR_MS = 3_600_000;
/** A lost worker's lease, in a store that others share, lasts longer by as much. */
const LONGEST_STEP_BACK_MS = 2_000;
/** How often what is stalled looks whether it may go on. */
const STALL_STEP_MS = 200;
const CLIENT_PATIENCE_MS = 3_000;
const LONGEST_SHORTAGE_MS = 12_000;
/** The chance of a write to fail while the disk is full, before it is done and again after. */
const SHORTAGE_FAULT_RATE = 0.4;
/** After the last fault every task must end within a lease, the work, and the retries of a slow store. */
const RECOVERY_MS = 20_000 + 4 * LONGEST_WORK_MS;

/** As the specification has it, written down once more, lest the engine's own table vouch for itself. */
const LEGAL: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  working: ['working', 'input_required', 'completed', 'failed', 'cancelled'],
  input_required: ['input_required', 'working', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

interface Node {
  engine: TaskEngine | undefined;
  /** Grows with every crash: what belongs to an earlier life is dropped. */
  life: number;
  stalledUntil: number;
}

/** What clients were told, and will hold the service to. */
interface Promises {
  readonly created: Map<string, string>;
  readonly outcomes: Map<string, string>;
}

/** How often each attempt of each task has started. */
type Starts = Map<string, { readonly tool: string; readonly byFence: Map<number, number> }>;

export interface SimulationResult {
  readonly events: number;
  readonly crashes: number;
  readonly shortages: number;
  readonly recoveries: number;
}

/** With a store whose operations take real time, virtual time stands still until they are over. */
export async function simulate(seed: number, store?: TaskStore): Promise<SimulationResult> {
  const world = store ? createWorld(seed, () => untilAtRest(turns)) : createWorld(seed);
  const disk = createDisk(world, store && tracked(store));
  const nodes: Node[] = [0, 1].map(() => ({ engine: undefined, life: 0, stalledUntil: 0 }));
  const promises: Promises = { created: new Map(), outcomes: new Map() };
  const starts: Starts = new Map();
  const tally = { crashes: 0, shortages: 0, recoveries: 0 };
  /** Milliseconds by which the wall clock has been set forward. */
  const wall = { ahead: 0 };
  let calm = false;

  async function boot(node: Node): Promise<void> {
    const life = (node.life += 1);
    const living = (): boolean => node.life === life;
    try {
      const engine = await createTaskEngine({
        store: disk.storeFor(node, living),
        clock: clockOf(world, node, living, wall),
        executor: createInProcessExecutor({ leaseMs: LEASE_MS, concurrency: 3 }),
        handlers: (task) => counted(starts, task, handlerFor(world, disk, task)),
        audit: ({ type }) => {
          if (type === 'recovered') tally.recoveries += 1;
        },
      });
      if (living()) node.engine = engine;
    } catch {
      if (living()) world.after(500, () => void boot(node));
    }
  }

  function crash(node: Node): void {
    if (calm) return;
    tally.crashes += 1;
    node.life += 1;
    node.engine = undefined;
    world.after(world.random(8_000), () => void boot(node));
  }

  function disturb(): void {
    if (calm) return;
    const node = world.pick(nodes);
    if (world.chance(0.4)) {
      tally.shortages += 1;
      disk.fill(world.random(LONGEST_SHORTAGE_MS));
    }
    if (world.chance(0.3)) wall.ahead += world.pick([world.random(HOUR_MS), -LONGEST_STEP_BACK_MS]);
    if (world.chance(0.5)) crash(node);
    else node.stalledUntil = world.now() + world.random(2 * LEASE_MS);
    world.after(world.random(15_000), disturb);
  }

  /** Asks whichever node is there, again and again; a refusal is an answer, silence and faults are not. */
  async function insist<T>(ask: (engine: TaskEngine) => Promise<T>): Promise<T | TaskError> {
    for (;;) {
      const { engine } = world.pick(nodes);
      const answer = engine && (await Promise.race([attempt(ask(engine)), silence()]));
      if (answer !== undefined && !isFault(answer)) return answer;
      await world.sleep(50 + world.random(500));
    }
  }

  const silence = (): Promise<undefined> => world.sleep(CLIENT_PATIENCE_MS).then(() => undefined);

  async function client(name: string): Promise<void> {
    await world.sleep(world.random(20_000));
    const tool = world.pick(['once', 'again', 'asks', 'steps']);
    const created = await insist((engine) =>
      engine.create(CALLER, {
        method: 'tools/call',
        tool,
        args: { name },
        ttl: 24 * HOUR_MS,
        meta: { [IDEMPOTENCY_META_KEY]: name },
      }),
    );
    assert.ok(!(created instanceof TaskError), 'a creation was refused');
    promises.created.set(name, created.id);
    if (world.chance(0.2)) {
      await world.sleep(world.random(3_000));
      const cancelled = await insist((engine) => engine.cancel(CALLER, created.id));
      if (!(cancelled instanceof TaskError)) note(cancelled);
      else assert.equal(cancelled.reason, 'ended');
    }
    await follow(created.id);
  }

  /** Answers what is asked and waits for the end. */
  async function follow(id: string): Promise<void> {
    for (;;) {
      const seen = await insist((engine) => engine.get(CALLER, id));
      assert.ok(!(seen instanceof TaskError), 'an acknowledged task is lost');
      if (isTerminal(seen.status)) return note(seen);
      if (seen.status === 'input_required') await insist((engine) => reply(engine, seen));
      const ended = await insist((engine) =>
        Promise.race([engine.wait(CALLER, id), world.sleep(1_000).then(() => seen)]),
      );
      assert.ok(!(ended instanceof TaskError), 'an acknowledged task is lost');
      if (isTerminal(ended.status)) return note(ended);
    }
  }

  function note(task: TaskRecord): void {
    const told = JSON.stringify([task.status, task.outcome]);
    const before = promises.outcomes.get(task.id) ?? told;
    assert.equal(told, before, `two different ends were told for ${task.id}`);
    promises.outcomes.set(task.id, told);
  }

  nodes.forEach((node) => void boot(node));
  world.after(world.random(5_000), disturb);
  const clients = Array.from({ length: 2 + world.random(5) }, (_, n) => client(`client-${n}`));
  let done = false;
  let failure: unknown;
  Promise.all(clients).then(
    () => (done = true),
    (error: unknown) => (failure = error),
  );

  await world.run(() => failure !== undefined || world.now() > world.start + 40_000);
  calm = true;
  nodes.forEach((node) => {
    node.stalledUntil = 0;
    if (node.engine === undefined) void boot(node);
  });
  disk.heal();
  const deadline = world.now() + RECOVERY_MS;
  await world.run(() => failure !== undefined || world.now() > deadline);
  if (failure instanceof Error) throw failure;

  for (const task of disk.tasks.values()) {
    assert.ok(
      isTerminal(task.status),
      `${task.id} is still ${task.status}, held by ${task.worker}`,
    );
  }
  await world.run(() => failure !== undefined || done);
  if (failure instanceof Error) throw failure;
  assert.deepEqual(disk.violations, []);
  checkPromises(disk.tasks, promises);
  checkStarts(starts);
  return { events: world.events(), ...tally };
}

function checkPromises(tasks: ReadonlyMap<string, TaskRecord>, promises: Promises): void {
  assert.equal(new Set(promises.created.values()).size, promises.created.size);
  assert.equal(tasks.size, promises.created.size, 'one task for each idempotency key');
  for (const id of promises.created.values()) assert.ok(tasks.has(id), `${id} lost`);
  for (const [id, told] of promises.outcomes) {
    const task = tasks.get(id);
    assert.equal(JSON.stringify([task?.status, task?.outcome]), told, `${id} ended twice`);
  }
  for (const task of tasks.values()) {
    const outcome = outcomeOf(task);
    if (outcome === undefined || !('result' in outcome)) continue;
    assert.equal(outcome.result['attempt'], task.attempt, 'a fenced run has written');
    if (task.tool === 'asks') assert.deepEqual(outcome.result['answers'], ['input-1', 'input-2']);
  }
}

function checkStarts(starts: Starts): void {
  for (const [id, { tool, byFence }] of starts) {
    for (const [fence, count] of byFence) {
      assert.equal(count, 1, `${tool} task ${id} started ${count} times under fence ${fence}`);
    }
    if (tool === 'once') assert.equal(byFence.size, 1, `${id} may not be retried and was`);
  }
}

function reply(engine: TaskEngine, { id, input }: TaskRecord): Promise<TaskRecord> {
  const answers = outstanding(input).map(
    ({ key }) => [key, { result: { action: 'accept', content: { key } } }] as const,
  );
  return engine.answer(CALLER, id, Object.fromEntries(answers));
}

/** A TaskError that is an answer is returned; everything else that goes wrong is silence. */
async function attempt<T>(asked: Promise<T>): Promise<T | TaskError | undefined> {
  try {
    return await asked;
  } catch (error) {
    return error instanceof TaskError ? error : undefined;
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}

function isFault(answer: unknown): boolean {
  return answer instanceof TaskError && ['internal', 'closed'].includes(answer.reason);
}

/** The same handler; notes every start under the fence that the run holds. */
function counted(starts: Starts, { id, tool = '', fence }: TaskSummary, handler: TaskHandler) {
  const run: TaskHandler['run'] = (context) => {
    const { byFence } = starts.get(id) ?? { byFence: new Map<number, number>() };
    starts.set(id, { tool, byFence: byFence.set(fence, (byFence.get(fence) ?? 0) + 1) });
    return handler.run(context);
  };
  return { ...handler, run };
}

/** Steps of a task, the second after a pause. None may run once its result is stored. */
async function runSteps(world: World, disk: Disk, { task }: HandlerContext): Promise<unknown> {
  const results: unknown[] = [];
  for (const name of ['first', 'second']) {
    const work = async (): Promise<string> => {
      const stored = disk.tasks.get(task.id)?.steps.find((step) => step.name === name);
      if (stored?.result !== undefined) disk.violations.push(`${name} of ${task.id} ran again`);
      await world.sleep(world.random(LONGEST_WORK_MS / 2));
      return `${name} in attempt ${task.attempt}`;
    };
    results.push(await task.step(name, work));
    if (name === 'first') await task.sleep(world.random(LONGEST_WORK_MS));
  }
  const { steps = [] } = disk.tasks.get(task.id) ?? {};
  const stored = steps.flatMap(({ result }) =>
    result === undefined ? [] : [JSON.parse(result) as unknown],
  );
  assert.deepEqual(results, stored, 'a step returned what is not stored');
  return { content: [], attempt: task.attempt };
}

function handlerFor(world: World, disk: Disk, { tool = '' }: TaskSummary): TaskHandler {
  if (tool === 'steps') return { run: (context) => runSteps(world, disk, context) };
  const work = async ({ task }: HandlerContext): Promise<unknown> => {
    const answers: unknown[] = [];
    if (tool === 'asks') {
      for (const message of ['First?', 'Second?']) {
        answers.push((await task.elicit({ message })).content?.['key']);
      }
    }
    await task.setStatus('half way');
    await world.sleep(world.random(LONGEST_WORK_MS));
    return { content: [], attempt: task.attempt, answers };
  };
  return { run: work, retryable: tool !== 'once' };
}

function clockOf(
  world: World,
  node: Node,
  living: () => boolean,
  wall: { readonly ahead: number },
): Clock {
  function schedule(delay: number, callback: () => void): () => void {
    let off = false;
    world.after(delay, function fire(): void {
      if (off || !living()) return;
      if (node.stalledUntil > world.now()) world.after(STALL_STEP_MS, fire);
      else callback();
    });
    return () => {
      off = true;
    };
  }
  return {
    now: () => world.now() + wall.ahead,
    monotonic: world.now,
    wake: (delayMs, callback) => schedule(delayMs, callback),
    soon: (callback) => void schedule(world.random(2), callback),
  };
}

interface Disk {
  readonly tasks: ReadonlyMap<string, TaskRecord>;
  readonly violations: string[];
  storeFor(node: Node, living: () => boolean): TaskStore;
  /** Makes most writes fail for a while, as on a full disk. */
  fill(forMs: number): void;
  heal(): void;
}

/** What survives every crash. It judges each write as it lands. */
function createDisk(world: World, store: TaskStore = createMemoryStore()): Disk {
  const tasks = new Map<string, TaskRecord>();
  const watchers = new Set<(change: TaskChange) => void>();
  // Noted, not thrown: the engine would take an exception for one more fault of the store.
  const violations: string[] = [];
  let faultRate = 0.01;
  let fullUntil = 0;

  const judged: TaskStore = {
    ...store,
    async insert(record, caps) {
      const insertion = await store.insert(record, caps);
      if (insertion.kind === 'inserted') tasks.set(record.id, record);
      return insertion;
    },
    async update(next) {
      if (!(await store.update(next))) return false;
      const before = tasks.get(next.id);
      const legal =
        before !== undefined &&
        LEGAL[before.status].includes(next.status) &&
        next.version === before.version + 1 &&
        next.fence >= before.fence &&
        next.updatedAt >= before.updatedAt;
      if (!legal) violations.push(`${JSON.stringify(before)} became ${JSON.stringify(next)}`);
      tasks.set(next.id, next);
      const change: TaskChange = { kind: 'changed', key: next, version: next.version };
      watchers.forEach((tell) => world.after(world.random(10), () => tell(change)));
      return true;
    },
  };

  /** Each operation takes time, may fail, may land after its node has died, and may never be acknowledged. */
  function through<A extends unknown[], R>(
    node: Node,
    living: () => boolean,
    operation: (...args: A) => Promise<R>,
    writes = false,
  ): (...args: A) => Promise<R> {
    const fails = (): boolean =>
      world.chance(writes && world.now() < fullUntil ? SHORTAGE_FAULT_RATE : faultRate);
    return async (...args) => {
      await world.sleep(world.random(5));
      if (!living() && world.chance(0.5)) return world.never();
      if (fails()) throw new Error('disk fault');
      const result = await operation(...args);
      if (fails()) throw new Error('answer lost');
      await world.sleep(world.random(5));
      while (node.stalledUntil > world.now()) await world.sleep(STALL_STEP_MS);
      return living() ? result : world.never();
    };
  }

  return {
    tasks,
    violations,
    fill(forMs) {
      fullUntil = world.now() + forMs;
    },
    heal() {
      faultRate = 0;
      fullUntil = 0;
    },
    storeFor(node, living) {
      return {
        secret: () => judged.secret(),
        insert: through(node, living, (record, caps) => judged.insert(record, caps), true),
        get: through(node, living, (key) => judged.get(key)),
        update: through(node, living, (next) => judged.update(next), true),
        list: through(node, living, (caller, page) => judged.list(caller, page)),
        expire: through(node, living, (now, limit) => judged.expire(now, limit)),
        renew: through(node, living, (worker, until) => judged.renew(worker, until), true),
        orphans: through(node, living, (now, limit) => judged.orphans(now, limit)),
        watch(listener) {
          const tell = (change: TaskChange): void => void (living() && listener(change));
          watchers.add(tell);
          return () => watchers.delete(tell);
        },
        probe: () => judged.probe(),
        close: () => Promise.resolve(),
      };
    },
  };
}

/**
 * Runs as many services as asked, each under its own seed: the same in every run, so that a change is
 * to blame when one fails. `SEED` is the first, for others or to repeat one; a failure says its own.
 */
export async function simulateMany(runs: number): Promise<SimulationResult> {
  const first = Number(process.env['SEED'] ?? 1);
  const total = { events: 0, crashes: 0, shortages: 0, recoveries: 0 };
  for (let run = 0; run < runs; run += 1) {
    const seed = (first + run) >>> 0;
    try {
      const { events, crashes, shortages, recoveries } = await simulate(seed);
      total.events += events;
      total.crashes += crashes;
      total.shortages += shortages;
      total.recoveries += recoveries;
    } catch (error) {
      throw new Error(`SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  console.info(`${runs} simulated services from SEED=${first}: ${JSON.stringify(total)}`);
  return total;
}
