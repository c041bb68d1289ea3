import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { tasksCommand } from '../../runtime/admin/index.js';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import { createMemoryStore } from '../../runtime/stores/memory/index.js';
import { openSqliteBeside, openSqliteStore } from '../../runtime/stores/sqlite/index.js';
import {
  administer,
  type AdministrableStore,
  type AdministeredStore,
  createTaskEngine,
  deferred,
  type TaskAdministration,
  type TaskEngine,
  type HandlerContext,
  type TaskHandler,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { NO_CAPS } from '../../runtime/testing/testkit/index.js';
import { STORE_KINDS, temporaryFolder } from '../support/stores.js';
import { ANN, ANN_EXT, BEN } from './support.js';

interface Rig {
  readonly engine: TaskEngine;
  readonly admin: TaskAdministration;
  readonly store: AdministeredStore;
  readonly file: string;
}

const CALL = 'tools/call';

/** A server on an SQLite file, and its administration on a connection of its own, as in another process. */
async function rig(
  handlers: Readonly<Record<string, TaskHandler['run']>>,
  limits: Parameters<typeof createTaskEngine>[0]['limits'] = {},
): Promise<Rig> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'tasks.db');
  const store = openSqliteStore({ file });
  const engine = await createTaskEngine({
    store,
    limits,
    executor: createInProcessExecutor({ leaseMs: 200 }),
    handlers: ({ tool = '' }) => {
      const run = handlers[tool];
      return run && { run };
    },
  });
  const beside = openSqliteBeside({ file });
  onTestFinished(async () => {
    await beside.close();
    await engine.close(0);
    await store.close();
    folder.remove();
  });
  return { engine, admin: administer(beside), store: beside, file };
}

const content = (text: string) => ({ content: [{ type: 'text', text }] });
const done = () => Promise.resolve(content('done'));
const fail = () => Promise.reject(new Error('It went wrong'));
/** Runs until it is stopped, and then rejects with the reason. */
const forever = ({ task }: HandlerContext): Promise<never> =>
  new Promise((_, reject) => {
    task.signal.addEventListener('abort', () => reject(task.signal.reason as Error));
  });

