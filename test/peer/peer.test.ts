import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ConnectionClosed, type Exchange, LazyAbort, type Rows } from '../../runtime/peer/index.js';
import { DIALECT_VERSIONS, META_KEYS } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { sized } from '../support/size.js';
import { KeptChannel, ORIGIN, peerOf, type TestOrigin } from './wire.js';
import { revisions } from './revisions.js';

const { core, ext } = await revisions();

const DONE = { content: [{ type: 'text', text: 'done' }] };
const TOOLS = { tools: {} };

const request = (id: unknown, method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const call = (id: unknown, name = 'plain'): JsonObject => request(id, 'tools/call', { name });

describe('a request', () => {
  it.each<[string, () => JsonObject | Promise<JsonObject>]>([
    ['at once', () => DONE],
    ['later', () => Promise.resolve(DONE)],
  ])('is answered %s, and its channel is closed', async (_, answer) => {
    const { peer } = peerOf(core, { 'tools/call': { answer } }, { capabilities: TOOLS });
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    await new Promise(setImmediate);
    expect(channel.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: DONE }]);
    expect(channel.closed).toBe(1);
  });

  it.each<[string, unknown, number, number | undefined]>([
    ['is no object', 'text', -32600, undefined],
    ['has no method and no result', { jsonrpc: '2.0', id: 1 }, -32600, 1],
    ['has another version of JSON-RPC', { ...call(1), jsonrpc: '1.0' }, -32600, 1],
    ['has an object as its id', call({}), -32600, undefined],
    ['has a fraction as its id', call(1.5), -32600, undefined],
    ['has an id of 1,001 characters', call('x'.repeat(1_001)), -32600, undefined],
    [
      'has a progress token of 1,001 characters',
      request(1, 'tools/call', { name: 'plain', _meta: { progressToken: 'x'.repeat(1_001) } }),
      -32602,
      1,
    ],
    ['has a number as its method', { jsonrpc: '2.0', id: 1, method: 7 }, -32600, 1],
    ['has params that are a list', { ...call(1), params: [] }, -32602, 1],
    ['has a method that no revision has', request(1, 'none/such'), -32601, 1],
    ['has a method of another revision', request(1, 'server/discover'), -32601, 1],
    ['has a method that is not served', request(1, 'prompts/get', { name: 7 }), -32601, 1],
    ['has invalid params', request(1, 'tools/call', { name: 7 }), -32602, 1],
  ])('that %s is refused', (_, message, code, id) => {
    const { peer } = peerOf(
      core,
      { 'tools/call': { answer: () => DONE } },
      { capabilities: TOOLS },
    );
    const channel = new KeptChannel();
    peer.receive(message, channel, ORIGIN);
    expect(channel.sent).toMatchObject([{ jsonrpc: '2.0', error: { code } }]);
    expect(channel.sent[0]?.['id']).toBe(id);
    expect(channel.refused).toEqual([true]);
    expect(channel.closed).toBe(1);
  });

  it('may have an id and a progress token of 1,000 characters', () => {
    const { peer } = peerOf(
      core,
      { 'tools/call': { answer: () => DONE } },
      { capabilities: TOOLS },
    );
    const channel = new KeptChannel();
    const long = 'x'.repeat(1_000);
    const params = { name: 'plain', _meta: { progressToken: long } };
    peer.receive(request(long, 'tools/call', params), channel, ORIGIN);
    expect(channel.sent).toEqual([{ jsonrpc: '2.0', id: long, result: DONE }]);
  });

  it('is not served without the capability that its revision asks for', () => {
    const { peer } = peerOf(core, { 'tools/call': { answer: () => DONE } });
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    expect(channel.sent).toMatchObject([{ error: { code: -32601 } }]);
  });

  it.each<[string, () => JsonObject, JsonObject]>([
    ['a result of another shape', () => ({ content: 7 }), { code: -32603 }],
    ['what JSON does not have', () => ({ ...DONE, _meta: { big: 1n } }), { code: -32603 }],
    [
      'an error of a handler',
      () => {
        throw Object.assign(new Error('why'), { code: -32001, data: { a: 1 } });
      },
      { code: -32001, message: 'why', data: { a: 1 } },
    ],
    [
      'data of an error that JSON does not have',
      () => {
        throw Object.assign(new Error('why'), { code: -32001, data: { a: 1n } });
      },
      { code: -32001, message: 'why' },
    ],
    [
      'nothing at all',
      () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error
        throw undefined;
      },
      { code: -32603, message: 'Internal error' },
    ],
  ])('gets an error for %s', (_, answer, error) => {
    const { peer } = peerOf(core, { 'tools/call': { answer } }, { capabilities: TOOLS });
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    expect(channel.sent).toMatchObject([{ id: 1, error }]);
    expect(channel.refused).toEqual([false]);
  });

  it('is checked as the method whose result it returns', () => {
    const rows: Rows<TestOrigin> = {
      'tasks/result': { answer: () => ({ content: 7 }), checkedAs: 'tools/call' },
    };
    const { peer } = peerOf(core, rows, { capabilities: { tasks: {} } });
    const channel = new KeptChannel();
    peer.receive(request(1, 'tasks/result', { taskId: 'a' }), channel, ORIGIN);
    expect(channel.sent).toMatchObject([{ error: { code: -32603 } }]);
  });

  it('gets no answer when it is cancelled, and its handler is told', async () => {
    let aborted: unknown;
    const rows: Rows<TestOrigin> = {
      'tools/call': {
        answer: (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              aborted = signal.reason;
              resolve(DONE);
            });
          }),
      },
    };
    const { peer } = peerOf(core, rows, { capabilities: TOOLS });
    const channel = new KeptChannel();
    peer.receive(call('a'), channel, ORIGIN);
    const params = { requestId: 'a', reason: 'enough' };
    const other = new KeptChannel();
    peer.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, other, ORIGIN);
    await new Promise(setImmediate);
    expect(aborted).toBe('enough');
    expect(channel.sent).toEqual([]);
    expect([channel.closed, other.closed]).toEqual([1, 1]);
  });

  it('sends nothing more once it is cancelled, however long its handler goes on', async () => {
    let exchange: Exchange<TestOrigin> | undefined;
    const { peer } = peerOf(
      core,
      {
        'tools/call': {
          answer(_params, given) {
            exchange = given;
            return new Promise(() => undefined);
          },
        },
      },
      { capabilities: TOOLS },
    );
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    const cancelled = { requestId: 1, reason: 'enough' };
    peer.receive(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled },
      channel,
      ORIGIN,
    );
    await exchange?.notify('notifications/progress', { progressToken: 1, progress: 2 });
    await expect(exchange?.ask('roots/list', {})).rejects.toBe('enough');
    expect(channel.sent).toEqual([]);
  });

  it('of a conversation goes on when its client disconnects; one of its own is cancelled', () => {
    for (const isConversation of [true, false]) {
      const seen: [boolean, boolean][] = [];
      const rows: Rows<TestOrigin> = {
        'tools/call': {
          answer: (_, { cancelled, gone }) =>
            new Promise(() => {
              gone.addEventListener('abort', () => seen.push([cancelled.aborted, gone.aborted]));
            }),
        },
      };
      const { peer } = peerOf(core, rows, { capabilities: TOOLS, isConversation });
      const channel = new KeptChannel();
      peer.receive(call(1), channel, ORIGIN);
      channel.gone.abort(undefined);
      expect(seen).toEqual([[!isConversation, true]]);
    }
  });

  it('is abandoned at the end of the connection, also when a later one has its id', () => {
    const seen: unknown[] = [];
    const rows: Rows<TestOrigin> = {
      'tools/call': {
        answer: (_, { cancelled }) =>
          new Promise((resolve) => {
            cancelled.addEventListener('abort', () => seen.push('abandoned'));
            release = () => resolve(DONE);
          }),
      },
    };
    let release = (): void => undefined;
    const { peer } = peerOf(core, rows, { capabilities: TOOLS, isConversation: true });
    for (const id of [1, 1, 2, 1]) peer.receive(call(id), new KeptChannel(), ORIGIN);
    peer.close();
    expect(seen).toHaveLength(4);
    release();
  });
});

