import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';

import { tell } from './child.js';
import { start, withEngine } from './sqlite-engine.js';

/** 1,000 live tasks, then the end: the number of timers, and whether the process ends. */
const TASKS = 1_000;
const TTL_MS = 5_400;

const timers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

if (process.argv[2] === 'ours') {
  const most = await withEngine(
    () => new Promise(() => undefined),
    async (engine) => {
      await Promise.all(Array.from({ length: TASKS }, () => start(engine, undefined, TTL_MS)));
      return timers();
    },
  );
  tell({ timers: most }, performance.now());
} else {
  const store = new InMemoryTaskStore();
  const request = { method: 'tools/call', params: {} };
  for (let n = 0; n < TASKS; n += 1) await store.createTask({ ttl: TTL_MS }, n, request);
  tell({ timers: timers() }, performance.now());
}
