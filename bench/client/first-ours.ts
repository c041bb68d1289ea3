/** The first call of our client: `first-ours.mjs <server>`. Reports when the result is there. */
import { createTaskClient } from '@mcp-codegen/runtime/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ADD, report, stdioServer } from './first.js';

const client = createTaskClient({ name: 'bench', version: '1' });
await client.connect(new StdioClientTransport(stdioServer()));
report(await client.call(ADD.name, ADD.arguments));
await client.close();
