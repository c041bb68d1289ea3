import type { Breakage } from './breakages.js';
import type { Case } from './corpus.js';
import type { Oracle } from './oracle.js';

/** Tells whether some case sets a broken definition apart from the right one, under an oracle. */
export function createNoticer(
  definition: string,
  cases: readonly Case[],
  oracles: readonly Oracle[],
): (breakage: Breakage) => boolean {
  const right = oracles.map((oracle) =>
    cases.map(({ value }) => oracle.accepts(definition, value)),
  );
  return ({ broken }) =>
    oracles.some((oracle, which) => {
      const faulty = oracle.variant(broken);
      return cases.some(({ value }, index) => faulty(value) !== right[which]?.[index]);
    });
}

export function groupByDefinition(cases: Iterable<Case>): Map<string, Case[]> {
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const group = groups.get(one.definition);
    if (group === undefined) groups.set(one.definition, [one]);
    else group.push(one);
  }
  return groups;
}
