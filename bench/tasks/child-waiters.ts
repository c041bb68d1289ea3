import { memoryUsage } from 'node:process';

import { tell } from './child.js';
import { ANN, sleep, start, withEngine } from './sqlite-engine.js';
import { startPeer } from './peer.js';

/** 1,000 waiting requestors: processor time, memory of each, and growth while idle. */
const WAITERS = 1_000;
const WATCH_MS = 6_000;

async function cpuPercent(): Promise<number> {
  const before = process.cpuUsage();
  await sleep(WATCH_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / WATCH_MS;
}

async function measure(wait: () => unknown): Promise<void> {
  const heap = (): number => {
    global.gc?.();
    global.gc?.();
    return memoryUsage().heapUsed;
  };
  await sleep(1_000);
  const before = heap();
  const idle = await cpuPercent();
  for (let n = 0; n < WAITERS; n += 1) wait();
  await sleep(1_500);
  const waiting = heap();
  const busy = await cpuPercent();
  const after = heap();
  tell(
    {
      // Subtracts the timers of the loader and of this file.
      cpuPercent: Math.max(busy - idle, 0),
      bytesEach: (waiting - before) / WAITERS,
      growthEach: (after - waiting) / WAITERS,
    },
    performance.now(),
  );
}

if (process.argv[2] === 'ours') {
  await withEngine(
    () => new Promise(() => undefined),
    async (engine) => {
      const ids: string[] = [];
      for (let n = 0; n < WAITERS; n += 1) ids.push((await start(engine)).id);
      await measure(() => engine.wait(ANN, ids.pop()).catch(() => undefined));
    },
  );
} else {
  const peer = await startPeer(() => undefined);
  const ids: string[] = [];
  for (let n = 0; n < WAITERS; n += 1) ids.push(await peer.start());
  await measure(() => peer.result(ids.pop() ?? '').catch(() => undefined));
  await peer.close();
}
