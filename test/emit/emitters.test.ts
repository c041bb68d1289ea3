import { describe, expect, it } from 'vitest';
import { DEFAULT_EMITS, EMITS, emitsFor, emitUnits } from '../../generator/emit/index.js';
import type { Emit } from '../../generator/emit/index.js';
import { protocolOf } from '../support/protocol.js';

describe('the files that are emitted', () => {
  it.each<[readonly Emit[], readonly Emit[]]>([
    [[], ['types']],
    [['types'], ['types']],
    [['metamodel'], ['metamodel']],
    [['protocol'], ['types', 'protocol']],
    [
      ['standard', 'validators'],
      ['types', 'validators', 'standard'],
    ],
    [
      ['metamodel', 'zod'],
      ['types', 'zod', 'metamodel'],
    ],
    [EMITS, EMITS],
  ])('for %j are %j, in one order', (asked, expected) => {
    expect(emitsFor(asked)).toEqual(expected);
  });

  it('are by default all but those that are emitted on request', () => {
    expect(DEFAULT_EMITS).toEqual(['types', 'zod', 'validators', 'protocol']);
  });

  const filesOf = async (schema: object, emits: readonly Emit[]): Promise<string[]> =>
    (await emitUnits(protocolOf({ A: schema as never }), emits)).map(({ path }) => path);

  it('include the validators where Zod schemas call them', async () => {
    expect(await filesOf({ type: 'string' }, ['zod'])).toEqual(['types.ts', 'zod.ts', 'index.ts']);
    expect(await filesOf({ not: { type: 'string' } }, ['zod'])).toEqual([
      ...['types.ts', 'zod.ts', 'validators.ts', 'index.ts'],
    ]);
  });

  it('have a comment where their language has one', async () => {
    const units = await emitUnits(protocolOf({ A: {} }), EMITS);
    expect(units.filter(({ comment }) => comment !== '//').map(({ path }) => path)).toEqual([
      'metamodel.json',
    ]);
    expect(await filesOf({}, ['metamodel'])).toEqual(['metamodel.json']);
  });

  it('have an index that exports the definition where a table has its name', async () => {
    const indexOf = async (names: readonly string[], emits: readonly Emit[]) => {
      const protocol = protocolOf(Object.fromEntries(names.map((name) => [name, {}])));
      return (await emitUnits(protocol, emits)).at(-1)?.text;
    };
    const types = "export type * from './types.js';\n";
    expect(await indexOf(['A', 'Party'], ['types'])).toBe(types);
    expect(await indexOf(['A'], ['protocol'])).toBe(`export * from './protocol.js';\n${types}`);
    expect(await indexOf(['A', 'ErrorCode', 'Party', 'RequestMap'], ['protocol'])).toBe(
      `export * from './protocol.js';\n${types}export type { ErrorCode, Party, RequestMap } from './types.js';\n`,
    );
  });
});
