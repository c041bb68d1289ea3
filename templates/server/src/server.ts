import { readFileSync } from 'node:fs';
import { feature } from './feature.js';
import { auditLines, createTaskServer } from '@mcp-codegen/runtime/server';
import type { TaskServer, TaskStore } from '@mcp-codegen/runtime/server';
import { registerPrompts } from './prompts.js';
import { registerResources } from './resources.js';
import { tools } from './tools/index.js';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** @when none http */
const MINUTE = 60_000;

/** What the server offers, whatever it is reached by. */
export function createServer(store: TaskStore, audit: boolean): Promise<TaskServer> {
  return createTaskServer({
    name: 'my-mcp-server',
    version,
    instructions: 'Counts words and primes, looks orders up and books rooms.',
    tools,
    store,
    ...(audit && { audit: auditLines() }),
    // Whoever knows the id of a task may read it, so tasks do not live long.
    ...(feature.http &&
      feature.none && { limits: { ttlDefault: 10 * MINUTE, ttlMax: 15 * MINUTE } }),
    dialects: [
      /** @when core */
      'core',
      /** @when ext */
      'ext',
    ],
    setup(mcp) {
      registerResources(mcp);
      registerPrompts(mcp);
    },
  });
}
