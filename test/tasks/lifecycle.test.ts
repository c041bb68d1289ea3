import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isTerminal, TRANSITIONS, type TaskStatus } from '../../runtime/tasks/index.js';
import { advance } from '../../runtime/tasks/transitions.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import { sized } from '../support/size.js';
import {
  ANN,
  ANN_EXT,
  ending,
  heldTool,
  manualClock,
  refusal,
  rig,
  type Rig,
  turns,
} from './support.js';

const STATUSES = Object.keys(TRANSITIONS) as TaskStatus[];

describe('transitions', () => {
  const legal: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
    working: ['input_required', 'completed', 'failed', 'cancelled'],
    input_required: ['working', 'completed', 'failed', 'cancelled'],
    completed: [],
    failed: [],
    cancelled: [],
  };

  it('CORE-LIFE-1 allows exactly the legal steps, and nothing leaves a terminal state', () => {
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        const step = () => advance(sampleTask(1, { status: from }), { status: to }, 0);
        if (legal[from].includes(to) || (from === to && !isTerminal(from))) {
          expect(step().status).toBe(to);
        } else {
          expect(step).toThrow(`Task is already ${from}`);
        }
      }
    }
  });

  it('counts versions, and never lets lastUpdatedAt go back', () => {
    const task = sampleTask(1);
    const next = advance(task, { statusMessage: 'x' }, task.updatedAt - 5_000);
    expect(next).toMatchObject({ version: 2, updatedAt: task.updatedAt, statusMessage: 'x' });
  });

  it('drops the message and the worker of a task that ends', () => {
    const task = sampleTask(1, { statusMessage: 'step 3 of 5', worker: 'w' });
    const ended = advance(task, { status: 'cancelled' }, task.updatedAt);
    expect(ended.worker).toBe('');
    expect(ended).not.toHaveProperty('statusMessage');
  });
});

describe('the next version of a task', () => {
  const TASK = sampleTask(1, { worker: 'w', statusMessage: 'Half way', progress: { progress: 1 } });
  const at = TASK.updatedAt + 5;

  it('has what changed, and else what it had', () => {
    expect(advance(TASK, {}, at)).toEqual({ ...TASK, version: 2, updatedAt: at });
    const steps = [{ name: 'a', attempt: 1 }];
    expect(advance(TASK, { steps, fence: 3 }, at)).toMatchObject({ steps, fence: 3, worker: 'w' });
  });

  it('loses its progress to a message without one, and keeps it otherwise', () => {
    const progress = { progress: 2 };
    expect(advance(TASK, { statusMessage: 'New' }, at)).not.toHaveProperty('progress');
    expect(advance(TASK, { statusMessage: 'New', progress }, at)).toMatchObject({ progress });
    expect(advance(TASK, { input: [] }, at)).toMatchObject({ progress: { progress: 1 } });
  });

  it('that ends has no worker, no progress and no message but that of its end', () => {
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      const ended = advance({ ...TASK, queued: true }, { status }, at);
      expect(ended).toMatchObject({ status, worker: '', queuedUntil: at });
      for (const name of ['progress', 'statusMessage', 'queued', 'history']) {
        expect(ended).not.toHaveProperty(name);
      }
      expect(advance(TASK, { status, statusMessage: 'Why' }, at).statusMessage).toBe('Why');
    }
  });

  it('that is not queued any more says so by leaving it out', () => {
    const queued = { ...TASK, queued: true };
    expect(advance(queued, { statusMessage: 'x' }, at)).toMatchObject({ queued: true });
    expect(advance(queued, { statusMessage: 'x' }, at)).not.toHaveProperty('queuedUntil');
    const started = advance(queued, { queued: false }, at);
    expect(started).not.toHaveProperty('queued');
    expect(started.queuedUntil).toBe(at);
    expect(advance(started, { queued: true }, at + 1)).toMatchObject({ queued: true });
  });

  it('keeps the newest 50 entries of its history', () => {
    let task = sampleTask(1);
    for (let attempt = 2; attempt <= 60; attempt += 1) task = advance(task, { attempt }, at);
    expect(task.history).toHaveLength(50);
    expect(task.history?.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 11),
    );
  });

  it('cannot be made of one that has ended, with the status in the error', () => {
    const ended = sampleTask(1, { status: 'failed' });
    expect(() => advance(ended, {}, at)).toThrow(
      expect.objectContaining({
        reason: 'ended',
        message: 'Task is already failed',
        data: { reason: 'ended', status: 'failed' },
      }),
    );
  });
});

