import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  administer,
  type AdministrableStore,
  type AdministeredStore,
  mayRetry,
  type TaskRecord,
  type TaskStatus,
} from '../../runtime/tasks/index.js';
import { administered, onAdministered } from '../../runtime/tasks/administered.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { manualClock } from './support.js';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;

/** An administration of a store that has these tasks. */
async function administering(...tasks: readonly TaskRecord[]) {
  const store = createMemoryStore() as AdministrableStore;
  for (const task of tasks) await store.insert(task, NO_CAPS);
  const clock = manualClock(NOW);
  const heard: unknown[] = [];
  const end = onAdministered(store.administration, (change) =>
    heard.push(change.kind === 'changed' ? [change.task.id, change.task.status] : change.key.id),
  );
  return { store, clock, heard, end, admin: administer(store, clock) };
}

const task = (n: number, parts: Partial<TaskRecord> = {}): TaskRecord =>
  sampleTask(n, { createdAt: NOW, updatedAt: NOW, ttl: HOUR, ...parts });
const failed = (n: number, parts: Partial<TaskRecord> = {}): TaskRecord =>
  task(n, { status: 'failed', outcome: '{"error":{"code":-1,"message":"x"}}', ...parts });
const idOf = (n: number): string => sampleTask(n).id;

describe('an administrator', () => {
  it('finds a task of any owner, with its payloads', async () => {
    const other = task(2, { owner: 'other', dialect: 'ext' });
    const { admin } = await administering(task(1), other);
    expect(await admin.inspect(idOf(2))).toEqual(other);
    await expect(admin.inspect('none')).rejects.toMatchObject({ reason: 'unknown_task' });
    expect((await admin.list({ limit: 9 })).map(({ id }) => id)).toEqual([idOf(2), idOf(1)]);
    expect((await admin.list({ limit: 9, owner: 'other' })).map(({ id }) => id)).toEqual([idOf(2)]);
    expect((await admin.list({ limit: 1, before: idOf(2) })).map(({ id }) => id)).toEqual([
      idOf(1),
    ]);
  });

  it('does not find a task that has expired', async () => {
    const { admin, clock } = await administering(task(1, { ttl: 1_000 }));
    await clock.advance(1_000);
    await expect(admin.inspect(idOf(1))).rejects.toMatchObject({ reason: 'unknown_task' });
    expect(await admin.list({ limit: 9 })).toEqual([]);
  });

  it('cancels a live task under a new fence, and none that has ended', async () => {
    const { admin, store, clock, heard } = await administering(
      task(1, { worker: 'w', fence: 3 }),
      failed(2),
      task(3, { status: 'completed', statusMessage: 'It went wrong' }),
    );
    await clock.advance(5);
    const cancelled = await admin.cancel(idOf(1));
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      statusMessage: 'Cancelled by an administrator',
      worker: '',
      fence: 4,
      version: 2,
      updatedAt: NOW + 5,
    });
    expect(await store.get(cancelled)).toEqual(cancelled);
    for (const [n, status] of [
      [1, 'cancelled'],
      [2, 'failed'],
      [3, 'failed'],
    ] as const) {
      await expect(admin.cancel(idOf(n))).rejects.toMatchObject({
        reason: 'ended',
        message: `The task is ${status} already`,
        data: { status },
      });
    }
    expect(heard).toEqual([[idOf(1), 'cancelled']]);
  });

  it('changes a task however often others change it meanwhile', async () => {
    const { store, clock } = await administering(task(1));
    let races = 3;
    const busy: AdministeredStore = {
      ...store,
      async update(next) {
        if (races > 0) {
          races -= 1;
          await store.update({ ...next, status: 'working', statusMessage: `race ${races}` });
        }
        return store.update(next);
      },
    };
    expect(await administer(busy, clock).cancel(idOf(1))).toMatchObject({
      status: 'cancelled',
      version: 5,
    });
  });
});

