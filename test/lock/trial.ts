import { compareLocks, printLock, parseLock } from '../../contracts/lock/index.js';
import type { Change, Lock, Sent, Verdict } from '../../contracts/lock/index.js';
import { isWitness } from './value-trial.js';
import type { Random } from '../read/variants.js';
import { locksOf, mutantsOf } from './mutants.js';
import type { ToolMutant } from './mutants.js';

const RANKS: readonly Verdict[] = ['breaking', 'unclear', 'text', 'compatible'];

/** Draws mutants of the locks, and lists those with a wrong verdict, or a breaking one without a reason or true witness. */
export function verdictsOnLocks(
  locks: readonly Lock[],
  count: number,
  random: Random,
): { readonly tried: number; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  let tried = 0;
  while (tried < count) {
    const lock = locks[random(locks.length)];
    const mutants = lock ? mutantsOf(lock, random) : [];
    if (!lock || mutants.length === 0) continue;
    tried += mutants.length;
    // Through the text, as programs get it.
    const [before, after] = locksOf(lock, mutants).map((each) => parseLock(printLock(each), ''));
    if (before && after) wrong.push(...problemsOf(mutants, before, after));
  }
  return { tried, wrong };
}

function problemsOf(mutants: readonly ToolMutant[], before: Lock, after: Lock): string[] {
  const changes = compareLocks(before, after);
  const known = new Set(mutants.map(({ name }) => name));
  const others = changes.filter(({ name = '' }) => !known.has(name));
  return [
    ...others.map((change) => `a change that nothing made: ${JSON.stringify(change)}`),
    ...mutants.flatMap((mutant) =>
      problemOf(
        mutant,
        changes.filter(({ name }) => name === mutant.name),
      ),
    ),
  ];
}

function problemOf(
  { name, kind, before, after, verdict }: ToolMutant,
  own: readonly Change[],
): string[] {
  const found = RANKS.find((rank) => own.some((change) => change.verdict === rank)) ?? 'compatible';
  const shown = (): string => JSON.stringify({ own, before, after });
  if (found !== verdict) return [`${name}: ${kind}: ${found} instead of ${verdict} ${shown()}`];
  const isSound = own.every((change) => isProved(change, before, after));
  return isSound ? [] : [`${name}: ${kind}: a breaking change is not shown ${shown()}`];
}

function isProved(change: Change, before: Sent | undefined, after: Sent | undefined): boolean {
  const { verdict, witness, reason, direction } = change;
  if (verdict !== 'breaking') return true;
  if (witness === undefined) return reason !== undefined;
  const key = direction === 'input' ? 'inputSchema' : 'outputSchema';
  const [narrow, wide] = direction === 'input' ? [before, after] : [after, before];
  return isWitness(witness.value, narrow?.[key] ?? {}, wide?.[key] ?? {});
}
