import { describe, expect, it, onTestFinished } from 'vitest';

import { createMemoryStore } from '../../runtime/stores/index.js';
import { type Caller, TaskError, type TaskRecord } from '../../runtime/tasks/index.js';
import { STORE_KINDS } from '../support/stores.js';
import { checkFairness } from './fairness.js';
import { ANN, BEN, heldTool, manualClock, refusal, rig, type Rig } from './support.js';

const HOUR = 3_600_000;

/** A user by way of one of several clients. */
function clientOf(subject: string, client: number): Caller {
  return { owner: `${subject}/${client}`, subjectKey: subject, dialect: 'ext' };
}

/** Creates tasks until the caller is refused, and returns them with the refusal. */
async function fill(tasks: Rig, caller: Caller): Promise<[TaskRecord[], TaskError]> {
  const created: TaskRecord[] = [];
  for (;;) {
    try {
      created.push(await tasks.start('slow', { ttl: HOUR }, caller));
    } catch (error) {
      if (error instanceof TaskError) return [created, error];
      throw error;
    }
  }
}

describe.each(STORE_KINDS)('the caps of $name', ({ name, place }) => {
  it('are those of the model, and leave every subject its reserve, whatever greedy ones do', async () => {
    const runs = name === 'memory' ? 300 : 40;
    const { open, remove } = place();
    onTestFinished(async () => remove());
    const store = await open();
    onTestFinished(() => store.close());
    await checkFairness(() => Promise.resolve(store), runs);
  });
});

describe('a subject with ten clients', () => {
  const limits = {
    livePerOwner: 10,
    livePerSubject: 30,
    liveReserve: 5,
    live: 100,
    createBurst: 1e3,
  };

  it('cannot take what is kept for others', async () => {
    const tasks = await rig({ slow: heldTool().run }, { limits });
    const refusals = new Set<unknown>();
    let taken = 0;
    for (const subject of ['ann', 'eve', 'mallory']) {
      for (let client = 0; client < 10; client += 1) {
        const [created, refused] = await fill(tasks, clientOf(subject, client));
        taken += created.length;
        refusals.add(refused.data['limit']);
      }
    }
    expect(taken).toBe(55);
    expect([...refusals].sort()).toEqual(['livePerOwner', 'livePerSubject', 'liveShared']);
    for (let n = 0; n < 9; n += 1) {
      const [created, refused] = await fill(tasks, { owner: `other ${n}`, dialect: 'core' });
      expect(created).toHaveLength(5);
      const limit = n < 8 ? { limit: 'liveShared', max: 50 } : { limit: 'live', max: 100 };
      expect(refused.data).toMatchObject(limit);
    }
    expect((await refusal(tasks.start('slow', {}, BEN))).data).toMatchObject({
      limit: 'live',
      max: 100,
    });
  });

  it('is told to wait longer the longer there is no room, and others are not', async () => {
    const clock = manualClock();
    const store = createMemoryStore();
    const tasks = await rig(
      { slow: heldTool().run },
      { limits: { ...limits, ttlMax: HOUR }, clock, store },
    );
    for (const subject of ['eve', 'mallory']) {
      for (let client = 0; client < 3; client += 1) await fill(tasks, clientOf(subject, client));
    }
    const eve = clientOf('eve', 0);
    const waitOf = async (caller: Caller): Promise<unknown> =>
      (await refusal(tasks.start('slow', {}, caller))).data['retryAfterMs'];
    let asked = 1;
    for (let waited = 0; waited < HOUR; asked += 1) {
      const wait = Number(await waitOf(eve));
      expect(wait).toBeGreaterThanOrEqual(1_000);
      expect(wait).toBeLessThanOrEqual(HOUR);
      waited += wait;
      if (waited < HOUR) await clock.advance(wait);
    }
    expect(asked).toBeLessThan(16);
    await tasks.start('slow', {}, ANN);
    await clock.advance(HOUR);
    await tasks.start('slow', {}, eve);
    await fill(tasks, eve);
    expect(await waitOf(eve)).toBe(1_000);
  });
});

describe('the rates of a subject with ten clients', () => {
  const clients = Array.from({ length: 10 }, (_, client) => clientOf('eve', client));

  /** How many of the operations are admitted: twenty of each client. */
  async function admitted(work: (caller: Caller) => Promise<unknown>): Promise<number> {
    let count = 0;
    for (let round = 0; round < 20; round += 1) {
      for (const caller of clients) {
        count += await work(caller).then(
          () => 1,
          (error: unknown) => (error instanceof TaskError && error.reason === 'limit' ? 0 : 1),
        );
      }
    }
    return count;
  }

  it('are twice those of a client, and other subjects have their own', async () => {
    const clock = manualClock();
    const limits = { createsPerSecond: 2, createBurst: 10, readsPerSecond: 3, readBurst: 12 };
    const tasks = await rig({ slow: heldTool().run }, { limits, clock });
    const create = (caller: Caller): Promise<unknown> => tasks.start('slow', {}, caller);
    const read = (caller: Caller): Promise<unknown> => tasks.engine.get(caller, 'unknown');
    expect(await admitted(create)).toBe(20);
    expect(await admitted(read)).toBe(24);
    const refused = await refusal(create(clients[9] as Caller));
    expect(refused.data).toMatchObject({ limit: 'createsPerSecond', max: 4, retryAfterMs: 250 });
    await create(clientOf('ann', 0));
    await create(BEN);
    await clock.advance(1_000);
    expect(await admitted(create)).toBe(4);
    expect(await admitted(read)).toBe(6);
  });
});