describe('administration beside a running server', () => {
  it('cancels a running task: its handler stops and its waiter gets the task', async () => {
    let stopped: unknown;
    const { engine, admin } = await rig({
      forever: (context) =>
        forever(context).catch((error: unknown) => {
          stopped = error;
          throw error as Error;
        }),
    });
    const { id } = await engine.create(ANN, { method: CALL, tool: 'forever', args: {} });
    const waiting = engine.wait(ANN, id);
    const cancelled = await admin.cancel(id);
    expect(cancelled).toMatchObject({ status: 'cancelled', worker: '', fence: 2 });
    expect(await waiting).toMatchObject({
      status: 'cancelled',
      statusMessage: 'Cancelled by an administrator',
    });
    expect(stopped).toMatchObject({ reason: 'not_running' });
    await expect(admin.cancel(id)).rejects.toMatchObject({ reason: 'ended' });
  });

  it('retries a failed task as a new one of the same owner, once', async () => {
    let attempts = 0;
    const { engine, admin } = await rig({
      flaky: ({ args }) =>
        (attempts += 1) === 1 ? fail() : done().then(() => content(JSON.stringify(args))),
    });
    const meta = { 'mcp-codegen/idempotency-key': 'k' };
    const request = { method: CALL, tool: 'flaky', args: { n: 7 }, meta };
    const { id } = await engine.create(ANN, request);
    await engine.wait(ANN, id);
    const again = await admin.retry(id);
    expect(again).toMatchObject({ owner: 'ann', dialect: 'core', retryOf: id, args: '{"n":7}' });
    expect(again.id).not.toBe(id);
    expect(again).not.toHaveProperty('idempotency');
    const ended = await engine.wait(ANN, again.id);
    expect(ended.status).toBe('completed');
    expect(ended.outcome).toContain(String.raw`{\"n\":7}`);
    // The first stays as it was.
    expect(await engine.get(ANN, id)).toMatchObject({ status: 'failed', retriedAs: again.id });
    expect((await engine.create(ANN, request)).id).toBe(id);
    await expect(admin.retry(id)).rejects.toThrow(`Task ${id} was retried as ${again.id}`);
    await expect(admin.retry(again.id)).rejects.toThrow('is completed');
    expect((await admin.retry(id, { again: true })).id).not.toBe(again.id);
  });

  it('retries a task whose tool reported an error in the extension', async () => {
    const { engine, admin } = await rig({ fail });
    const { id } = await engine.create(ANN_EXT, { method: CALL, tool: 'fail', args: {} });
    expect((await engine.wait(ANN_EXT, id)).status).toBe('completed');
    expect(await admin.retry(id)).toMatchObject({ dialect: 'ext', retryOf: id });
  });

  it('counts, lists, retries and removes the failed work of both dialects', async () => {
    const { engine, admin, store, file } = await rig({ fail, done, forever });
    const run = async (caller: typeof ANN, tool: string) => {
      const { id } = await engine.create(caller, { method: CALL, tool, args: {} });
      const { status } = await engine.wait(caller, id);
      return { id, status };
    };
    const core = await run(ANN, 'fail');
    const ext = await run(ANN_EXT, 'fail');
    const good = await run(ANN_EXT, 'done');
    // The protocol's own words stay.
    expect([core, ext, good].map(({ status }) => status)).toEqual([
      'failed',
      'completed',
      'completed',
    ]);
    expect(await store.administration.count(Date.now())).toMatchObject({ failed: 2, completed: 1 });
    const output: string[] = [];
    const tasks = async (...args: string[]) => {
      output.length = 0;
      const open = () => openSqliteBeside({ file });
      expect(await tasksCommand(args, { open, print: (text) => output.push(text) })).toBe(0);
      return output.join('');
    };
    const failed = JSON.parse(await tasks('list', '--status', 'failed', '--json')) as {
      tasks: { id: string; status: string; protocolStatus?: string }[];
    };
    expect(failed.tasks).toMatchObject([
      { id: ext.id, status: 'failed', protocolStatus: 'completed' },
      { id: core.id, status: 'failed' },
    ]);
    expect(await tasks('list')).toMatch(new RegExp(`^${ext.id}  failed `, 'm'));
    const completed = await tasks('list', '--status', 'completed');
    expect(completed).toContain(good.id);
    expect(completed).not.toContain(ext.id);
    expect(JSON.parse(await tasks('inspect', ext.id, '--json'))).toMatchObject({
      task: { status: 'failed', history: [{ status: 'working' }, { status: 'failed' }] },
    });
    await expect(admin.cancel(ext.id)).rejects.toThrow('The task is failed already');
    expect(await tasks('retry', '--failed', '--limit', '1')).toContain(`Retried ${ext.id} as `);
    expect(await admin.purge({ status: 'completed', olderThan: 0 })).toHaveLength(1);
    expect((await admin.purge({ status: 'failed', olderThan: 0 })).map(({ id }) => id)).toContain(
      ext.id,
    );
  });

  it('of two who retry a task at the same time, refuses one', async () => {
    const { engine, admin, store } = await rig({ fail });
    const { id } = await engine.create(ANN, { method: CALL, tool: 'fail', args: {} });
    await engine.wait(ANN, id);
    const both = await Promise.allSettled([admin.retry(id), administer(store).retry(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = both.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { reason: 'invalid_params' } });
  });

  it('leaves a task as it was when its retry cannot be stored', async () => {
    const { engine, admin, store } = await rig({ fail });
    const { id } = await engine.create(ANN, { method: CALL, tool: 'fail', args: {} });
    await engine.wait(ANN, id);
    const full = { ...store, insert: () => Promise.reject(new Error('disk full')) };
    await expect(administer(full).retry(id)).rejects.toThrow('disk full');
    const { id: first } = await admin.retry(id);
    await expect(administer(full).retry(id, { again: true })).rejects.toThrow('disk full');
    expect((await admin.inspect(id)).retriedAs).toBe(first);
  });

  it('has retried a task whose retry was stored although the answer was lost', async () => {
    const { engine, store } = await rig({ fail });
    const { id } = await engine.create(ANN, { method: CALL, tool: 'fail', args: {} });
    await engine.wait(ANN, id);
    const insert: AdministeredStore['insert'] = async (...args) => {
      await store.insert(...args);
      throw new Error('connection lost');
    };
    const again = await administer({ ...store, insert }).retry(id);
    expect((await engine.get(ANN, id)).retriedAs).toBe(again.id);
  });

  it('cancels several tasks at the same time', async () => {
    const { engine, admin } = await rig({ forever });
    const create = () => engine.create(ANN, { method: CALL, tool: 'forever', args: {} });
    const tasks = [await create(), await create(), await create()];
    const cancelled = await Promise.all(tasks.map(({ id }) => admin.cancel(id)));
    expect(cancelled.map(({ status }) => status)).toEqual(Array(3).fill('cancelled'));
  });

  it('removes what has ended, and makes room for the owner', async () => {
    const { engine, admin } = await rig({ done, forever }, { storedPerOwner: 3 });
    const create = (tool: string) => engine.create(ANN, { method: CALL, tool, args: {} });
    const [first, second] = [await create('done'), await create('done')];
    const live = await create('forever');
    for (const { id } of [first, second]) await engine.wait(ANN, id);
    await expect(create('done')).rejects.toMatchObject({ reason: 'limit' });
    expect(await admin.purge({ olderThan: 3_600_000 })).toEqual([]);
    const dry = await admin.purge({ olderThan: 0, dryRun: true });
    expect(dry.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await engine.get(ANN, first.id)).toMatchObject({ status: 'completed' });
    expect(await admin.purge({ olderThan: 0 })).toHaveLength(2);
    // The server looks once a turn of its event loop, which another process would not share.
    await new Promise((resolve) => setImmediate(resolve));
    await expect(engine.get(ANN, first.id)).rejects.toMatchObject({ reason: 'unknown_task' });
    expect((await engine.get(ANN, live.id)).status).toBe('working');
    await expect(admin.purge({ status: 'working', olderThan: 0 })).rejects.toThrow('not working');
    // The server counts again when it notices, within a second.
    await expect.poll(() => create('done').then(({ status }) => status)).toBe('working');
  });

  it('says only of tasks that it removed that they are gone', async () => {
    const { engine, admin, store } = await rig({ fail });
    const create = () => engine.create(ANN, { method: CALL, tool: 'fail', args: {} });
    const [kept, removed] = [await create(), await create()];
    for (const { id } of [kept, removed]) await engine.wait(ANN, id);
    // Another administrator retries one meanwhile.
    const remove: AdministeredStore['administration']['remove'] = async (tasks) => {
      await admin.retry(kept.id);
      return store.administration.remove(tasks);
    };
    const busy = { ...store, administration: { ...store.administration, remove } };
    const purged = await administer(busy).purge({ olderThan: 0 });
    expect(purged.map(({ id }) => id)).toEqual([removed.id]);
    expect((await admin.inspect(kept.id)).retriedAs).toBeDefined();
  });

  it('leaves nothing behind for a server that starts later', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const file = join(folder.path, 'tasks.db');
    const first = openSqliteStore({ file });
    await first.close();
    const beside = openSqliteBeside({ file });
    await beside.insert({ ...(await sample()), worker: '' }, NO_CAPS);
    await beside.close();
    const store = openSqliteStore({ file });
    onTestFinished(() => store.close());
    expect(await store.orphans(Date.now(), 9)).toHaveLength(1);
    expect(() => openSqliteBeside({ file: `${file}x` })).toThrow('There is no database at');
  });
});

