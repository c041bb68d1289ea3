import { DataPointType } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';

import { definePrompt } from '../../runtime/server/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { createInProcessExecutor } from '../../runtime/executors/in-process/index.js';
import type { TaskKey, TaskStore } from '../../runtime/tasks/index.js';
import { connect, transportTo, WAYS } from '../client/harness.js';
import { legacy, rig, until } from '../server/support.js';
import { release } from '../server/tools.js';
import { rowsUnder } from '../support/page-table.js';
import { recordTelemetry } from '../support/telemetry.js';

const recorded = recordTelemetry();

interface Row {
  readonly type: string;
  readonly unit: string;
  readonly attributes: readonly string[];
}

/** The table of docs/operating.md. */
function documented(): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  let previous: readonly string[] = [];
  for (const [name = '', type = '', unit = '', listed = ''] of rowsUnder(
    'operating.md',
    '### Metrics',
  )) {
    const names = [...listed.matchAll(/`([a-z_.]+\.[a-z_.]+)`/g)].map(([, each = '']) => each);
    const attributes = listed === 'the same' ? previous : names;
    previous = attributes;
    rows.set(name.replaceAll('`', ''), { type, unit: unit.replaceAll('`', ''), attributes });
  }
  return rows;
}

const TYPES: Partial<Record<DataPointType, string>> = {
  [DataPointType.SUM]: 'counter',
  [DataPointType.GAUGE]: 'gauge',
  [DataPointType.HISTOGRAM]: 'histogram',
};

const answer = {
  form: () => ({ action: 'accept' as const, content: { name: 'Ann' } }),
  sampling: () => ({
    model: 'test',
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'Hello' },
  }),
};

/** Uses everything that is measured. */
async function useEverything(): Promise<void> {
  for (const [dialect, kind] of WAYS) {
    const server = await rig({
      prompts: [
        definePrompt({ name: 'greet', description: 'Greets', get: () => ({ messages: [] }) }),
      ],
    });
    const { tasks } = await connect(transportTo(server, kind), dialect, { answer });
    await tasks.call('add', { a: 1, b: 2 });
    await tasks.call('asks');
    await tasks.call('failing').catch(() => undefined);
    await tasks.call('broken').catch(() => undefined);
    await tasks.call('no such tool').catch(() => undefined);
    await tasks.prompt('greet');
    await tasks.prompt('no such prompt').catch(() => undefined);
    await tasks.close();
    await server.http.close();
  }
  const broken = transportTo(await rig(), 'stdio');
  await connect(broken, 'core');
  broken.onerror?.(new Error('broken pipe'));
  broken.onclose?.();
}

/** What a store that fails for a while, and one that a lost worker has left a task in, add. */
async function useBadly(): Promise<void> {
  const inner = createMemoryStore();
  let broken = false;
  const fail =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      broken ? Promise.reject(new Error('disk')) : work(...args);
  const store: TaskStore = {
    ...inner,
    get: fail((key: TaskKey) => inner.get(key)),
    renew: fail((worker: string, until: number) => inner.renew(worker, until)),
  };
  const executor = createInProcessExecutor({ leaseMs: 30 });
  const server = await rig({ store, executor });
  const client = await legacy(server);
  const started = await client.request('tools/call', {
    name: 'held',
    arguments: { label: 'metrics' },
    task: {},
  });
  const { taskId } = (started.result as { task: { taskId: string } }).task;
  for (let poll = 0; poll < 3; poll += 1) await client.request('tasks/get', { taskId });
  broken = true;
  await client.request('tasks/get', { taskId });
  await until(
    () => recorded.points('mcp.tasks.lease.renewals'),
    (points) => points.some(({ attributes }) => attributes['error.type'] === 'store_fault'),
  );
  broken = false;
  release('metrics');
}

/** A server takes over the task of a process that stopped. */
async function recover(): Promise<void> {
  const store = createMemoryStore();
  const now = Date.now();
  await store.renew('lost', now - 1);
  const task = { tool: 'asks', createdAt: now, updatedAt: now, ttl: 60_000, worker: 'lost' };
  await store.insert(sampleTask(1, task), NO_CAPS);
  await rig({ store });
  await until(
    () => recorded.points('mcp.tasks.recovered'),
    (points) => points.length > 0,
  );
}

describe('metrics', () => {
  it('are what docs/operating.md lists, with these units and attributes', async () => {
    await useEverything();
    await useBadly();
    await recover();
    const emitted = new Map<string, Row>();
    for (const metric of await recorded.metrics()) {
      const keys = new Set(metric.dataPoints.flatMap(({ attributes }) => Object.keys(attributes)));
      emitted.set(metric.descriptor.name, {
        type: TYPES[metric.dataPointType] ?? 'other',
        unit: metric.descriptor.unit,
        attributes: [...keys],
      });
    }
    const rows = documented();
    expect(rows.size).toBeGreaterThan(10);
    const sorted = (map: ReadonlyMap<string, Row>) =>
      [...map]
        .map(([name, row]) => ({ name, ...row, attributes: [...row.attributes].sort() }))
        .sort((a, b) => a.name.localeCompare(b.name));
    expect(sorted(emitted)).toEqual(sorted(rows));
  });
});
