import type { JSONRPCMessage } from '@modelcontextprotocol/server';

import type { JsonObject } from '../../runtime/tasks/index.js';
import { pipedTo } from '../support/stdio.js';
import { type Answer, legacy, type Message, rig, until } from './support.js';

type RigOptions = Parameters<typeof rig>[0];

/** An open session of a revision before 2026-07-28. */
export interface Session {
  readonly initialized: JsonObject;
  readonly request: (method: string, params?: object) => Promise<Pick<Answer, 'result' | 'error'>>;
}

export async function overHttp(revision: string, options?: RigOptions): Promise<Session> {
  return legacy(await rig(options), { revision });
}

export async function overStdio(revision: string, options?: RigOptions): Promise<Session> {
  const { server } = await rig(options);
  const client = pipedTo(server);
  const heard: Message[] = [];
  client.onmessage = (message) => heard.push(message as unknown as Message);
  await client.start();
  let nextId = 0;
  const request: Session['request'] = async (method, params) => {
    const id = ++nextId;
    await client.send({ jsonrpc: '2.0', id, method, params } as JSONRPCMessage);
    const find = (): Message | undefined => heard.find((message) => message.id === id);
    return (
      (await until(
        () => Promise.resolve(find()),
        (found) => found !== undefined,
      )) ?? {}
    );
  };
  const { result = {} } = await request('initialize', {
    protocolVersion: revision,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { initialized: result, request };
}
