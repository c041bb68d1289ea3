import { describe, expect, it } from 'vitest';
import { createGuard } from '../../contracts/recording/guard/index.js';
import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { DIALECT_REVISIONS, revisionsWhere } from '../../generator/ir/revisions/index.js';
import { ADD, guardedSession, LOCK } from './support.js';

/** What the judged side could choose to switch a check off. */

const { core: CORE, ext: EXT } = DIALECT_REVISIONS;
const CALL = { name: 'add', arguments: { a: 1, b: 2 } };
const BAD = { content: [], structuredContent: { sum: 'x' } };
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const META = { [VERSION]: EXT, 'io.modelcontextprotocol/clientCapabilities': {} };
const EXT_LOCK = { ...LOCK, revision: EXT };

describe('with --enforce', () => {
  it.each(revisionsWhere(({ dialect }) => dialect === 'core'))(
    'the lock holds in revision %s',
    async (revision) => {
      const { answered, codes } = await guardedSession({ enforce: true, lock: EXT_LOCK }, revision);
      expect(codes()).toEqual(['other-revision']);
      const ruling = await answered('tools/call', CALL, BAD);
      expect(ruling?.instead).toMatchObject({ result: { isError: true } });
      expect(JSON.stringify(ruling?.instead)).not.toContain('"sum":"x"');
      const tools = [{ ...ADD, _meta: { hidden: 1 } }];
      const listed = await answered('tools/list', {}, { tools });
      const isNamed =
        revision >= (revisionsWhere((each) => each.strictCapabilities === true)[0] ?? '');
      expect(listed === undefined).toBe(!isNamed);
    },
  );

  it('an answer that belongs to no request settles no revision', async () => {
    const { see, answered } = await guardedSession({ enforce: true });
    const [oldest = ''] = revisionsWhere(({ dialect }) => dialect === 'core');
    const result = {
      protocolVersion: oldest,
      capabilities: {},
      serverInfo: { name: 's', version: '1' },
    };
    expect(await see('server', { jsonrpc: '2.0', id: 99, result })).toEqual({});
    const params = { level: 'info', data: 1, _meta: { [VERSION]: oldest } };
    await see('server', { jsonrpc: '2.0', method: 'notifications/message', params });
    const ruling = await answered('tools/call', CALL, { content: [{ type: 'text' }] });
    expect(ruling?.instead).toMatchObject({ result: { isError: true } });
  });

  it('a conversation without a handshake is refused', async () => {
    const codes: string[] = [];
    const guard = createGuard({
      protocols: PROTOCOLS,
      enforce: true,
      onFinding: ({ code }) => codes.push(code),
    });
    for (const id of [1, 2]) {
      const message = { jsonrpc: '2.0', id, method: 'tools/list' };
      expect(await guard.see({ from: 'client', session: 7, message })).toHaveProperty('back');
    }
    expect(codes).toEqual(['no-revision', 'unchecked']);
  });

  it('a result of an unknown task, and of a tool whose schema cannot be read, is refused', async () => {
    const outputSchema = { $ref: 'https://example.com/a.json' };
    const { answered, codes } = await guardedSession({
      enforce: true,
      lock: { ...LOCK, tools: [{ ...ADD, outputSchema }] },
    });
    const ruling = await answered('tools/call', CALL, { content: [], structuredContent: {} });
    expect(ruling?.instead).toMatchObject({ result: { isError: true } });
    expect(codes()).toEqual(['unchecked-schema']);
    const task = await answered('tasks/result', { taskId: 'x' }, { content: [] });
    expect(task).toBeDefined();
  });

  it.each(['client', 'server'] as const)(
    'guard drops an answer of the %s that belongs to no request',
    async (from) => {
      const { see, codes } = await guardedSession({ enforce: true });
      for (const body of [{ result: {} }, { error: { code: 1, message: 'x' } }]) {
        expect(await see(from, { jsonrpc: '2.0', id: 99, ...body })).toEqual({});
      }
      expect(codes()).toEqual(['unasked', 'unasked']);
    },
  );

  it('a request that HTTP has refused may be sent again', async () => {
    const { guard, see } = await guardedSession({ enforce: true });
    const request = { jsonrpc: '2.0', id: 5, method: 'tools/list' };
    expect(await see('client', request)).toBeUndefined();
    guard.refused?.(1, request);
    expect(await see('client', request)).toBeUndefined();
    expect(await see('client', request)).toMatchObject({ back: { error: { code: -32602 } } });
  });

  it('of a refused result nothing else is kept', async () => {
    const { ask, see } = await guardedSession({ enforce: true });
    const { id } = await ask('tools/call', CALL);
    const answer = {
      jsonrpc: '2.0',
      id,
      result: BAD,
      error: { code: 1, message: 'x' },
      Result: BAD,
    };
    const ruling = await see('server', answer);
    expect(JSON.stringify(ruling?.instead)).not.toMatch(/"sum"|"Result":/);
  });
});