describe('a question', () => {
  const QUESTION = {
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  };
  const asking = (
    signal?: LazyAbort,
  ): { readonly rows: Rows<TestOrigin>; readonly seen: unknown[] } => {
    const seen: unknown[] = [];
    return {
      seen,
      rows: {
        'tools/call': {
          async answer(_, exchange) {
            await exchange.ask('elicitation/create', QUESTION, signal && { signal }).then(
              (answer) => seen.push(answer),
              (error: unknown) => seen.push(error),
            );
            return DONE;
          },
        },
      },
    };
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('goes out on the channel of its request, and gets the answer from another one', async () => {
    const { rows, seen } = asking();
    const { peer } = peerOf(core, rows, { capabilities: TOOLS });
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    await settled();
    const [question] = channel.sent;
    expect(question).toMatchObject({ method: 'elicitation/create', params: QUESTION });
    const other = new KeptChannel();
    const result = { action: 'accept', content: { name: 'Ann' } };
    peer.receive({ jsonrpc: '2.0', id: question?.['id'], result }, other, ORIGIN);
    await settled();
    expect(seen).toEqual([result]);
    expect(channel.sent[1]).toEqual({ jsonrpc: '2.0', id: 1, result: DONE });
    expect([other.sent, other.closed]).toEqual([[], 1]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['an invalid answer', { result: { action: 'perhaps' } }, { code: -32602 }],
    ['an error', { error: { code: -1, message: 'No' } }, { code: -1, message: 'No' }],
  ])('is rejected by %s', async (_, answer, error) => {
    const { rows, seen } = asking();
    const { peer } = peerOf(core, rows, { capabilities: TOOLS });
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    await settled();
    const id = channel.sent[0]?.['id'];
    peer.receive({ jsonrpc: '2.0', id, ...answer }, channel, ORIGIN);
    await settled();
    expect(seen).toMatchObject([error]);
  });

  it('is withdrawn when its signal aborts, and a late answer is counted', async () => {
    const abort = new LazyAbort();
    const { rows, seen } = asking(abort);
    const { peer, late } = peerOf(core, rows, { capabilities: TOOLS });
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    await settled();
    const id = channel.sent[0]?.['id'];
    abort.abort('over');
    await settled();
    expect(seen).toEqual(['over']);
    expect(channel.sent[1]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id },
    });
    peer.receive({ jsonrpc: '2.0', id, result: { action: 'decline' } }, channel, ORIGIN);
    expect(late()).toBe(1);
  });

  it('rejects when the connection closes, and nothing more is sent', async () => {
    const { rows, seen } = asking();
    const { peer } = peerOf(core, rows, { capabilities: TOOLS });
    const channel = new KeptChannel();
    let closed = 0;
    peer.onClosed(() => (closed += 1));
    peer.receive(call(1), channel, ORIGIN);
    await settled();
    peer.close();
    peer.close();
    await settled();
    expect(seen).toMatchObject([new ConnectionClosed()]);
    expect(channel.sent).toHaveLength(1);
    expect([channel.closed, closed]).toEqual([1, 1]);
  });

  it('that the revision forbids is not sent', async () => {
    const seen: unknown[] = [];
    const rows: Rows<TestOrigin> = {
      'tools/call': {
        async answer(_, exchange) {
          await exchange
            .ask('elicitation/create', { message: 7 })
            .catch((error) => seen.push(error));
          return DONE;
        },
      },
    };
    const { peer } = peerOf(core, rows, { capabilities: TOOLS });
    const channel = new KeptChannel();
    peer.receive(call(1), channel, ORIGIN);
    await settled();
    expect(seen).toMatchObject([{ code: -32603 }]);
    expect(channel.sent).toMatchObject([{ result: DONE }]);
  });
});

