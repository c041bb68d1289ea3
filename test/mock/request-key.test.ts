import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLike, keyOf, matches } from '../../contracts/mock/request-key.js';

const MASK = '*masked:0a1b2c3d*';

const params = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>;

/** The same value with the keys of its objects in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, each]) => [key, reversed(each)]));
}

describe('requests', () => {
  it('are equal in whatever order their keys are, and whatever metadata they have', () => {
    fc.assert(
      fc.property(params, params, (each, meta) => {
        const one = { method: 'tools/call', params: { ...each, _meta: { progressToken: 1 } } };
        const other = {
          method: 'tools/call',
          params: reversed({ ...each, _meta: meta }) as typeof each,
        };
        expect(matches(one, other)).toBe(true);
        expect(keyOf(one)).toBe(keyOf(other));
      }),
    );
  });

  it('differ when a value differs', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(reversed(reversed(a))) === JSON.stringify(b);
        fc.pre(!same && !isLike(a, b));
        const asked = (value: unknown) => ({ method: 'm', params: { arguments: { value } } });
        expect(matches(asked(a), asked(b))).toBe(false);
      }),
    );
  });

  it('with other methods differ', () => {
    expect(matches({ method: 'a', params: {} }, { method: 'b', params: {} })).toBe(false);
  });

  it('answer the same questions, whatever the answers are', () => {
    const retry = (key: string, action: string) => ({
      method: 'tools/call',
      params: { name: 'x', inputResponses: { [key]: { action } } },
    });
    expect(keyOf(retry('q', 'accept'))).toBe(keyOf(retry('q', 'decline')));
    expect(matches(retry('q', 'accept'), retry('r', 'accept'))).toBe(false);
  });
});

describe('a masked value', () => {
  it('matches any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isLike({ token: MASK }, { token: value })).toBe(true);
      }),
    );
  });

  it.each([
    [`Bearer ${MASK}`, 'Bearer abc', true],
    [`Bearer ${MASK}`, 'Basic abc', false],
    [`${MASK}@host/${MASK}?x`, 'user@host/path?x', true],
    [`${MASK}@host/${MASK}?x`, 'user@host?x', false],
    [`aa${MASK}aa`, 'aaa', false],
  ])('in %j matches as a part of %j: %s', (recorded, text, expected) => {
    expect(isLike(recorded, text)).toBe(expected);
  });

  it('of another type is known by its name', () => {
    expect(isLike({ pin: 0, on: { secret: false } }, { pin: 1234, on: { secret: true } })).toBe(
      true,
    );
    expect(isLike({ count: 0 }, { count: 1 })).toBe(false);
  });

  it('is not what a client has to send', () => {
    expect(isLike({ token: 'abc' }, { token: MASK })).toBe(false);
  });
});

it('compares values that are nested deeply', () => {
  const deep = () => JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  expect(isLike(deep(), deep())).toBe(true);
});
