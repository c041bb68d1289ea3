import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Readable } from 'node:stream';
import type { ServerLocation } from './arguments.js';
import type { Io } from './io.js';
import { createTaskClient } from './mcp/index.js';
import type { Answerers, TaskClient } from './mcp/index.js';
import { plain } from './text.js';

export interface ConnectOptions {
  readonly token: string | undefined;
  readonly answer: Answerers;
}

/** A task client that is connected, in the newest revision that both sides know. */
export async function connect(
  location: ServerLocation,
  { token, answer }: ConnectOptions,
  io: Io,
): Promise<TaskClient> {
  const client = new Client(
    { name: 'my-mcp-client', version: '0.1.0' },
    { versionNegotiation: { mode: 'auto', probe: { timeoutMs: 5_000 } } },
  );
  const onError = (error: Error): void => void io.messages.write(`${plain(error.message)}\n`);
  const taskClient = createTaskClient(client, { answer, onError });
  await taskClient.connect(open(location, token, io));
  return taskClient;
}

function open(location: ServerLocation, token: string | undefined, io: Io): Transport {
  if ('url' in location) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return new StreamableHTTPClientTransport(new URL(location.url), { requestInit: { headers } });
  }
  const { command, args } = location;
  const env = Object.entries(io.env).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries(env),
    stderr: 'pipe',
  });
  // What it says is a stranger's: it must not move the cursor.
  (transport.stderr as Readable | null)?.setEncoding('utf8').on('data', (text: string) => {
    if (!io.messages.isTTY) io.messages.write(plain(text));
  });
  return transport;
}

/** How people are told which server it is. */
export function shownServer(location: ServerLocation): string {
  return 'url' in location ? location.url : [location.command, ...location.args].join(' ');
}