describe('a task', () => {
  it('CORE-NEW-1 is answered before its tool starts', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run });
    await tasks.start('slow');
    expect(tool.contexts).toHaveLength(0);
    await turns();
    expect(tool.contexts).toHaveLength(1);
    tool.release();
  });

  it('CORE-NEW-3 starts in working', async () => {
    const tasks = await rig({ quick: () => ({}) });
    expect(await tasks.start('quick')).toMatchObject({ status: 'working' });
  });

  it('CORE-NEW-4 was last updated when it was created', async () => {
    const tasks = await rig({ quick: () => ({}) });
    const { createdAt, updatedAt } = await tasks.start('quick');
    expect(updatedAt).toBe(createdAt);
    expect(Math.abs(createdAt - Date.now())).toBeLessThan(60_000);
  });

  it('CORE-NEW-5 has the TTL that was asked for, and a poll interval', async () => {
    const tasks = await rig({ quick: () => ({}) });
    const task = await tasks.start('quick', { ttl: 5_000 });
    expect(task).toMatchObject({ ttl: 5_000, pollInterval: 1_000 });
  });

  it('CORE-NEW-2 has a unique id', async () => {
    const tasks = await rig({ quick: () => ({}) });
    const created = await Promise.all(Array.from({ length: 200 }, () => tasks.start('quick')));
    expect(new Set(created.map(({ id }) => id)).size).toBe(200);
  });

  it('EXT-NEW-3 is found at once under its id', async () => {
    const tasks = await rig({ quick: () => ({}) });
    const created = await Promise.all(Array.from({ length: 200 }, () => tasks.start('quick')));
    for (const { id } of created) expect((await tasks.engine.get(ANN, id)).id).toBe(id);
  });

  it('CORE-RES-1 EXT-GET-2 keeps any result exactly', async () => {
    const tasks = await rig({ echo: ({ args }) => args });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const { outcome } = await ending(tasks, await tasks.start('echo', { args: value }));
        expect(JSON.stringify(outcome)).toBe(JSON.stringify({ result: value }));
      }),
      { numRuns: sized(100) },
    );
  });

  describe.each([
    ['core', ANN],
    ['ext', ANN_EXT],
  ] as const)('whose handler throws a JSON-RPC error, in %s', (_, caller) => {
    const error = { code: -32050, message: 'No such city', data: { city: 'Ys', tries: [1, null] } };
    const failing = (): Promise<Rig> =>
      rig({ fail: () => Promise.reject(Object.assign(new Error(error.message), error)) });

    it('CORE-LIFE-3 is failed, with its message as the status message', async () => {
      const tasks = await failing();
      const { task } = await ending(tasks, await tasks.start('fail', {}, caller));
      expect(task).toMatchObject({ status: 'failed', statusMessage: 'No such city' });
    });

    it('CORE-RES-1 EXT-GET-2 keeps the error exactly', async () => {
      const tasks = await failing();
      const { outcome } = await ending(tasks, await tasks.start('fail', {}, caller));
      expect(outcome).toEqual({ error });
    });
  });

  it('CORE-LIFE-3 EXT-GET-3 a result with isError is failed in core and completed in ext', async () => {
    const result = { isError: true, content: [{ type: 'text', text: 'Out of tea' }] };
    const tasks = await rig({ tea: () => result });
    const core = await ending(tasks, await tasks.start('tea'));
    expect(core.task).toMatchObject({ status: 'failed', statusMessage: 'Out of tea' });
    expect(core.outcome).toEqual({ result });
    const ext = await ending(tasks, await tasks.start('tea', {}, ANN_EXT));
    expect(ext.task.status).toBe('completed');
    expect(ext.outcome).toEqual({ result });
  });

  it('is not misled by isError deeper in the result', async () => {
    const tasks = await rig({ nested: () => ({ content: [], inner: { isError: true } }) });
    expect((await ending(tasks, await tasks.start('nested'))).task.status).toBe('completed');
  });

  it.each([
    ['an Error', new Error('Boom'), 'Boom'],
    ['a string', 'Boom', 'Boom'],
    ['a positive exit code', Object.assign(new Error('Boom'), { code: 1 }), 'Boom'],
    ['nothing', undefined, 'undefined'],
  ])(
    'a tool that throws %s answers isError, as a plain call would',
    async (_what, thrown, text) => {
      const tasks = await rig({
        throws: () => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- handlers may
          throw thrown;
        },
      });
      const core = await ending(tasks, await tasks.start('throws'));
      expect(core.task.status).toBe('failed');
      expect(core.outcome).toEqual({
        result: { content: [{ type: 'text', text }], isError: true },
      });
      const ext = await ending(tasks, await tasks.start('throws', {}, ANN_EXT));
      expect(ext.task.status).toBe('completed');
    },
  );

  it('another request whose handler throws fails with an internal error', async () => {
    const tasks = await rig({
      'sampling/createMessage': () => Promise.reject(new Error('No model')),
    });
    const task = await tasks.engine.create(ANN, { method: 'sampling/createMessage', args: {} });
    const { outcome } = await ending(tasks, task);
    expect(outcome).toEqual({ error: { code: -32603, message: 'No model' } });
  });

  it.each([
    ['undefined', () => undefined],
    ['a string', () => 'text'],
    ['an array', () => []],
    ['null', () => null],
    ['a BigInt', () => ({ n: 1n })],
    [
      'a cycle',
      () => {
        const cycle: { self?: unknown } = {};
        cycle.self = cycle;
        return cycle;
      },
    ],
    ['too much', () => ({ text: 'x'.repeat(2_000) })],
  ])('fails with -32603 when the handler returns %s', async (_what, run) => {
    const tasks = await rig({ bad: run }, { limits: { resultBytes: 1_000 } });
    const { task, outcome } = await ending(tasks, await tasks.start('bad'));
    expect(task.status).toBe('failed');
    expect(outcome).toMatchObject({ error: { code: -32603, data: { reason: 'invalid_result' } } });
  });

  it('fails when looking for its handler does', async () => {
    const handlers = (): never => {
      throw new Error('No such table');
    };
    const tasks = await rig({}, { handlers });
    expect((await ending(tasks, await tasks.start('any'))).task.status).toBe('failed');
  });

  it('CORE-RES-2 gives a waiter each state until the end, if it asks for them', async () => {
    const tasks = await rig({
      asks: async ({ task }) => ({ content: [], answer: await task.elicit({}) }),
    });
    const { id } = await tasks.start('asks');
    const seen: string[] = [];
    const waiter = tasks.engine.wait(ANN, id, undefined, ({ status }) => seen.push(status));
    await turns();
    await tasks.engine.answer(ANN, id, { 'input-1': { result: { action: 'accept' } } });
    await waiter;
    expect(seen).toEqual(['working', 'input_required', 'working']);
  });

  it('lets go of a waiter whose own listener fails', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run }, { limits: { listenersPerOwner: 1 } });
    const { id } = await tasks.start('slow');
    const broken = tasks.engine.wait(ANN, id, undefined, () => {
      throw new Error('Own fault');
    });
    await expect(broken).rejects.toThrow('Own fault');
    (await tasks.engine.subscribe(ANN, id, () => undefined)).end();
    tool.release();
  });

  it('fails when nothing runs it', async () => {
    const tasks = await rig({});
    const { outcome } = await ending(tasks, await tasks.start('missing'));
    expect(outcome).toMatchObject({ error: { code: -32603, data: { reason: 'no_handler' } } });
  });

  it('CORE-RES-2 is waited for by many, while polling goes on', async () => {
    const tool = heldTool({ content: [], n: 1 });
    const tasks = await rig({ slow: tool.run });
    const task = await tasks.start('slow');
    const waiters = Array.from({ length: 50 }, () => tasks.engine.wait(ANN, task.id));
    await turns();
    expect((await tasks.engine.get(ANN, task.id)).status).toBe('working');
    tool.release();
    for (const ended of await Promise.all(waiters)) expect(ended.status).toBe('completed');
    expect((await tasks.engine.wait(ANN, task.id)).status).toBe('completed');
  });

  it('lets a waiter go when its signal aborts, and only that one', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run });
    const task = await tasks.start('slow');
    const abort = new AbortController();
    const gone = tasks.engine.wait(ANN, task.id, abort.signal);
    const stays = tasks.engine.wait(ANN, task.id);
    abort.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await expect(tasks.engine.wait(ANN, task.id, abort.signal)).rejects.toThrow('gone');
    tool.release();
    expect((await stays).status).toBe('completed');
  });

  it('CORE-PRG-1 sends increasing progress to subscribers, and none after the end', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run });
    const task = await tasks.start('slow', { meta: { progressToken: 'token' } });
    expect(task.progressToken).toBe('token');
    const heard: unknown[] = [];
    const subscription = await tasks.engine.subscribe(ANN, task.id, (event) =>
      heard.push(event.type === 'changed' ? event.task.status : event),
    );
    await turns();
    const controls = tool.contexts[0]?.task;
    for (const progress of [1, 1, 0.5, NaN, 2]) controls?.progress({ progress, total: 2 });
    tool.release();
    await tasks.engine.wait(ANN, task.id);
    await turns();
    controls?.progress({ progress: 3 });
    subscription.end();
    expect(heard).toEqual([
      { type: 'progress', progress: { progress: 1, total: 2 } },
      { type: 'progress', progress: { progress: 2, total: 2 } },
      'completed',
    ]);
  });

  it('CORE-NOT-1 sends subscribers each change once, in order, whatever other listeners do', async () => {
    const tasks = await rig({
      steps: async ({ task }) => {
        for (const message of ['one', 'two', 'three']) await task.setStatus(message);
        return { content: [] };
      },
    });
    const task = await tasks.start('steps');
    const versions: number[] = [];
    await tasks.engine.subscribe(ANN, task.id, () => {
      throw new Error('not your problem');
    });
    await tasks.engine.subscribe(ANN, task.id, (event) => {
      if (event.type === 'changed') versions.push(event.task.version);
    });
    await tasks.engine.wait(ANN, task.id);
    expect(versions).toEqual([2, 3, 4, 5]);
  });

  it('merges messages that come faster than the store takes them, and cuts long ones', async () => {
    const tasks = await rig(
      {
        chatty: async ({ task }) => {
          for (let n = 0; n < 100; n += 1) void task.setStatus(`message ${n}`);
          await task.setStatus('y'.repeat(99));
          await turns();
          return { content: [] };
        },
      },
      { limits: { statusMessageChars: 10 } },
    );
    const task = await tasks.start('chatty');
    const messages: unknown[] = [];
    await tasks.engine.subscribe(ANN, task.id, (event) => {
      if (event.type === 'changed') messages.push(event.task.statusMessage);
    });
    await tasks.engine.wait(ANN, task.id);
    expect(messages).toEqual(['message 0', 'yyyyyyyyyy', undefined]);
  });

  it('refuses everything once the engine is closed, and releases waiters and subscribers', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run });
    const task = await tasks.start('slow');
    const waiter = refusal(tasks.engine.wait(ANN, task.id));
    const heard: string[] = [];
    await tasks.engine.subscribe(ANN, task.id, ({ type }) => heard.push(type));
    await turns();
    await tasks.engine.close(0);
    // The drain gave the running task up, so this waiter has an answer.
    await expect(waiter).rejects.toThrow('Expected a TaskError');
    expect(heard).toContain('closed');
    expect((await refusal(tasks.start('slow'))).reason).toBe('closed');
    expect((await refusal(tasks.engine.get(ANN, task.id))).reason).toBe('closed');
  });

  it('wakes every waiter exactly when time is up', async () => {
    const clock = manualClock();
    const tasks = await rig({ never: () => new Promise(() => undefined) }, { clock });
    const task = await tasks.start('never', { ttl: 100 });
    let expired = 0;
    const waiters = Array.from({ length: 10 }, async () => {
      expect((await refusal(tasks.engine.wait(ANN, task.id))).reason).toBe('unknown_task');
      expired += 1;
    });
    await clock.advance(99);
    expect(expired).toBe(0);
    await clock.advance(1);
    await Promise.all(waiters);
  });
});
