import type { Case } from './way.js';

/** How a client ended: with a result, with an error, or not within the limit. */
export type Outcome = { readonly result: string } | { readonly error: string } | 'hangs';

/** `silent`: it does not end, or does not say why. `wrong`: it takes what is no valid answer, or says another cause. */
export type Verdict = 'said' | 'silent' | 'wrong';

/** Milliseconds after which a client hangs. */
export const LIMIT = 30_000;

/** What says nothing of the cause. */
const NO_CAUSE =
  /^\s*$|timed? ?out|connection closed|connection was closed|did not answer|offline/i;

export function judge(
  outcome: Outcome,
  { says, orTakes }: Pick<Case, 'says' | 'orTakes'>,
): Verdict {
  if (outcome === 'hangs') return 'silent';
  if ('result' in outcome) {
    const isTaken = says === 'result' || orTakes === true;
    return isTaken && /done|"work"|\bwork\b/.test(outcome.result) ? 'said' : 'wrong';
  }
  if (says !== 'result' && says.test(outcome.error)) return 'said';
  return NO_CAUSE.test(outcome.error) ? 'silent' : 'wrong';
}

/** The outcome, or that there is none within the limit. */
export async function within(outcome: Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'hangs'>((resolve) => {
    timer = setTimeout(() => resolve('hangs'), LIMIT);
  });
  return Promise.race([outcome, late]).finally(() => clearTimeout(timer));
}
