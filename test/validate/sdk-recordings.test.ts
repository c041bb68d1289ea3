import { Client, InMemoryTransport as Pair } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';

import { LIBRARIES } from '../sdk-guest/servers.js';
import { recorded } from './recording.js';
import type { Line } from './recording.js';
import { lines, validateText } from './support.js';

const INFO = { name: 'test', version: '1' };
const OPTIONS = { capabilities: { elicitation: {} } };
const FORM = { action: 'accept', content: { shelf: '7' } } as const;

/** What clients of both versions have. */
interface Calls {
  listTools(): Promise<unknown>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  setLoggingLevel(level: 'warning'): Promise<unknown>;
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

const CLIENTS = [
  [
    'v1',
    async (transport: Transport): Promise<Calls> => {
      const client = new ClientV1(INFO, OPTIONS);
      client.setRequestHandler(ElicitRequestSchema, () => FORM);
      await client.connect(transport);
      return client;
    },
  ],
  [
    'v2',
    async (transport: Transport): Promise<Calls> => {
      const client = new Client(INFO, OPTIONS);
      client.setRequestHandler('elicitation/create', () => FORM);
      await client.connect(transport);
      return client;
    },
  ],
] as const;

const errorsOf = async (all: readonly Line[]): Promise<string[]> =>
  (await validateText(lines(...all))).findings.map(
    ({ line, code, message }) => `${String(line)} ${code}: ${message}`,
  );

describe.each(LIBRARIES)('a recording of the server of SDK %s', (_, make) => {
  it.each(CLIENTS)('and the client of SDK %s has no finding', async (__, connect) => {
    const all: Line[] = [];
    const [near, far] = Pair.createLinkedPair();
    await make().server.connect(far as never);
    const client = await connect(recorded(near, all));
    await client.ping();
    await client.listTools();
    await client.listResources();
    await client.listPrompts();
    await client.setLoggingLevel('warning').catch(() => undefined);
    for (const name of ['count', 'blocks', 'broken', 'missing', 'where']) {
      await client.callTool({ name, arguments: {} }).catch(() => undefined);
    }
    await client.callTool({ name: 'find', arguments: { title: 'Emma' } });
    await client.callTool({ name: 'slow', arguments: { steps: 2 } });
    await client.callTool({ name: 'chat', arguments: { lines: 2 } });
    expect(all.some(({ message }) => message['method'] === 'elicitation/create')).toBe(true);
    await client.close();
    expect(all.length).toBeGreaterThan(20);
    expect(await errorsOf(all)).toEqual([]);
  });
});
