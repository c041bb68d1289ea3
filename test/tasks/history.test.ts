import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import { HISTORY_ENTRIES } from '../../runtime/tasks/index.js';
import { advance } from '../../runtime/tasks/transitions.js';

const START = sampleTask(1);

describe('the history of a task', () => {
  it('is not stored for a task without questions, pauses or lost attempts', () => {
    const queued = advance(START, { queued: false }, START.createdAt + 1);
    const told = advance(queued, { statusMessage: 'half' }, START.createdAt + 2);
    const ended = advance(told, { status: 'completed', outcome: '{}' }, START.createdAt + 3);
    for (const task of [queued, told, ended]) expect(task).not.toHaveProperty('history');
  });

  it('has each change of status and attempt, with its time', () => {
    const asked = advance(START, { status: 'input_required' }, START.createdAt + 5);
    const taken = advance(asked, { status: 'working', attempt: 2 }, START.createdAt + 9);
    const ended = advance(taken, { status: 'failed' }, START.createdAt + 12);
    expect(ended.history).toEqual([
      { status: 'input_required', attempt: 1, at: START.createdAt + 5 },
      { status: 'working', attempt: 2, at: START.createdAt + 9 },
    ]);
    expect(ended.updatedAt).toBe(START.createdAt + 12);
  });

  it('has the time at which the task left the queue, once and for good', () => {
    const at = fc.integer({ min: START.createdAt - 10, max: START.createdAt + 1_000 });
    const ended = fc.constantFrom('working', 'completed', 'failed', 'cancelled');
    const moves = fc.array(fc.record({ queued: fc.boolean(), at }), { maxLength: 8 });
    fc.assert(
      fc.property(moves, ended, at, (all, status, end) => {
        let task = sampleTask(1, { queued: true });
        let left: number | undefined;
        for (const patch of [
          ...all.map(({ at: now, queued }) => ({ now, queued })),
          { now: end, status },
        ]) {
          const { now, ...change } = patch;
          const wasQueued = task.queued === true;
          task = advance(task, change, now);
          if (wasQueued && task.queued !== true) left ??= task.updatedAt;
        }
        expect(task.queuedUntil).toBe(left);
        if (status !== 'working') expect(left).toBeLessThanOrEqual(task.updatedAt);
      }),
    );
    const unqueued = advance(START, { status: 'completed' }, START.createdAt + 1);
    expect(unqueued).not.toHaveProperty('queuedUntil');
  });

  it('is bounded, in order, and ends with the status that the task has while it lives', () => {
    const moves = fc.array(
      fc.record({
        status: fc.constantFrom('working' as const, 'input_required' as const),
        attempt: fc.integer({ min: 1, max: 3 }),
        // A clock that steps back too.
        at: fc.integer({ min: START.createdAt - 10, max: START.createdAt + 1_000 }),
      }),
      { maxLength: 2 * HISTORY_ENTRIES },
    );
    fc.assert(
      fc.property(moves, (all) => {
        let task = START;
        for (const { at, ...patch } of all) task = advance(task, patch, at);
        const { history = [], status, attempt } = task;
        expect(history.length).toBeLessThanOrEqual(HISTORY_ENTRIES);
        const times = history.map(({ at }) => at);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        const last = history.at(-1) ?? START;
        expect({ status: last.status, attempt: last.attempt }).toEqual({ status, attempt });
      }),
    );
  });
});
