import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { createLruMap } from '../../runtime/tasks/admission.js';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

it('keeps the entries that were set last, as a list of them would', () => {
  const key = fc.constantFrom(...KEYS);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(key), (capacity, keys) => {
      const map = createLruMap<number>(capacity);
      keys.forEach((each, index) => map.set(each, index));
      const last = [...new Set(keys.toReversed())].slice(0, capacity);
      for (const each of KEYS) {
        expect(map.get(each)).toBe(last.includes(each) ? keys.lastIndexOf(each) : undefined);
      }
    }),
  );
});