it('a refused version that the server lists as supported reaches the client, which may try it again', async () => {
  const codes: string[] = [];
  const guard = createGuard({
    protocols: PROTOCOLS,
    enforce: true,
    onFinding: ({ code }) => codes.push(code),
  });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
  await guard.see({ from: 'client', session: 1, message });
  const data = { supported: [EXT], requested: EXT };
  const error = { code: -32022, message: 'Unsupported protocol version', data };
  const answer = { jsonrpc: '2.0', id: 1, error };
  expect(await guard.see({ from: 'server', session: 1, message: answer })).toBeUndefined();
  expect(codes).toContain('wrong-versions');
});

describe('what guard answers in place of a server without sessions', () => {
  const headers = (more: Record<string, string> = {}): Headers =>
    new Headers({ 'mcp-protocol-version': EXT, ...more });

  it.each<[string, object, Record<string, string>, object]>([
    [
      'a header of another method',
      { method: 'tools/list' },
      { 'mcp-method': 'tools/call' },
      { back: { error: { code: -32020 } }, status: 400 },
    ],
    [
      'no header of its method',
      { method: 'tools/list' },
      {},
      { back: { error: { code: -32020 } }, status: 400 },
    ],
    [
      'a header of another version',
      { method: 'tools/list' },
      { 'mcp-method': 'tools/list', 'mcp-protocol-version': CORE },
      { back: { error: { code: -32020 } }, status: 400 },
    ],
    [
      'no _meta',
      { method: 'tools/list', params: {} },
      { 'mcp-method': 'tools/list' },
      { back: { error: { code: -32602 } }, status: 400 },
    ],
    [
      'a capability that is not declared',
      { method: 'tasks/get', params: { taskId: 'x', _meta: META } },
      { 'mcp-method': 'tasks/get', 'mcp-name': 'x' },
      {
        back: {
          error: {
            code: -32021,
            data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
          },
        },
        status: 400,
      },
    ],
  ])('to a request with %s', async (_, request, more, expected) => {
    const guard = createGuard({ protocols: PROTOCOLS, enforce: true, onFinding: () => undefined });
    const message = { jsonrpc: '2.0', id: 1, params: { _meta: META }, ...request };
    const extension = {
      capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    };
    const discover = { jsonrpc: '2.0', id: 0, method: 'server/discover', params: { _meta: META } };
    await guard.see({ from: 'client', session: 1, message: discover });
    const result = {
      resultType: 'complete',
      supportedVersions: [EXT],
      serverInfo: { name: 's', version: '1' },
      ttlMs: 0,
      cacheScope: 'private',
      ...extension,
    };
    await guard.see({ from: 'server', session: 1, message: { jsonrpc: '2.0', id: 0, result } });
    const seen = await guard.see({ from: 'client', session: 1, message, headers: headers(more) });
    expect(seen).toMatchObject(expected);
  });
});
