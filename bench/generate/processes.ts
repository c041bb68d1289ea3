import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

const preload = new URL('cpu.js', import.meta.url).href;

/** A Node process to measure: its arguments, and the clean-up after the last run. */
export interface Command {
  readonly args: readonly string[];
  readonly before?: () => void;
}

/** A sample a round; none after a failed run. */
export interface Cost {
  /** User and system time of the process, all threads, in milliseconds. */
  readonly cpu: readonly number[];
  /** In milliseconds. */
  readonly wall: readonly number[];
}

interface Sample {
  readonly cpu: number;
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
): Record<K, Cost> {
  const names = Object.keys(commands) as K[];
  const samples = new Map<K, (Sample | undefined)[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const cost = run(commands[name], folder);
      if (round > 0) samples.get(name)?.push(cost);
    }
  }
  return Object.fromEntries(names.map((name) => [name, costOf(samples.get(name) ?? [])])) as Record<
    K,
    Cost
  >;
}

function run({ args, before }: Command, folder: string): Sample | undefined {
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

function costOf(samples: readonly (Sample | undefined)[]): Cost {
  const done = samples.filter((sample) => sample !== undefined);
  if (done.length < samples.length) return { cpu: [], wall: [] };
  return { cpu: done.map(({ cpu }) => cpu), wall: done.map(({ wall }) => wall) };
}
