import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { pipedTo } from '../support/stdio.js';
import { at } from '../../runtime/peer/wire/json.js';
import { type Message, rig, until } from './support.js';
import { release } from './tools.js';

let labels = 0;
const label = (): string => `stdio-${++labels}`;
const DECLARED: JsonObject = { extensions: { [EXTENSION_ID]: {} } };

/** One end of a pipe with a server at the other, and all that came out of it. */
interface Pipe {
  /** Resolves with the request's id. */
  readonly send: (method: string, params: JsonObject, capabilities?: JsonObject) => Promise<number>;
  readonly answered: (id: number) => Promise<Message>;
  readonly heard: readonly Message[];
}

async function piped(): Promise<Pipe> {
  const { server } = await rig();
  const client = pipedTo(server);
  const heard: Message[] = [];
  client.onmessage = (message) => heard.push(message as unknown as Message);
  await client.start();
  let nextId = 0;
  return {
    heard,
    async send(method, params, capabilities = DECLARED) {
      nextId += 1;
      const _meta = {
        [META_KEYS.protocolVersion]: '2026-07-28',
        [META_KEYS.clientInfo]: { name: 'test', version: '1' },
        [META_KEYS.clientCapabilities]: capabilities,
      };
      const message = { jsonrpc: '2.0', id: nextId, method, params: { ...params, _meta } };
      await client.send(message as JSONRPCMessage);
      return nextId;
    },
    async answered(id) {
      const find = (): Message | undefined =>
        heard.find((message) => message.id === id && message.method === undefined);
      return (
        (await until(
          () => Promise.resolve(find()),
          (found) => found !== undefined,
        )) ?? {}
      );
    },
  };
}

describe('subscriptions over stdio', () => {
  it('EXT-NOT-1 EXT-NOT-2 send the progress of a task in its status message', async () => {
    const { send, answered, heard } = await piped();
    const name = label();
    const call = { name: 'held', arguments: { label: name } };
    const taskId = at((await answered(await send('tools/call', call))).result, ['taskId']);
    await send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    const message = await until(
      () => Promise.resolve(heard.find(({ params }) => params?.['statusMessage'] !== undefined)),
      (found) => found !== undefined,
    );
    expect(message).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'working', statusMessage: '50% (1/2)' },
    });
    release(name);
  });

  it('EXT-NOT-1 send notifications of tasks until all have ended', async () => {
    const { send, answered, heard } = await piped();
    const name = label();
    const call = { name: 'held', arguments: { label: name } };
    const taskId = at((await answered(await send('tools/call', call))).result, ['taskId']);
    const id = await send('subscriptions/listen', { notifications: { taskIds: [taskId, 'none'] } });
    await until(
      () => Promise.resolve(heard.filter(({ method }) => method === 'notifications/tasks')),
      (told) => told.length > 0,
    );
    release(name);
    expect((await answered(id)).result).toMatchObject({
      resultType: 'complete',
      _meta: { [META_KEYS.subscriptionId]: id },
    });
    const told = heard.filter(
      ({ params }) => at(params, ['_meta', META_KEYS.subscriptionId]) === id,
    );
    expect(told[0]).toMatchObject({ params: { notifications: { taskIds: [taskId] } } });
    expect(told.at(-1)).toMatchObject({
      params: { taskId, status: 'completed', result: { content: [{}] } },
    });
    // Its progress may be recorded before or after the subscription begins.
    const between = told.slice(1, -1);
    expect(between.length).toBeGreaterThan(0);
    for (const each of between)
      expect(each).toMatchObject({ params: { taskId, status: 'working' } });
  });

  it('EXT-CAP-3 need a client that declares the extension', async () => {
    const { send, answered } = await piped();
    const params = { notifications: { taskIds: ['x'] } };
    const { error } = await answered(await send('subscriptions/listen', params, {}));
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION_ID]: {} } } },
    });
  });

  it('refuse ids that are none', async () => {
    const { send, answered } = await piped();
    const params = { notifications: { taskIds: [7] } };
    const { error } = await answered(await send('subscriptions/listen', params));
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('/taskIds/0') as string,
    });
  });
});
