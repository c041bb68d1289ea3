import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  type JsonRpcResponse,
} from '@modelcontextprotocol/ext-tasks/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject } from '../../runtime/peer/wire/json.js';

/** The clients that people have, each in its own words. All end with the test. */

export const INFO = { name: 'test', version: '1' };
export const DECLARED = { elicitation: {}, extensions: { [EXTENSION_ID]: {} } };

/** What a form is answered with. */
export type Content = Readonly<Record<string, string | number>>;
export type Mode = 'legacy' | 'auto';

/** The SDK's client, second version, connected; it answers each form with `content`. */
export async function clientV2(
  transport: Transport,
  mode: Mode,
  content: Content,
  capabilities: object = { elicitation: {} },
): Promise<Client> {
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content }));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Exchanges messages beside the SDK's client, which takes no tasks for answers to calls. */
export function tap(transport: Transport): (request: object) => Promise<JsonRpcResponse> {
  const waiting = new Map<unknown, (response: JsonRpcResponse) => void>();
  let sdk: Transport['onmessage'];
  const receive: Transport['onmessage'] = (message, extra) => {
    const take = 'id' in message ? waiting.get(message.id) : undefined;
    if (take === undefined) return sdk?.(message, extra);
    take(message as unknown as JsonRpcResponse);
  };
  Object.defineProperty(transport, 'onmessage', {
    get: () => sdk && receive,
    set: (handler: Transport['onmessage']) => (sdk = handler),
  });
  return (request) =>
    new Promise((resolve, reject) => {
      const id = `tap-${waiting.size}`;
      waiting.set(id, resolve);
      const message = { ...request, jsonrpc: '2.0', id } as unknown as JSONRPCMessage;
      transport.send(message).catch(reject);
    });
}

/** The SDK's client, first version: everything that its stream of a task says. */
export async function streamV1(
  transport: TransportV1,
  content: Content,
  calls: readonly { readonly name: string; readonly arguments: JsonObject }[],
): Promise<JsonObject[][]> {
  const client = new ClientV1(INFO, { capabilities: { elicitation: {}, tasks: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content }));
  await client.connect(transport);
  onTestFinished(() => client.close());
  await client.listTools();
  const heard: JsonObject[][] = [];
  for (const call of calls) {
    const stream = client.experimental.tasks.callToolStream(call, CallToolResultSchema, {
      task: { ttl: 60_000 },
    });
    const messages: JsonObject[] = [];
    for await (const message of stream) messages.push({ ...message });
    heard.push(messages);
  }
  return heard;
}

/** A plain call of the SDK's client, first version. */
export async function callV1(transport: TransportV1, name: string): Promise<unknown> {
  const client = new ClientV1(INFO, { capabilities: {} });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client.callTool({ name });
}

/** A session of the tasks extension's own client. */
export async function taskSession(
  transport: Transport,
  mode: Mode,
  content: Content,
): Promise<ReturnType<typeof createTaskSessionFromClient>> {
  const onInputRequest = createApplicationInputHandler({
    elicitation: () => ({ action: 'accept' as const, content: { ...content } }),
    sampling: () => Promise.reject(new Error('No model')),
    roots: () => ({ roots: [] }),
  });
  const exchange = mode === 'auto' ? tap(transport) : undefined;
  const client = await clientV2(transport, mode, content, DECLARED);
  const session = createTaskSessionFromClient(client, {
    endpointId: 'test',
    onInputRequest,
    ...(exchange && {
      rawDispatch: (request) => exchange(isObject(request) ? request : {}),
      v2RequestFraming: {
        protocolVersion: '2026-07-28',
        clientInfo: INFO,
        clientCapabilities: DECLARED,
      },
    }),
  });
  onTestFinished(() => session.close());
  return session;
}
