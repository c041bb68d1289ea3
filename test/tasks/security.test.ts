import { describe, expect, it } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  deferred,
  IDEMPOTENCY_META_KEY,
  type Caller,
  type TaskKey,
} from '../../runtime/tasks/index.js';
import {
  ANN,
  ANN_EXT,
  BEN,
  ending,
  heldTool,
  manualClock,
  refusal,
  rig,
  turns,
} from './support.js';

describe('access', () => {
  it("SEC-1 CORE-ERR-1 EXT-ERR-1 another owner's task and no task get the same error on every method", async () => {
    const looked: TaskKey[] = [];
    const memory = createMemoryStore();
    const store = {
      ...memory,
      get: (key: TaskKey) => {
        looked.push(key);
        return memory.get(key);
      },
    };
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run }, { store });
    const { id } = await tasks.start('slow');
    const never = id.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const strangers: readonly Caller[] = [BEN, { owner: '', dialect: 'core' }, ANN_EXT];
    const { engine } = tasks;
    const methods: readonly ((caller: Caller, which: string) => Promise<unknown>)[] = [
      (caller, which) => engine.get(caller, which),
      (caller, which) => engine.wait(caller, which),
      (caller, which) => engine.cancel(caller, which),
      (caller, which) => engine.answer(caller, which, {}),
      (caller, which) => engine.subscribe(caller, which, () => undefined),
    ];
    for (const stranger of strangers) {
      for (const method of methods) {
        const seen = await Promise.all(
          [id, never].map(async (which) => {
            looked.length = 0;
            const { code, message, data } = await refusal(method(stranger, which));
            return { code, message, data, lookUps: looked.length };
          }),
        );
        expect(seen[0]).toEqual(seen[1]);
        expect(seen[0]).toMatchObject({ code: -32602, message: 'Unknown or expired task' });
      }
      expect((await engine.list(stranger)).tasks).toEqual([]);
    }
    expect((await engine.get(ANN, id)).status).toBe('working');
    tool.release();
  });

  it("SEC-1 no event of another owner's task reaches a listener while its task is looked up", async () => {
    const memory = createMemoryStore();
    const lookedUp = deferred<undefined>();
    const store = {
      ...memory,
      get: async (key: TaskKey) => {
        if (key.owner === BEN.owner || key.dialect === ANN_EXT.dialect) await lookedUp.promise;
        return memory.get(key);
      },
    };
    const tasks = await rig(
      {
        asks: async ({ task }) => {
          await task.step('first', () => undefined);
          task.progress({ progress: 1, message: 'secret' });
          await task.elicit({ message: 'The secret?' });
          return { content: [] };
        },
      },
      { store },
    );
    const { id } = await tasks.start('asks');
    const received: unknown[] = [];
    const refusals = [BEN, ANN_EXT].flatMap((stranger) => [
      refusal(tasks.engine.subscribe(stranger, id, (event) => received.push(event))),
      refusal(tasks.engine.wait(stranger, id, undefined, (task) => received.push(task))),
    ]);
    await turns();
    expect((await tasks.engine.get(ANN, id)).status).toBe('input_required');
    lookedUp.resolve(undefined);
    await Promise.all(refusals);
    expect(received).toEqual([]);
  });

  it('SEC-2 the owner reaches the task from anywhere: nothing but the owner key is compared', async () => {
    const tasks = await rig({ quick: () => ({ content: [] }) });
    const { id } = await tasks.start('quick');
    expect((await tasks.engine.wait({ ...ANN }, id)).id).toBe(id);
  });

  it('SEC-8 notes creation, input, end, retrieval, refusal and expiry, with the owner', async () => {
    const tasks = await rig({
      asks: async ({ task }) => {
        await task.elicit({ message: 'Sure?' });
        return { content: [] };
      },
    });
    const task = await tasks.start('asks');
    await turns();
    await tasks.engine.answer(ANN, task.id, { 'input-1': { result: { action: 'accept' } } });
    await ending(tasks, task);
    await tasks.engine.list(ANN);
    await refusal(tasks.engine.get(BEN, task.id));
    expect(tasks.audit.map(({ type, owner, taskId }) => [type, owner, taskId])).toEqual([
      ['created', 'ann', task.id],
      ['input_requested', 'ann', task.id],
      ['input_answered', 'ann', task.id],
      ['completed', 'ann', task.id],
      ['retrieved', 'ann', task.id],
      ['listed', 'ann', undefined],
      ['refused', 'ben', task.id],
    ]);
    expect(tasks.audit.at(-1)).toMatchObject({ method: 'tasks/get', reason: 'unknown_task' });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('sink');
      },
    ],
    ['rejects', () => Promise.reject(new Error('sink'))],
    ['never returns', () => new Promise(() => undefined)],
  ])('an audit sink that %s breaks nothing', async (_what, audit) => {
    const tasks = await rig({ quick: () => ({ content: [] }) }, { audit });
    expect((await ending(tasks, await tasks.start('quick'))).task.status).toBe('completed');
    await refusal(tasks.engine.get(BEN, 'x'));
    await turns();
  });

  it('CORE-ERR-1 a faulty store is an internal error without details for the requestor', async () => {
    const broken = {
      ...createMemoryStore(),
      get: () => Promise.reject(new Error('EIO /var/secret')),
    };
    const tasks = await rig({ quick: () => ({}) }, { store: broken });
    const refused = await refusal(tasks.engine.get(ANN, 'some-id'));
    expect(refused).toMatchObject({
      code: -32603,
      message: 'The store of tasks failed; retry in 1000 ms',
      data: { reason: 'internal', retryAfterMs: 1_000 },
    });
    expect(JSON.stringify(refused.data)).not.toContain('secret');
    expect(tasks.audit).toContainEqual(
      expect.objectContaining({ type: 'fault', reason: 'EIO /var/secret' }),
    );
  });
});

