import { describe, expect, it } from 'vitest';
import {
  ConnectionClosed,
  errorOf,
  ProtocolError,
  rpcError,
  type Rows,
  withoutId,
} from '../../runtime/peer/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { revisions } from './revisions.js';
import { KeptChannel, ORIGIN, peerOf, type TestOrigin } from './wire.js';

const { core, ext, older } = await revisions();

const DONE = { content: [{ type: 'text', text: 'done' }] };
const rows: Rows<TestOrigin> = { 'tools/call': { answer: () => DONE } };
const options = { capabilities: { tools: {} } };
const call = (parts: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'it' },
  ...parts,
});
const long = (length: number): string => 'x'.repeat(length);

describe('the answer to a message that is refused', () => {
  const INVALID = { code: -32600, message: 'The message is not valid JSON-RPC' };
  const TOO_LONG = { code: -32600, message: 'The id has more than 1000 characters' };
  const TOKEN = { code: -32602, message: 'progressToken must have at most 1000 characters' };
  const NONE = { code: -32601, message: 'Method not found' };
  const token = (length: number) => ({ name: 'it', _meta: { progressToken: long(length) } });

  it.each<[string, unknown, object]>([
    ['is none', [], { error: INVALID }],
    ['has no id that can be read', call({ id: null }), { error: INVALID }],
    ['has a fraction as its id', call({ id: 0.5 }), { error: INVALID }],
    ['has a number too large as its id', call({ id: 2 ** 53 }), { error: INVALID }],
    ['has a method that is no text', call({ method: 7 }), { id: 1, error: INVALID }],
    ['has a long id', call({ id: long(1_001) }), { error: TOO_LONG }],
    ['is an answer without a result', { jsonrpc: '2.0', id: 'a' }, { id: 'a', error: INVALID }],
    ['has a long token', call({ params: token(1_001) }), { id: 1, error: TOKEN }],
    ['has an unknown method', call({ method: 'none/such' }), { id: 1, error: NONE }],
    [
      'has an unknown method and a long token',
      call({ method: 'none/such', params: token(1_001) }),
      { id: 1, error: NONE },
    ],
    ['has no row', call({ method: 'tools/list', params: undefined }), { id: 1, error: NONE }],
    [
      'has no row and bad params',
      call({ method: 'tasks/get', params: {} }),
      { id: 1, error: NONE },
    ],
  ])('says why: one that %s', (_, message, answer) => {
    const { peer } = peerOf(core, rows, options);
    const channel = new KeptChannel();
    peer.receive(message, channel, ORIGIN);
    expect(channel.sent).toEqual([{ jsonrpc: '2.0', ...answer }]);
    expect([channel.refused, channel.closed]).toEqual([[true], 1]);
  });

  it('names the invalid part of params', () => {
    const { peer } = peerOf(core, rows, options);
    const channel = new KeptChannel();
    peer.receive(call({ params: { name: 7 } }), channel, ORIGIN);
    expect(channel.sent).toMatchObject([
      {
        id: 1,
        error: { code: -32602, message: expect.stringContaining('/params/name') as string },
      },
    ]);
    expect(channel.sent[0]?.['error']).not.toHaveProperty('data');
  });

  it('has null as its id before 2025-11-25, where the id cannot be read', () => {
    for (const [revision, expected] of [
      [older, { id: null }],
      [core, {}],
      [ext, {}],
    ] as const) {
      const { peer } = peerOf(revision, rows, options);
      const channel = new KeptChannel();
      peer.receive(call({ id: {} }), channel, ORIGIN);
      peer.receive(call({ method: 'none/such', id: 'a' }), channel, ORIGIN);
      expect(channel.sent).toEqual([
        { jsonrpc: '2.0', ...expected, error: INVALID },
        { jsonrpc: '2.0', id: 'a', error: NONE },
      ]);
      expect(withoutId(revision.version)).toEqual(expected);
    }
    expect(withoutId(undefined)).toEqual({});
  });

  it('is the error with which no revision can be agreed on', () => {
    const error = rpcError(-32022, 'Unsupported', { supported: [] });
    const { peer } = peerOf(core, rows, { ...options, revisionOf: () => error });
    const channel = new KeptChannel();
    peer.receive(call(), channel, ORIGIN);
    peer.receive(call({ id: {} }), channel, ORIGIN);
    expect(channel.sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32022, message: 'Unsupported', data: { supported: [] } },
      },
      { jsonrpc: '2.0', error: INVALID },
    ]);
  });
});