describe('a retry', () => {
  it('repeats the request as a new task, which any worker may take', async () => {
    const caller = { issuer: 'i', subject: 's', client: 'c', scopes: ['a'] };
    const first = failed(1, {
      subjectKey: 'user',
      caller,
      trace: { traceparent: 't' },
      progressToken: 7,
      idempotency: { key: 'k', digest: 'd' },
      attempt: 3,
      fence: 9,
      steps: [{ name: 'a', attempt: 1, result: '1' }],
      input: [{ key: 'a', method: 'm', params: '{}', answer: '{}' }],
      pollInterval: 700,
    });
    const { admin, clock, heard } = await administering(first);
    await clock.advance(5);
    const again = await admin.retry(first.id);
    expect(again).toEqual({
      id: again.id,
      owner: 'ann',
      dialect: 'core',
      subjectKey: 'user',
      caller,
      method: 'tools/call',
      tool: 'sample',
      ttl: HOUR,
      pollInterval: 700,
      args: first.args,
      trace: { traceparent: 't' },
      status: 'working',
      createdAt: NOW + 5,
      updatedAt: NOW + 5,
      retryOf: first.id,
      version: 1,
      worker: '',
      fence: 1,
      attempt: 1,
      queued: true,
      input: [],
      steps: [],
    });
    expect(await admin.inspect(again.id)).toEqual(again);
    expect(await admin.inspect(first.id)).toEqual({ ...first, version: 2, retriedAs: again.id });
    expect(heard).toEqual([
      [first.id, 'failed'],
      [again.id, 'working'],
    ]);
  });

  it('has only what the first has', async () => {
    const { tool: _, ...plain } = failed(1);
    const { admin } = await administering(plain);
    const again = await admin.retry(plain.id);
    for (const name of ['tool', 'subjectKey', 'caller', 'trace', 'retriedAs']) {
      expect(again).not.toHaveProperty(name);
    }
  });

  it.each<[TaskStatus, string | undefined, boolean]>([
    ['failed', undefined, true],
    ['cancelled', undefined, true],
    ['completed', 'It went wrong', true],
    ['completed', undefined, false],
    ['working', undefined, false],
    ['input_required', undefined, false],
  ])('of a task that is %s with the message %s: %s', async (status, statusMessage, allowed) => {
    const first = task(1, { status, ...(statusMessage !== undefined && { statusMessage }) });
    expect(mayRetry(first)).toBe(allowed);
    const { admin } = await administering(first);
    if (allowed) expect((await admin.retry(first.id)).retryOf).toBe(first.id);
    else {
      await expect(admin.retry(first.id)).rejects.toMatchObject({
        reason: 'invalid_params',
        message: `Only a task that failed or was cancelled can be retried; ${first.id} is ${status}`,
        data: { status },
      });
      expect(await admin.inspect(first.id)).toEqual(first);
    }
  });

  it('is made once, unless it is made again on purpose', async () => {
    const { admin } = await administering(failed(1));
    const { id } = await admin.retry(idOf(1));
    await expect(admin.retry(idOf(1))).rejects.toMatchObject({
      reason: 'invalid_params',
      message: `Task ${idOf(1)} was retried as ${id}`,
      data: { retriedAs: id },
    });
    const second = await admin.retry(idOf(1), { again: true });
    expect(await admin.inspect(idOf(1))).toMatchObject({ retriedAs: second.id, version: 3 });
  });

  it('that cannot be stored leaves the mark of another one in the meantime', async () => {
    const { admin, store, clock, heard } = await administering(failed(1));
    let other = '';
    const full: AdministeredStore = {
      ...store,
      async insert() {
        other = (await admin.retry(idOf(1), { again: true })).id;
        throw new Error('disk full');
      },
    };
    await expect(administer(full, clock).retry(idOf(1))).rejects.toThrow('disk full');
    expect((await admin.inspect(idOf(1))).retriedAs).toBe(other);
    heard.length = 0;
    const none: AdministeredStore = { ...store, insert: () => Promise.reject(new Error('full')) };
    await expect(administer(none, clock).retry(idOf(1), { again: true })).rejects.toThrow('full');
    expect((await admin.inspect(idOf(1))).retriedAs).toBe(other);
  });
});

