import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { compiled } from '../support/program.js';

/** How to start `app.ts`. */
export const APP = {
  command: process.execPath,
  args: [compiled(new URL('./app.ts', import.meta.url))],
} as const;

export interface HttpProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves when it has ended by itself. */
  stop(): Promise<void>;
}

export async function startHttp(...options: readonly string[]): Promise<HttpProcess> {
  const child = spawn(APP.command, [...APP.args, 'http', ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  for await (const url of createInterface(child.stdout)) {
    return {
      url,
      child,
      async stop() {
        child.stdin.end();
        await exited;
      },
    };
  }
  throw new Error('The server ended at its start');
}
