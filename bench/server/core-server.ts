import * as z from 'zod';

import { revision20260728 } from '../../runtime/server/revisions/2026-07-28.js';
import { createHttpHandler, createTaskServer, defineTool } from '../../runtime/server/web.js';

/** The core server as it is bundled for a place without Node: a tool that may be a task, in memory, in one revision. */
export async function serve(): Promise<(request: Request) => Promise<Response>> {
  const server = await createTaskServer({
    name: 'core',
    version: '1',
    revisions: [revision20260728],
    tools: [
      defineTool({
        name: 'plain',
        description: 'A tool',
        input: z.object({}),
        taskSupport: 'optional',
        run: () => 'done',
      }),
    ],
  });
  const handler = createHttpHandler(server, { allowUnidentified: true });
  return (request) => handler.fetch(request);
}
