import { describe, expect, it } from 'vitest';
import { REVISIONS } from '../../generator/read/load/index.js';
import { corpus, loadExamples } from '../support/corpus/index.js';
import type { Json } from '../support/corpus/index.js';
import { emitted, revisionOf } from '../support/emitted.js';
import type { ReportedError } from '../support/emitted.js';

describe.each(REVISIONS)('the validators of %s', (revision) => {
  it.each([true, false])('agree with ajv on every case, formats %s', async (formats) => {
    const { protocol, document } = revisionOf(revision);
    const { is, validate } = await emitted(protocol);
    const { examples } = loadExamples(revision);
    const wrong: unknown[] = [];
    let cases = 0;
    for (const { definition, value, expected } of corpus(document, { formats, examples })) {
      cases += 1;
      const verdict = validate(definition, value, { formats });
      const same = verdict.ok === expected && is(definition, value, { formats }) === expected;
      const kept = verdict.ok
        ? verdict.value === value
        : verdict.errors.length > 0 && verdict.errors.every((error) => isReal(error, value));
      if (!same || !kept) wrong.push({ definition, value, expected, verdict });
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(cases).toBeGreaterThan(10_000);
  });
});

/** Each error's pointer exists in the value, or its parent does. */
function isReal({ pointer, expected, received, message }: ReportedError, value: Json): boolean {
  const path = pointer.split('/').slice(1).map(unescaped);
  const parent = path.slice(0, -1).reduce<unknown>(member, value);
  const last = path.at(-1);
  const target = last === undefined ? value : member(parent, last);
  const place = typeof parent === 'object' && parent !== null && !pointer.includes('…');
  return (
    (place || path.length === 0) &&
    expected !== '' &&
    received === described(target) &&
    message.startsWith(`${pointer || 'The value'} `) &&
    message.endsWith('.')
  );
}

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

function member(owner: unknown, key: string): unknown {
  if (typeof owner !== 'object' || owner === null || !Object.hasOwn(owner, key)) return undefined;
  return (owner as Readonly<Record<string, unknown>>)[key];
}

function described(target: unknown): string {
  if (target === undefined) return 'nothing';
  if (target === null || typeof target === 'boolean') return String(target);
  if (typeof target === 'number') return `the number ${String(target)}`;
  if (Array.isArray(target)) return `an array of ${String(target.length)}`;
  if (typeof target !== 'string') return 'an object';
  return `the string ${JSON.stringify(target.length > 60 ? `${target.slice(0, 60)}…` : target)}`;
}
