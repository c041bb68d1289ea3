import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ConnectionClosed,
  type Exchange,
  isRequestId,
  isTooLong,
  type Rows,
} from '../../runtime/peer/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import { revisions } from './revisions.js';
import { KeptChannel, ORIGIN, peerOf, type Tested, type TestOrigin } from './wire.js';

const { core } = await revisions();

const DONE = { content: [] };
const call = (id: unknown, params: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'slow', ...params },
});
const cancel = (requestId: unknown, reason?: string): JsonObject => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, ...(reason !== undefined && { reason }) },
});

interface Held {
  readonly exchange: Exchange<TestOrigin>;
  readonly finish: () => void;
}

/** Requests whose handlers go on until the test finishes them. */
function holding(isConversation = true): Tested & {
  readonly held: Held[];
  readonly open: (id: unknown, params?: JsonObject) => KeptChannel;
} {
  const held: Held[] = [];
  const rows: Rows<TestOrigin> = {
    'tools/call': {
      answer: (_params, exchange) =>
        new Promise((resolve) => held.push({ exchange, finish: () => resolve(DONE) })),
    },
  };
  const tested = peerOf(core, rows, { capabilities: { tools: {} }, isConversation });
  return {
    ...tested,
    held,
    open(id, params) {
      const channel = new KeptChannel();
      tested.peer.receive(call(id, params), channel, ORIGIN);
      return channel;
    },
  };
}

const settled = (): Promise<void> => new Promise(setImmediate);

describe('an open request', () => {
  it('gives its handler what came', () => {
    const { open, held } = holding();
    open('a', { _meta: { trace: 't' } });
    open(0);
    expect(held[0]?.exchange).toMatchObject({
      id: 'a',
      method: 'tools/call',
      revision: core,
      meta: { trace: 't' },
    });
    expect(held[1]?.exchange).toMatchObject({ id: 0, meta: undefined });
    expect(held[1]?.exchange.signal.aborted).toBe(false);
  });

  it('is answered although a later one has its id, and so is the later one', async () => {
    const { open, held } = holding();
    const [first, second] = [open(1), open(1)];
    held[0]?.finish();
    await settled();
    expect([first.sent, second.sent]).toEqual([[{ jsonrpc: '2.0', id: 1, result: DONE }], []]);
    held[1]?.finish();
    await settled();
    expect(second.sent).toHaveLength(1);
    expect([first.closed, second.closed]).toEqual([1, 1]);
  });

  it('is cancelled by its id, with the reason, and no other is', () => {
    const { peer, open, held } = holding();
    const channels = [open(1), open('1'), open(2)];
    peer.receive(cancel(1, 'enough'), new KeptChannel(), ORIGIN);
    peer.receive(cancel(3), new KeptChannel(), ORIGIN);
    expect(held.map(({ exchange }) => exchange.cancelled.aborted)).toEqual([true, false, false]);
    expect(held[0]?.exchange.signal.reason).toBe('enough');
    expect(held[0]?.exchange.gone.reason).toBe('enough');
    expect(channels.map(({ closed }) => closed)).toEqual([1, 0, 0]);
  });

  it('is not cancelled by an id where the peer has many clients', () => {
    const { peer, open, held } = holding(false);
    open(1);
    peer.receive(cancel(1), new KeptChannel(), ORIGIN);
    expect(held[0]?.exchange.cancelled.aborted).toBe(false);
  });

  it('of many clients does not meet another with its id', async () => {
    const { open, held } = holding(false);
    const channels = [open(1), open(1), open(1)];
    channels[1]?.gone.abort(undefined);
    expect(held.map(({ exchange }) => exchange.cancelled.aborted)).toEqual([false, true, false]);
    expect(held[1]?.exchange.cancelled.reason).toBeInstanceOf(ConnectionClosed);
    for (const { finish } of held) finish();
    await settled();
    expect(channels.map(({ sent }) => sent.length)).toEqual([1, 0, 1]);
    expect(channels.map(({ closed }) => closed)).toEqual([1, 1, 1]);
  });

  it('of a conversation is told that its client is gone', () => {
    const { open, held } = holding();
    open(1).gone.abort('unseen');
    expect(held[0]?.exchange.gone.reason).toBeInstanceOf(ConnectionClosed);
    expect(held[0]?.exchange.cancelled.aborted).toBe(false);
  });

  it('whose id is taken is ended by the end of the connection, and by its channel', () => {
    const { peer, open, held } = holding();
    for (const id of [1, 1, 2, 2]) open(id);
    peer.close();
    for (const { exchange } of held) {
      expect(exchange.cancelled.reason).toBeInstanceOf(ConnectionClosed);
      expect(exchange.isOver).toBe(true);
    }
  });

  it.each([true, false])(
    'is ended exactly once, whatever others do; in a conversation: %s',
    async (isConversation) => {
      const action = fc.record({
        do: fc.constantFrom('open', 'finish', 'cancel', 'leave'),
        at: fc.nat(20),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
          const { peer, open, held } = holding(isConversation);
          const channels: KeptChannel[] = [];
          const finished = new Set<number>();
          for (const { do: what, at } of actions) {
            const index = channels.length === 0 ? 0 : at % channels.length;
            if (what === 'open') channels.push(open(at % 4));
            else if (what === 'cancel') peer.receive(cancel(at % 4), new KeptChannel(), ORIGIN);
            else if (what === 'leave') channels[index]?.gone.abort(undefined);
            else {
              const { exchange, finish } = held[index] ?? {};
              if (exchange?.isOver === false) finished.add(index);
              finish?.();
              await Promise.resolve();
              await Promise.resolve();
              await settled();
            }
          }
          peer.close();
          expect(channels.map(({ closed }) => closed)).toEqual(channels.map(() => 1));
          for (const [index, { sent }] of channels.entries()) {
            expect(sent.length).toBe(finished.has(index) ? 1 : 0);
            expect(held[index]?.exchange.isOver).toBe(true);
            expect(held[index]?.exchange.cancelled.aborted).toBe(!finished.has(index));
          }
        }),
        { numRuns: sized(200) },
      );
    },
  );
});

