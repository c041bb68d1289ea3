import { describe, expect, it } from 'vitest';
import {
  breakagesOf,
  bundledSchema,
  corpus,
  createOracle,
  definitionsOf,
  revisions,
} from './corpus/index.js';
import type { Revision } from './corpus/index.js';
import { sized } from './size.js';
import { createNoticer, groupByDefinition } from './corpus/sensitivity.js';

/** Undetectable faults, by `<definition>/<path>: <rule>`, with reasons. */
const unobservable: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(?:Client|Server)Result\/: drop anyOf/,
    'another branch is Result, or its like, and takes all that this one does',
  ],
  [
    /^JSONRPC(?:Message|BatchRequest)\/.*: drop anyOf .*\/JSONRPCRequest$/,
    'a request is a notification with an unknown member, its id',
  ],
  [
    /^(?:EnumSchema|PrimitiveSchemaDefinition)\/: drop anyOf .*\/LegacyTitledEnumSchema$/,
    'its titles are an unknown member of an untitled enum',
  ],
  [/^JSONRPCMessage\/anyOf\/[25]: more items$/, 'the other kind of batch takes the empty one'],
  [/\/anyOf\/\d+: allow type \w+$/, 'another branch takes that type'],
  [
    /\/allOf\/\d+(?:\/anyOf\/\d+|\/properties\/params)?: (?:drop|allow) type/,
    'another part of the allOf asks for an object',
  ],
  [
    /\/allOf\/\d+: (?:optional (?:code|method|resultType)|drop required)$/,
    'another part of the allOf requires it',
  ],
  [
    /\/allOf\/\d+(?:\/anyOf\/\d+)?: no empty object$/,
    'another part of the allOf requires as many members',
  ],
  [/^TaskStatusNotification\S*: drop allOf 2$/, 'the part takes every object'],
];

/** One fault in so many is tried. */
const EVERY = Math.max(1, Math.round(800 / sized(100)));

const unnoticed = new Map<Revision, string[]>();
const total = new Map<Revision, number>();

describe.each(revisions)('the corpus of %s', (revision) => {
  it('detects every detectable fault', () => {
    const document = bundledSchema(revision);
    const grouped = groupByDefinition(corpus(document));
    const missed: string[] = [];
    let faults = 0;
    for (const [name, schema] of Object.entries(definitionsOf(document))) {
      const cases = grouped.get(name) ?? [];
      const oracles = [true, false].map((formats) => createOracle(document, { formats }));
      const isNoticed = createNoticer(name, cases, oracles);
      for (const breakage of breakagesOf(document, schema)) {
        faults += 1;
        if (faults % EVERY !== 0) continue;
        const fault = `${name}/${breakage.path.join('/')}: ${breakage.rule}`;
        if (!isNoticed(breakage)) missed.push(fault);
      }
    }
    unnoticed.set(revision, missed);
    const unexplained = missed.filter(
      (fault) => !unobservable.some(([pattern]) => pattern.test(fault)),
    );
    expect(unexplained).toEqual([]);
  });

  it('has at least 10,000 cases, with both verdicts for every definition', () => {
    const grouped = groupByDefinition(corpus(bundledSchema(revision)));
    for (const [definition, cases] of grouped) {
      expect(new Set(cases.map(({ expected }) => expected)).size, definition).toBe(2);
    }
    const count = [...grouped.values()].flat().length;
    total.set(revision, count);
    expect(count).toBeGreaterThan(10_000);
  });
});

it('has at least 50,000 cases in all', () => {
  expect([...total.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50_000);
});

it.skipIf(EVERY > 1)('excuses no fault that is detected', () => {
  const faults = [...unnoticed.values()].flat();
  for (const [pattern, reason] of unobservable) {
    expect(
      faults.some((fault) => pattern.test(fault)),
      `${pattern}: ${reason}`,
    ).toBe(true);
  }
});
