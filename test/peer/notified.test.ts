import { describe, expect, it } from 'vitest';
import {
  type Channel,
  type Exchange,
  LazyAbort,
  rpcError,
  type Rows,
} from '../../runtime/peer/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { revisions } from './revisions.js';
import { KeptChannel, ORIGIN, peerOf, type TestOrigin } from './wire.js';

const { core } = await revisions();

const PROGRESS = 'notifications/progress';

describe('a notification that comes in', () => {
  const received = (message: JsonObject, more = {}) => {
    const passed: unknown[] = [];
    const onNotification = (...parts: unknown[]): unknown => passed.push(parts);
    const { peer, problems } = peerOf(core, {}, { onNotification, ...more });
    const channel = new KeptChannel();
    peer.receive({ jsonrpc: '2.0', ...message }, channel, ORIGIN);
    return { passed, problems, channel };
  };

  it('is passed on with its params, and its channel is closed', () => {
    const params = { progressToken: 1, progress: 2 };
    const { passed, problems, channel } = received({ method: PROGRESS, params });
    expect(passed).toEqual([[PROGRESS, params, ORIGIN]]);
    expect([problems, channel.sent, channel.closed]).toEqual([[], [], 1]);
  });

  it('is passed on with no params where it has none', () => {
    const { passed } = received({ method: 'notifications/initialized' });
    expect(passed).toEqual([['notifications/initialized', {}, ORIGIN]]);
  });

  it('is passed on although the revision does not have it', () => {
    expect(received({ method: 'notifications/none' }).passed).toHaveLength(1);
  });

  it('is not passed on, but reported, when it is invalid', () => {
    const params = { progressToken: 1, progress: 'hunter2' };
    const { passed, problems, channel } = received({ method: PROGRESS, params });
    expect(passed).toEqual([]);
    expect(problems).toEqual(['Ignored an invalid notification: /progress must be a number']);
    expect([channel.sent, channel.closed]).toEqual([[], 1]);
  });

  it('is not passed on, but reported, when no revision can be agreed on', () => {
    const revisionOf = () => rpcError(-32022, 'Unsupported protocol version');
    const { passed, problems, channel } = received({ method: PROGRESS }, { revisionOf });
    expect(passed).toEqual([]);
    expect(problems).toEqual(['Ignored an invalid notification: Unsupported protocol version']);
    expect([channel.sent, channel.closed]).toEqual([[], 1]);
  });

  it('is refused when its method is no text', () => {
    const { passed, channel } = received({ method: 7 });
    expect(passed).toEqual([]);
    expect(channel.sent).toMatchObject([{ error: { code: -32600 } }]);
    expect([channel.refused, channel.closed]).toEqual([[true], 1]);
  });

  it('that cancels a request is not passed on', () => {
    const { passed, problems } = received({
      method: 'notifications/cancelled',
      params: { requestId: 'none' },
    });
    expect([passed, problems]).toEqual([[], []]);
  });

  it('needs no receiver', () => {
    const { problems, channel } = received(
      { method: 'notifications/initialized' },
      { onNotification: undefined },
    );
    expect([problems, channel.closed]).toEqual([[], 1]);
  });
});

describe('a notification that goes out', () => {
  const VALID = { progressToken: 1, progress: 2 };

  it('is sent as it is', async () => {
    const { peer } = peerOf(core, {});
    const channel = new KeptChannel();
    await peer.notifyOn(channel, core, PROGRESS, VALID);
    expect(channel.sent).toEqual([{ jsonrpc: '2.0', method: PROGRESS, params: VALID }]);
    expect([channel.refused, channel.closed]).toEqual([[false], 0]);
  });

  it('waits until the next may be sent', async () => {
    let sent = (): void => undefined;
    const slow: Channel = {
      send: () => new Promise((resolve) => (sent = resolve)),
      close: () => undefined,
      gone: new LazyAbort(),
    };
    const { peer } = peerOf(core, {});
    const order: string[] = [];
    const notified = peer.notifyOn(slow, core, PROGRESS, VALID).then(() => order.push('notified'));
    await new Promise(setImmediate);
    order.push('sent');
    sent();
    await notified;
    expect(order).toEqual(['sent', 'notified']);
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      'that the revision forbids',
      { progressToken: 1 },
      /^Invalid notifications\/progress: .*progress/,
    ],
    [
      'that is no JSON',
      { ...VALID, _meta: { n: 1n } },
      /^Invalid notifications\/progress: not JSON: .*BigInt/,
    ],
  ])('is not sent, but rejects: one %s', async (_, params, message) => {
    const { peer } = peerOf(core, {});
    const channel = new KeptChannel();
    await expect(peer.notifyOn(channel, core, PROGRESS, params)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(message) as string,
    });
    expect(channel.sent).toEqual([]);
  });

  it('that only the other side may send is not checked as one of this side', async () => {
    const roots = 'notifications/roots/list_changed';
    const client = peerOf(core, {}, { other: 'server' });
    const channel = new KeptChannel();
    await client.peer.notifyOn(channel, core, roots, {});
    await expect(
      client.peer.notifyOn(channel, core, 'notifications/message', { level: 7 }),
    ).resolves.toBeUndefined();
    expect(channel.sent).toHaveLength(2);
  });

  it('belongs to its request, on whose channel it goes until the answer', async () => {
    let exchange: Exchange<TestOrigin> | undefined;
    let finish = (): void => undefined;
    const rows: Rows<TestOrigin> = {
      'tools/call': {
        answer(_params, given) {
          exchange = given;
          return new Promise((resolve) => (finish = () => resolve({ content: [] })));
        },
      },
    };
    const { peer } = peerOf(core, rows, { capabilities: { tools: {} } });
    const channel = new KeptChannel();
    const params = { name: 'it' };
    peer.receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, channel, ORIGIN);
    await exchange?.notify(PROGRESS, VALID);
    await expect(exchange?.notify(PROGRESS, {})).rejects.toMatchObject({ code: -32603 });
    finish();
    await new Promise(setImmediate);
    await exchange?.notify(PROGRESS, VALID);
    expect(channel.sent).toMatchObject([{ method: PROGRESS }, { result: {} }]);
  });
});
