import { describe, expect, it } from 'vitest';
import { SlotUse, type TaskControls } from '../../runtime/tasks/index.js';
import { ANN, ANN_EXT, ending, heldTool, manualClock, rig, turns } from './support.js';

describe('the slot of a handler', () => {
  function used() {
    const log: string[] = [];
    let enter = (resume: () => void): void => resume();
    const use = new SlotUse({
      leave: () => log.push('leave'),
      enter: (resume) => {
        log.push('enter');
        enter(resume);
      },
    });
    return { log, use, hold: (next: typeof enter) => (enter = next) };
  }

  it('is left at the first wait and taken again at the end of the last', () => {
    const { log, use } = used();
    const note = (what: string) => () => log.push(what);
    expect(use.isWaiting).toBe(false);
    use.leave();
    use.leave();
    expect([use.isWaiting, log]).toEqual([true, ['leave']]);
    use.enter(note('first'));
    expect([use.isWaiting, log]).toEqual([true, ['leave', 'first']]);
    use.enter(note('second'));
    expect([use.isWaiting, log]).toEqual([false, ['leave', 'first', 'enter', 'second']]);
    use.leave();
    expect(log.at(-1)).toBe('leave');
  });

  it('is taken once when several waits end together', () => {
    const { log, use } = used();
    for (let n = 0; n < 3; n += 1) use.leave();
    use.enter(() => log.push('all'), 3);
    expect([use.isWaiting, log]).toEqual([false, ['leave', 'enter', 'all']]);
  });

  it('lets the handler go on when it has a slot, not before', () => {
    const { log, use, hold } = used();
    let resume = (): void => undefined;
    hold((next) => (resume = next));
    use.leave();
    use.enter(() => log.push('resumed'));
    expect(log).toEqual(['leave', 'enter']);
    resume();
    expect(log.at(-1)).toBe('resumed');
  });

  it('need not be one', () => {
    const use = new SlotUse();
    let resumed = 0;
    use.leave();
    use.enter(() => (resumed += 1));
    expect(resumed).toBe(1);
  });
});

/** A running handler's controls. */
async function controlled(caller = ANN) {
  const tool = heldTool({ content: [] });
  const clock = manualClock();
  const tasks = await rig({ held: tool.run }, { clock });
  const created = await tasks.start('held', {}, caller);
  await turns();
  const task = tool.contexts[0]?.task as TaskControls;
  return { tasks, tool, task, created, clock };
}

