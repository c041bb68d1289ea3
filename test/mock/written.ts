import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { mock } from '../../contracts/mock/mock.js';
import type { MockOptions, MockServer } from '../../contracts/mock/types.js';
import { INFO } from '../server/clients.js';
import { temporaryFolder } from './support.js';

/** Recordings that are written by hand, for what recorded servers do rarely. */

export type Line = readonly ['>' | '<', object];

export const HELLO: readonly Line[] = [
  [
    '>',
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO },
    },
  ],
  [
    '<',
    {
      id: 0,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: INFO },
    },
  ],
  ['>', { method: 'notifications/initialized' }],
];

export function written(lines: readonly Line[]): string {
  const start = Date.parse('2026-01-01T00:00:00Z');
  return lines
    .map(([way, message], index) =>
      JSON.stringify({
        time: new Date(start + index * 10).toISOString(),
        direction: way === '>' ? 'client->server' : 'server->client',
        session: 1,
        message: { jsonrpc: '2.0', ...message },
      }),
    )
    .join('\n');
}

export function fileOf(content: string | Uint8Array): string {
  const file = join(temporaryFolder(), 'session.jsonl');
  writeFileSync(file, content);
  return file;
}

export async function playing(
  content: string | Uint8Array,
  options?: MockOptions,
): Promise<MockServer> {
  const server = await mock(fileOf(content), options);
  onTestFinished(() => server.close());
  return server;
}

export async function connected(
  server: MockServer,
  answer = { action: 'accept' as const, content: {} } as object,
): Promise<Client> {
  const client = new Client(INFO, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => answer as never);
  await client.connect(server.transport());
  onTestFinished(() => client.close());
  return client;
}

export function call(id: number, args: object, text: string): Line[] {
  return [
    ['>', { id, method: 'tools/call', params: { name: 'echo', arguments: args } }],
    ['<', { id, result: { content: [{ type: 'text', text }] } }],
  ];
}

export async function textOf(client: Client, args: object): Promise<string> {
  const { content } = await client.callTool({
    name: 'echo',
    arguments: args as Record<string, unknown>,
  });
  return (content as { text: string }[])[0]?.text ?? '';
}
