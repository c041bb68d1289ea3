import { serveHttp, serveStdio } from '../../runtime/server/index.js';
import { exampleServer } from './example-server.js';

/** The example server in a process of its own. With `http` it prints its URL, and serves until its input ends. */
const server = await exampleServer();
if (process.argv[2] === 'http') {
  const http = await serveHttp(server, { allowUnidentified: true, allowUnidentifiedInput: true });
  console.log(http.url);
  for await (const _ of process.stdin);
  await http.close();
} else {
  await serveStdio(server).closed;
}
await server.close();
