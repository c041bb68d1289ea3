import assert from 'node:assert/strict';

import fc from 'fast-check';

import { sampleTask } from '../../runtime/testing/testkit/index.js';
import type { InsertCaps, TaskRecord, TaskStore } from '../../runtime/tasks/index.js';

/**
 * Subjects create, end and lose tasks in any order, each by way of several clients. The store's verdicts are those of
 * a model that counts by itself, and no subject can take another's reserve.
 */

const commands = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('create' as const),
        subject: fc.nat(5),
        clients: fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('end' as const, 'expire'), task: fc.nat(50) }),
    },
  ),
  { maxLength: 25 },
);

const caps: fc.Arbitrary<InsertCaps> = fc
  .record({
    livePerOwner: fc.integer({ min: 1, max: 8 }),
    livePerSubject: fc.integer({ min: 1, max: 12 }),
    liveReserve: fc.integer({ min: 1, max: 4 }),
    liveShared: fc.integer({ min: 1, max: 10 }),
    reserves: fc.integer({ min: 0, max: 8 }),
    storedPerOwner: fc.integer({ min: 1, max: 20 }),
    storedPerSubject: fc.integer({ min: 1, max: 30 }),
  })
  .map(({ reserves, ...rest }) => ({ ...rest, live: rest.liveShared + reserves }));

const LATE = 2 * sampleTask(0).createdAt;

/** Stores that live longer than a run have no task left after it. */
export async function checkFairness(
  open: () => Promise<TaskStore>,
  numRuns: number,
): Promise<void> {
  let made = 0;
  const property = fc.asyncProperty(caps, commands, async (limits, sequence) => {
    const store = await open();
    const tasks = new Map<string, TaskRecord>();
    const isLive = ({ status }: TaskRecord): boolean => status === 'working';
    const count = (which: (task: TaskRecord) => boolean): number =>
      [...tasks.values()].filter(which).length;

    function expected(task: TaskRecord): string {
      const own = (each: TaskRecord): boolean => each.owner === task.owner;
      const same = (each: TaskRecord): boolean => each.subjectKey === task.subjectKey;
      const live = count(isLive);
      const ofSubject = count((each) => same(each) && isLive(each));
      if (count((each) => own(each) && isLive(each)) >= limits.livePerOwner) return 'livePerOwner';
      if (ofSubject >= limits.livePerSubject) return 'livePerSubject';
      if (count(own) >= limits.storedPerOwner) return 'storedPerOwner';
      if (count(same) >= limits.storedPerSubject) return 'storedPerSubject';
      if (ofSubject < limits.liveReserve) {
        const others = new Set([...tasks.values()].filter(isLive).map((each) => each.subjectKey));
        others.delete(task.subjectKey);
        const reserves = Math.floor((limits.live - limits.liveShared) / limits.liveReserve);
        if (others.size < reserves) assert.ok(live < limits.live, 'a reserve was taken by others');
        return live < limits.live ? 'inserted' : 'live';
      }
      if (live >= limits.live) return 'live';
      return live < limits.liveShared ? 'inserted' : 'liveShared';
    }

    async function create(subject: number, client: number): Promise<void> {
      made += 1;
      const subjectKey = `subject ${subject}`;
      // The fourth client is a subject of its own, as without authorization.
      const owner = client === 3 ? subjectKey : `${subjectKey} client ${client}`;
      const { subjectKey: _, ...alone } = sampleTask(made, { owner });
      const task = sampleTask(made, { owner, subjectKey });
      const wanted = expected(task);
      const result = await store.insert(client === 3 ? alone : task, limits);
      assert.equal(result.kind === 'full' ? result.cap : result.kind, wanted);
      if (wanted === 'inserted') tasks.set(task.id, task);
      assert.ok(count(isLive) <= limits.live);
    }

    async function end(task: TaskRecord): Promise<void> {
      if (!isLive(task)) return;
      const ended = {
        ...task,
        version: task.version + 1,
        status: 'cancelled',
        worker: '',
      } as const;
      assert.ok(await store.update(ended));
      tasks.set(task.id, ended);
    }

    for (const command of sequence) {
      if (command.kind === 'create') {
        for (const client of command.clients) await create(command.subject, client);
        continue;
      }
      const all = [...tasks.values()];
      const task = all[command.task % all.length];
      if (task === undefined) continue;
      if (command.kind === 'end') await end(task);
      else {
        // All have one TTL: the oldest expires.
        const { removed } = await store.expire(LATE, 1);
        for (const { id } of removed) tasks.delete(id);
      }
    }
    while ((await store.expire(LATE, 500)).removed.length > 0);
  });
  await fc.assert(property, { numRuns });
}
