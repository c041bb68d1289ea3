import { delimiter } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../support/size.js';
import { gathered, gatheredBelow } from './gather.js';
import { compiled, createLoader, generateFrom } from './generated.js';
import type { Failed, Generated } from './generated.js';
import { judge } from './judge.js';
import type { Findings } from './judge.js';
import { PACKAGES } from './packages.js';
import { totalsOf } from './totals.js';

const LIMITS = { schemas: sized(8), bytes: sized(400_000) };
const EFFORT = { definitions: sized(20), values: sized(30), seed: 20_261_125 };
/** Schemas in one program of the compiler. */
const BATCH = 150;
const { CORPUS_FOLDER: FOLDER, CORPUS_EXAMPLES: EXAMPLES } = process.env;

/** Schemas of drafts that this tool does not read. */
const OLDER = /^The schema draft .*draft-03/;

const generated: Generated[] = [];
const failed: Failed[] = [];
const found: Findings[] = [];
const loader = createLoader();
afterAll(() => loader.remove());

beforeAll(async () => {
  const schemas =
    FOLDER === undefined
      ? await gathered(PACKAGES, LIMITS)
      : gatheredBelow(FOLDER, LIMITS, EXAMPLES?.split(delimiter));
  for (const foreign of schemas) {
    const result = await generateFrom(foreign);
    if (!('files' in result)) failed.push(result);
    else {
      generated.push(result);
      found.push(judge(result, await loader.load(result), EFFORT));
    }
  }
  console.log(FOLDER ?? 'packages', totalsOf(found));
}, 3_600_000);

describe(`schemas of ${FOLDER ?? `${String(PACKAGES.length)} packages`}`, () => {
  it('are read: what is refused is of an older draft', () => {
    expect(failed.filter(({ crash }) => crash !== undefined)).toEqual([]);
    const reasons = failed.flatMap(({ foreign, refusal = [] }) =>
      refusal.map(({ message }) => ({ label: foreign.label, message })),
    );
    expect(reasons.filter(({ message }) => !OLDER.test(message))).toEqual([]);
    if (FOLDER === undefined) expect(generated.length).toBeGreaterThan(LIMITS.schemas * 20);
  });

  it('compile under every strict option', async () => {
    const wrong: string[] = [];
    for (let start = 0; start < generated.length; start += BATCH) {
      const batch = generated.slice(start, start + BATCH);
      for (const [index, texts] of await compiled('7.0', batch)) {
        wrong.push(`${batch[index]?.foreign.label ?? ''}: ${texts.join('\n').slice(0, 500)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('get the verdicts of ajv from is, validate and Zod, and no crash', () => {
    expect(found.flatMap(({ crashes }) => crashes)).toEqual([]);
    const wrong = found.flatMap(({ label, differences }) =>
      differences.slice(0, 1).map((each) => ({ label, ...each, of: differences.length })),
    );
    expect(wrong).toEqual([]);
    const { values, accepted, disputed } = totalsOf(found);
    expect(disputed).toBeLessThan(values / 500);
    expect(accepted / values).toBeGreaterThan(0.3);
    expect(accepted / values).toBeLessThan(0.8);
  });

  it('are judged by ajv, but for few', () => {
    const { definitions, unjudged } = totalsOf(found);
    const reasons = found.flatMap((each) => each.unjudged.map((why) => `${each.label}: ${why}`));
    expect(unjudged / definitions, reasons.slice(0, 20).join('\n')).toBeLessThan(0.02);
  });

  it('have a path in at least 98 % of the issues of Zod', () => {
    const { issues, issuesWithPath } = totalsOf(found);
    expect(issuesWithPath / issues).toBeGreaterThanOrEqual(0.98);
  });

  it('are opaque in Zod in at most 3 % of their definitions', () => {
    const { definitions, opaque } = totalsOf(found);
    expect(opaque / definitions).toBeLessThanOrEqual(0.03);
  });
});
