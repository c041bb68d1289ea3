import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Script } from './script.js';
import { READY } from './store-process.js';
import type { StoreProcess } from './store-under-test.js';

/** An operation of `together` that was acknowledged before the process was killed. */
export interface Acknowledged {
  readonly index: number;
  readonly result?: unknown;
}

export type Ending = readonly Acknowledged[];

/** Milliseconds for a process to open its store and to play its script. */
const LONGEST_MS = 60_000;

/**
 * Resolves with what was acknowledged when the process has been killed. Rejects when it ended otherwise,
 * for instance because it could not open the store. `onReady` is awaited in a script that waits.
 */
export async function play(
  { module, argument, execArgv = [] }: StoreProcess,
  script: Script,
  onReady?: () => void,
): Promise<Ending> {
  const child = fork(fileURLToPath(module), [argument, JSON.stringify(script)], {
    execArgv: [...execArgv],
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      if (name === 'stdout' && text.startsWith(READY)) {
        onReady?.();
        child.stdin?.write('go\n');
      }
    });
  }
  const timer = setTimeout(() => child.kill('SIGTERM'), LONGEST_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  if (signal !== 'SIGKILL') {
    const how = signal ?? `exit code ${String(code)}`;
    throw new Error(
      `${module.href} ended with ${how} before it was killed: ${texts.stderr || 'it printed nothing'}`,
    );
  }
  return texts.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Acknowledged);
}
