import { describe, expect, it } from 'vitest';

import { ANN, ANN_EXT, heldTool, refusal, rig, turns } from './support.js';

describe('cancelling', () => {
  it('CORE-CAN-1 is recorded before it is answered, and reaches the handler', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run });
    const task = await tasks.start('slow');
    await turns();
    const waiter = tasks.engine.wait(ANN, task.id);
    const cancelled = await tasks.engine.cancel(ANN, task.id);
    expect(cancelled).toMatchObject({ id: task.id, status: 'cancelled' });
    expect(tool.contexts[0]?.task.signal.aborted).toBe(true);
    expect((await tasks.engine.get(ANN, task.id)).status).toBe('cancelled');
    expect((await waiter).status).toBe('cancelled');
  });

  it('CORE-LIFE-2 outlasts what the handler does afterwards', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run });
    const task = await tasks.start('slow');
    await turns();
    await tasks.engine.cancel(ANN, task.id);
    await tool.contexts[0]?.task.setStatus('still here');
    tool.release();
    await turns();
    const after = await tasks.engine.get(ANN, task.id);
    expect(after.status).toBe('cancelled');
    expect(after).not.toHaveProperty('outcome');
    expect(after).not.toHaveProperty('statusMessage');
  });

  it('a task that has not started never starts', async () => {
    const tool = heldTool();
    const tasks = await rig({ slow: tool.run }, { inProcess: { concurrency: 1 } });
    await tasks.start('slow');
    const second = await tasks.start('slow');
    await tasks.engine.cancel(ANN, second.id);
    tool.release();
    await turns();
    expect(tool.contexts).toHaveLength(1);
  });

  it('CORE-CAN-2 of an ended task is -32602 in the core dialect', async () => {
    const tasks = await rig({ quick: () => ({ content: [] }) });
    const task = await tasks.start('quick');
    await tasks.engine.wait(ANN, task.id);
    expect(await refusal(tasks.engine.cancel(ANN, task.id))).toMatchObject({
      code: -32602,
      reason: 'ended',
    });
  });

  it('EXT-CAN-1 of an ended task succeeds in the extension dialect, and changes nothing', async () => {
    const tasks = await rig({ quick: () => ({ content: [] }) });
    const task = await tasks.start('quick', {}, ANN_EXT);
    const ended = await tasks.engine.wait(ANN_EXT, task.id);
    expect(await tasks.engine.cancel(ANN_EXT, task.id)).toEqual(ended);
  });

  it('releases a handler that waits for input', async () => {
    let rejected: unknown;
    const tasks = await rig({
      asks: async ({ task }) => {
        await task.elicit({ message: 'Sure?' }).catch((error: unknown) => {
          rejected = error;
        });
        return { content: [] };
      },
    });
    const task = await tasks.start('asks');
    await turns();
    await tasks.engine.cancel(ANN, task.id);
    await turns();
    expect(rejected).toMatchObject({ reason: 'not_running' });
  });

  it('200 of 200 reach the handler', async () => {
    let aborted = 0;
    const tasks = await rig({
      patient: ({ task }) =>
        new Promise((resolve) => {
          task.signal.addEventListener('abort', () => {
            aborted += 1;
            resolve({ content: [] });
          });
        }),
    });
    const all = await Promise.all(Array.from({ length: 200 }, () => tasks.start('patient')));
    await turns();
    await Promise.all(all.map(({ id }) => tasks.engine.cancel(ANN, id)));
    expect(aborted).toBe(200);
  });
});
