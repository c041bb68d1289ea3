import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { boundsFor, LEVELS_ALONE, Weight } from '../../runtime/transport/reading/bounds.js';
import { readJson } from '../../runtime/transport/reading/read-json.js';

const MOST_LEVELS = LEVELS_ALONE.levels;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const UNBOUNDED = { levels: Infinity, members: Infinity, values: Infinity };

describe('levels', () => {
  const nested = (levels: number, open: string, close: string): string =>
    open.repeat(levels) + close.repeat(levels);
  const lists = (levels: number): string => nested(levels, '[', ']');
  const long = 'x'.repeat(3 * MOST_LEVELS);

  it.each<[string, string, boolean]>([
    ['500 lists', lists(500), false],
    ['501 lists', lists(501), true],
    ['500 lists with a long text', `[${JSON.stringify(long)},${lists(499)}]`, false],
    ['501 lists with a long text', `[${JSON.stringify(long)},${lists(500)}]`, true],
    ['501 objects', nested(501, '{"a":', '}').replace(':}', ':1}'), true],
    ['500 objects', nested(500, '{"a":', '}').replace(':}', ':1}'), false],
    ['251 objects in 250 lists', nested(250, '[', '') + nested(251, '{"a":', '}') + ']', true],
    ['1,000 lists side by side', `[${'[],'.repeat(1_000)}0]`, false],
    ['500 lists behind others', `[${'[],'.repeat(9)}${lists(499)}]`, false],
    ['501 lists behind others', `[${'[],'.repeat(9)}${lists(500)}]`, true],
    ['501 lists behind objects', `[${'{},'.repeat(9)}${lists(500)}]`, true],
    ['1,000 objects side by side', `[${'{},'.repeat(1_000)}0]`, false],
    ['brackets in a text', JSON.stringify('['.repeat(2_000)), false],
    ['brackets behind an escaped quote', JSON.stringify(`"${'[{'.repeat(1_000)}`), false],
    ['a text that ends with a backslash', `["\\\\",${lists(500)}]`, true],
    ['a text that ends with two backslashes', `["\\\\\\\\",${lists(500)}]`, true],
    ['a text that ends with an escaped quote', `["\\\\\\"",${lists(500)}]`, true],
    ['closing brackets in a text', `["${']'.repeat(9)}",${lists(500)}]`, true],
    ['an empty text', `["",${lists(500)}]`, true],
  ])('with %s', (_, text, isTooDeep) => {
    const read = readJson(bytesOf(text), LEVELS_ALONE);
    if (isTooDeep) {
      expect(read).toEqual({ code: -32600, why: 'is nested more than 500 levels deep' });
    } else expect(read).toEqual({ value: JSON.parse(text) as unknown, text });
  });
});

/** What `Weight` counts, in a value that was built. */
function countOf(value: unknown): { levels: number; members: number; values: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, members: 0, values: 0 };
  const inner = Object.values(value).map(countOf);
  const sum = (name: 'members' | 'values') => inner.reduce((all, each) => all + each[name], 0);
  return {
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
    members: (Array.isArray(value) ? 0 : inner.length) + sum('members'),
    values: Math.max(1, inner.length) + sum('values'),
  };
}

const odd = fc.string({
  unit: fc.constantFrom('"', '\\', '[', '{', '}', ']', ',', ':', 'a', 'é', '\u{1f600}', '\n'),
  maxLength: 80,
});
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    odd,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(odd, tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('a weight', () => {
  it('counts what JSON holds, however its bytes are cut, and finds each bound where it is', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 40 }), (value, size) => {
        const bytes = bytesOf(JSON.stringify(value));
        const found = (bounds: Partial<typeof UNBOUNDED>): string | undefined => {
          const weight = new Weight({ ...UNBOUNDED, ...bounds });
          for (let at = 0; at < bytes.length; at += size) {
            const why = weight.add(bytes.subarray(at, at + size));
            if (why !== undefined) return why;
          }
          return undefined;
        };
        for (const [name, count] of Object.entries(countOf(value))) {
          expect(found({ [name]: count })).toBeUndefined();
          if (count > 0) expect(found({ [name]: count - 1 })).toMatch(/ than \d+ /);
        }
      }),
    );
  });

  it('of the next message begins anew', () => {
    const weight = new Weight({ levels: 1, members: 1, values: 2 });
    for (let count = 0; count < 3; count += 1) {
      expect(weight.add(bytesOf('{"a":"x'))).toBeUndefined();
      weight.clear();
    }
  });

  it('finds the levels behind a quote in an earlier line', () => {
    const weight = new Weight({ ...UNBOUNDED, levels: 1 });
    expect(weight.add(bytesOf('id: "'))).toBeUndefined();
    weight.endLine();
    expect(weight.add(bytesOf('data: [['))).toBe('is nested more than 1 levels deep');
  });

  it('bytes that are refused cost no more than the bound, whatever follows', () => {
    const bytes = new Uint8Array(4 * 2 ** 20).fill(0x5b);
    let looked = 0;
    const counted = new Proxy(bytes, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked += 1;
        const value: unknown = Reflect.get(target, name, target);
        return value;
      },
    });
    expect(new Weight(boundsFor(bytes.length)).add(counted)).toContain('500 levels');
    expect(looked).toBe(501);
  });
});

describe('reading', () => {
  const bounds = boundsFor(4 * 2 ** 20);

  it.each([
    [
      '300,000 names',
      `{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":1`).join()}}`,
      'members',
    ],
    ['600,000 elements', `[${'1,'.repeat(600_000)}1]`, 'values'],
    ['600,000 empty lists', `[${'[],'.repeat(600_000)}1]`, 'values'],
    ['4 MiB of brackets', '['.repeat(4 * 2 ** 20), 'levels'],
    ['700,000 objects that are open', '{"a":'.repeat(700_000), 'levels'],
  ])('refuses %s before they are built', (_, text, what) => {
    const { parse } = JSON;
    let parsed = 0;
    JSON.parse = (...args: Parameters<typeof parse>): unknown => {
      parsed += 1;
      return parse(...args) as unknown;
    };
    try {
      expect(readJson(bytesOf(text), bounds)).toMatchObject({
        code: -32600,
        why: expect.stringContaining(what) as string,
      });
      expect(parsed).toBe(0);
    } finally {
      JSON.parse = parse;
    }
  });

  it.each([
    ['not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['not JSON', bytesOf('{"a":}')],
    ['nothing', bytesOf('')],
  ])('refuses what is %s', (_, bytes) => {
    expect(readJson(bytes, bounds)).toEqual({ code: -32700, why: 'is not JSON in UTF-8' });
  });

  it('leaves out a byte order mark', () => {
    expect(readJson(bytesOf('\uFEFF{"a":1}'), bounds)).toEqual({
      value: { a: 1 },
      text: '{"a":1}',
    });
  });
});
