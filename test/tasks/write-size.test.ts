import { expect, it } from 'vitest';
import { groupLength, insertSize, updateSize } from '../../runtime/tasks/index.js';
import { createHeap } from '../../runtime/tasks/clock.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';
import fc from 'fast-check';

it.each<[string, readonly number[], number]>([
  ['no writes', [], 0],
  ['as many as allowed', [1, 1, 1], 3],
  ['more than allowed', [1, 1, 1, 1], 3],
  ['as large as allowed together', [4, 6], 2],
  ['too large together', [4, 7], 1],
  ['too large from the third on', [4, 6, 1], 2],
  ['a first one that is too large', [11, 0], 1],
  ['only one that is too large', [11], 1],
  ['small ones after one that is too large', [1, 11, 1], 1],
  ['writes without payloads', [0, 0, 0, 0], 3],
])('writes that share a transaction: %s', (_, sizes, expected) => {
  expect(groupLength(sizes, { most: 3, largest: 10 })).toBe(expected);
});

it('the size of a write is that of the payloads that it writes', () => {
  const asked = { key: 'a', method: 'elicitation/create', params: '12' };
  const step = { name: 'a', attempt: 1 };
  const task = sampleTask(1, {
    args: '1'.repeat(1_000),
    outcome: '1'.repeat(100),
    input: [asked, { ...asked, key: 'b', answer: '123' }],
    steps: [step, { ...step, name: 'b', result: '12345' }],
  });
  expect(updateSize(task)).toBe(100 + 2 + 5 + 5);
  expect(insertSize(task)).toBe(1_000 + 112);
  expect(updateSize(sampleTask(1))).toBe(0);
});

it('a heap gives what is due first, whatever came in which order', () => {
  const action = fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const heap = createHeap<{ readonly at: number }>();
      let kept: number[] = [];
      for (const at of actions) {
        if (at !== undefined) {
          heap.push({ at });
          kept = [...kept, at].sort((a, b) => a - b);
        } else expect(heap.pop()?.at).toBe(kept.shift());
        expect(heap.peek()?.at).toBe(kept[0]);
      }
      expect(kept.map(() => heap.pop()?.at)).toEqual(kept);
      expect([heap.pop(), heap.peek()]).toEqual([undefined, undefined]);
    }),
  );
});
