import { McpServer, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';

import { META_KEYS } from '../../../generated/2026-07-28/protocol.js';
import { breaks, envelope, HANDSHAKE, pipe, SDK, serverWith } from './support.js';

describe(`${SDK}, stdio`, () => {
  it('the factory gets the era that the client negotiated', async () => {
    const eras: string[] = [];
    const open = () =>
      pipe((theirs) => {
        serveStdio(
          ({ era }) => {
            eras.push(era);
            return serverWith(() => undefined);
          },
          { transport: theirs },
        );
        return Promise.resolve();
      });
    await (await open()).request(HANDSHAKE);
    await (
      await open()
    ).request({ id: 1, method: 'server/discover', params: { _meta: envelope() } });
    const why = breaks('serve-stdio.ts', 'DIALECT_OF maps the era to a dialect');
    expect([...new Set(eras)], why).toEqual(['legacy', 'modern']);
  });

  it('a message is the same object when it reaches the server instance', async () => {
    const [sent, received]: [unknown[], unknown[]] = [[], []];
    class Spied extends McpServer {
      override async connect(transport: Transport): Promise<void> {
        await super.connect(transport);
        const deliver = transport.onmessage;
        transport.onmessage = (message, extra) => {
          received.push(message);
          deliver?.(message, extra);
        };
      }
    }
    const client = await pipe((theirs) => {
      serveStdio(() => new Spied({ name: 'seam', version: '1' }), { transport: theirs });
      const arrive = theirs.onmessage;
      theirs.onmessage = (message, extra) => {
        sent.push(message);
        arrive?.(message, extra);
      };
      return Promise.resolve();
    });
    await client.request(HANDSHAKE);
    const why = breaks('checked-transport.ts', 'resumes() finds an operation by its message');
    expect(received[0], why).toBe(sent[0]);
  });

  it('a subscription is acknowledged with its id in _meta, and without tasks', async () => {
    const client = await pipe((theirs) => {
      serveStdio(() => serverWith(() => undefined), { transport: theirs });
      return Promise.resolve();
    });
    const acknowledged = (): object | undefined =>
      client.got.find(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await client.request({ id: 0, method: 'server/discover', params: { _meta: envelope() } });
    const params = { notifications: { taskIds: ['t'] }, _meta: envelope() };
    await client.send({ id: 7, method: 'subscriptions/listen', params });
    await expect.poll(acknowledged, { timeout: 10_000 }).toBeDefined();
    const why = breaks('listen-stdio.ts', 'begin() finds the request of an acknowledgement by it');
    expect(acknowledged(), why).toMatchObject({
      params: { notifications: {}, _meta: { [META_KEYS.subscriptionId]: 7 } },
    });
    expect(JSON.stringify(acknowledged()), why).not.toContain('taskIds');
  });
});
