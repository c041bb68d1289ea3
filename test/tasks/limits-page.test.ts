import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../runtime/tasks/index.js';
import { codeIn, rowsUnder } from '../support/page-table.js';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  h: 3_600_000,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
};

/** `1,000`, `4 MiB`, `2 × \`livePerOwner\`` or `half of \`live\``, by the numbers of the other limits. */
function amountOf(text: string, others: ReadonlyMap<string, number>): number {
  const [other] = codeIn(text);
  const factor = text.startsWith('half of') ? 0.5 : Number(/^(\d+) ×/.exec(text)?.[1]);
  if (other !== undefined) return factor * (others.get(other) ?? NaN);
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
