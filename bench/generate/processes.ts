import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { percentile } from '../bench.js';

const preload = new URL('cpu.js', import.meta.url).href;

/** A Node process to measure: its arguments, and the clean-up after the last run. */
export interface Command {
  readonly args: readonly string[];
  readonly before?: () => void;
}

/** Medians over the rounds; `undefined` after a failed run. */
export interface Cost {
  /** User and system time of the process, all threads, in milliseconds. */
  readonly cpu: number;
  /** In milliseconds. */
  readonly wall: number;
}

/**
 * Runs the commands in turn in each round, so that a slow machine affects all of them. The first round
 * only fills the disk cache.
 */
export function measure<K extends string>(
  commands: Readonly<Record<K, Command>>,
  rounds: number,
  folder: string,
): Record<K, Cost | undefined> {
  const names = Object.keys(commands) as K[];
  const samples = new Map<K, (Cost | undefined)[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const cost = run(commands[name], folder);
      if (round > 0) samples.get(name)?.push(cost);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<
    K,
    Cost | undefined
  >;
}

function run({ args, before }: Command, folder: string): Cost | undefined {
  before?.();
  const file = `${folder}/cpu`;
  rmSync(file, { force: true });
  const start = performance.now();
  const { status } = spawnSync(process.execPath, ['--import', preload, ...args], {
    cwd: folder,
    env: { ...process.env, BENCH_CPU_FILE: file, NO_COLOR: '1' },
    stdio: 'ignore',
  });
  const wall = performance.now() - start;
  return status === 0 ? { cpu: Number(readFileSync(file, 'utf8')), wall } : undefined;
}

function median(costs: readonly (Cost | undefined)[]): Cost | undefined {
  const done = costs.filter((cost) => cost !== undefined);
  if (done.length < costs.length || done.length === 0) return undefined;
  return {
    cpu: percentile(
      done.map(({ cpu }) => cpu),
      0.5,
    ),
    wall: percentile(
      done.map(({ wall }) => wall),
      0.5,
    ),
  };
}
