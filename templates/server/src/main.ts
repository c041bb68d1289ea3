import { http, introspection, runServer, sqlite } from '@mcp-codegen/runtime/program';
import { server } from './server.js';

await runServer({
  server,
  project: new URL('..', import.meta.url),
  transport: http({ auth: introspection() }),
  store: sqlite(),
});
