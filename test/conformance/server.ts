import { createServer } from 'node:http';

import * as z from 'zod';

import { createTaskServer, defineTool } from '../../runtime/server/index.js';
import { closeServer, listen } from '../../runtime/server/listen.js';
import { createNodeParts } from '../../runtime/server/node-handler.js';
import { multiRoundTripTools } from './multi-round-trip.js';
import { schemaTools } from './schemas.js';
import { setup } from './setup.js';
import { taskTools } from './tasks.js';
import { plainTools } from './tools.js';

const triggerPromptChange = defineTool({
  name: 'test_trigger_prompt_change',
  description: 'Tells subscribers that the prompts have changed.',
  input: z.object({}),
  run() {
    handler.notify.promptsChanged();
    return 'Told';
  },
});

/** The server for the official suite. It prints its URL, and ends when its standard input ends. */
const server = await createTaskServer({
  name: 'conformance',
  version: '1.0.0',
  tools: [...plainTools, ...taskTools, ...multiRoundTripTools, ...schemaTools, triggerPromptChange],
  setup,
  pollInterval: 200,
  onError: (error) => {
    if (process.argv.includes('--verbose')) console.error(error);
  },
});
// With `DOOR=shut` the SDK answers every request.
const { handler } = createNodeParts(
  server,
  { allowUnidentified: true, allowUnidentifiedInput: true },
  process.env['DOOR'] !== 'shut',
);
const http = createServer((request, response) => void handler.handle(request, response));
const origin = await listen(http, { port: 0, host: '127.0.0.1' });
console.log(`${origin}/mcp`);

process.stdin.resume();
process.stdin.once('end', () => {
  void closeServer(http, () => handler.close()).then(() => server.close(0));
});
