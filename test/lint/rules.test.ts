import Ajv2020 from 'ajv/dist/2020.js';
import { pointerParts } from '../../json-schema/index.js';
import { describe, expect, it } from 'vitest';
import { HOSTS, lintTools } from '../../contracts/lint/index.js';
import { brokenBy, GOOD, passing } from './examples.js';

describe.each(HOSTS)('the rules of $name', ({ id, rules }) => {
  it('have evidence with its days, and names of their own', () => {
    const names = rules.map((rule) => rule.id ?? rule.check);
    expect(new Set(names).size).toBe(names.length);
    for (const { evidence, says } of rules) {
      expect(says).toMatch(/^[A-Z].*\.$/);
      for (const { grade, url, dated, read } of evidence) {
        expect(new URL(url).protocol).toBe('https:');
        expect(new Date(read).toISOString().slice(0, 10)).toBe(read);
        // A page may have no day. Code without one names its commit.
        if (dated !== undefined)
          expect(dated <= read && /^\d{4}-\d\d(?:-\d\d)?$/.test(dated)).toBe(true);
        else if (grade === 'source') expect(url).toMatch(/\/[\da-f]{40}\//);
        else if (grade === 'tracker') expect.unreachable(url);
      }
    }
  });

  it.each(rules.map((rule) => [rule.id ?? rule.check, rule] as const))(
    '%s says no more than its evidence shows',
    (_, { effect, evidence }) => {
      const sure = new Set(
        evidence.filter(({ grade }) => grade !== 'report').map(({ url }) => url),
      );
      const needed = { 'breaks-all': 2, drops: 1, misreads: 1, reported: 0 }[effect];
      expect(sure.size).toBeGreaterThanOrEqual(needed);
    },
  );

  it.each(rules.map((rule) => [rule.id ?? rule.check, rule] as const))(
    '%s does not find what is near to it',
    (name, rule) => {
      for (const tools of passing(rule)) {
        const found = lintTools(tools, { hosts: [id] }).filter(
          (finding) => finding.rule === `${id}/${name}`,
        );
        expect(found, JSON.stringify(tools).slice(0, 500)).toEqual([]);
      }
    },
  );

  it('find nothing in a tool that every host takes', () => {
    expect(lintTools([GOOD], { hosts: [id] })).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.id ?? rule.check, rule] as const))(
    '%s finds each of its examples, and names the place',
    (name, rule) => {
      for (const tools of brokenBy(rule)) {
        const found = lintTools(tools, { hosts: [id] }).filter(
          (finding) => finding.rule === `${id}/${name}`,
        );
        expect(found, JSON.stringify(tools).slice(0, 500)).not.toEqual([]);
        for (const { pointer } of found) expect(pointerExists({ tools }, pointer)).toBe(true);
        expect(lintTools(tools, { hosts: [id], ignore: [name] })).not.toContainEqual(found[0]);
      }
    },
  );
});

it('examples are valid schemas, but for those of rules about that', () => {
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
  for (const rule of HOSTS.flatMap(({ rules }) => rules)) {
    if (['earlier-form', 'schema'].includes(rule.check)) continue;
    for (const tools of brokenBy(rule) as readonly (readonly (typeof GOOD)[])[]) {
      for (const { inputSchema } of tools.slice(0, 1)) {
        expect(ajv.validateSchema(inputSchema), JSON.stringify(inputSchema).slice(0, 300)).toBe(
          true,
        );
      }
    }
  }
});

function pointerExists(document: unknown, pointer: string): boolean {
  let value: unknown = document;
  for (const name of pointerParts(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return true;
}
