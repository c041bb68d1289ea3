import { percentile } from '../bench.js';
import type { Figure } from '../figure.js';
import { valueOf } from '../measured.js';

/** The axis of a figure. */
export interface Scale {
  readonly logarithmic: boolean;
  /** The place of a value between 0 and 1. */
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Values that differ by more than this get a logarithmic axis, because the small ones would not be seen. */
const WIDE = 25;

export function scaleOf(figure: Figure): Scale {
  const values = figure.bars.flatMap((bar) => {
    const { low, high } = spreadOf(bar.samples, figure.shown);
    return [low, valueOf(bar, figure.shown), high];
  });
  const all = [...values, ...figure.goals.map(({ at }) => at)].filter(Number.isFinite);
  const positive = all.filter((value) => value > 0);
  const [least, most] = [Math.min(...positive), Math.max(...positive)];
  if (positive.length === 0) return linear(1);
  const shown = figure.bars.map((bar) => valueOf(bar, figure.shown)).filter((value) => value > 0);
  return Math.max(...shown) / Math.min(...shown) > WIDE && positive.length === all.length
    ? logarithmic(least, most)
    : linear(most);
}

function linear(most: number): Scale {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const end = Math.ceil((most / step) * 0.999) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return { logarithmic: false, at: (value) => clamped(value / end), ticks };
}

function logarithmic(least: number, most: number): Scale {
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  return {
    logarithmic: true,
    at: (value) => clamped((Math.log10(value) - from) / (to - from)),
    ticks,
  };
}

const clamped = (place: number): number => Math.min(Math.max(place || 0, 0), 1);

/** What is drawn of the samples beside the value: the line from `low` to `high`, and the quartiles. */
export interface Spread {
  readonly low: number;
  readonly first: number;
  readonly median: number;
  readonly third: number;
  readonly high: number;
}

export function spreadOf(samples: readonly number[], shown: Figure['shown']): Spread {
  return {
    low: percentile(samples, 0),
    first: percentile(samples, 0.25),
    median: percentile(samples, 0.5),
    third: percentile(samples, 0.75),
    // Of single delays, one of a thousand would set the scale.
    high: percentile(samples, shown === 'p99' ? 0.99 : 1),
  };
}
