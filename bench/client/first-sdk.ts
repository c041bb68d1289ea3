/** The first call of the SDK's client: `first-sdk.mjs <server>`. Reports when the result is there. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ADD, report, stdioServer } from './first.js';

const client = new Client({ name: 'bench', version: '1' });
await client.connect(new StdioClientTransport(stdioServer()));
report(await client.callTool(ADD));
await client.close();
