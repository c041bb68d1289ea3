import { createServer } from 'node:http';

import * as z from 'zod';

import { createTaskServer, defineTool } from '../../runtime/server/index.js';
import { closeServer, listen } from '../../runtime/server/listen.js';
import { proxyTo } from '../support/twin/proxy.js';
import { served } from '../support/twin/served.js';
import { createTwin } from '../support/twin/twin.js';
import { multiRoundTripTools } from './multi-round-trip.js';
import { schemaTools } from './schemas.js';
import { setup } from './setup.js';
import { taskTools } from './tasks.js';
import { plainTools } from './tools.js';

/**
 * The server for the official suite, twice: one answers what it can at its door, the SDK answers everything of the
 * other. A twin in front of them gives the suite the answers of the first, or with `LEADING=shut` those of the second.
 * The first line that it prints is its URL. It ends when its standard input ends, and prints a line of JSON then: what
 * was compared, and the differences.
 */

async function serve(withDoor: boolean) {
  const triggerPromptChange = defineTool({
    name: 'test_trigger_prompt_change',
    description: 'Tells subscribers that the prompts have changed.',
    input: z.object({}),
    run() {
      http.notify.promptsChanged();
      return 'Told';
    },
  });
  const server = await createTaskServer({
    name: 'conformance',
    version: '1.0.0',
    tools: [
      ...plainTools,
      ...taskTools,
      ...multiRoundTripTools,
      ...schemaTools,
      triggerPromptChange,
    ],
    setup,
    pollInterval: 200,
    onError: (error) => {
      if (process.argv.includes('--verbose')) console.error(error);
    },
  });
  const options = { allowUnidentified: true, allowUnidentifiedInput: true };
  const http = await served(server, options, withDoor);
  return {
    side: http.side,
    async close() {
      await http.stop();
      await server.close(0);
    },
  };
}

const open = await serve(true);
const shut = await serve(false);
const [leading, following] = process.env['LEADING'] === 'shut' ? [shut, open] : [open, shut];
const twin = createTwin({ leading: leading.side, following: following.side });
const relay = proxyTo(twin.answer);
const http = createServer((request, response) => void relay(request, response));
console.log(`${await listen(http, { port: 0, host: '127.0.0.1' })}/mcp`);

process.stdin.resume();
process.stdin.once('end', () => {
  const { compared, differences } = twin;
  console.log(JSON.stringify({ compared, differences }));
  void closeServer(http).then(() => Promise.all([open.close(), shut.close()]));
});
