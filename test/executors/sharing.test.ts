import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createSlots } from '../../runtime/executors/shared/slots.js';
import type { Caller, TaskHandler } from '../../runtime/tasks/index.js';
import { ANN, BEN, ending, heldTool, manualClock, rig, turns } from '../tasks/support.js';

const never = () => new Promise(() => undefined);
const DONE = { content: [] };

describe('slots', () => {
  it('leave one for the next subject, however greedy the others are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 600 }),
        fc.integer({ min: 1, max: 40 }),
        (size, greedy) => {
          fc.pre(greedy <= Math.max(Math.log2(size), size / 16));
          const slots = createSlots({
            concurrency: size,
            concurrencyPerSubject: Math.floor(size / 2),
            soon: () => undefined,
          });
          for (let subject = 0; subject < greedy; subject += 1) {
            let own = 0;
            while (slots.take(`greedy-${subject}`)) own += 1;
            expect(own).toBeGreaterThan(0);
          }
          expect(slots.take('newcomer')).toBe(true);
          expect(slots.taken).toBeLessThanOrEqual(size);
        },
      ),
    );
  });
});

describe('subjects share the slots', () => {
  it("another owner's task starts at once while one owner has a thousand that do not end", async () => {
    const tasks = await rig({ endless: never, quick: () => DONE });
    await Promise.all(Array.from({ length: 1_000 }, () => tasks.start('endless')));
    await turns();
    const quick = await tasks.start('quick', {}, BEN);
    expect((await tasks.engine.wait(BEN, quick.id)).status).toBe('completed');
  });

  it('a user of forty clients leaves half of the slots to others, with tasks and with calls', async () => {
    const tool = heldTool();
    const tasks = await rig(
      { endless: tool.run, quick: () => DONE },
      { inProcess: { concurrency: 32 } },
    );
    const clients = Array.from({ length: 40 }, (_, n): Caller => {
      return { owner: `eve ${n}`, subjectKey: 'eve', dialect: 'ext' };
    });
    let calls = 0;
    for (const client of clients) {
      await tasks.start('endless', {}, client);
      const call = tasks.engine.call(client, 'endless', new AbortController().signal, () => {
        calls += 1;
        return never();
      });
      call.catch(() => undefined);
    }
    await turns();
    expect(tool.contexts.length + calls).toBe(16);
    for (const owner of ['ann', 'ben', 'cid']) {
      const caller: Caller = { owner, dialect: 'ext' };
      const quick = await tasks.start('quick', {}, caller);
      expect((await tasks.engine.wait(caller, quick.id)).status).toBe('completed');
    }
  });

  it('an owner that is alone runs 256 at a time', async () => {
    const tool = heldTool();
    const tasks = await rig({ tool: tool.run });
    await Promise.all(Array.from({ length: 300 }, () => tasks.start('tool')));
    await turns();
    expect(tool.contexts).toHaveLength(256);
  });

  it('also when answers arrive for many that waited for input', async () => {
    let running = 0;
    const asks: TaskHandler['run'] = async ({ task }) => {
      await task.elicit({});
      running += 1;
      return never();
    };
    const tasks = await rig({ asks, quick: () => DONE }, { inProcess: { concurrency: 8 } });
    const all = await Promise.all(Array.from({ length: 20 }, () => tasks.start('asks')));
    await turns(40);
    await Promise.all(
      all.map(({ id }) =>
        tasks.engine.answer(ANN, id, { 'input-1': { result: { action: 'accept' } } }),
      ),
    );
    await turns();
    expect(running).toBe(4);
    const quick = await tasks.start('quick', {}, BEN);
    expect((await tasks.engine.wait(BEN, quick.id)).status).toBe('completed');
  });

  it('a task that is cancelled while it waits for its turn leaves the line', async () => {
    let started = 0;
    const endless: TaskHandler['run'] = () => {
      started += 1;
      return never();
    };
    const tasks = await rig({ endless }, { inProcess: { concurrency: 2 } });
    const [running, waiting] = [await tasks.start('endless'), await tasks.start('endless')];
    await turns();
    await tasks.engine.cancel(ANN, waiting.id);
    await tasks.engine.cancel(ANN, running.id);
    await turns();
    expect(started).toBe(1);
  });
});

