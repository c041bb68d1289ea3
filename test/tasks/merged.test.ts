import fc from 'fast-check';
import { expect, it } from 'vitest';

import { merged } from '../../runtime/tasks/index.js';

const names = fc.constantFrom('a', 'b', 'constructor', 'toString', '__proto__');
const objects = fc
  .array(fc.tuple(names, fc.jsonValue()))
  .map((entries) => JSON.parse(`{${entries.map(member).join(',')}}`) as Record<string, unknown>);

function member([name, value]: readonly [string, unknown]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

it('merges objects as a literal with two spreads does, whatever their members are called', () => {
  fc.assert(
    fc.property(objects, objects, (first, second) => {
      const expected = { ...first, ...second };
      const result = merged(first, second);
      expect(Object.entries(result)).toEqual(Object.entries(expected));
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    }),
  );
});
