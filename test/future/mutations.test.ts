import { describe, expect, it } from 'vitest';
import { baseOf, lostFactsOf, readMutant, reportOf, wrongIn } from './mutant-report.js';
import { KINDS, mutantOf } from './mutations.js';
import { sized } from '../support/size.js';

const COUNT = sized(120);
const seeds = Array.from({ length: COUNT }, (_, index) => index);

describe('a next revision', () => {
  it.each(seeds)('is read whole, and its changes are all that diff reports: seed %i', (seed) => {
    const mutant = mutantOf(seed);
    const { protocol, diagnostics } = readMutant(mutant);
    expect(reportOf(mutant, protocol), mutant.kinds.join()).toEqual(mutant.expected);
    const wrong = wrongIn(mutant);
    expect(protocol.errata?.map(({ id }) => id) ?? []).toEqual(wrong);
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
    const lost = mutants.flatMap(lostFactsOf).map((fact) => JSON.parse(fact) as object);
    for (const key of ['needs', 'key', 'sender', 'result']) {
      expect(lost.filter((fact) => key in fact).length, key).toBeGreaterThan(0);
    }
  });
});
