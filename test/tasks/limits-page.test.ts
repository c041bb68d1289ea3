import { readFileSync } from 'node:fs';
import * as api from '@opentelemetry/api';
import { DataPointType } from '@opentelemetry/sdk-metrics';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../../runtime/stores/memory/index.js';
import { DEFAULT_LIMITS } from '../../runtime/tasks/index.js';
import { createMeasures } from '../../runtime/tasks/measures.js';
import { sampleTask } from '../../runtime/testkit/index.js';
import { recordTelemetry } from '../support/telemetry.js';

/** What the tables of the pages say of names and numbers in the code. */

/** The rows of the first table below a heading: the texts of their cells. */
function rowsUnder(page: string, heading: string): string[][] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split(`\n${heading}\n`);
  const table = /(?:^\|.*\n)+/m.exec(section)?.[0] ?? '';
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, ...cells]) => cells.slice(0, -1));
}

const codeIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  h: 3_600_000,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
};

/** `1,000`, `4 MiB`, `2 × \`livePerOwner\`` or `half of \`live\``, by the numbers of the other limits. */
function amountOf(text: string, others: ReadonlyMap<string, number>): number {
  const [other = ''] = codeIn(text);
  const factor = text.startsWith('half of') ? 0.5 : Number(/^(\d+) ×/.exec(text)?.[1]);
  if (other !== '') return factor * (others.get(other) ?? NaN);
  const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)$/.exec(text) ?? [];
  return Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? NaN);
}

it('docs/tasks.md has every limit with its default', () => {
  const limits = new Map(Object.entries(DEFAULT_LIMITS));
  const written = rowsUnder('tasks.md', '## Limits').flatMap(([names = '', amounts = '']) => {
    const values = amounts.split(', ');
    return codeIn(names).map(
      (name, index) => [name, amountOf(values[index] ?? '', limits)] as const,
    );
  });
  expect(new Map(written)).toEqual(limits);
});

const recorded = recordTelemetry();

it('docs/operating.md has every metric of tasks with its type and unit', async () => {
  const measures = createMeasures(api);
  const task = sampleTask(1);
  measures.created(task);
  measures.ended(task);
  measures.refused('limit');
  measures.eagerPoll();
  measures.recovered(task);
  measures.observe(() => ({ running: 1, waiting: 1, paused: 1, queued: 1, taken: 1, slots: 1 }));
  const store = measures.measured(createMemoryStore());
  await store.renew('worker', 0);
  const types: Partial<Record<DataPointType, string>> = {
    [DataPointType.SUM]: 'counter',
    [DataPointType.HISTOGRAM]: 'histogram',
    [DataPointType.GAUGE]: 'gauge',
  };
  const found = (await recorded.metrics()).map(({ descriptor: { name, unit }, dataPointType }) => [
    name,
    types[dataPointType],
    unit,
  ]);
  const written = rowsUnder('operating.md', '### Metrics')
    .map(([name = '', type = '', unit = '']) => [...codeIn(name), type, ...codeIn(unit)])
    .filter(([name = '']) => name.startsWith('mcp.tasks.'));
  expect(found).toHaveLength(14);
  expect(found.sort()).toEqual(written.sort());
});
