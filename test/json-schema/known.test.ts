import { expect, it } from 'vitest';
import { contains } from '../../json-schema/compare/index.js';
import { createJudge } from '../../json-schema/index.js';
import type { Definition, Node } from '../../json-schema/index.js';

const listOf = (name: string): Node => ({ kind: 'array', items: { kind: 'ref', name } });

it('does not keep a proof that took something for granted for one that does not', () => {
  const definitions = new Map<string, Definition>([
    ['Text', { name: 'Text', node: { kind: 'string' } }],
    ['Flag', { name: 'Flag', node: { kind: 'boolean' } }],
  ]);
  const acceptance = createJudge(definitions);
  const isKnown = ({ kind }: Node): boolean => kind === 'ref';
  const [texts, flags] = [listOf('Text'), listOf('Flag')];
  expect(contains(texts, flags, { definitions, acceptance, isKnown })).toBe(true);
  expect(contains(texts, flags, { definitions, acceptance })).toBe(false);
  expect(contains(texts, flags, { definitions, acceptance, isKnown })).toBe(true);
});
