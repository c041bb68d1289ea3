/** Calls a tool and follows its task. A start with a task in `task.json` resumes that one instead. */

import { rm } from 'node:fs/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createTaskClient, printable } from '@mcp-codegen/runtime/client';
import type { Progress } from '@mcp-codegen/runtime/client';
import { httpFetch, readPrivateFile, writePrivateFile } from '@mcp-codegen/runtime/client/node';
import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';

const words = process.argv.slice(2);
const end = words.indexOf('--');
const [tool = '', json = '{}'] = words.slice(0, end);
const [server = '', ...args] = words.slice(end + 1);
const FILE = 'task.json';
const onProgress = ({ progress, total, message = '' }: Progress): void =>
  console.error(printable(`${progress} of ${total ?? 'unknown'} ${message}`));

const client = createTaskClient({
  name: 'my-mcp-client',
  version: '0.1.0',
  capabilities: { extensions: { [EXTENSION_ID]: {} } },
});
await client.connect(
  /^https?:/.test(server)
    ? new StreamableHTTPClientTransport(new URL(server), { fetch: httpFetch() })
    : new StdioClientTransport({ command: server, args }),
);
// The task keeps running at the server, and the next start resumes it.
process.once('SIGINT', () => void client.close());
try {
  const kept = (await readPrivateFile(FILE)) as { reference: string } | undefined;
  const call = kept
    ? await client.resume(kept.reference, { onProgress })
    : await client.start(tool, JSON.parse(json) as Record<string, unknown>, { onProgress });
  const { reference } = call;
  if (reference !== undefined) await writePrivateFile(FILE, { reference });
  const { structuredContent, content } = await call.result();
  console.log(JSON.stringify(structuredContent ?? content));
  await rm(FILE, { force: true });
} finally {
  await client.close();
}
