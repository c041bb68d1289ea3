import { percentile, type Row } from './bench.js';
import type { Bar, Figure, Goal } from './figure.js';

export interface Measured {
  readonly row: string;
  readonly unit: string;
  readonly better: Figure['better'];
  readonly shown?: Figure['shown'];
  /** Samples by contender; `OURS` is one of them. */
  readonly bars: Readonly<Record<string, readonly number[]>>;
  /** The most that ours may be, in the unit. */
  readonly most?: number;
  /** How many times a peer's value ours has to be: at least, or at most where less is better. */
  readonly times?: Readonly<Record<string, number>>;
  /** A remark about our value. */
  readonly note?: string;
}

export const OURS = 'mcp-codegen' as const;

/** A row with its figure, for measurements that have the same shape for us and for the peers. */
export function measured({
  row,
  unit,
  better,
  shown = 'median',
  bars,
  most,
  times = {},
  note,
}: Measured): Row {
  const names = [OURS, ...Object.keys(bars).filter((name) => name !== OURS)];
  const all = names.map((name) => ({ name, samples: bars[name] ?? [] }));
  const [mine, ...peers] = all;
  if (mine === undefined) throw new Error(`${row} has no samples of ours`);
  const ours = valueOf(mine, shown);
  const goals = [
    ...(most === undefined
      ? []
      : [{ at: most, says: `≤ ${most.toLocaleString('en')}${unitOf(unit)}` }]),
    ...peers.flatMap((peer) => {
      const factor = times[peer.name];
      if (factor === undefined) return [];
      const sign = better === 'more' ? '≥' : '≤';
      return [
        { at: factor * valueOf(peer, shown), says: `${sign} ${String(factor)}× ${peer.name}` },
      ];
    }),
  ];
  const met = (goal: Goal): boolean =>
    goal.says.startsWith('≤') ? ours <= goal.at : ours >= goal.at;
  const tail = (bar: Bar): string =>
    shown === 'median' ? '' : ` (p50 ${amount(percentile(bar.samples, 0.5), unit)})`;
  return {
    row,
    goal: goals.map(({ says }) => says).join(', ') || '–',
    ours: `${amount(ours, unit)}${tail(mine)}${note === undefined ? '' : `, ${note}`}`,
    peer: peers
      .map((bar) => {
        const value = valueOf(bar, shown);
        const ratio = better === 'more' ? ` (${(ours / value).toFixed(2)}×)` : tail(bar);
        return `${bar.name} ${amount(value, better === 'more' ? '' : unit)}${ratio}`;
      })
      .join('; '),
    met: goals.length === 0 ? null : goals.every(met),
    figure: { unit, better, shown, bars: all, goals },
  };
}

export function valueOf({ samples }: Bar, shown: Figure['shown']): number {
  return percentile(samples, shown === 'median' ? 0.5 : 0.99);
}

/** Three significant digits and the unit; `none` when nothing was measured. */
export function amount(value: number, unit: string): string {
  if (Number.isNaN(value)) return 'none';
  const size = Math.abs(value);
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
  const text = value.toLocaleString('en', {
    minimumFractionDigits: Number.isInteger(value) ? 0 : digits,
    maximumFractionDigits: digits,
  });
  return text + unitOf(unit);
}

const unitOf = (unit: string): string => (unit === '' || unit.startsWith('×') ? unit : ` ${unit}`);
