import { parseArgs } from 'node:util';

import { createTaskServer, serveHttp, serveStdio } from '../../runtime/server/index.js';
import { createMemoryStore, openSqliteStore } from '../../runtime/stores/index.js';
import { authorization } from './tokens.js';
import { testTools } from './tools.js';

/**
 * A server in a process of its own. `stdio` serves the process that started it; `http` prints its URL and
 * serves until its standard input ends. `--store` names a SQLite file, `--port` a port.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { store: { type: 'string' }, port: { type: 'string', default: '0' } },
});

const server = await createTaskServer({
  name: 'test',
  version: '1.0.0',
  tools: testTools,
  pollInterval: 100,
  store: values.store === undefined ? createMemoryStore() : openSqliteStore({ file: values.store }),
});

if (positionals[0] === 'stdio') {
  await serveStdio(server).closed;
} else {
  const http = await serveHttp(server, { auth: authorization, port: Number(values.port) });
  console.log(http.url);
  for await (const _ of process.stdin);
  await http.close();
}
await server.close(0);
