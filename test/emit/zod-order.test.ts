import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dependencyOrder } from '../../generator/emit/zod/emit-zod.js';
import type { Form } from '../../generator/emit/zod/forms.js';
import type { Node } from '../../json-schema/index.js';
import { sized } from '../support/size.js';

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];

const ref = (name: string): Node => ({ kind: 'ref', name });

/** Definitions that are aliases of each other, or unions of references and a text; some say nothing. */
const drawn = fc
  .record(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        fc.oneof(
          fc.constantFrom(...NAMES, 'Missing').map(ref),
          fc.subarray(NAMES).map((names): Node => ({
            kind: 'union',
            members: [{ kind: 'string' }, ...names.map(ref)],
          })),
          fc.constant(undefined),
        ),
      ]),
    ),
  )
  .map((said) =>
    NAMES.map((name): Form => ({ name, node: { kind: 'any' }, said: said[name], exact: true })),
  );

const targetsOf = ({ said }: Form): string[] => {
  if (said?.kind === 'ref') return [said.name];
  if (said?.kind !== 'union') return [];
  return said.members.flatMap((each) => (each.kind === 'ref' ? [each.name] : []));
};

it('definitions come after those that they refer to, except in a circle, and otherwise by name', () => {
  let circles = 0;
  fc.assert(
    fc.property(drawn, (forms) => {
      const byName = new Map(forms.map((form) => [form.name, form]));
      const reached = (from: string): Set<string> => {
        const found = new Set<string>();
        const waiting = [from];
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const form = byName.get(next);
          for (const target of form ? targetsOf(form) : []) {
            if (!found.has(target)) waiting.push(target);
            found.add(target);
          }
        }
        return found;
      };
      /** An alias whose chain of aliases ends; a chain that does not is no schema. */
      const isAlias = ({ name, said }: Form): boolean => said?.kind === 'ref' && !isEndless(name);
      const isEndless = (name: string, seen: readonly string[] = []): boolean => {
        if (seen.includes(name)) return true;
        const said = byName.get(name)?.said;
        return said?.kind === 'ref' && isEndless(said.name, [...seen, name]);
      };
      fc.pre(!NAMES.some((name) => isEndless(name)));
      const order = dependencyOrder(forms).map(({ name }) => name);
      expect([...order].sort()).toEqual(NAMES);
      for (const form of forms) {
        for (const target of targetsOf(form)) {
          const isCircle = reached(target).has(form.name);
          circles += Number(isCircle);
          if (!byName.has(target) || (isCircle && !isAlias(form))) continue;
          expect(order.indexOf(form.name)).toBeGreaterThan(order.indexOf(target));
        }
      }
      if (forms.every((form) => targetsOf(form).length === 0)) expect(order).toEqual(NAMES);
    }),
    { numRuns: sized(3_000), seed: 47 },
  );
  expect(circles).toBeGreaterThan(sized(3_000) / 10);
});
