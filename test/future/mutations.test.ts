import { describe, expect, it } from 'vitest';
import { baseOf, lostFactsOf, readMutant, reportOf, wrongIn } from './mutant-report.js';
import { KINDS, mutantOf } from './mutations.js';
import { REWRITTEN } from './rewritings.js';
import { definitionsIn } from '../../generator/diff/scope.js';
import { createJudge } from '../../json-schema/index.js';
import { sized } from '../support/size.js';

/** Values that only the corrected schemas accept. */
const CORRECTED = [
  {
    id: 'elicit-result-fraction',
    name: 'ElicitResult',
    // With those that a mutation may require.
    value: { action: 'accept', content: { a: 1.5 }, mutant0: '', mutant1: '', mutant2: '' },
  },
  { id: 'json-value-null-and-fraction', name: 'JSONValue', value: { a: [null, 1.5] } },
];

const COUNT = sized(510);
const seeds = Array.from({ length: COUNT }, (_, index) => index);

describe('a next revision', () => {
  it.each(seeds)('is read whole, and its changes are all that diff reports: seed %i', (seed) => {
    const mutant = mutantOf(seed);
    const { protocol, diagnostics } = readMutant(mutant);
    expect(reportOf(mutant, protocol), [...mutant.kinds, ...mutant.rewritings].join()).toEqual(
      mutant.expected,
    );
    const wrong = wrongIn(mutant);
    expect([...new Set(protocol.errata?.map(({ id }) => id))]).toEqual(wrong);
    const judge = createJudge(definitionsIn(protocol));
    const corrected = CORRECTED.filter(({ id }) => wrong.includes(id));
    for (const { name, value } of corrected)
      expect(judge.accepts({ kind: 'ref', name }, value), name).toBe(true);
    const lost = (baseOf(mutant).errata ?? [])
      .map(({ id }) => id)
      .filter((id) => !wrong.includes(id));
    const warned = diagnostics.filter(({ code }) => code === 'unused-erratum');
    expect(warned.map(({ message }) => /"(.*?)"/.exec(message)?.[1])).toEqual(lost);
    const gone = diagnostics.filter(({ code }) => code === 'unused-fact');
    expect(gone.map(({ message }) => /\{.*\}/.exec(message)?.[0] ?? '').sort()).toEqual(
      lostFactsOf(mutant),
    );
    const others = diagnostics.filter(({ code }) => !code.startsWith('unused-'));
    expect(others).toEqual([]);
  });

  it('is made by each mutation, and loses each kind of fact', () => {
    const mutants = Array.from({ length: 150 }, (_, seed) => mutantOf(seed));
    expect(new Set(mutants.flatMap(({ kinds }) => kinds))).toEqual(new Set(KINDS));
    expect(new Set(mutants.flatMap(({ rewritings }) => rewritings))).toEqual(new Set(REWRITTEN));
    const lost = mutants.flatMap(lostFactsOf).map((fact) => JSON.parse(fact) as object);
    for (const key of ['needs', 'key', 'sender', 'result']) {
      expect(lost.filter((fact) => key in fact).length, key).toBeGreaterThan(0);
    }
  });
});
