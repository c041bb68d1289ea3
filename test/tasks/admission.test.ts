import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { createAdmission } from '../../runtime/tasks/admission.js';
import {
  type AuditEvent,
  DEFAULT_LIMITS,
  deferred,
  TaskError,
  taskError,
  type TaskStore,
} from '../../runtime/tasks/index.js';
import { createAudit, NO_TELEMETRY } from '../../runtime/tasks/recorder.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import { ANN, BEN, heldTool, manualClock, refusal, rig, turns } from './support.js';

function admitting(pollInterval = 1_000) {
  const clock = manualClock();
  const events: AuditEvent[] = [];
  const reported: unknown[] = [];
  const refused: string[] = [];
  let eager = 0;
  const admission = createAdmission({
    clock,
    limits: DEFAULT_LIMITS,
    pollInterval,
    audit: createAudit(clock, (event) => events.push(event)),
    telemetry: {
      ...NO_TELEMETRY,
      refused: (reason) => refused.push(reason),
      eagerPoll: () => (eager += 1),
    },
    report: (error) => reported.push(error),
  });
  const access = (work: () => Promise<unknown> = () => Promise.resolve(7), id: unknown = 'an-id') =>
    admission.access('tasks/get', ANN, id, work);
  return { clock, events, reported, refused, admission, access, eager: () => eager };
}

const fault = () => Promise.reject(new Error('ECONNREFUSED 10.0.0.1'));

describe('an operation', () => {
  it('gets what its work resolves with', async () => {
    const { admission, access, events } = admitting();
    expect(await access()).toBe(7);
    expect(await admission.create(ANN, 'tools/call', () => Promise.resolve('made'))).toBe('made');
    expect(events).toEqual([]);
  });

  it('that is refused goes to the audit and to metrics, with the beginning of its id', async () => {
    const { admission, access, events, refused, reported } = admitting();
    const refusing = () => Promise.reject(taskError('unknown_task', 'Unknown'));
    for (const id of ['x'.repeat(65), 7]) await refusal(access(refusing, id));
    await refusal(admission.create(BEN, 'tools/call', refusing));
    const reason = 'unknown_task';
    expect(events.map(({ at: _, ...event }) => event)).toEqual([
      {
        type: 'refused',
        owner: 'ann',
        dialect: 'core',
        method: 'tasks/get',
        taskId: 'x'.repeat(64),
        reason,
      },
      { type: 'refused', owner: 'ann', dialect: 'core', method: 'tasks/get', reason },
      { type: 'refused', owner: 'ben', dialect: 'core', method: 'tools/call', reason },
    ]);
    expect([refused, reported]).toEqual([[reason, reason, reason], []]);
  });

  it('that the store fails is refused without what the store says', async () => {
    const { access, reported, events } = admitting();
    const refused = await refusal(access(fault));
    expect(refused).toMatchObject({
      reason: 'internal',
      code: -32603,
      message: 'The store of tasks failed; retry in 1000 ms',
      data: { reason: 'internal', retryAfterMs: 1_000 },
      cause: new Error('ECONNREFUSED 10.0.0.1'),
    });
    expect(JSON.stringify([refused.message, refused.data, events])).not.toContain('10.0.0.1');
    expect(reported).toEqual([new Error('ECONNREFUSED 10.0.0.1')]);
  });

  it.each([
    [1_000, [1_000, 4_000, 10_000, 10_000]],
    [20_000, [20_000, 20_000, 20_000, 20_000]],
  ])(
    'is to be retried as rarely as the store has been away; polls of %d ms',
    async (interval, waits) => {
      const { access, clock } = admitting(interval);
      const seen: unknown[] = [];
      for (const pause of [0, 4_000, 16_000, 1e6]) {
        await clock.advance(pause);
        seen.push((await refusal(access(fault))).data['retryAfterMs']);
      }
      expect(seen).toEqual(waits);
      await access();
      expect((await refusal(access(fault))).data['retryAfterMs']).toBe(interval);
    },
  );

  it('is refused once the engine closes, which waits for the operations that run', async () => {
    const { admission, access, refused } = admitting(700);
    const work = deferred<number>();
    const running = access(() => work.promise);
    let closed = false;
    const closing = admission.close().then(() => (closed = true));
    expect(await refusal(access())).toMatchObject({
      reason: 'closed',
      message: 'The server is shutting down; retry in 700 ms',
      data: { retryAfterMs: 700 },
    });
    await turns();
    expect([closed, refused]).toEqual([false, ['closed']]);
    work.resolve(8);
    expect(await running).toBe(8);
    await closing;
    expect(admission.closedError()).toBeInstanceOf(TaskError);
  });

  it('that does not run does not delay the end', async () => {
    const { admission, access } = admitting();
    await access();
    await refusal(access(fault));
    await admission.close();
  });
});

describe('polls of a live task', () => {
  const [first, second] = [sampleTask(1), sampleTask(2)];

  it('come too early within half the interval that the task asks for', async () => {
    const { admission, clock, eager } = admitting();
    const polled = async (pause: number, task = first): Promise<number> => {
      await clock.advance(pause);
      admission.polled(task);
      return eager();
    };
    expect(await polled(0)).toBe(0);
    expect(await polled(500)).toBe(0);
    expect(await polled(499)).toBe(1);
    expect(await polled(0, second)).toBe(1);
    expect(await polled(499, first)).toBe(2);
    expect(await polled(50, { ...second, pollInterval: 100 })).toBe(2);
  });

  it('are counted by the engine for live tasks alone', async () => {
    const clock = manualClock();
    const memory = createMemoryStore();
    let reads = 0;
    const store: TaskStore = {
      ...memory,
      get(key) {
        reads += 1;
        return memory.get(key);
      },
    };
    const tool = heldTool({ content: [] });
    const { start, engine, audit } = await rig({ slow: tool.run }, { clock, store });
    const { id } = await start('slow');
    expect((await engine.get(ANN, id)).status).toBe('working');
    tool.release();
    await turns();
    expect((await engine.get(ANN, id)).status).toBe('completed');
    expect(reads).toBeGreaterThanOrEqual(2);
    expect(audit.filter(({ type }) => type === 'retrieved')).toHaveLength(2);
  });
});
