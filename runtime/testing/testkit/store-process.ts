import { once } from 'node:events';
import { writeSync } from 'node:fs';

import type { TaskStore } from '../../tasks/index.js';
import { perform, type Script } from './script.js';

const STDOUT = 1;

/** Written by a process that waits. */
export const READY = 'ready';

/**
 * The whole program of a process that the kit starts and kills. Call it in the module that
 * `StoreUnderTest.durable.process` names; `open` gets the `argument` given there.
 */
export async function runStoreProcess(
  open: (argument: string) => TaskStore | Promise<TaskStore>,
): Promise<void> {
  const [argument = '', json = ''] = process.argv.slice(2);
  const { before, together, killAfter, waits } = JSON.parse(json) as Script;
  const store = await open(argument);
  for (const step of before) await perform(store, step);
  if (waits) {
    const told = once(process.stdin, 'data');
    writeSync(STDOUT, `${READY}\n`);
    await told;
  }
  if (killAfter === 0) die();
  let acknowledged = 0;
  await Promise.all(
    together.map(async (step, index) => {
      const result = await perform(store, step);
      acknowledged += 1;
      writeSync(STDOUT, `${JSON.stringify({ index, result })}\n`);
      // In the same turn: the store may do nothing more after it has acknowledged.
      if (acknowledged === killAfter) die();
    }),
  );
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
