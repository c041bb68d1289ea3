import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withMarkedNumbers, withNumbers } from '../../contracts/validate/index.js';
import { sized } from '../support/size.js';

/** A number as JSON may write it, most of which `JSON.parse` changes. */
const digits = fc.stringMatching(/^[0-9]{1,25}$/);
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,25}$/)),
    fc.option(digits, { nil: undefined }),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/), { nil: '' }),
  )
  .map(([sign, whole, part, exponent]) =>
    [sign, whole, part === undefined ? '' : `.${part}`, exponent].join(''),
  );
const text = fc
  .oneof(fc.string(), fc.constantFrom('1.0', 'a: 1e3, ', '\\', '"', '\\"1.0', ', -0]'))
  .map((each) => JSON.stringify(each));
/** JSON without spaces, with its numbers as they are. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(number, text, fc.constantFrom('true', 'null')),
    fc.array(tie('json'), { maxLength: 4 }).map((each) => `[${each.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), tie('json')), {
        maxLength: 4,
        selector: ([key]) => key,
      })
      .map((each) => `{${each.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
  ),
}));

it('numbers keep their text', () => {
  fc.assert(
    fc.property(json, (each) => {
      const written = (marked: string): string => withNumbers(JSON.stringify(JSON.parse(marked)));
      const canonical = JSON.stringify(JSON.parse(each));
      expect(written(withMarkedNumbers(each) ?? each)).toBe(each);
      expect(withMarkedNumbers(each) === undefined).toBe(canonical === each);
      const spaced = ` ${each.replaceAll(/(?<=[[{,:])(?=[-\d[{])|(?<=\d)(?=[\]},])/g, ' \n')} `;
      if (!each.includes('\\') && !/"[^"]*[[{,:\]}][^"]*"/.test(each))
        expect(written(withMarkedNumbers(spaced) ?? spaced)).toBe(each);
    }),
    { numRuns: sized(2_000) },
  );
});

it.each(['[', '"', '\\', '1', '1,', ':1', '"\\"', '1.', '-', ' 0', '1e'])(
  'a text of %s alone is read in linear time',
  (unit) => {
    const most = unit.repeat(1_000_000);
    expect(withNumbers(withMarkedNumbers(most) ?? most)).toBe(most);
  },
);