describe("a handler's side of its task", () => {
  it('says whose task it is', async () => {
    const { task, created } = await controlled({ ...ANN, subjectKey: 'user' });
    expect(task).toMatchObject({ id: created.id, owner: 'ann', subjectKey: 'user', attempt: 1 });
    expect((await controlled()).task).not.toHaveProperty('subjectKey');
  });

  it('may be taken apart', async () => {
    const { task, tasks, created } = await controlled();
    const { step, signal } = task;
    await task.setStatus('Half way');
    expect(await step('one', () => 1)).toBe(1);
    expect(await step(() => 2)).toBe(2);
    expect((await tasks.engine.get(ANN, created.id)).steps.map(({ name }) => name)).toEqual([
      'one',
      'step-1',
    ]);
    expect(signal).toBe(task.signal);
  });

  it('asks with the methods of the protocol, under numbers or its own names', async () => {
    const { task, tasks, created } = await controlled();
    const all = [
      task.elicit({ message: 'A?' }),
      task.sample({ maxTokens: 1 }, { key: 'model' }),
      task.input('roots/list', {}),
    ];
    await turns();
    const { input } = await tasks.engine.get(ANN, created.id);
    expect(input).toEqual([
      { key: 'input-1', method: 'elicitation/create', params: '{"message":"A?"}' },
      { key: 'model', method: 'sampling/createMessage', params: '{"maxTokens":1}' },
      { key: 'input-3', method: 'roots/list', params: '{}' },
    ]);
    await tasks.engine.answer(ANN, created.id, {
      model: { result: { n: 2 } },
      'input-1': { result: { action: 'decline' } },
      'input-3': { error: { code: -1, message: 'No roots', data: null } },
    });
    expect(await Promise.allSettled(all)).toMatchObject([
      { value: { action: 'decline' } },
      { value: { n: 2 } },
      { reason: { message: 'No roots', code: -1, data: null } },
    ]);
  });

  it('gets an error without data where the requestor sent none', async () => {
    const { task, tasks, created } = await controlled();
    const asked = task.elicit({});
    await turns();
    const error = { code: -1, message: 'No' };
    await tasks.engine.answer(ANN, created.id, { 'input-1': { error } });
    const [{ reason }] = (await Promise.allSettled([asked])) as [{ reason: object }];
    expect(reason).toBeInstanceOf(Error);
    expect(reason).not.toHaveProperty('data');
  });

  it('does nothing more after the end, and harms nothing', async () => {
    const { task, tasks, tool, created, clock } = await controlled();
    const events: string[] = [];
    await tasks.engine.subscribe(ANN, created.id, ({ type }) => events.push(type));
    await tasks.engine.cancel(ANN, created.id);
    task.progress({ progress: 1 });
    await task.setStatus('late');
    const { version } = await tasks.engine.get(ANN, created.id);
    // None of these is awaited: a rejection that nothing handles would end the process.
    void task.step('late', () => 1);
    void task.sleep(10);
    void task.elicit({});
    void task.elicitationComplete('none');
    tool.release();
    await clock.advance(5_000);
    expect(events).toEqual(['changed']);
    expect((await tasks.engine.get(ANN, created.id)).version).toBe(version);
    await expect(task.elicit({})).rejects.toMatchObject({
      reason: 'not_running',
      message: 'The run is over',
    });
    await expect(task.sleep(10)).rejects.toMatchObject({ reason: 'not_running' });
    await expect(task.elicitationComplete('none')).resolves.toBeUndefined();
  });

  it('has a signal that is aborted with the reason, also when it is first read later', async () => {
    for (const isReadFirst of [true, false]) {
      const { task, tasks, created } = await controlled();
      if (isReadFirst) expect(task.signal.aborted).toBe(false);
      await tasks.engine.cancel(ANN, created.id);
      expect(task.signal.aborted).toBe(true);
      expect(task.signal.reason).toMatchObject({
        reason: 'not_running',
        message: 'The task is cancelled',
      });
    }
  });

  it('has a signal that says that the task has expired, or was taken over', async () => {
    const expired = await controlled();
    await expired.clock.advance(3_600_000);
    expect(expired.task.signal.reason).toMatchObject({ message: 'The task has expired' });
  });
});

describe('a question by URL that is done', () => {
  const url = { mode: 'url', elicitationId: 'e', url: 'https://example.com', message: 'Pay' };

  it.each([
    [ANN, true],
    [ANN_EXT, undefined],
  ] as const)('is marked in the dialect that announces it: %j', async (caller, expected) => {
    const { task, tasks, created } = await controlled(caller);
    void task.elicit(url);
    await turns();
    await task.elicitationComplete('e');
    const { input, version } = await tasks.engine.get(caller, created.id);
    expect(input[0]?.completed).toBe(expected);
    await task.elicitationComplete('e');
    expect((await tasks.engine.get(caller, created.id)).version).toBe(version);
  });

  it('has to be one of the task', async () => {
    const { task } = await controlled();
    await expect(task.elicitationComplete('none')).rejects.toMatchObject({
      code: -32602,
      message: 'The task has not asked by URL with elicitationId "none"',
    });
  });
});

it('a handler that fails after it asked ends with its own error', async () => {
  const tasks = await rig({
    asks: ({ task }) => {
      void task.elicit({});
      throw new Error('own');
    },
  });
  expect((await ending(tasks, await tasks.start('asks'))).task.statusMessage).toBe('own');
});
