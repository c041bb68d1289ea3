import { describe, expect, it } from 'vitest';
import {
  unwrappedResult,
  WRAPPED_META_KEY,
  wrappedResult,
} from '../../../runtime/peer/wire/wrapped-result.js';

const content = [{ type: 'text', text: '[1]' }];
const mark = { [WRAPPED_META_KEY]: true };

describe('a result that is no object', () => {
  it.each([[[1]], ['text'], [null], [7]])('is read as it was wrapped: %j', (structuredContent) => {
    const wrapped = wrappedResult({ content, structuredContent });
    expect(wrapped).toEqual({
      content,
      structuredContent: { result: structuredContent },
      _meta: { 'mcp-codegen/wrapped-result': true },
    });
    expect(unwrappedResult(wrapped)).toEqual({ content, structuredContent });
  });

  it('keeps the other members of `_meta`', () => {
    const result = { content, structuredContent: 1, _meta: { trace: 'a' } };
    const wrapped = wrappedResult(result);
    expect(wrapped['_meta']).toEqual({ trace: 'a', ...mark });
    expect(unwrappedResult(wrapped)).toEqual(result);
  });

  it('gets a `_meta` where it has none that is an object', () => {
    expect(wrappedResult({ structuredContent: 1, _meta: ['a'] })['_meta']).toEqual(mark);
  });
});

it.each<[string, Readonly<Record<string, unknown>>]>([
  ['without `_meta`', { structuredContent: { result: 1 } }],
  ['without the mark', { structuredContent: { result: 1 }, _meta: {} }],
  [
    'with a mark that is not true',
    { structuredContent: { result: 1 }, _meta: { [WRAPPED_META_KEY]: 1 } },
  ],
  ['with a list as `_meta`', { structuredContent: { result: 1 }, _meta: [true] }],
  ['without structured content', { content, _meta: mark }],
  ['whose structured content is a list', { structuredContent: [1], _meta: mark }],
  ['without the key', { structuredContent: { other: 1 }, _meta: mark }],
  ['with another key beside it', { structuredContent: { result: 1, other: 2 }, _meta: mark }],
])('a result %s stays as it is', (_, result) => {
  expect(unwrappedResult(result)).toBe(result);
});