describe('a purge', () => {
  const olderBy = (n: number, ms: number, parts: Partial<TaskRecord> = {}): TaskRecord =>
    failed(n, { updatedAt: NOW - ms, ...parts });
  const ids = (tasks: readonly { readonly id: string }[]): string[] => tasks.map(({ id }) => id);

  it('removes what has ended and has not changed for so long, newest first', async () => {
    const { admin, heard } = await administering(
      olderBy(1, 100),
      olderBy(2, 99),
      task(3, { updatedAt: NOW - 500 }),
      olderBy(4, 101, { status: 'cancelled' }),
    );
    expect(ids(await admin.purge({ olderThan: 100, dryRun: true }))).toEqual([idOf(4), idOf(1)]);
    expect(heard).toEqual([]);
    expect(ids(await admin.purge({ olderThan: 100 }))).toEqual([idOf(4), idOf(1)]);
    expect(heard).toEqual([idOf(4), idOf(1)]);
    expect(ids(await admin.list({ limit: 9 }))).toEqual([idOf(3), idOf(2)]);
    expect(await admin.purge({ olderThan: 100 })).toEqual([]);
  });

  it('removes only those of a status or an owner, up to a limit', async () => {
    const { admin } = await administering(
      ...[1, 2, 3].map((n) => olderBy(n, 100)),
      olderBy(4, 100, { status: 'cancelled' }),
      olderBy(5, 100, { owner: 'other' }),
    );
    const purge = async (query: object) => ids(await admin.purge({ olderThan: 0, ...query }));
    expect(await purge({ status: 'cancelled', dryRun: true })).toEqual([idOf(4)]);
    expect(await purge({ owner: 'other', dryRun: true })).toEqual([idOf(5)]);
    expect(await purge({ limit: 2, dryRun: true })).toEqual([idOf(5), idOf(4)]);
    expect(await purge({ limit: 2 })).toEqual([idOf(5), idOf(4)]);
    expect(await purge({})).toEqual([idOf(3), idOf(2), idOf(1)]);
    await expect(admin.purge({ status: 'working', olderThan: 0 })).rejects.toMatchObject({
      reason: 'invalid_params',
      message: 'Only tasks that have ended can be removed, not working',
    });
  });

  it('looks through any number of tasks, in pages', async () => {
    const { store, clock } = await administering(
      ...Array.from({ length: 2_001 }, (_, n) => olderBy(n + 1, 100)),
    );
    const pages: [limit: number | undefined, before: string | undefined][] = [];
    const find: AdministrableStore['administration']['find'] = (query) => {
      pages.push([query.limit, query.before]);
      return store.administration.find(query);
    };
    const noted = { ...store, administration: { ...store.administration, find } };
    const admin = administer(noted, clock);
    expect(await admin.purge({ olderThan: 0, dryRun: true, limit: 1_000 })).toHaveLength(1_000);
    expect(pages).toHaveLength(1);
    expect(await admin.purge({ olderThan: 0 })).toHaveLength(2_001);
    expect(pages.slice(1)).toEqual([
      [1_000, undefined],
      [1_000, idOf(1_002)],
      [1_000, idOf(2)],
    ]);
  });

  it('says only of tasks that it removed that they are gone', async () => {
    const { store, clock, heard } = await administering(olderBy(1, 100), olderBy(2, 100));
    const remove: AdministrableStore['administration']['remove'] = (tasks) =>
      store.administration.remove(tasks.slice(1));
    const busy = { ...store, administration: { ...store.administration, remove } };
    const listening: string[] = [];
    const end = onAdministered(busy.administration, (change) => {
      if (change.kind === 'removed') listening.push(change.key.id);
    });
    expect(ids(await administer(busy, clock).purge({ olderThan: 0 }))).toEqual([idOf(1)]);
    expect([listening, heard]).toEqual([[idOf(1)], []]);
    end();
  });
});

it('what an administration changes reaches each listener of its store until it ends', async () => {
  const { store, admin, heard, end } = await administering(task(1), task(2));
  const others: string[] = [];
  const endOthers = onAdministered(store.administration, ({ kind }) => others.push(kind));
  await admin.cancel(idOf(1));
  end();
  end();
  await admin.cancel(idOf(2));
  expect([heard, others]).toEqual([[[idOf(1), 'cancelled']], ['changed', 'changed']]);
  endOthers();
  administered(store.administration, { kind: 'removed', key: task(1) });
  expect(others).toHaveLength(2);
  onAdministered(undefined, () => others.push('none'))();
});
