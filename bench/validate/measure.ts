import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { percentile } from '../bench.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/** Microseconds of CPU of all threads for `work`. */
export function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const SLICE = 15_000;

/**
 * Microseconds of CPU for a call, one figure a round. The jobs take turns, and each round starts with
 * another one, so that a slow machine affects all of them. Before that, each runs for `warmUp`
 * microseconds.
 */
export function interleaved<K extends string>(
  jobs: Readonly<Record<K, () => void>>,
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: number },
): Record<K, number[]> {
  const names = Object.keys(jobs) as K[];
  const counts = new Map(names.map((name) => [name, callsIn(SLICE, jobs[name], warmUp)]));
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    K,
    number[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < names.length; i += 1) {
      const name = names[(i + round) % names.length];
      if (name === undefined) continue;
      const count = counts.get(name) ?? 1;
      const job = jobs[name];
      collect({ type: 'minor' });
      const spent = cpuOf(() => {
        for (let call = 0; call < count; call += 1) job();
      });
      samples[name].push(spent / count);
    }
  }
  return samples;
}

/** The number of calls in a slice after warm-up. */
function callsIn(slice: number, job: () => void, warmUp: number): number {
  let count = 1;
  for (let total = 0; total < warmUp;) {
    const spent = cpuOf(() => {
      for (let call = 0; call < count; call += 1) job();
    });
    total += spent;
    if (spent < slice) count = Math.ceil(count * Math.min(slice / Math.max(spent, 1), 10));
  }
  return count;
}

/** A job that uses the next item with every call. */
export function each<T>(items: readonly T[], work: (item: T) => unknown): () => void {
  let next = 0;
  return () => {
    const item = items[next];
    next = next + 1 === items.length ? 0 : next + 1;
    if (item !== undefined) work(item);
  };
}

/** The cost of a job without the cost of selecting the next item. */
export function without(samples: readonly number[] = [], loop: readonly number[] = []): number[] {
  return samples.map((sample, round) => sample - (loop[round] ?? NaN));
}

/** For each round, one job's cost divided by another's. */
export function ratios(of: readonly number[] = [], to: readonly number[] = []): number[] {
  return of.map((value, round) => value / (to[round] ?? NaN));
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);
