import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import { ByteBudget, type Caller, type Hold, messageOf } from '../../runtime/tasks/index.js';
import { ANN, BEN, ending, heldTool, manualClock, refusal, rig, type Rig } from './support.js';

const KIB = 2 ** 10;
/** Two tasks of a subject, and five in all. */
const limits = { heldArgsBytes: 220 * KIB, createBurst: 1_000 };
const CLEO: Caller = { owner: 'cleo', dialect: 'ext' };

const large = { args: { text: 'x'.repeat(40 * KIB) } };

/** Why one more task is refused, if it is. */
const refused = (tasks: Rig, caller: Caller): Promise<string> =>
  tasks.start('slow', large, caller).then(() => 'created', messageOf);

describe('the arguments of tasks that wait or run', () => {
  it('have a bound, of which each subject gets half', async () => {
    const tasks = await rig({ slow: heldTool().run }, { limits });
    for (const caller of [ANN, ANN, BEN, BEN]) await tasks.start('slow', large, caller);
    const { reason, data } = await refusal(tasks.start('slow', large, ANN));
    expect(reason).toBe('limit');
    expect(data).toMatchObject({ limit: 'heldArgsBytes', max: 110 * KIB, retryAfterMs: 1_000 });
    await tasks.start('slow', large, CLEO);
    expect(await refused(tasks, CLEO)).toContain(`Limit heldArgsBytes (${220 * KIB}) reached`);
    expect((await tasks.engine.list(ANN)).tasks).toHaveLength(2);
  });

  it('count beyond 16 KiB only', async () => {
    const tasks = await rig({ slow: heldTool().run }, { limits });
    const args = { text: 'x'.repeat(15 * KIB) };
    for (let n = 0; n < 30; n += 1) await tasks.start('slow', { args });
  });

  it('count once when all are created at the same time', async () => {
    const tasks = await rig({ slow: heldTool().run }, { limits });
    const all = Array.from({ length: 10 }, () => refused(tasks, ANN));
    expect((await Promise.all(all)).filter((each) => each === 'created')).toHaveLength(2);
  });

  it('count while their tasks wait for a slot', async () => {
    const inProcess = { concurrency: 1 };
    const held = heldTool();
    const tasks = await rig({ slow: held.run }, { limits, inProcess });
    const all = [await tasks.start('slow', large), await tasks.start('slow', large)];
    expect(await refused(tasks, ANN)).toContain('heldArgsBytes');
    held.release();
    for (const task of all) await tasks.engine.wait(ANN, task.id);
    expect(await refused(tasks, ANN)).toBe('created');
  });

  it.each(['has completed', 'has failed', 'was cancelled', 'has expired'])(
    'count no more when their task %s',
    async (how) => {
      const clock = manualClock();
      const held = heldTool();
      const tasks = await rig(
        { slow: held.run, failing: () => Promise.reject(new Error('failed')) },
        { limits, clock },
      );
      for (let n = 0; n < 5; n += 1) {
        const tool = how === 'has failed' ? 'failing' : 'slow';
        const task = await tasks.start(tool, { ...large, ttl: 1_000 });
        if (how === 'has completed') held.release();
        if (how === 'was cancelled') await tasks.engine.cancel(ANN, task.id);
        if (how === 'has expired') await clock.advance(5_000);
        else await ending(tasks, task);
      }
    },
  );

  it('of a task that was not stored do not count', async () => {
    const store = createMemoryStore();
    let isAway = true;
    const insert: typeof store.insert = (...given) =>
      isAway ? Promise.reject(new Error('away')) : store.insert(...given);
    const tasks = await rig({ slow: heldTool().run }, { limits, store: { ...store, insert } });
    for (let n = 0; n < 5; n += 1) expect(await refused(tasks, ANN)).toContain('store of tasks');
    isAway = false;
    expect(await refused(tasks, ANN)).toBe('created');
  });
});

describe('a budget of bytes', () => {
  it('is what the bytes that are kept leave', () => {
    const most = 400 * KIB;
    const step = fc.record({
      subject: fc.constantFrom('a', 'b', 'c'),
      kib: fc.integer({ min: 1, max: 120 }),
      releases: fc.nat(8),
      isForced: fc.boolean(),
    });
    const run = (
      steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
    ): void => {
      const budget = new ByteBudget(most);
      let kept: { subject: string; bytes: number; hold: Hold }[] = [];
      const sum = (of: typeof kept): number => of.reduce((total, { bytes }) => total + bytes, 0);
      for (const { subject, kib, releases, isForced } of steps) {
        const bytes = kib * KIB;
        const own = sum(kept.filter((each) => each.subject === subject));
        const all = sum(kept);
        const taken = isForced ? budget.keep(subject, bytes) : budget.take(subject, bytes);
        if (kib <= 16) expect(taken).toBeUndefined();
        else if (!isForced && own > 0 && own + bytes > most / 2) expect(taken).toBe('subject');
        else if (!isForced && all > 0 && all + bytes > most) expect(taken).toBe('all');
        else kept.push({ subject, bytes, hold: taken as Hold });
        for (const { hold } of kept.slice(0, releases)) {
          hold.release();
          hold.release();
        }
        kept = kept.slice(releases);
      }
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), run));
  });
});
