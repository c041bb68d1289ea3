import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';

import { META_KEYS, PROTOCOL_VERSION } from '../../generated/2025-11-25/protocol.js';

const INFO = { name: 'test', version: '1' };
const OPTIONS = { capabilities: { elicitation: {} } };
const ANSWER = { action: 'accept', content: { name: 'x' } } as const;

/** Plays a server that asks a question of a task, and returns the client's answer as it was sent. */
async function answerOf(
  connect: (transport: InMemoryTransport) => Promise<void>,
): Promise<unknown> {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const answered = new Promise((resolve) => {
    server.onmessage = (message) => {
      if ('method' in message && message.method === 'initialize' && 'id' in message) {
        const result = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, serverInfo: INFO };
        void server.send({ jsonrpc: '2.0', id: message.id, result });
      } else if ('result' in message && message.id === 'question') resolve(message.result);
    };
  });
  await server.start();
  await connect(client);
  onTestFinished(() => server.close());
  const params = {
    message: 'Name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    _meta: { [META_KEYS.relatedTask]: { taskId: 'task-1' } },
  };
  await server.send({ jsonrpc: '2.0', id: 'question', method: 'elicitation/create', params });
  return answered;
}

// Both SDKs leave the related task out, which CORE-INP-2 demands. As long as they do, `validate` reports
// its absence in an answer as a warning (`no-related-task`). When one of these fails, make it an error.
it.each([
  {
    sdk: 'SDK v1 (1.32.2)',
    connect: async (transport: InMemoryTransport) => {
      const client = new ClientV1(INFO, OPTIONS);
      client.setRequestHandler(ElicitRequestSchema, () => ANSWER);
      await client.connect(transport);
    },
  },
  {
    sdk: 'SDK v2 (2.4.0)',
    connect: async (transport: InMemoryTransport) => {
      const client = new Client(INFO, OPTIONS);
      client.setRequestHandler('elicitation/create', () => ANSWER);
      await client.connect(transport);
    },
  },
])(
  'the client of $sdk answers a question of a task without the related task',
  async ({ connect }) => {
    expect(await answerOf(connect)).toEqual(ANSWER);
  },
);
