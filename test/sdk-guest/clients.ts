import type { PassThrough } from 'node:stream';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

import type { JsonObject } from '../../runtime/tasks/index.js';

/** A client of the SDK, as tests use it. */
export interface Asker {
  /** Rejects with the error of the answer. */
  readonly request: (
    method: string,
    params?: object,
    options?: {
      readonly onprogress?: (progress: JsonObject) => void;
      readonly signal?: AbortSignal;
    },
  ) => Promise<JsonObject>;
  readonly notifications: { readonly method: string; readonly params?: JsonObject }[];
  /** What the handshake said of the server. */
  readonly server: {
    readonly info: unknown;
    readonly capabilities: unknown;
    readonly says: unknown;
  };
}

export const INFO = { name: 'test', version: '1' };
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const ANSWERS = {
  form: { action: 'accept', content: { shelf: '7' } },
  message: { role: 'assistant', model: 'm', content: { type: 'text', text: 'So' } },
  roots: { roots: [{ uri: 'file:///x' }] },
} as const;
const ANYTHING = z.looseObject({});

export type Version = 'v1' | 'v2';

export function overHttp(
  url: string,
  version: Version,
  token?: string,
  mode?: 'auto',
): Promise<Asker> {
  const options =
    token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  return version === 'v1'
    ? askerV1(new HttpV1(new URL(url), options))
    : askerV2(new StreamableHTTPClientTransport(new URL(url), options), mode);
}

async function askerV1(transport: object): Promise<Asker> {
  const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
  client.setRequestHandler(ElicitRequestSchema, () => ANSWERS.form);
  client.setRequestHandler(CreateMessageRequestSchema, () => ANSWERS.message);
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...ANSWERS.roots.roots] }));
  const notifications: Asker['notifications'] = [];
  client.fallbackNotificationHandler = (each) => {
    notifications.push(each as never);
    return Promise.resolve();
  };
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return {
    request: (method, params = {}, options) =>
      client.request({ method, params } as never, ANYTHING, options),
    notifications,
    server: {
      info: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      says: client.getInstructions(),
    },
  };
}

async function askerV2(transport: object, mode: 'legacy' | 'auto' = 'legacy'): Promise<Asker> {
  const client = new Client(INFO, { capabilities: CAPABILITIES, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', () => ANSWERS.form);
  client.setRequestHandler('sampling/createMessage', () => ANSWERS.message);
  client.setRequestHandler('roots/list', () => ({ roots: [...ANSWERS.roots.roots] }));
  const notifications: Asker['notifications'] = [];
  client.fallbackNotificationHandler = (each) => {
    notifications.push(each as never);
    return Promise.resolve();
  };
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return {
    request: (method, params = {}, options) =>
      client.request({ method, params } as never, ANYTHING, options as never),
    notifications,
    server: {
      info: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      says: client.getInstructions(),
    },
  };
}

/** A client at one end of a pipe. */
export function overPipe(
  { source, target }: { readonly source: PassThrough; readonly target: PassThrough },
  version: Version,
  mode?: 'auto',
): Promise<Asker> {
  const buffer = new ReadBuffer();
  const transport = {
    onmessage: undefined as ((message: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    start() {
      target.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let next = buffer.readMessage(); next !== null; next = buffer.readMessage()) {
          transport.onmessage?.(next);
        }
      });
      return Promise.resolve();
    },
    send(message: never) {
      source.write(serializeMessage(message));
      return Promise.resolve();
    },
    close() {
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return version === 'v1' ? askerV1(transport) : askerV2(transport, mode);
}
