import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ConnectionClosed, LazyAbort, rpcError } from '../../runtime/peer/index.js';
import { META_KEYS, METHODS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { revisions } from './revisions.js';
import { KeptChannel, ORIGIN, peerOf } from './wire.js';

const { core } = await revisions();

const FORM = { message: 'Name?', requestedSchema: { type: 'object', properties: {} } };
const ELICIT = METHODS.elicitationCreate;
const ACCEPT = { action: 'accept', content: {} };

/** A peer that asks on one channel. */
function asking(more: Parameters<typeof peerOf>[2] = {}) {
  const answers: unknown[] = [];
  const tested = peerOf(
    core,
    {},
    {
      onLateAnswer: (...parts) => answers.push(parts),
      ...more,
    },
  );
  const channel = new KeptChannel();
  return {
    ...tested,
    channel,
    late: answers,
    ask: (
      method: string = ELICIT,
      params: JsonObject = FORM,
      options?: Parameters<typeof tested.peer.askOn>[4],
    ) => tested.peer.askOn(channel, core, method, params, options),
    answer: (id: unknown, parts: JsonObject) => {
      const other = new KeptChannel();
      tested.peer.receive({ jsonrpc: '2.0', id, ...parts }, other, ORIGIN);
      return other;
    },
  };
}

it('questions that have ended leave no listener on a signal that outlives them', async () => {
  const { signal } = new AbortController();
  const { peer } = peerOf(core, {});
  const channel = new KeptChannel();
  const answered = peer.askOn(channel, core, METHODS.ping, {}, { signal });
  const failed = peer.askOn(channel, core, METHODS.ping, {}, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  const [first, second] = channel.sent.map(({ id }) => id);
  peer.receive({ jsonrpc: '2.0', id: first, result: {} }, new KeptChannel(), ORIGIN);
  peer.fail(second as number, new Error('no answer can come'));
  await expect(answered).resolves.toEqual({});
  await expect(failed).rejects.toThrow('no answer can come');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a question after the connection closed is rejected and not sent', async () => {
  const { peer } = peerOf(core, {});
  const channel = new KeptChannel();
  peer.close();
  await expect(peer.askOn(channel, core, METHODS.ping, {})).rejects.toThrow(ConnectionClosed);
  expect(channel.sent).toEqual([]);
});

describe('a question', () => {
  it('has an id of its own, from 0', async () => {
    const { channel, ask, answer } = asking();
    const both = [ask(), ask(METHODS.ping, {})];
    expect(channel.sent).toEqual([
      { jsonrpc: '2.0', id: 0, method: ELICIT, params: FORM },
      { jsonrpc: '2.0', id: 1, method: METHODS.ping, params: {} },
    ]);
    answer(1, { result: {} });
    answer(0, { result: ACCEPT });
    expect(await Promise.all(both)).toEqual([ACCEPT, {}]);
  });

  it.each<[JsonObject, object]>([
    [{ error: { code: -1, message: 'No' } }, rpcError(-1, 'No')],
    [
      { error: { code: -1, message: 'No', data: { a: 1 } } },
      { code: -1, message: 'No', data: { a: 1 } },
    ],
    [
      { result: { action: 'perhaps' } },
      {
        code: -32602,
        message: expect.stringMatching(/^Invalid answer: \/action must be/) as string,
      },
    ],
    [{ error: 'No' }, { code: -32602 }],
  ])('that %j answers is rejected', async (parts, error) => {
    const { ask, answer } = asking();
    const asked = ask();
    expect(answer(0, parts).closed).toBe(1);
    await expect(asked).rejects.toMatchObject(error);
  });

  it('is answered once: what comes later is passed on as late', async () => {
    const { ask, answer, late } = asking();
    const asked = ask();
    answer(0, { result: ACCEPT });
    expect(await asked).toEqual(ACCEPT);
    const again = { result: { action: 'decline' } };
    expect(answer(0, again).closed).toBe(1);
    answer(null, again);
    answer('0', { error: { code: -1, message: 'No' } });
    expect(late).toEqual([
      [ORIGIN, { jsonrpc: '2.0', id: 0, ...again }],
      [ORIGIN, { jsonrpc: '2.0', id: null, ...again }],
      [ORIGIN, { jsonrpc: '2.0', id: '0', error: { code: -1, message: 'No' } }],
    ]);
  });

  it('ends for an answer with neither a result nor an error', async () => {
    const { ask, answer, late } = asking();
    const asked = ask();
    expect(answer(0, {}).sent).toEqual([]);
    await expect(asked).rejects.toThrow('Invalid answer');
    expect(late).toEqual([]);
  });

  it.each<[string, string, JsonObject, object | undefined]>([
    ['whose result its caller checks', ELICIT, FORM, { checksItself: true }],
    ['for the result of a task', METHODS.tasksResult, { taskId: 'a' }, undefined],
  ])('%s gets any result', async (_, method, params, options) => {
    const { ask, answer } = asking({ other: 'server' });
    const asked = ask(method, params, options);
    answer(0, { result: { any: 7 } });
    expect(await asked).toEqual({ any: 7 });
  });

  it('gets its result completed before it is checked', async () => {
    const seen: unknown[] = [];
    const { ask, answer } = asking({
      completed(result, method, revision) {
        seen.push([result, method, revision]);
        return { action: 'decline', ...result };
      },
    });
    const both = [ask(), ask()];
    answer(0, { result: {} });
    answer(1, { result: 7 });
    expect(await both[0]).toEqual({ action: 'decline' });
    await expect(both[1]).rejects.toMatchObject({ code: -32602 });
    expect(seen).toEqual([[{}, ELICIT, core]]);
  });

  it('that the revision forbids, or that is no JSON, is not sent', async () => {
    const { channel, ask } = asking();
    await expect(ask(ELICIT, { message: 7 })).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^Invalid elicitation\/create: .*message/) as string,
    });
    await expect(ask(ELICIT, { ...FORM, _meta: { n: 1n } })).rejects.toMatchObject({
      message: expect.stringMatching(/^Invalid elicitation\/create: not JSON: /) as string,
    });
    expect(channel.sent).toEqual([]);
  });

  it('whose signal has aborted is not sent', async () => {
    const { channel, ask } = asking();
    const signal = new LazyAbort();
    signal.abort(new Error('over'));
    await expect(ask(ELICIT, FORM, { signal })).rejects.toThrow('over');
    expect(channel.sent).toEqual([]);
  });

  it('is withdrawn with its id, its task, and a reason for people', async () => {
    const { channel, ask } = asking();
    const signal = new LazyAbort();
    const task = { [META_KEYS.relatedTask]: { taskId: 'a' } };
    const both = [ask(ELICIT, FORM, { signal }), ask(ELICIT, { ...FORM, _meta: task }, { signal })];
    signal.abort('over');
    expect(await Promise.allSettled(both)).toMatchObject([{ reason: 'over' }, { reason: 'over' }]);
    const reason = 'The question is no longer needed';
    expect(channel.sent.slice(2)).toEqual([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0, reason } },
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason, _meta: task },
      },
    ]);
  });

  it('that opens a session is withdrawn without a message', async () => {
    const { channel, ask } = asking({ other: 'server' });
    const signal = new LazyAbort();
    const params = {
      protocolVersion: core.version,
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const opened = ask(METHODS.initialize, params, { signal });
    signal.abort('over');
    await expect(opened).rejects.toBe('over');
    expect(channel.sent).toHaveLength(1);
  });

  it('that was answered is not withdrawn', async () => {
    const { channel, ask, answer } = asking();
    const signal = new LazyAbort();
    const asked = ask(ELICIT, FORM, { signal });
    answer(0, { result: ACCEPT });
    signal.abort('over');
    expect(await asked).toEqual(ACCEPT);
    expect(channel.sent).toHaveLength(1);
  });

  it('is not ended by a server that cancels it, except a subscription', async () => {
    const { ask, answer, peer } = asking({ other: 'server' });
    const asked = ask(METHODS.ping, {});
    const params = { requestId: 0 };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    peer.receive(cancelled, new KeptChannel(), ORIGIN);
    answer(0, { result: {} });
    expect(await asked).toEqual({});
  });

  it('fails for another reason than an answer, once', async () => {
    const { ask, peer, answer, late } = asking();
    const asked = ask();
    peer.fail(1, new Error('of another'));
    peer.fail(0, new Error('no answer can come'));
    await expect(asked).rejects.toThrow('no answer can come');
    answer(0, { result: ACCEPT });
    expect(late).toHaveLength(1);
  });
});
