import type { Finding, Severity } from '../../contracts/validate/index.js';

/** The severities, worst first. */
export const SEVERITIES = ['error', 'unclear', 'warning'] as const satisfies readonly Severity[];

/** How many findings there are of each severity. */
export type FindingCounts = Record<Severity, number>;

export function noFindings(): FindingCounts {
  return { error: 0, unclear: 0, warning: 0 };
}

export function countFindings(
  counts: FindingCounts,
  findings: readonly Pick<Finding, 'severity'>[],
): void {
  for (const { severity } of findings) counts[severity] += 1;
}

export function totalOf({ error, unclear, warning }: FindingCounts): number {
  return error + unclear + warning;
}

/** The class of a mark for findings, by the worst of them. */
export function classOf(counts: FindingCounts): 'alarm' | 'caution' | 'zero' {
  if (counts.error > 0) return 'alarm';
  return totalOf(counts) > 0 ? 'caution' : 'zero';
}