it.each([{ level: 'info' }, { jsonrpc: '2.0', id: 1 }, { id: 1 }, 7, 'text'])(
  'a client answers nothing to %j, such as a log, and reports it',
  (message) => {
    const { peer, problems } = peerOf(core, {}, { other: 'server' });
    const channel = new KeptChannel();
    peer.receive(message, channel, ORIGIN);
    expect([channel.sent, channel.closed]).toEqual([[], 1]);
    expect(problems).toEqual(['Ignored a value of the server that is no message']);
  },
);

describe('a client in a revision without sessions', () => {
  const META = {
    [META_KEYS.protocolVersion]: DIALECT_VERSIONS.ext,
    [META_KEYS.clientCapabilities]: {},
  };

  it.each<[string, () => unknown]>([
    ['a request', () => request(1, 'ping')],
    ['what was once a question', () => request('q', 'roots/list')],
  ])('does not answer %s of the server, and reports it', (_, message) => {
    const rows: Rows<TestOrigin> = { ping: { answer: () => ({}) } };
    const { peer, problems } = peerOf(ext, rows, { other: 'server' });
    const channel = new KeptChannel();
    peer.receive(message(), channel, ORIGIN);
    expect(channel.sent).toEqual([]);
    expect(channel.closed).toBe(1);
    expect(problems).toEqual(['Ignored a request of the server: 2026-07-28 has none']);
  });

  it('loses a subscription that the server ends, and no other request', async () => {
    const { peer, late } = peerOf(ext, {}, { other: 'server' });
    const channel = new KeptChannel();
    const notifications = { toolsListChanged: true };
    const listening = peer.askOn(channel, ext, 'subscriptions/listen', {
      notifications,
      _meta: META,
    });
    const calling = peer.askOn(channel, ext, 'tools/call', { name: 'plain', _meta: META });
    const [listen, called] = channel.sent;
    for (const sent of [called, listen]) {
      const params = { requestId: sent?.['id'] };
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      peer.receive(cancelled, new KeptChannel(), ORIGIN);
    }
    await expect(listening).rejects.toThrow('The server ended the subscription');
    const result = { ...DONE, resultType: 'complete' };
    peer.receive({ jsonrpc: '2.0', id: called?.['id'], result }, new KeptChannel(), ORIGIN);
    expect(await calling).toMatchObject(DONE);
    expect(late()).toBe(0);
  });
});

