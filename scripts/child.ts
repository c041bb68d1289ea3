import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** How a process ended. */
export interface Ended {
  readonly isGood: boolean;
  /** What it printed. */
  readonly output: Buffer;
  /** `12 s` */
  readonly took: string;
}

export const secondsSince = (time: number): string =>
  `${((performance.now() - time) / 1000).toFixed(0)} s`;

/** Runs a program in the root of the repository. Its output is shown by the caller, so that several do not mix theirs. */
export function ended(command: string, args: readonly string[]): Promise<Ended> {
  const started = performance.now();
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      const took = secondsSince(started);
      resolve({ isGood: code === 0, output: Buffer.concat(output), took });
    });
  });
}
