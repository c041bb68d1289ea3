import fc from 'fast-check';
import { expect, it } from 'vitest';

import { indented } from '../../runtime/admin/print.js';

it('indents as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { text, isCut } = indented(JSON.stringify(value), Infinity);
      expect(text).toBe(JSON.stringify(value, undefined, 2));
      expect(isCut).toBe(false);
    }),
  );
});

it('begins a payload that is nested deeply, whose lines would be gigabytes', () => {
  const nested = '['.repeat(2_500) + ']'.repeat(2_500);
  const payload = `[${Array.from({ length: 100 }, () => nested).join(',')}]`;
  const { text, isCut } = indented(payload, 65_536);
  expect(isCut).toBe(true);
  expect(text).toHaveLength(65_536);
  expect(text.startsWith('[\n  [\n    [\n')).toBe(true);
});

it('begins a text as long as a result may be', () => {
  const payload = JSON.stringify({ text: '\\"'.repeat(1_000_000) });
  expect(indented(payload, 65_536).text).toHaveLength(65_536);
});
