import { readFileSync } from 'node:fs';
import { auditLines, createTaskServer } from './mcp/index.js';
import type { TaskServer, TaskStore } from './mcp/index.js';
import { registerPrompts } from './prompts.js';
import { registerResources } from './resources.js';
import { tools } from './tools/index.js';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** What the server offers, whatever it is reached by. */
export function createServer(store: TaskStore, audit: boolean): Promise<TaskServer> {
  return createTaskServer({
    name: 'my-mcp-server',
    version,
    instructions: 'Counts words and primes, looks orders up and books rooms.',
    tools,
    store,
    ...(audit && { audit: auditLines() }),
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