describe('an idempotency key', () => {
  const meta = { [IDEMPOTENCY_META_KEY]: 'order-7' };

  it('gives one task for one creation, however often and concurrently it is sent', async () => {
    let runs = 0;
    const tasks = await rig({
      once: () => {
        runs += 1;
        return { content: [] };
      },
    });
    const args = { a: 1, b: { c: 2, d: 3 } };
    const reordered = { b: { d: 3, c: 2 }, a: 1 };
    const created = await Promise.all([
      tasks.start('once', { meta, args }),
      tasks.start('once', { meta, args: reordered }),
      tasks.start('once', { meta, args }),
    ]);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    await turns();
    expect((await tasks.start('once', { meta, args })).id).toBe(created[0].id);
    expect(runs).toBe(1);
    expect(tasks.audit.filter(({ type }) => type === 'deduplicated')).toHaveLength(3);
  });

  it('is refused for another request, and is its owner’s alone', async () => {
    const tasks = await rig({ once: () => ({}), other: () => ({}) });
    const { id } = await tasks.start('once', { meta });
    for (const [tool, args] of [
      ['once', { a: 1 }],
      ['other', {}],
    ] as const) {
      const refused = await refusal(tasks.start(tool, { meta, args }));
      expect(refused).toMatchObject({ code: -32602, reason: 'idempotency_conflict' });
    }
    expect((await tasks.start('once', { meta }, BEN)).id).not.toBe(id);
    expect((await tasks.start('once', { meta }, ANN_EXT)).id).not.toBe(id);
  });

  it('makes a new task when the earlier one has expired, even if that was not swept yet', async () => {
    const clock = manualClock();
    // Without timers, nothing is ever swept.
    const still = { ...clock, wake: () => () => undefined };
    const limits = { createBurst: 2_000, livePerOwner: 2_000 };
    const tasks = await rig({ once: () => ({}) }, { clock: still, limits });
    // More than one sweep removes are due before it.
    const others = Array.from({ length: 1_100 }, () => tasks.start('once', { ttl: 9 }));
    await Promise.all(others);
    const first = await tasks.start('once', { meta, ttl: 10 });
    await clock.advance(10);
    const second = await tasks.start('once', { meta, ttl: 10 });
    expect(second.id).not.toBe(first.id);
    expect(second.createdAt).toBe(clock.now());
    expect((await tasks.start('once', { meta, ttl: 10 })).id).toBe(second.id);
  });

  it('distinguishes an object from a similar array, and refuses a value that it cannot compare', async () => {
    const tasks = await rig({ once: () => ({}) });
    await tasks.start('once', { meta, args: { members: [['a', 1]] } });
    const refused = await refusal(tasks.start('once', { meta, args: { a: 1 } }));
    expect(refused.reason).toBe('idempotency_conflict');
    let deep: unknown = {};
    for (let depth = 0; depth < 2_500; depth += 1) deep = { deep };
    expect((await refusal(tasks.start('once', { meta, args: deep }))).reason).toBe(
      'invalid_params',
    );
  });

  it.each([7, '', 'x'.repeat(256), null, {}])('must be a short string: %j', async (key) => {
    const tasks = await rig({ once: () => ({}) });
    const refused = await refusal(tasks.start('once', { meta: { [IDEMPOTENCY_META_KEY]: key } }));
    expect(refused.reason).toBe('invalid_params');
  });
});
