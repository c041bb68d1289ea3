import { describe, expect, it } from 'vitest';
import { mayStartAgain } from '../../runtime/tasks/handler.js';
import { expiresAt, outcomeOf, workStatus } from '../../runtime/tasks/record.js';
import { subjectKeyOf } from '../../runtime/tasks/limits.js';
import { createAudit } from '../../runtime/tasks/recorder.js';
import { NO_COUNTS } from '../../runtime/tasks/store.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import { manualClock } from './support.js';

describe('a record', () => {
  it('says when it expires, what its work came to, and whose it is', () => {
    const task = sampleTask(1, { createdAt: 1_000, ttl: 500 });
    expect(expiresAt(task)).toBe(1_500);
    expect(workStatus({ status: 'completed' })).toBe('completed');
    expect(workStatus({ status: 'completed', statusMessage: '' })).toBe('failed');
    expect(workStatus({ status: 'working', statusMessage: 'x' })).toBe('working');
    expect(subjectKeyOf({ owner: 'a' })).toBe('a');
    expect(subjectKeyOf({ owner: 'a', subjectKey: 'b' })).toBe('b');
    expect(outcomeOf(task)).toBeUndefined();
    expect(outcomeOf({ ...task, outcome: '{"result":{}}' })).toEqual({ result: {} });
  });

  it('goes to the audit with what is known of it', () => {
    const events: unknown[] = [];
    const clock = manualClock(7_000);
    const audit = createAudit(clock, (event) => events.push(event));
    const { owner, dialect, id, method, tool } = sampleTask(1);
    audit('created', sampleTask(1), 'why');
    audit('fault', {});
    expect(events).toEqual([
      { type: 'created', at: 7_000, owner, dialect, taskId: id, method, tool, reason: 'why' },
      { type: 'fault', at: 7_000 },
    ]);
    expect(createAudit(clock, undefined)('fault', {})).toBeUndefined();
  });

  it('is counted by its status, from none', () => {
    expect(NO_COUNTS).toEqual({
      ...{ working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 },
    });
  });

  it.each([
    [undefined, false],
    [{}, false],
    [{ retryable: false, steps: false }, false],
    [{ retryable: true }, true],
    [{ steps: true }, true],
  ])('may be run again from the start by a handler with %j: %s', (declared, expected) => {
    expect(mayStartAgain(declared && { ...declared, run: () => ({}) })).toBe(expected);
  });
});
