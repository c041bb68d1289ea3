import { describe, expect, it } from 'vitest';

import { createRecordCache } from '../../runtime/stores/sqlite/rows.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const never = () => 1;

describe('tasks that the SQLite store keeps in memory', () => {
  it('belong to one owner and dialect', () => {
    const cache = createRecordCache(never);
    const task = sampleTask(1);
    cache.set(task);
    expect(cache.get(task)).toBe(task);
    expect(cache.get({ ...task, owner: `${task.owner}x` })).toBeUndefined();
    expect(cache.get({ ...task, dialect: 'ext' })).toBeUndefined();
  });

  it('never become older', () => {
    const cache = createRecordCache(never);
    const [older, newer] = [sampleTask(1, { version: 2 }), sampleTask(1, { version: 3 })];
    cache.set(newer);
    cache.set(older);
    expect(cache.get(older)).toBe(newer);
    cache.delete(older);
    expect(cache.get(older)).toBeUndefined();
  });

  it('are dropped in the turn after another connection has written', async () => {
    let version = 1;
    const cache = createRecordCache(() => version);
    const task = sampleTask(1);
    cache.set(task);
    expect(cache.get(task)).toBe(task);
    version = 2;
    await turn();
    expect(cache.get(task)).toBeUndefined();
  });

  it('take bounded memory, whatever their payloads are', () => {
    const cache = createRecordCache(never, 10_000);
    const large = sampleTask(1, { args: 'x'.repeat(200_000) });
    cache.set(large);
    expect(cache.get(large)).toBeUndefined();
    const tasks = Array.from({ length: 50 }, (_, n) =>
      sampleTask(n + 2, { outcome: 'x'.repeat(n * 100) }),
    );
    for (const task of tasks) cache.set(task);
    const kept = tasks.filter((task) => cache.get(task) !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(10);
    expect(kept).toEqual(tasks.slice(-kept.length));
  });
});
