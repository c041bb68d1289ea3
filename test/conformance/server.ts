import * as z from 'zod';

import {
  createTaskServer,
  defineTool,
  serveHttp,
  type TaskServer,
} from '../../runtime/server/index.js';
import { multiRoundTripTools } from './multi-round-trip.js';
import { prompts } from './prompts.js';
import { resources } from './resources.js';
import { schemaTools } from './schemas.js';
import { taskTools } from './tasks.js';
import { plainTools } from './tools.js';

/**
 * The server for the official suite. The first line that it prints is its URL. It ends when its standard input ends.
 */

const triggerPromptChange = defineTool({
  name: 'test_trigger_prompt_change',
  description: 'Tells subscribers that the prompts have changed.',
  input: z.object({}),
  run() {
    server.notify.promptsChanged();
    return 'Told';
  },
});

const server: TaskServer = await createTaskServer({
  name: 'conformance',
  version: '1.0.0',
  tools: [...plainTools, ...taskTools, ...multiRoundTripTools, ...schemaTools, triggerPromptChange],
  resources,
  prompts,
  logging: true,
  pollInterval: 200,
  onError: (error) => {
    if (process.argv.includes('--verbose')) console.error(error);
  },
});
const http = await serveHttp(server, {
  port: 0,
  allowUnidentified: true,
  allowUnidentifiedInput: true,
});
console.log(http.url);

process.stdin.resume();
process.stdin.once('end', () => void http.close().then(() => server.close(0)));
