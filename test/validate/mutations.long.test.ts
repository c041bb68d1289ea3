import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttp } from '../server/process.js';
import type { HttpProcess } from '../server/process.js';
import { LEGAL, MAYBE, mutant, MUTATIONS } from './mutate.js';
import { judge } from './oracle.js';
import type { Line } from './recording.js';
import { recordAll } from './scenarios.js';
import { sessionTape } from './seeded/session.js';
import { statelessTape } from './seeded/stateless.js';
import type { Tape } from './seeded/tape.js';
import { lines, validateText } from './support.js';
import { sized } from '../support/size.js';

let http: HttpProcess;
let real: ReadonlyMap<string, readonly Line[]>;
/** The real ones, and those that are written by hand. */
let recordings: ReadonlyMap<string, readonly Line[]>;
beforeAll(async () => {
  http = await startHttp();
  real = await recordAll(http.url);
  recordings = new Map([
    ...real,
    ['written session', plainLines(sessionTape())],
    ['written conversation', plainLines(statelessTape())],
  ]);
}, 120_000);
afterAll(() => http.stop());

const plainLines = ({ lines: all }: Tape): readonly Line[] =>
  all.map(({ direction, message }) => ({ direction, message }));

it('CORE-INP-2 (core), EXT-GET-2 (ext): validate finds no error in recordings of real servers and clients', async () => {
  for (const [name, recording] of recordings) {
    const { findings, counts } = await validateText(lines(...recording));
    expect({ name, findings }).toEqual({ name, findings: [] });
    expect({ name, oracle: judge(recording) }).toEqual({ name, oracle: [] });
    expect(counts.messages).toBe(recording.length);
  }
});

/** Where the command and the oracle differ about a mutant. */
async function difference(seed: number, ways: typeof MUTATIONS): Promise<string | undefined> {
  const { name, lines: changed } = mutant(seed, [...recordings.values()], ways);
  const expected = judge(changed);
  const { findings } = await validateText(lines(...changed));
  const found = new Set(findings.map(({ line }) => line - 1));
  const [first] = expected;
  const agrees = first === undefined ? found.size === 0 : found.has(first);
  if (agrees) return undefined;
  const codes = findings.map(
    ({ line, code, pointer }) => `${String(line)} ${code} ${pointer ?? ''}`,
  );
  const about = JSON.stringify(changed[first ?? (findings[0]?.line ?? 1) - 1])?.slice(0, 600);
  return `${String(seed)} ${name}: oracle ${JSON.stringify(expected.slice(0, 3).map((each) => each + 1))}, command ${JSON.stringify(codes.slice(0, 3))}\n  ${about ?? ''}`;
}

describe('mutations of recorded traffic', () => {
  it('get the verdicts of the schemas and the rules', async () => {
    const differences: string[] = [];
    for (let seed = 0; seed < sized(2_500); seed += 1) {
      const found = await difference(seed, { ...MUTATIONS, ...MAYBE });
      if (found !== undefined) differences.push(found);
    }
    expect(differences.slice(0, 20)).toEqual([]);
  }, 600_000);

  it('that break no rule get no finding', async () => {
    for (let seed = 0; seed < sized(1_000); seed += 1) {
      const { name, lines: changed } = mutant(seed, [...real.values()], LEGAL);
      const { findings } = await validateText(lines(...changed));
      expect({ seed, name, findings }).toEqual({ seed, name, findings: [] });
    }
  }, 600_000);
});