describe('a handler that ignores its signal', () => {
  const stubborn = async (count: number, options = {}) => {
    const clock = manualClock();
    const tool = heldTool();
    const inProcess = { concurrency: 8, abandonMs: 1_000, ...options };
    const tasks = await rig({ stubborn: tool.run, quick: () => DONE }, { clock, inProcess });
    const started = await Promise.all(Array.from({ length: count }, () => tasks.start('stubborn')));
    await clock.advance(1);
    for (const { id } of started) await tasks.engine.cancel(ANN, id);
    return { clock, tool, tasks };
  };

  it('keeps its slot for the grace time, then loses it and is reported', async () => {
    const { clock, tasks } = await stubborn(4);
    const quick = await tasks.start('quick');
    await clock.advance(999);
    expect((await tasks.engine.get(ANN, quick.id)).status).toBe('working');
    await clock.advance(1);
    expect((await ending(tasks, quick)).task.status).toBe('completed');
    expect(tasks.audit.filter(({ type }) => type === 'abandoned')).toHaveLength(4);
  });

  it.each([
    ['of one owner', { abandonedPerSubject: 2 }],
    ['in all', { abandoned: 2 }],
  ])('is not abandoned beyond the limit %s', async (_, options) => {
    const { clock, tasks, tool } = await stubborn(4, options);
    await clock.advance(10_000);
    expect(tasks.audit.filter(({ type }) => type === 'abandoned')).toHaveLength(2);
    const more = await Promise.all([1, 2, 3].map(() => tasks.start('stubborn')));
    await clock.advance(1);
    // Two slots came back, two are still held.
    expect(tool.contexts).toHaveLength(6);
    for (const { id } of more) await tasks.engine.cancel(ANN, id);
    const quick = await tasks.start('quick', {}, BEN);
    await clock.advance(1);
    expect((await tasks.engine.wait(BEN, quick.id)).status).toBe('completed');
    tool.release();
    await clock.advance(10_000);
    const own = await tasks.start('quick');
    await clock.advance(1);
    expect((await tasks.engine.wait(ANN, own.id)).status).toBe('completed');
  });
});

describe('calls that are no tasks', () => {
  it('take slots of their owner', async () => {
    const callers: Caller[] = [ANN, BEN];
    const tasks = await rig({ quick: () => DONE }, { inProcess: { concurrency: 8 } });
    let running = 0;
    const endless = () => {
      running += 1;
      return new Promise<never>(() => undefined);
    };
    for (let n = 0; n < 20; n += 1) {
      tasks.engine
        .call(ANN, 'endless', new AbortController().signal, endless)
        .catch(() => undefined);
    }
    await turns();
    expect(running).toBe(4);
    const [mine, theirs] = await Promise.all(callers.map((each) => tasks.start('quick', {}, each)));
    await turns();
    expect((await tasks.engine.get(ANN, mine?.id)).status).toBe('working');
    expect((await tasks.engine.get(BEN, theirs?.id)).status).toBe('completed');
  });

  it('leave the line when they are aborted, and are refused beyond the limit', async () => {
    const inProcess = { concurrency: 2, waitingPerSubject: 2 };
    const tasks = await rig({}, { inProcess });
    const controller = new AbortController();
    const call = (work: () => Promise<unknown> = never) =>
      tasks.engine.call(ANN, 'tool', controller.signal, work);
    const first = call(() => new Promise((resolve) => setImmediate(resolve, 'done')));
    const [second, third] = [call(), call()];
    await expect(call()).rejects.toMatchObject({
      reason: 'limit',
      data: { limit: 'waitingPerSubject' },
    });
    controller.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await expect(third).rejects.toThrow('gone');
    await expect(first).resolves.toBe('done');
    const { signal } = new AbortController();
    const again = await tasks.engine.call(ANN, 'tool', signal, () => Promise.resolve('again'));
    expect(again).toBe('again');
  });

  it('that wait get their turn while the engine drains, and a task that waits gets none', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run }, { inProcess: { concurrency: 1 } });
    const { signal } = new AbortController();
    let release = (): void => undefined;
    const first = tasks.engine.call(ANN, 'tool', signal, async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return 'first';
    });
    await tasks.start('slow');
    const second = tasks.engine.call(ANN, 'tool', signal, () => Promise.resolve('second'));
    await turns();
    const closed = tasks.engine.close(60_000);
    await turns();
    release();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    await closed;
    expect(tool.contexts).toEqual([]);
  });

  it('are refused when the engine closes', async () => {
    const tasks = await rig({}, { inProcess: { concurrency: 1 } });
    const { signal } = new AbortController();
    void tasks.engine.call(ANN, 'tool', signal, never);
    const waiting = tasks.engine.call(ANN, 'tool', signal, never);
    const refused = expect(waiting).rejects.toMatchObject({ reason: 'closed' });
    await tasks.engine.close(0);
    await refused;
    await expect(tasks.engine.call(ANN, 'tool', signal, never)).rejects.toMatchObject({
      reason: 'closed',
    });
  });
});
