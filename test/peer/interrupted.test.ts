import { describe, expect, it } from 'vitest';
import { LazyAbort, type Rows } from '../../runtime/peer/index.js';
import { recordTelemetry } from '../support/telemetry.js';
import { revisions } from './revisions.js';
import { KeptChannel, ORIGIN, peerOf, type Tested, type TestOrigin } from './wire.js';

const recorded = recordTelemetry();
const { core } = await revisions();

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } };
const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };

/** Calls that no handler answers, and what the spans of ended ones have as `error.type`. */
function called(isConversation: boolean): Tested & { readonly channel: KeptChannel } {
  const rows: Rows<TestOrigin> = { 'tools/call': { answer: () => new Promise(() => undefined) } };
  const tested = peerOf(core, rows, { capabilities: { tools: {} }, isConversation });
  const channel = new KeptChannel();
  tested.peer.receive(CALL, channel, ORIGIN);
  return { ...tested, channel };
}

const outcomes = (): unknown[] =>
  recorded.named('tools/call').map(({ attributes }) => attributes['error.type']);

describe('the span of a request without an answer', () => {
  it('ends when the client cancels the request', () => {
    const { peer } = called(true);
    expect(outcomes()).toEqual([]);
    peer.receive(CANCEL, new KeptChannel(), ORIGIN);
    expect(outcomes()).toEqual(['cancelled']);
  });

  it('ends when the connection of the request closes, if it has its own', () => {
    called(true).channel.gone.abort(undefined);
    expect(outcomes()).toEqual([]);
    called(false).channel.gone.abort(undefined);
    expect(outcomes()).toEqual(['connection_closed']);
  });

  it.each([true, false])('ends when the peer closes; in a conversation: %s', (isConversation) => {
    const { peer } = called(isConversation);
    peer.close();
    peer.close();
    expect(outcomes()).toEqual(['connection_closed']);
  });

  it('ends when another request of the conversation takes its id', () => {
    const { peer } = called(true);
    peer.receive(CALL, new KeptChannel(), ORIGIN);
    expect(outcomes()).toEqual(['cancelled']);
    // The cancellation belongs to the later request now.
    peer.receive(CANCEL, new KeptChannel(), ORIGIN);
    expect(outcomes()).toEqual(['cancelled', 'cancelled']);
  });
});

describe('the span of a question', () => {
  it('ends as the question does', async () => {
    const { peer } = peerOf(core, {});
    const channel = new KeptChannel();
    const ask = (signal?: LazyAbort): Promise<unknown> =>
      peer.askOn(channel, core, 'ping', {}, { signal });
    const answer = (parts: object): void =>
      peer.receive({ jsonrpc: '2.0', ...parts }, new KeptChannel(), ORIGIN);
    const signal = new LazyAbort();
    const all = [ask(), ask(), ask(signal), ask(), ask(), ask()];
    const ended = (): unknown[] =>
      recorded.named('ping').map(({ attributes }) => attributes['error.type']);
    expect(ended()).toEqual([]);
    answer({ id: 0, result: {} });
    answer({ id: 1, error: { code: -32603, message: 'No' } });
    signal.abort('over');
    peer.fail(3, new Error('lost'));
    peer.fail(4, new Error('lost'), 'cancelled');
    peer.close();
    await Promise.allSettled(all);
    expect(ended()).toEqual([
      undefined,
      '-32603',
      'cancelled',
      'connection_closed',
      'cancelled',
      'connection_closed',
    ]);
  });
});

it('the span of a request that is refused has the code of the error', () => {
  const { peer } = peerOf(core, {}, { capabilities: { tools: {} } });
  peer.receive(CALL, new KeptChannel(), ORIGIN);
  const served = called(true);
  served.peer.receive({ ...CALL, params: { name: 7 } }, new KeptChannel(), ORIGIN);
  const codes = recorded
    .named('tools/call')
    .map(({ attributes }) => attributes['rpc.response.status_code']);
  expect(codes).toEqual(['-32601', '-32602']);
});

it('the span of a notification ends when it was taken', () => {
  const { peer } = peerOf(core, {});
  const params = { progressToken: 1, progress: 2 };
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params };
  peer.receive(progress, new KeptChannel(), ORIGIN);
  expect(recorded.named('notifications/progress')).toHaveLength(1);
});