describe('an invalid notification', () => {
  it('is reported without its values, and not answered', () => {
    const { peer, problems } = peerOf(core, {});
    const channel = new KeptChannel();
    const params = { requestId: { secret: 'hunter2' } };
    peer.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, channel, ORIGIN);
    expect(channel.sent).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).not.toContain('hunter2');
  });
});

describe('both ends', () => {
  it('ask and answer each other in any order, each request once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ delay: fc.nat(3), asks: fc.boolean(), cancel: fc.boolean() }), {
          minLength: 1,
          maxLength: 20,
        }),
        async (calls) => {
          const rows: Rows<TestOrigin> = {
            'tools/call': {
              async answer({ name }, exchange) {
                const { delay = 0, asks = false } = calls[Number(name)] ?? {};
                for (let turn = 0; turn < delay; turn += 1) await new Promise(setImmediate);
                if (asks) await exchange.ask('roots/list', {});
                return { content: [{ type: 'text', text: String(name) }] };
              },
            },
          };
          const server = peerOf(core, rows, { capabilities: TOOLS });
          const client = peerOf(
            core,
            { 'roots/list': { answer: () => ({ roots: [] }) } },
            { other: 'server', capabilities: { roots: {} } },
          );
          const toServer = new KeptChannel();
          const toClient = new KeptChannel();
          toServer.onSent = (message) => server.peer.receive(message, toClient, ORIGIN);
          toClient.onSent = (message) => client.peer.receive(message, toServer, ORIGIN);
          const answers = calls.map(async ({ cancel }, name) => {
            const signal = new LazyAbort();
            const answer = client.peer.askOn(
              toServer,
              core,
              'tools/call',
              { name: String(name) },
              { signal },
            );
            if (cancel) signal.abort('cancelled');
            return answer.then(
              ({ content }) => (content as { text: string }[])[0]?.text,
              (reason: unknown) => reason,
            );
          });
          const expected = calls.map(({ cancel }, name) => (cancel ? 'cancelled' : String(name)));
          expect(await Promise.all(answers)).toEqual(expected);
          expect(server.late() + client.late()).toBe(0);
        },
      ),
      { numRuns: sized(100) },
    );
  });

  it('of a revision without sessions carry what each request declares', () => {
    const seen: unknown[] = [];
    const rows: Rows<TestOrigin> = {
      'tools/list': {
        answer(_, { meta }) {
          seen.push(meta?.[META_KEYS.protocolVersion]);
          return { tools: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
        },
      },
    };
    const { peer } = peerOf(ext, rows, { capabilities: TOOLS, isConversation: false });
    const channel = new KeptChannel();
    const _meta = {
      [META_KEYS.protocolVersion]: ext.version,
      [META_KEYS.clientInfo]: { name: 'a', version: '1' },
      [META_KEYS.clientCapabilities]: {},
    };
    peer.receive(request(1, 'tools/list', { _meta }), channel, ORIGIN);
    peer.receive(request(1, 'tools/list'), channel, ORIGIN);
    expect(seen).toEqual([ext.version]);
    expect(channel.sent).toMatchObject([{ result: {} }, { error: { code: -32602 } }]);
  });
});
