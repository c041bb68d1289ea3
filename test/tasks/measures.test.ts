import { metrics } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { type TaskStore } from '../../runtime/tasks/index.js';
import { createTelemetry } from '../../runtime/tasks/telemetry.js';
import { createMeasures } from '../../runtime/tasks/measures.js';
import { NO_MEASURES, NO_TELEMETRY } from '../../runtime/tasks/recorder.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { recordTelemetry } from '../support/telemetry.js';
import * as api from '@opentelemetry/api';

const recorded = recordTelemetry();
const measured = () => createMeasures(api);

/** The measurements of a metric under attributes that no other test uses. */
async function pointsOf(name: string, tool: string) {
  const points = await recorded.points(name);
  return points.filter(({ attributes }) => attributes['gen_ai.tool.name'] === tool);
}

const task = (tool: string, parts = {}) =>
  sampleTask(1, { tool, createdAt: 1_000, updatedAt: 3_500, ...parts });

describe('metrics of tasks', () => {
  it('have the names, units and meanings of the documentation', async () => {
    measured().observe(() => ({
      running: 0,
      waiting: 0,
      paused: 0,
      queued: 0,
      taken: 0,
      slots: 1,
    }));
    const all = measured();
    for (const call of ['created', 'ended', 'recovered'] as const) all[call](task('names'));
    all.refused('limit');
    all.eagerPoll();
    const store = all.measured(createMemoryStore());
    await store.renew('w', 1);
    const found = (await recorded.metrics()).map(({ descriptor: { name, unit, description } }) => [
      name,
      unit,
      description,
    ]);
    expect(found.sort()).toEqual([
      ['mcp.tasks.created', '{task}', 'Tasks that were created'],
      ['mcp.tasks.eager_polls', '{request}', 'Polls of a live task within half its poll interval'],
      ['mcp.tasks.ended', '{task}', 'Tasks that were completed, failed or cancelled here'],
      ['mcp.tasks.lease.renewals', '{renewal}', 'Renewals of the lease of this worker'],
      ['mcp.tasks.lifetime', 's', 'From the creation of a task until it ended'],
      ['mcp.tasks.paused', '{task}', 'Tasks here whose handlers pause'],
      ['mcp.tasks.queued', '{task}', 'Tasks and calls here that wait for a slot'],
      ['mcp.tasks.recovered', '{task}', 'Tasks that were taken over from a lost worker'],
      [
        'mcp.tasks.refused',
        '{request}',
        'Requests about tasks, and HTTP requests, that were refused',
      ],
      ['mcp.tasks.running', '{task}', 'Tasks whose handlers run here'],
      ['mcp.tasks.slots.limit', '{slot}', 'Slots that there are'],
      ['mcp.tasks.slots.used', '{slot}', 'Slots that are taken'],
      [
        'mcp.tasks.store.operation.duration',
        's',
        'From the call of an operation of the store until it was done',
      ],
      ['mcp.tasks.waiting_for_input', '{task}', 'Tasks here that wait for input'],
    ]);
  });

  it('count tasks by method and tool', async () => {
    const all = measured();
    all.created(task('counted'));
    all.created(task('counted'));
    all.recovered(task('counted'));
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'counted' };
    expect(await pointsOf('mcp.tasks.created', 'counted')).toMatchObject([
      { value: 2, attributes },
    ]);
    expect(await pointsOf('mcp.tasks.recovered', 'counted')).toMatchObject([
      { value: 1, attributes },
    ]);
    const { tool: _, ...plain } = task('none', { method: 'sampling/createMessage' });
    all.created(plain);
    const points = await recorded.points('mcp.tasks.created');
    expect(points.map((point) => point.attributes)).toContainEqual({
      'mcp.method.name': 'sampling/createMessage',
    });
  });

  it('count ends by what became of the work, and how long the tasks lived, in seconds', async () => {
    const all = measured();
    all.ended(task('ended', { status: 'completed' }));
    all.ended(task('ended', { status: 'completed', statusMessage: 'It went wrong' }));
    const ends = await pointsOf('mcp.tasks.ended', 'ended');
    expect(ends.map(({ value, attributes }) => [attributes['mcp.task.status'], value])).toEqual([
      ['completed', 1],
      ['failed', 1],
    ]);
    const [lifetime] = await pointsOf('mcp.tasks.lifetime', 'ended');
    expect(lifetime).toMatchObject({
      attributes: { 'mcp.task.status': 'completed' },
      value: {
        sum: 2.5,
        buckets: {
          boundaries: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400],
        },
      },
    });
  });

  it('count refusals by their reasons', async () => {
    measured().refused('a_reason');
    const points = await recorded.points('mcp.tasks.refused');
    const own = points.filter(({ attributes }) => attributes['error.type'] === 'a_reason');
    expect(own).toMatchObject([{ value: 1 }]);
  });

  it('have the load when they are read, as far as it is known, until that ends', async () => {
    let load: object = { running: 1, waiting: 2, paused: 3, queued: 4, taken: 5, slots: 6 };
    const end = measured().observe(() => load as never);
    const names = [
      'running',
      'waiting_for_input',
      'paused',
      'queued',
      'slots.used',
      'slots.limit',
    ] as const;
    const seen = async (): Promise<unknown[]> => {
      const values = [];
      for (const name of names) {
        values.push((await recorded.points(`mcp.tasks.${name}`)).at(-1)?.value);
      }
      return values;
    };
    expect(await seen()).toEqual([1, 2, 3, 4, 5, 6]);
    load = { running: 7, waiting: 8, paused: 9 };
    expect((await seen()).slice(0, 3)).toEqual([7, 8, 9]);
    end();
    load = { running: 10, waiting: 11, paused: 12 };
    expect((await seen()).slice(0, 3)).not.toContain(10);
  });
});

