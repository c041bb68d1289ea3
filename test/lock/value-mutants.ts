import type { Direction } from '../../contracts/lock/compat/index.js';
import type { Random } from '../read/variants.js';
import { MUTATIONS } from './mutations.js';
import type { Effect } from './mutations.js';
import { placesOf } from './places.js';
import type { Schema } from './places.js';
import { wrapped, WRAPS } from './wraps.js';

export interface Mutant {
  readonly name: string;
  readonly before: Schema;
  readonly after: Schema;
  readonly effect: Effect;
}

/** A schema with one change whose effect is known by construction; undefined when the drawn change does not fit. */
export function mutantOf(schema: Schema, random: Random): Mutant | undefined {
  const pick = <T>(all: readonly T[]): T | undefined => all[random(all.length)];
  const [wrapName, wrap] = pick(Object.entries(WRAPS)) ?? [];
  const before = wrap && wrapped(schema, wrap);
  if (before === undefined) return undefined;
  const after = structuredClone(before);
  const place = pick(placesOf(after));
  const mutation = pick(MUTATIONS);
  const effect = place && mutation?.apply(place, pick);
  if (effect === undefined) return undefined;
  const name = `${mutation?.name ?? ''} at ${place?.path ?? ''} in ${wrapName ?? ''}`;
  return { name, before, after, effect };
}

const BREAKING: Readonly<Record<Direction, readonly Effect[]>> = {
  input: ['narrower', 'other'],
  output: ['wider', 'other', 'ignored-wider'],
};

export type Verdict = 'breaking' | 'compatible' | 'unclear';

/** The verdict that a change of that effect has to get. */
export function expectedVerdict(effect: Effect, direction: Direction): Verdict {
  if (BREAKING[direction].includes(effect)) return 'breaking';
  const isIgnored = effect === 'ignored' || effect === 'ignored-wider';
  return isIgnored && direction === 'input' ? 'unclear' : 'compatible';
}

/** The worst verdict of several changes; that of none is `compatible`. */
export function worst(changes: readonly { readonly verdict: Verdict }[]): Verdict {
  const ranks: readonly Verdict[] = ['breaking', 'unclear', 'compatible'];
  return ranks.find((rank) => changes.some(({ verdict }) => verdict === rank)) ?? 'compatible';
}
