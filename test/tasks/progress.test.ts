import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import {
  progressText,
  type HandlerContext,
  type TaskControls,
  type TaskHandler,
  type TaskRecord,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import { STORE_KINDS, tracked } from '../support/stores.js';
import { ANN, ANN_EXT, heldTool, manualClock, rig, turns } from './support.js';

/** A store that keeps every version of a task that it takes. */
function recording(store: TaskStore = createMemoryStore()) {
  const written: TaskRecord[] = [];
  let failing = false;
  return {
    written,
    fail: (value: boolean) => (failing = value),
    messages: (id: string) => written.filter((task) => task.id === id).map((t) => t.statusMessage),
    store: {
      ...store,
      async update(next: TaskRecord) {
        if (failing) throw new Error('The disk is full');
        const stored = await store.update(next);
        if (stored) written.push(next);
        return stored;
      },
    } satisfies TaskStore,
  };
}

/** A task whose handler has begun and does what the test calls. */
async function held(options: { readonly store?: TaskStore; readonly chars?: number } = {}) {
  const clock = manualClock();
  const record = recording(options.store);
  const tool = heldTool();
  const tasks = await rig(
    { held: tool.run },
    {
      clock,
      store: record.store,
      ...(options.chars !== undefined && { limits: { statusMessageChars: options.chars } }),
    },
  );
  const { id } = await tasks.start('held');
  await turns();
  const task = (tool.contexts[0] as HandlerContext).task;
  return { ...record, clock, tasks, tool, id, task, messages: () => record.messages(id) };
}

describe('progress in the status message', () => {
  it.each(STORE_KINDS)('is stored at most once a second: $name', async ({ place }) => {
    const { open, remove } = place();
    const store = tracked(await open());
    onTestFinished(async () => {
      await store.close?.();
      await remove();
    });
    const { task, clock, messages, tasks, id } = await held({ store });
    task.progress({ progress: 1, total: 10, message: 'Resizing' });
    await clock.advance(99);
    expect(messages()).toEqual([]);
    await clock.advance(1);
    expect(messages()).toEqual(['10% (1/10): Resizing']);
    for (const progress of [2, 3, 4]) task.progress({ progress, total: 10 });
    await clock.advance(999);
    expect(messages()).toHaveLength(1);
    await clock.advance(1);
    expect(messages().slice(1)).toEqual(['40% (4/10): Resizing']);
    await clock.advance(60_000);
    expect(messages()).toHaveLength(2);
    expect((await tasks.engine.get(ANN, id)).statusMessage).toBe('40% (4/10): Resizing');
  });

  it('costs a bounded number of writes when a handler reports 10,000 times a second', async () => {
    const { task, clock, messages } = await held();
    let progress = 0;
    for (let ms = 0; ms < 10_000; ms += 50) {
      for (let n = 0; n < 500; n += 1) task.progress({ progress: (progress += 1), total: 100_000 });
      await clock.advance(50);
    }
    await clock.advance(1_000);
    expect(messages().length).toBeLessThanOrEqual(11);
    expect(messages().at(-1)).toBe('100% (100000/100000)');
  });

  it('is not written when the text stays as it is', async () => {
    const { task, clock, messages } = await held();
    for (let progress = 1; progress < 100; progress += 1) {
      task.progress({ progress, message: 'Waiting for the printer' });
      await clock.advance(500);
    }
    expect(messages()).toEqual(['Waiting for the printer']);
  });

  it.each([ANN, ANN_EXT])('costs a task that ends at once no write: $dialect', async (caller) => {
    const clock = manualClock();
    const record = recording();
    const run: TaskHandler['run'] = ({ task }) => {
      task.progress({ progress: 1, total: 2 });
      return { content: [] };
    };
    const tasks = await rig({ quick: run }, { clock, store: record.store });
    const { id } = await tasks.start('quick', {}, caller);
    await turns();
    await clock.advance(5_000);
    expect(record.messages(id)).toEqual([undefined]);
    expect((await tasks.engine.get(caller, id)).status).toBe('completed');
  });

  it('goes when the task ends', async () => {
    const { task, clock, tool, tasks, id } = await held();
    task.progress({ progress: 1, total: 2, message: 'Half way' });
    await clock.advance(100);
    task.progress({ progress: 2, total: 2 });
    tool.release();
    await clock.advance(5_000);
    expect(await tasks.engine.get(ANN, id)).toMatchObject({ status: 'completed' });
    expect(await tasks.engine.get(ANN, id)).not.toHaveProperty('statusMessage');
  });

  it('does not replace a text that is newer, and keeps it behind later progress', async () => {
    const { task, clock, messages } = await held();
    task.progress({ progress: 1, total: 4 });
    await clock.advance(100);
    task.progress({ progress: 2, total: 4, message: 'Old' });
    await task.setStatus('Which size?');
    await clock.advance(5_000);
    expect(messages()).toEqual(['25% (1/4)', 'Which size?']);
    task.progress({ progress: 3, total: 4 });
    await clock.advance(1_000);
    expect(messages().at(-1)).toBe('75% (3/4): Which size?');
  });

  it('is carried by the write of a question, which stays open', async () => {
    const { task, clock, messages, tasks, id } = await held();
    task.progress({ progress: 1, total: 2, message: 'Read' });
    const answer = task.elicit({ message: 'Go on?', requestedSchema: { type: 'object' } });
    await turns();
    expect(messages()).toEqual(['50% (1/2): Read']);
    task.progress({ progress: 2, total: 2 });
    await clock.advance(1_000);
    const current = await tasks.engine.get(ANN, id);
    expect(current).toMatchObject({
      status: 'input_required',
      statusMessage: '100% (2/2): Read',
      input: [{ key: 'input-1' }],
    });
    await tasks.engine.answer(ANN, id, { 'input-1': { result: { action: 'accept' } } });
    await expect(answer).resolves.toMatchObject({ action: 'accept' });
    await clock.advance(5_000);
    expect((await tasks.engine.get(ANN, id)).status).toBe('working');
    expect(messages()).toHaveLength(3);
  });

  it('shares the message with steps and pauses', async () => {
    const { task, clock, messages, tasks, id } = await held();
    await task.step('load', () => 1);
    task.progress({ progress: 1, total: 4 });
    await clock.advance(100);
    await task.step('sort', () => 1);
    const pause = task.sleep(10_000);
    await clock.advance(10_000);
    await pause;
    task.progress({ progress: 2, total: 4 });
    await clock.advance(1_000);
    task.progress({ progress: 3, total: 4, message: 'Packing' });
    await task.step('pack', () => 1);
    const until = /^25% \(1\/4\): Waiting until 20\d\d-.+Z$/;
    expect(
      messages().filter((text, at, all) => text !== undefined && text !== all[at - 1]),
    ).toEqual([
      'Step load is finished',
      '25% (1/4): Step load is finished',
      '25% (1/4): Step sort is finished',
      expect.stringMatching(until),
      '50% (2/4)',
      '75% (3/4): Packing',
    ]);
    expect((await tasks.engine.get(ANN, id)).steps.map(({ name }) => name)).toContain('pack');
  });

  it('is cut, and the numbers stay', async () => {
    const { task, clock, messages } = await held({ chars: 20 });
    task.progress({ progress: 1, total: 2, message: 'x'.repeat(99) });
    await clock.advance(100);
    expect(messages()).toEqual(['50% (1/2): xxxxxxxxx']);
    task.progress({ progress: 2, total: 2, message: 'x'.repeat(98) });
    await clock.advance(1_000);
    expect(messages()).toHaveLength(2);
  });

  it('of a run that lost its task is not written', async () => {
    const { task, clock, tasks, id, messages } = await held();
    task.progress({ progress: 1, total: 2 });
    await tasks.engine.cancel(ANN, id);
    task.progress({ progress: 2, total: 2 });
    await clock.advance(5_000);
    expect(messages()).toEqual([undefined]);
  });

  it('of a run whose task another worker took over is not written', async () => {
    const store = createMemoryStore();
    const { task, clock, messages, tasks, id } = await held({ store });
    const current = await tasks.engine.get(ANN, id);
    const taken = {
      ...current,
      worker: 'other',
      fence: 2,
      attempt: 2,
      version: current.version + 1,
    };
    expect(await store.update(taken)).toBe(true);
    task.progress({ progress: 1, total: 2 });
    await clock.advance(5_000);
    expect(messages()).not.toContain('50% (1/2)');
    expect(task.signal.aborted).toBe(true);
    expect(tasks.audit).toContainEqual(expect.objectContaining({ type: 'fenced' }));
  });

  it('is written when the store works again', async () => {
    const { task, clock, messages, fail } = await held();
    fail(true);
    task.progress({ progress: 1, total: 2 });
    await clock.advance(5_000);
    fail(false);
    await clock.advance(1_000);
    expect(messages()).toEqual(['50% (1/2)']);
  });

  it('is written 200 times a second by all tasks of a process', async () => {
    const clock = manualClock();
    const record = recording();
    const gate = heldTool();
    const tasks = await rig(
      { held: gate.run },
      { clock, store: record.store, inProcess: { concurrency: 400, concurrencyPerSubject: 400 } },
    );
    for (let n = 0; n < 400; n += 1) await tasks.start('held');
    await turns();
    for (let progress = 1; progress <= 100; progress += 1) {
      for (const { task } of gate.contexts) task.progress({ progress, total: 100 });
      await clock.advance(100);
    }
    expect(gate.contexts).toHaveLength(400);
    // Ten seconds, one write every two seconds for each.
    expect(record.written.length).toBeGreaterThan(400 * 4);
    expect(record.written.length).toBeLessThanOrEqual(400 * 6);
  });
});

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 1_500 }) }) },
  {
    weight: 6,
    arbitrary: fc.record(
      { by: fc.integer({ min: 0, max: 5 }), total: fc.constantFrom(10, 100), text: fc.string() },
      { requiredKeys: ['by'] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ status: fc.string() }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

describe('whatever a handler reports', () => {
  it('the newest is stored in the end, in few writes, each of them a change', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const { task, clock, messages, tool } = await held();
        const began = clock.monotonic();
        const expected = await perform(actions, task, (ms) => clock.advance(ms));
        await clock.advance(1_100);
        const stored = messages();
        const texts = actions.filter((each) => 'status' in each).length;
        const seconds = (clock.monotonic() - began) / 1_000;
        expect(stored.at(-1)).toBe(expected);
        expect(stored.length).toBeLessThanOrEqual(texts + 1 + seconds);
        expect(stored.every((text, at) => text !== stored[at - 1])).toBe(true);
        tool.release();
        await turns();
      }),
      { numRuns: sized(60) },
    );
  });
});

/** Returns the message that has to be stored in the end. */
async function perform(
  actions: readonly Action[],
  task: TaskControls,
  advance: (ms: number) => Promise<void>,
): Promise<string | undefined> {
  let expected: string | undefined;
  let text: string | undefined;
  let progress = 0;
  let last = -1;
  for (const each of actions) {
    if ('wait' in each) await advance(each.wait);
    else if ('status' in each) {
      await task.setStatus(each.status);
      expected = text = each.status;
    } else {
      const { by, total } = each;
      progress += by;
      const message = each.text;
      const report = { progress, ...(total !== undefined && { total }) };
      task.progress({ ...report, ...(message !== undefined && { message }) });
      if (progress === last) continue;
      last = progress;
      text = message ?? text;
      expected = progressText({ ...report, ...(text !== undefined && { message: text }) });
    }
  }
  return expected;
}
