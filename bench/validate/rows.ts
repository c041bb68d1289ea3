import type { Row } from '../bench.js';
import { CONTENDERS, PEERS } from './prepare.js';
import type { ContenderName, Prepared } from './prepare.js';

export interface Figures {
  readonly row: string;
  /** The limit of our figure. */
  readonly limit: number;
  readonly ours: number;
  /** The peers' figures. */
  readonly peers: ReadonlyMap<ContenderName, number>;
  readonly show: (figure: number) => string;
  /** A remark about our figure. */
  readonly note?: string;
}

/** Our figure against the limit, beside the best peer. */
export function limited({ row, limit, ours, peers, show, note }: Figures): Row {
  const best = [...peers].sort(([, a], [, b]) => a - b)[0];
  const missed = ours > limit ? ` (missed by ${percent(ours / limit - 1)})` : '';
  return {
    row,
    goal: `≤ ${show(limit)}`,
    ours: `${show(ours)}${missed}${note === undefined ? '' : `, ${note}`}`,
    peer: best ? `${CONTENDERS[best[0]]}: ${show(best[1])}` : '–',
    met: ours <= limit,
  };
}

/** The factor by which ours has to be cheaper than one peer. */
export function faster(row: string, goal: number, ours: number, theirs: number | undefined): Row {
  if (theirs === undefined) return unknown(row, `≥ ${String(goal)}×`, 'does not run');
  const times = theirs / ours;
  const missed = times < goal ? ` (missed by ${percent(1 - times / goal)})` : '';
  return {
    row,
    goal: `≥ ${String(goal)}×`,
    ours: `${times.toFixed(times < 10 ? 2 : 0)}×${missed}`,
    peer: `1×`,
    met: times >= goal,
  };
}

/** A peer's figure without a goal. */
export function informing(row: string, name: ContenderName, figure: string): Row {
  return { row, goal: '–', ours: '–', peer: `${CONTENDERS[name]}: ${figure}`, met: null };
}

function unknown(row: string, goal: string, why: string): Row {
  return { row, goal, ours: '–', peer: why, met: null };
}

export function absences({ absent }: Prepared): Row[] {
  return [...absent].map(([name, why]) => informing('takes no part', name, why));
}

export function peersWith(
  figures: ReadonlyMap<ContenderName, number | undefined>,
): Map<ContenderName, number> {
  return new Map(
    PEERS.flatMap((name) => {
      const figure = figures.get(name);
      return figure === undefined ? [] : [[name, figure] as const];
    }),
  );
}

export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
export const times = (figure: number): string => figure.toFixed(figure < 10 ? 3 : 0);
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