async function sample() {
  const { sampleTask } = await import('../../runtime/testing/testkit/index.js');
  return sampleTask(1, { createdAt: Date.now(), updatedAt: Date.now() });
}

describe.each(STORE_KINDS)('administration in the process of a server, with $name', ({ place }) => {
  async function started(run: TaskHandler['run'], leaseMs = 200) {
    const { open, remove } = place();
    const store = (await open()) as AdministrableStore;
    const engine = await createTaskEngine({
      store,
      executor: createInProcessExecutor({ leaseMs }),
      handlers: () => ({ run }),
    });
    onTestFinished(async () => {
      await engine.close(0);
      await store.close();
      await remove();
    });
    const create = () => engine.create(ANN, { method: CALL, tool: 'tool', args: {} });
    return { engine, admin: administer(store), create };
  }

  it('cancels a running task: its handler stops and its waiter gets the task', async () => {
    const [began, stopped] = [deferred<void>(), deferred<unknown>()];
    const { engine, admin, create } = await started((context) => {
      began.resolve();
      return forever(context).catch((error: unknown) => {
        stopped.resolve(error);
        throw error as Error;
      });
    });
    const { id } = await create();
    await began.promise;
    const waiting = engine.wait(ANN, id);
    await admin.cancel(id);
    expect(await waiting).toMatchObject({ status: 'cancelled' });
    expect(await stopped.promise).toMatchObject({ reason: 'not_running' });
  });

  it('tells those who follow a task that it was removed', async () => {
    const { engine, admin, create } = await started(done);
    const { id } = await create();
    await engine.wait(ANN, id);
    const events: string[] = [];
    const { end } = await engine.subscribe(ANN, id, ({ type }) => events.push(type));
    await admin.purge({ olderThan: -1 });
    expect(events).toEqual(['removed']);
    end();
  });
});