describe('a store whose operations are measured', () => {
  const durations = async (operation: string) =>
    (await recorded.points('mcp.tasks.store.operation.duration')).filter(
      ({ attributes }) => attributes['mcp.tasks.store.operation'] === operation,
    );

  it('does what the store does, and counts each operation with its class of error', async () => {
    const memory = createMemoryStore();
    const store = measured().measured(memory);
    const record = sampleTask(1);
    expect(await store.secret()).toEqual(await memory.secret());
    expect(await store.insert(record, NO_CAPS)).toEqual({ kind: 'inserted' });
    expect(await store.get(record)).toEqual(record);
    expect(await store.update({ ...record, version: 2 })).toBe(true);
    expect(await store.list(record, { limit: 9, now: record.createdAt })).toHaveLength(1);
    expect(await store.orphans(record.createdAt, 9)).toHaveLength(1);
    await store.renew('w', 1);
    await store.probe();
    expect((await store.expire(record.createdAt + record.ttl, 9)).removed).toHaveLength(1);
    for (const operation of [
      ...['insert', 'get', 'update', 'list', 'orphans', 'renew', 'probe', 'expire'],
    ]) {
      const [point] = await durations(operation);
      expect([operation, (point?.value as { count: number }).count > 0]).toEqual([operation, true]);
      expect(point?.attributes).not.toHaveProperty('error.type');
      expect(point?.value).toMatchObject({
        buckets: {
          boundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
        },
      });
    }
    await store.close();
  });

  it('counts faults, and passes them on', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('disk full'));
    const store = measured().measured({ ...createMemoryStore(), list: broken, renew: broken });
    await expect(store.list(sampleTask(1), { limit: 1, now: 0 })).rejects.toThrow('disk full');
    await expect(store.renew('w', 1)).rejects.toThrow('disk full');
    const faults = async (points: Promise<readonly { attributes: object }[]>) =>
      (await points).filter(
        ({ attributes }) =>
          (attributes as { 'error.type'?: string })['error.type'] === 'store_fault',
      );
    expect(await faults(durations('list'))).toMatchObject([{ value: { count: 1 } }]);
    expect(await faults(recorded.points('mcp.tasks.lease.renewals'))).toMatchObject([{ value: 1 }]);
  });

  it('takes the time of the operation, in seconds', async () => {
    const memory = createMemoryStore();
    const before = performance.now();
    const store = measured().measured({
      ...memory,
      async probe() {
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error('away');
      },
    });
    await store.probe().catch(() => undefined);
    const most = (performance.now() - before) / 1_000;
    const point = (await durations('probe')).find(
      ({ attributes }) => attributes['error.type'] === 'store_fault',
    );
    const { sum } = point?.value as { readonly sum: number };
    expect(sum).toBeGreaterThan(0.01);
    expect(sum).toBeLessThanOrEqual(most);
  });

  it('has the optional members that the store has', () => {
    const members = Object.entries(createMemoryStore());
    const optional = ['watch', 'now', 'administration'];
    const least = Object.fromEntries(
      members.filter(([name]) => !optional.includes(name)),
    ) as unknown as TaskStore;
    const none = measured().measured(least);
    expect(optional.filter((name) => name in none)).toEqual([]);
    const watch = () => () => undefined;
    const administration = {} as never;
    const all = measured().measured({ ...least, watch, administration, now: () => 7 });
    expect(all.now?.()).toBe(7);
    expect(all.administration).toBe(administration);
    expect(all.watch?.(() => undefined)).toBeTypeOf('function');
  });
});

describe('without metrics', () => {
  it('nothing is measured, and the store is used as it is', () => {
    const store = createMemoryStore();
    metrics.disable();
    expect(createMeasures(api)).toBe(NO_MEASURES);
    expect(createTelemetry().measured(store)).toBe(store);
    expect(NO_TELEMETRY.measured(store)).toBe(store);
    expect(NO_MEASURES.observe(() => ({ running: 0, waiting: 0, paused: 0 }))()).toBeUndefined();
  });

  it('and without spans, work is done all the same', async () => {
    const request = { method: 'tools/call', tool: 'it', meta: {} };
    expect(await NO_TELEMETRY.submit(request, (carrier) => Promise.resolve(carrier))).toEqual({});
    expect(await NO_TELEMETRY.step(sampleTask(1), 'a', () => Promise.resolve(7))).toBe(7);
    let done = false;
    await NO_TELEMETRY.execute(sampleTask(1), async () => {
      await Promise.resolve();
      done = true;
      return {};
    });
    expect(done).toBe(true);
  });
});
