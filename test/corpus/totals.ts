import type { Findings } from './judge.js';

/** What was found in all schemas. */
export interface Totals {
  readonly schemas: number;
  readonly definitions: number;
  readonly opaque: number;
  readonly unjudged: number;
  readonly values: number;
  readonly accepted: number;
  readonly disputed: number;
  readonly issues: number;
  readonly issuesWithPath: number;
  readonly issuesInAgreement: number;
}

export function totalsOf(all: readonly Findings[]): Totals {
  const sum = (count: (each: Findings) => number): number =>
    all.reduce((total, each) => total + count(each), 0);
  return {
    schemas: all.length,
    definitions: sum((each) => each.definitions),
    opaque: sum((each) => each.opaque.length),
    unjudged: sum((each) => each.unjudged.length),
    values: sum((each) => each.values),
    accepted: sum((each) => each.accepted),
    disputed: sum((each) => each.disputed),
    issues: sum((each) => each.issues),
    issuesWithPath: sum((each) => each.issuesWithPath),
    issuesInAgreement: sum((each) => each.issuesInAgreement),
  };
}