describe('the command', () => {
  const SECRET = 'hunter2';

  /** Runs the command on a store; resolves with what it printed. */
  async function run(store: AdministeredStore, ...args: readonly string[]) {
    const out: string[] = [];
    const errors: string[] = [];
    const code = await tasksCommand(args, {
      open: () => ({ ...store, close: () => Promise.resolve() }),
      print: (text) => out.push(text),
      printError: (text) => errors.push(text),
    });
    return { code, out: out.join('\n'), errors: errors.join('\n') };
  }

  const json = async (
    store: AdministeredStore,
    ...args: readonly string[]
  ): Promise<Readonly<Record<string, unknown>>> => {
    const { code, out } = await run(store, ...args, '--json');
    return { code, ...(JSON.parse(out) as Record<string, unknown>) };
  };

  it('lists by status and owner, inspects, cancels, retries and removes', async () => {
    const { engine, store } = await rig({ done, fail, forever });
    const make = async (caller: typeof ANN, tool: string) =>
      (await engine.create(caller, { method: CALL, tool, args: { password: SECRET } })).id;
    const [failed, running, other] = [
      await make(ANN, 'fail'),
      await make(ANN, 'forever'),
      await make(BEN, 'done'),
    ];
    await engine.wait(ANN, failed);
    await engine.wait(BEN, other);

    const all = await run(store, 'list');
    expect(all.code).toBe(0);
    expect(all.out.split('\n')).toHaveLength(4);
    expect(all.out).toMatch(/^ID +STATUS +TOOL/);
    const ids = async (...args: string[]) => {
      const { tasks } = await json(store, 'list', ...args);
      return (tasks as { id: string }[]).map(({ id }) => id);
    };
    expect(await ids()).toEqual([other, running, failed]);
    expect(await ids('--status', 'failed')).toEqual([failed]);
    expect(await ids('--owner', 'ben')).toEqual([other]);
    expect(await json(store, 'list', '--limit', '1')).toMatchObject({ next: other });
    expect(await ids('--limit', '1', '--before', other)).toEqual([running]);

    const inspected = await run(store, 'inspect', failed);
    expect(inspected.out).toContain('It went wrong');
    expect(inspected.out).not.toContain(SECRET);
    expect((await run(store, 'inspect', failed, '--payloads')).out).toContain(SECRET);
    const { task } = await json(store, 'inspect', failed);
    expect(task).toMatchObject({ history: [{ status: 'working' }, { status: 'failed' }] });

    expect(await json(store, 'cancel', running, 'bogus')).toMatchObject({
      code: 1,
      cancelled: [running],
      errors: [{ id: 'bogus', reason: 'unknown_task' }],
    });
    expect(await json(store, 'retry', '--failed', '--dry-run')).toMatchObject({ tasks: [failed] });
    const retried = await json(store, 'retry', '--failed');
    expect(retried).toMatchObject({ code: 0, schemaVersion: 1, retried: [{ id: failed }] });
    const [{ retriedAs }] = retried['retried'] as [{ retriedAs: string }];
    await engine.wait(ANN, retriedAs);
    // The first is not retried again; the second has failed as well.
    expect(await json(store, 'retry', '--failed', '--dry-run')).toMatchObject({
      tasks: [retriedAs],
    });

    const purge = ['purge', '--status', 'failed', '--older-than', '0s'];
    expect(await json(store, ...purge, '--dry-run')).toMatchObject({
      removed: 0,
      tasks: [retriedAs, failed],
    });
    expect((await run(store, ...purge)).out).toBe('Removed 2 tasks');
    expect(await ids('--status', 'failed')).toEqual([]);
  });

  it.each([
    [[], 'No command'],
    [['lost'], 'Unknown command "lost"'],
    [['constructor'], 'Unknown command "constructor"'],
    [['list', '--status', 'done'], 'Unknown status "done"'],
    [['list', '--limit', '0'], '--limit must be'],
    [['list', '--limit', '1e3'], '--limit must be'],
    [['list', 'x'], 'takes no ids'],
    [['list', '--dry-run'], 'list has no option --dry-run'],
    [['list', '--stauts', 'x'], "Unknown option '--stauts'"],
    [['inspect'], 'needs one id'],
    [['inspect', 'a', 'b'], 'needs one id'],
    [['cancel'], 'needs the id'],
    [['retry'], 'needs the id of a task, or --failed'],
    [['retry', 'x', '--failed'], 'either ids or --failed'],
    [['retry', 'x', '--owner', 'ben'], '--owner needs --failed'],
    [['retry', 'x', 'y', '--limit', '1'], '--limit needs --failed'],
    [['purge'], 'needs --older-than'],
    [['purge', '--older-than', '7'], 'such as 7d'],
    [['backup', 'x'], 'pg_dump'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const store = createMemoryStore() as AdministeredStore & TaskStore;
    const { code, errors, out } = await run(store, ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toContain(message);
    // Node's advice for arguments that begin with a hyphen.
    expect(errors).not.toContain('positional');
    const { errors: found } = await json(store, ...args);
    expect(found).toMatchObject([
      { reason: 'usage', message: expect.stringContaining(message) as string },
    ]);
  });

  it('prints no characters that control a terminal', async () => {
    const hostile = 'a\u001b[2J\u009b\u202e\nb';
    const { engine, store } = await rig({ done, fail: () => Promise.reject(new Error(hostile)) });
    const caller = { owner: hostile, dialect: 'core' } as const;
    const { id } = await engine.create(caller, { method: CALL, tool: 'fail', args: { hostile } });
    await engine.wait(caller, id);
    for (const args of [
      ['list'],
      ['inspect', id, '--payloads'],
      ['inspect', hostile],
      ['cancel', hostile],
    ]) {
      const { out, errors } = await run(store, ...args);
      for (const line of `${out}\n${errors}`.split('\n')) {
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
    }
    expect((await run(store, 'list')).out.split('\n')).toHaveLength(2);
  });
});
