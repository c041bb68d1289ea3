import type { Row } from '../bench.js';
import { measured, OURS, type Measured } from '../measured.js';
import { median } from './measure.js';
import { CONTENDERS, NAMES } from './prepare.js';
import type { ContenderName, Prepared } from './prepare.js';

/** The samples of each contender: one a round, or one in all where every run gives the same. */
export type Samples = ReadonlyMap<ContenderName, readonly number[]>;

type Limited = Pick<Measured, 'row' | 'unit' | 'note'> & {
  /** The limit of our figure. */
  readonly limit: number;
  readonly samples: Samples;
};

/** Our figure against the limit, beside the peers. */
export function limited({ samples, limit, ...rest }: Limited): Row {
  return measured({ ...rest, most: limit, better: 'less', bars: named(samples) });
}

/** Samples by the names that are shown. */
export function named(samples: Samples): Record<string, readonly number[]> {
  return Object.fromEntries(
    NAMES.filter((name) => samples.has(name)).map((name) => [
      CONTENDERS[name],
      samples.get(name) ?? [],
    ]),
  );
}

/** The factor by which ours has to be cheaper than one peer, of samples of the same rounds. */
export function faster(
  row: string,
  goal: number,
  ours: readonly number[],
  theirs: readonly number[] | undefined,
): Row {
  if (theirs === undefined) {
    return { row, goal: `≥ ${String(goal)}×`, ours: '–', peer: 'does not run', met: null };
  }
  const factors = ours.map((own, round) => (theirs[round] ?? NaN) / own);
  return {
    row,
    goal: `≥ ${String(goal)}×`,
    ours: times(median(factors)),
    peer: '1×',
    met: median(factors) >= goal,
    figure: {
      unit: '×',
      better: 'more',
      shown: 'median',
      bars: [{ name: OURS, samples: factors }],
      goals: [{ at: goal, says: `≥ ${String(goal)}×` }],
    },
  };
}

export function absences({ absent }: Prepared): Row[] {
  return [...absent].map(([name, why]) => ({
    row: 'takes no part',
    goal: '–',
    ours: '–',
    peer: `${CONTENDERS[name]}: ${why}`,
    met: null,
  }));
}

const times = (figure: number): string => `${figure.toFixed(figure < 10 ? 2 : 0)}×`;
/** The unit of a time that is divided by that of parsing the same message. */
export const PARSES = '× JSON.parse';
