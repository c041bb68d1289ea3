import fc from 'fast-check';
import { expect, it } from 'vitest';

import { CallError, parseReference } from '../../runtime/client/index.js';
import { formatReference } from '../../runtime/client/reference.js';

it('a reference is parsed to the values that it was made of', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('core' as const, 'ext' as const),
      fc.string({ minLength: 1, maxLength: 1_024, unit: 'grapheme' }),
      fc.string({ maxLength: 128 }),
      (dialect, taskId, tool) => {
        fc.pre(taskId.length <= 1_024);
        const reference = { dialect, taskId, tool };
        expect(parseReference(formatReference(reference))).toEqual(reference);
      },
    ),
  );
});

const encoded = (value: unknown): string =>
  `mcp-task-1.${Buffer.from(JSON.stringify(value) ?? '').toString('base64url')}`;

it.each([
  '',
  'mcp-task-1.',
  'mcp-task-2.' + encoded(['core', 'one', 'tool']).slice(11),
  encoded(null),
  encoded({ dialect: 'core', taskId: 'one', tool: 'tool' }),
  encoded(['other', 'one', 'tool']),
  encoded(['core', '', 'tool']),
  encoded(['core', 7, 'tool']),
  encoded(['core', 'one']),
  encoded(['core', 'one', 'tool', 'more']),
  encoded(['core', 'x'.repeat(1_025), 'tool']),
  `mcp-task-1.${'A'.repeat(100_000)}`,
  undefined as unknown as string,
  7 as unknown as string,
])('parseReference refuses %j', (text) => {
  expect(() => parseReference(text)).toThrow(CallError);
});

it('parseReference refuses every other string', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json().map(encoded), fc.base64String()), (text) => {
      try {
        const { taskId } = parseReference(text);
        expect(taskId.length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toMatchObject({ reason: 'invalid_reference' });
      }
    }),
  );
});
