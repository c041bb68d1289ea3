import * as z from 'zod';

import { createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';
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
    http.notify.promptsChanged();
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
const http = await serveHttp(server, {
  allowUnidentified: true,
  allowUnidentifiedInput: true,
});
console.log(http.url);

process.stdin.resume();
process.stdin.once('end', () => {
  void http.close().then(() => server.close(0));
});
