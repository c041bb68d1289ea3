import type { Breakage } from './breakages.js';
import type { Case } from './corpus.js';
import type { Oracle } from './oracle.js';

/** Whether some case tells the broken definition from the right one, under one of the oracles. */
export function isNoticed(
  definition: string,
  { broken }: Breakage,
  cases: readonly Case[],
  oracles: readonly Oracle[],
): boolean {
  return oracles.some((oracle) => {
    const faulty = oracle.variant(broken);
    return cases.some(({ value }) => faulty(value) !== oracle.accepts(definition, value));
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