describe('the answers to questions inside a request', () => {
  it('are left to the handler, whatever they are', () => {
    const seen: unknown[] = [];
    const answer = (params: JsonObject): JsonObject => {
      seen.push(params['inputResponses']);
      return { ...DONE, resultType: 'complete' };
    };
    const { peer } = peerOf(
      ext,
      { 'tools/call': { answer } },
      { ...options, isConversation: false },
    );
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': ext.version,
      'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const channel = new KeptChannel();
    for (const inputResponses of [{ a: 7 }, undefined, 7]) {
      peer.receive(call({ params: { name: 'it', _meta, inputResponses } }), channel, ORIGIN);
    }
    expect(seen).toEqual([{ a: 7 }, undefined]);
    expect(channel.sent).toMatchObject([
      { result: DONE },
      { result: DONE },
      { error: { code: -32602 } },
    ]);
  });
});

describe('a result that may not be sent', () => {
  const answered = (answer: () => JsonObject, more = {}) => {
    const { peer, problems } = peerOf(core, { 'tools/call': { answer } }, { ...options, ...more });
    const channel = new KeptChannel();
    peer.receive(call(), channel, ORIGIN);
    return { sent: channel.sent, problems, closed: channel.closed };
  };

  it('is answered with an error, and reported without values', () => {
    const { sent, problems, closed } = answered(() => ({ content: 'hunter2' }));
    expect(sent).toMatchObject([
      {
        id: 1,
        error: {
          code: -32603,
          message: expect.stringMatching(/^Invalid result: .*content/) as string,
        },
      },
    ]);
    expect(problems).toEqual([
      expect.stringMatching(/^Invalid result of tools\/call: \/content must be/),
    ]);
    expect(problems[0]).not.toContain('hunter2');
    expect(closed).toBe(1);
  });

  it('is named where it is no JSON', () => {
    const { sent, problems } = answered(() => ({ ...DONE, _meta: { n: 1n } }));
    expect(sent).toMatchObject([
      {
        error: {
          code: -32603,
          message: expect.stringMatching(/^Invalid result: not JSON: .*BigInt/) as string,
        },
      },
    ]);
    expect(problems).toHaveLength(1);
  });

  it('becomes valid when it is completed before it is checked', () => {
    const complete = (result: JsonObject): JsonObject => ({ ...result, ...DONE });
    expect(answered(() => ({}), { complete })).toEqual({
      sent: [{ jsonrpc: '2.0', id: 1, result: DONE }],
      problems: [],
      closed: 1,
    });
  });

  it('is reported when the data of an error are no JSON', () => {
    const { sent, problems } = answered(() => {
      throw rpcError(-1, 'why', { n: 1n });
    });
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'why' } }]);
    expect(problems).toEqual([
      expect.stringMatching(/^Dropped the data of an error: not JSON: .*BigInt/),
    ]);
  });
});

describe('an error', () => {
  it.each<[unknown, object]>([
    [rpcError(-1, 'why'), { code: -1, message: 'why' }],
    [rpcError(-1, 'why', null), { code: -1, message: 'why', data: null }],
    [rpcError(-1, '', 0), { code: -1, message: '', data: 0 }],
    [new Error('why'), { code: -32603, message: 'why' }],
    [
      { code: 1.5, message: 'why' },
      { code: -32603, message: 'why' },
    ],
    [{ code: 'EIO' }, { code: -32603, message: 'Internal error' }],
    [null, { code: -32603, message: 'Internal error' }],
    ['text', { code: -32603, message: 'Internal error' }],
  ])('%j is answered as %j', (thrown, expected) => {
    expect(errorOf(thrown)).toEqual(expected);
  });

  it('has its name', () => {
    expect(new ProtocolError(-1, 'why', 7)).toMatchObject({
      name: 'ProtocolError',
      code: -1,
      message: 'why',
      data: 7,
    });
    expect(new ConnectionClosed()).toMatchObject({
      name: 'ConnectionClosed',
      message: 'The connection has closed',
    });
  });
});
