import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built command line without this process's colour settings. */
export function start(
  args: readonly string[],
  { cwd, env = {} }: RunOptions,
): ChildProcessWithoutNullStreams {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, [BIN, ...args], { cwd, env: { PATH, ...env } });
}

export async function run(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = start(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
