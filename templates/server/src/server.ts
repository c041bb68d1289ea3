import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';
import type { ServerContext } from '@mcp-codegen/runtime/program';
import { defineServer } from '@mcp-codegen/runtime/server';
import { prompts, resources } from './resources.js';
import { tools } from './tools/index.js';

/** What the server offers and declares. Capabilities that contradict the tools do not compile. */
export function server({ log }: ServerContext) {
  return defineServer({
    name: 'my-mcp-server',
    version: '0.1.0',
    instructions: 'Counts words and primes, looks orders up and books rooms.',
    tools,
    resources,
    prompts,
    capabilities: {
      // Tasks of revision 2025-11-25.
      core: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      // The tasks extension of revision 2026-07-28.
      ext: { extensions: { [EXTENSION_ID]: {} } },
      // What tools may ask clients for.
      asks: { elicitation: { form: {} } },
    },
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
    // Called at the creation of a task and at each change of its status, for example for webhooks.
    onTaskStatus({ id, tool, status }) {
      log.debug({ taskId: id, tool, status }, 'Status of a task');
    },
  });
}