describe('a peer', () => {
  it('calls back once when it has closed, and at once when it was closed before', () => {
    const { peer } = peerOf(core, {});
    const calls: string[] = [];
    peer.onClosed(() => calls.push('first'));
    peer.onClosed(() => calls.push('second'));
    expect([peer.isClosed, calls]).toEqual([false, []]);
    peer.close();
    peer.close();
    expect([peer.isClosed, calls]).toEqual([true, ['first', 'second']]);
    peer.onClosed(() => calls.push('late'));
    expect(calls).toEqual(['first', 'second', 'late']);
  });

  it('calls the callbacks of its end after it has ended what is open', () => {
    const { peer, open, held } = holding();
    open(1);
    const seen: unknown[] = [];
    peer.onClosed(() => seen.push(held[0]?.exchange.cancelled.aborted));
    peer.close();
    expect(seen).toEqual([true]);
  });
});

it.each([
  ['', true],
  ['x'.repeat(1_000), true],
  ['x'.repeat(1_001), false],
  [0, true],
  [-1, true],
  [2 ** 53 - 1, true],
  [2 ** 53, false],
  [0.5, false],
  [NaN, false],
  [null, false],
  [undefined, false],
  [{}, false],
])('an id may be %j: %s', (id, expected) => {
  expect(isRequestId(id)).toBe(expected);
});

it('only a text is too long', () => {
  expect(isTooLong('x'.repeat(1_000))).toBe(false);
  expect(isTooLong('x'.repeat(1_001))).toBe(true);
  expect(isTooLong(Array.from({ length: 1_001 }))).toBe(false);
});
