import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionTable } from '../../contracts/validate/index.js';
import type { Finding } from '../../contracts/validate/index.js';
import { sized } from '../support/size.js';
import { FEATURES } from './seeded/of-features.js';
import { MESSAGES } from './seeded/of-messages.js';
import { WITHOUT_SESSIONS } from './seeded/of-stateless.js';
import { OF_TASKS } from './seeded/of-tasks.js';
import { sessionTape } from './seeded/session.js';
import { statelessTape } from './seeded/stateless.js';
import { answer, brief, call, initialized, INITIALIZE, lines, validateText } from './support.js';

/** Recordings of one session, most of which break a rule. */
const RECORDINGS: readonly string[] = [
  ...Object.values({ ...MESSAGES, ...FEATURES, ...WITHOUT_SESSIONS, ...OF_TASKS })
    .flat()
    .map((make) => String(make()))
    .filter((text) => text.split('\n').every((line) => line === '' || line.includes('direction'))),
  sessionTape().text(),
  statelessTape().text(),
];

/** The findings of a recording, with the line of each replaced by its text. */
async function findingsOf(text: string): Promise<string[]> {
  const all = text.split('\n');
  const { findings } = await validateText(text);
  const said = ({ line, code, severity, pointer, message }: Finding): string =>
    JSON.stringify([all[line - 1], code, severity, pointer, message]);
  return findings.map(said).toSorted();
}

/** Puts the lines of several recordings in one, in an order that keeps that of each. */
function interleaved(
  recordings: readonly (readonly string[])[],
  choices: readonly number[],
): string {
  const rest = recordings.map((each) => [...each]);
  const merged: string[] = [];
  for (let turn = 0; rest.some((each) => each.length > 0); turn += 1) {
    const open = rest.filter((each) => each.length > 0);
    const chosen = open[(choices[turn % choices.length] ?? 0) % open.length];
    merged.push(chosen?.shift() ?? '');
  }
  return merged.map((line) => `${line}\n`).join('');
}

function linesIn(text: string, session: number | string): string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.stringify({ session, ...(JSON.parse(line) as object) }));
}

describe('sessions in one recording', () => {
  it('have the findings that each of them has alone, in whatever order their lines are', async () => {
    const chosen = fc.array(fc.constantFrom(...RECORDINGS), { minLength: 2, maxLength: 4 });
    const choices = fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(chosen, choices, async (recordings, order) => {
        const all = recordings.map((text, index) => linesIn(text, index + 1));
        const alone = await Promise.all(all.map((each) => findingsOf(`${each.join('\n')}\n`)));
        expect(await findingsOf(interleaved(all, order))).toEqual(alone.flat().toSorted());
      }),
      { numRuns: sized(100) },
    );
  });

  it('may use the same ids, and have names', async () => {
    const start = (session: string) => [
      { session, direction: 'c2s', message: INITIALIZE },
      { session, direction: 's2c', message: initialized() },
    ];
    const [a, b] = [start('a'), start('b')];
    const outcome = await validateText(lines(a[0], b[0], b[1], a[1]));
    expect(brief(outcome)).toEqual([]);
    expect(outcome.counts.unanswered).toBe(0);
  });

  it('take messages without a session into the first', async () => {
    const text = lines(
      { direction: 'c2s', message: INITIALIZE },
      { session: 'a', direction: 's2c', message: initialized() },
      { direction: 'c2s', message: { jsonrpc: '2.0', method: 'notifications/initialized' } },
      { session: 'a', direction: 'c2s', message: call(1) },
      { direction: 's2c', message: answer(1) },
    );
    expect(brief(await validateText(text))).toEqual([]);
  });

  it('without a revision have that of the others', async () => {
    const text = lines(
      { session: 1, direction: 'c2s', message: INITIALIZE },
      { session: 1, direction: 's2c', message: initialized() },
      { session: 2, direction: 'c2s', message: call(1, { name: 7 }) },
    );
    expect(brief(await validateText(text))).toEqual(['3 bad-message /message/params/name']);
  });

  it('beyond the limit are forgotten, go on in their revision, and are counted', async () => {
    const sessions = Array.from({ length: 600 }, (_, index) => index);
    const starts = sessions.flatMap((session) => [
      { session, direction: 'c2s', message: INITIALIZE },
      { session, direction: 's2c', message: initialized() },
    ]);
    const late = { session: 3, direction: 'c2s', message: call(1, { name: 7 }) };
    const early = { session: 599, direction: 'c2s', message: call(2, { name: 'search' }) };
    const outcome = await validateText(lines(...starts, late, early));
    expect(brief(outcome)).toEqual(['1201 bad-message /message/params/name']);
    expect(outcome.counts.forgotten).toBe(1);
    expect(outcome.counts.unanswered).toBe(2);
  });
});

describe('a table of sessions', () => {
  it('forgets the one that was silent for the longest time', () => {
    const forgotten: string[] = [];
    const limits = { sessions: 2, bytes: 100, bytesOfEach: 60 };
    const table = new SessionTable(
      limits,
      (key) => ({ key }),
      (_, key) => forgotten.push(key),
    );
    for (const key of ['a', 'b', 'a', 'c']) table.of(key);
    expect(forgotten).toEqual(['b']);
    // What one session keeps is bounded, so that it takes 60 of the 100 bytes at most.
    for (const [key, size] of [
      ['a', 1000],
      ['c', 40],
      ['a', 1000],
    ] as const)
      table.of(key, size);
    expect(forgotten).toEqual(['b']);
    table.of('c', 1);
    expect(forgotten).toEqual(['b', 'a']);
  });
});
