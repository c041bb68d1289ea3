import { describe, expect, it } from 'vitest';
import * as early from '../../generated/2025-03-26/validators.js';
import * as v20241105 from '../../generated/2024-11-05/validators.js';
import * as v20250326 from '../../generated/2025-03-26/validators.js';
import * as v20250618 from '../../generated/2025-06-18/validators.js';
import type { ValidationOptions } from '../../generated/2025-11-25/validators.js';
import * as core from '../../generated/2025-11-25/validators.js';
import * as late from '../../generated/2026-07-28/validators.js';
import * as tasks from '../../generated/ext-tasks/validators.js';
import { TRAFFIC } from '../../bench/validate/traffic.js';

const request = (method: unknown, params?: unknown, more: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params !== undefined && { params }),
  ...more,
});
const CLIENT = { from: 'client' } as const;
const SERVER = { from: 'server' } as const;

describe('a message', () => {
  it.each([
    ['a request', request('tools/call', { name: 'x' }), 'request'],
    ['one that has a result besides', request('ping', undefined, { result: {} }), 'request'],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 'notification'],
    ['a response', { jsonrpc: '2.0', id: 'a', result: {} }, 'response'],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: '' } }, 'error'],
    ['an error without id', { jsonrpc: '2.0', error: { code: 1, message: '' } }, 'error'],
  ])('is %s', (_, message, kind) => {
    const received = core.validateMessage(message, CLIENT);
    expect(received).toEqual({ ok: true, kind, value: message });
    expect(received.ok && received.value).toBe(message);
  });

  it.each([
    ['no object', 5, -32600, ['']],
    ['a batch, where there are none', [], -32600, ['']],
    ['without version', { id: 1, method: 'ping' }, -32600, ['/jsonrpc']],
    ['with a null id', request('ping', undefined, { id: null }), -32600, ['/id']],
    ['with a method that is no text', request(5), -32600, ['/method']],
    ['with neither method, result nor error', { jsonrpc: '2.0', id: 1 }, -32600, ['/result']],
    ['of an unknown method', request('tools/cal', {}), -32601, ['/method']],
    ['of a method of the other side', request('roots/list'), -32601, ['/method']],
    ['of a method of Object.prototype', request('constructor'), -32601, ['/method']],
    ['of a notification, as a request', request('notifications/initialized'), -32601, ['/method']],
    [
      'with wrong params',
      request('tools/call', { name: 1, task: 2 }),
      -32602,
      ['/params/name', '/params/task'],
    ],
    ['without params', request('tools/call'), -32602, ['/params']],
    ['with params that are a list', request('tools/call', []), -32602, ['/params']],
    [
      'with wrong params and id',
      request('tools/call', {}, { id: {} }),
      -32600,
      ['/id', '/params/name'],
    ],
  ])('%s is refused', (_, message, code, pointers) => {
    const received = core.validateMessage(message, CLIENT);
    if (received.ok) throw new Error('accepted');
    expect(received.code).toBe(code);
    expect(received.errors.map(({ pointer }) => pointer).sort()).toEqual(pointers);
  });

  it('is an answer to the method of its id', () => {
    const methodOf = (id: string | number): string | undefined =>
      id === 1 ? 'tools/list' : id === 2 ? 'gone' : undefined;
    const answer = (id: number): object => ({ jsonrpc: '2.0', id, result: { tools: [{}] } });
    expect(core.validateMessage(answer(1), { ...SERVER, methodOf })).toMatchObject({
      code: -32600,
      errors: [{ pointer: '/result/tools/0/inputSchema' }, { pointer: '/result/tools/0/name' }],
    });
    expect(core.validateMessage(answer(2), { ...SERVER, methodOf })).toMatchObject({
      code: -32601,
    });
    expect(core.validateMessage(answer(3), { ...SERVER, methodOf }).ok).toBe(true);
  });

  it('with an invalid error is not reported as lacking a result', () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: 'x', message: '' } };
    expect(core.validateMessage(error, { ...SERVER, methodOf: () => 'tools/list' })).toMatchObject({
      code: -32600,
      errors: [{ pointer: '/error/code' }],
    });
  });

  it.each([
    ['2024-11-05', v20241105],
    ['2025-03-26', v20250326],
    ['2025-06-18', v20250618],
    ['2025-11-25', core],
    ['2026-07-28', late],
  ])('is never judged by the validators of Request, Notification and Result in %s', (_, module) => {
    const { isRequest, validateRequest, isNotification, validateNotification } = module;
    const options = { formats: true, from: 'client', maxErrors: 1 } as ValidationOptions;
    for (const value of [request('ping'), { method: 'x' }, { method: 5 }, {}, null, 'ping', []]) {
      for (const given of [undefined, options]) {
        const request = validateRequest(value, given);
        expect(request.ok).toBe(isRequest(value, given));
        expect(request).not.toHaveProperty('code');
        const notification = validateNotification(value, given);
        expect(notification.ok).toBe(isNotification(value, given));
        expect(notification).not.toHaveProperty('code');
        const result = module.validateResult(value, given);
        expect(result.ok).toBe(module.isResult(value, given));
        expect(result).not.toHaveProperty('code');
      }
    }
    expect(validateRequest(request('no/such/method')).ok).toBe(true);
    expect(module.validateResultOf('no/such/method', {})).toMatchObject({ code: -32601 });
  });

  it.each(['2025-11-25', '2026-07-28'] as const)(
    'of the recorded traffic of %s is valid',
    (revision) => {
      for (const { message, from, answers } of TRAFFIC[revision]) {
        const validate = revision === '2025-11-25' ? core.validateMessage : late.validateMessage;
        const received = validate(message, { from, methodOf: () => answers });
        expect(received.ok ? [] : received.errors).toEqual([]);
      }
    },
  );

  it('with a getter that throws is refused', () => {
    const hostile = {
      jsonrpc: '2.0',
      get method(): string {
        throw new Error('boom');
      },
    };
    expect(core.validateMessage(hostile, CLIENT)).toMatchObject({ ok: false, code: -32600 });
  });
});

describe('a result', () => {
  const task = { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null };

  it('is checked by the method of its request', () => {
    expect(core.validateResultOf('tools/call', { content: [] }).ok).toBe(true);
    expect(core.validateResultOf('ping', { content: 1 }).ok).toBe(true);
    expect(core.validateResultOf('tools/call', {})).toMatchObject({
      ok: false,
      errors: [{ pointer: '/content' }],
    });
    expect(core.validateResultOf('nothing/known', {})).toMatchObject({ code: -32601 });
    expect(core.validateResult({ _meta: 1 })).toMatchObject({ errors: [{ pointer: '/_meta' }] });
  });

  it('has its formats checked on request', () => {
    const result = { content: [{ type: 'image', mimeType: 'image/png', data: 'no base64' }] };
    expect(core.validateResultOf('tools/call', result).ok).toBe(true);
    expect(core.validateResultOf('tools/call', result, { formats: true })).toMatchObject({
      errors: [{ pointer: '/content/0/data' }],
    });
  });

  it('may be a task for a request that can become one', () => {
    expect(core.validateResultOf('tools/call', { task }).ok).toBe(true);
    expect(core.validateResultOf('prompts/get', { task }).ok).toBe(false);
    expect(core.validateResultOf('tasks/result', { anything: true }).ok).toBe(true);
  });

  it('is reported by the most similar definition', () => {
    const checked = core.validateResultOf('tools/call', { content: [{ type: 'movie' }] });
    expect(checked).toMatchObject({ ok: false, errors: [{ pointer: '/content/0/type' }] });
  });

  it('of an input request is checked, although that request is not a message', () => {
    expect(late.validateResultOf('elicitation/create', { action: 'accept' }).ok).toBe(true);
    expect(late.validateResultOf('elicitation/create', { action: 'no' }).ok).toBe(false);
    expect(late.validateMessage(request('elicitation/create', {}), SERVER)).toMatchObject({
      code: -32601,
    });
  });
});

describe('an extension', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const extensions = [tasks.wire] as const;
  const created = {
    resultType: 'task',
    taskId: 't',
    status: 'working',
    createdAt: '',
    lastUpdatedAt: '',
    ttlMs: null,
  };

  it('adds methods', () => {
    const get = request('tasks/get', { taskId: 't', _meta });
    expect(late.validateMessage(get, CLIENT)).toMatchObject({ code: -32601 });
    expect(late.validateMessage(get, { ...CLIENT, extensions }).ok).toBe(true);
    const wrong = request('tasks/get', { _meta });
    expect(late.validateMessage(wrong, { ...CLIENT, extensions })).toMatchObject({
      code: -32602,
      errors: [{ pointer: '/params/taskId' }],
    });
  });

  it('adds results to methods', () => {
    expect(late.validateResultOf('tools/call', { ...created, resultType: 1 }).ok).toBe(false);
    expect(late.validateResultOf('tools/call', created, { extensions }).ok).toBe(true);
    const complete = { resultType: 'complete', content: [] };
    expect(late.validateResultOf('tools/call', complete, { extensions }).ok).toBe(true);
  });
});

describe('decode', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('decodes text and bytes', () => {
    const text = JSON.stringify(request('tools/call', { name: 'né' }));
    for (const input of [text, bytes(text)]) {
      const decoded = core.decode(input, CLIENT);
      if (!decoded.ok || decoded.kind !== 'request') throw new Error('not a request');
      if (decoded.value.method !== 'tools/call') throw new Error('another method');
      expect(decoded.value.params.name).toBe('né');
    }
  });

  it.each([
    ['text that is not JSON', '{"a":'],
    ['nothing', ''],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('answers %s with a parse error', (_, input) => {
    expect(core.decode(input, CLIENT)).toMatchObject({
      ok: false,
      code: -32700,
      reply: { jsonrpc: '2.0', error: { code: -32700 } },
    });
  });

  it('reports in one short sentence why a text is not JSON', () => {
    for (const text of ['', '{"a" 1}', 'x'.repeat(1e6), `{"a":"${'y'.repeat(1e6)}`]) {
      const decoded = core.decode(text, CLIENT);
      if (decoded.ok) throw new Error('accepted');
      expect(decoded.errors).toHaveLength(1);
      expect(decoded.errors[0]?.message).toMatch(/^The text is not JSON: \w.{5,200}\.$/);
      expect(decoded.errors[0]?.received).toBe(`a text ${String(text.length)} long`);
    }
    expect(core.decode(Uint8Array.of(0xff), CLIENT)).toMatchObject({
      errors: [{ pointer: '', message: 'The bytes are not UTF-8.' }],
    });
  });

  it('accepts bytes with a byte order mark', () => {
    expect(core.decode(bytes(`\ufeff${JSON.stringify(request('ping'))}`), CLIENT).ok).toBe(true);
  });

  it('answers only with ids that JSON-RPC allows', () => {
    const reply = (id: string): unknown => {
      const decoded = core.decode(`{"jsonrpc":"2.0","id":${id},"method":"nothing/known"}`, CLIENT);
      return decoded.ok ? undefined : [decoded.code, decoded.reply?.id];
    };
    expect(reply('"a"')).toEqual([-32601, 'a']);
    expect(reply('9007199254740993')).toEqual([-32601, 9007199254740992]);
    expect(reply('1.5')).toEqual([-32600, 1.5]);
    expect(reply('1e400')).toEqual([-32600, undefined]);
    expect(reply('null')).toEqual([-32600, undefined]);
    expect(reply('{}')).toEqual([-32600, undefined]);
  });

  it('checks formats on request', () => {
    const text = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'no link' },
    });
    expect(core.decode(text, CLIENT).ok).toBe(true);
    expect(core.decode(text, { ...CLIENT, formats: true })).toMatchObject({
      code: -32602,
      errors: [{ pointer: '/params/uri', expected: 'a URI' }],
    });
  });

  it('answers an invalid request with its id', () => {
    const decoded = core.decode(JSON.stringify(request('tools/call', {})), CLIENT);
    if (decoded.ok) throw new Error('accepted');
    expect(decoded.reply).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32602,
        message: 'Invalid params: /params/name is missing: it must be a string.',
        data: { errors: decoded.errors },
      },
    });
    expect(core.isJSONRPCErrorResponse(decoded.reply)).toBe(true);
  });

  it('answers without an id as the revision defines', () => {
    const nameless = core.decode('[]', CLIENT);
    expect(nameless.ok ? {} : nameless.reply).not.toHaveProperty('id');
    expect(early.decode('5', CLIENT)).toMatchObject({ reply: { id: null } });
  });

  it('answers neither notifications nor responses', () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: {}, id: undefined },
      { jsonrpc: '2.0', method: 'unknown' },
      { jsonrpc: '2.0', id: {}, result: {} },
      { jsonrpc: '1.0', id: 1, error: { code: 1, message: '' } },
    ]) {
      const decoded = early.decode(JSON.stringify(message), SERVER);
      expect(decoded.ok).toBe(false);
      expect(decoded).not.toHaveProperty('reply');
    }
  });

  it('accepts or refuses huge numbers and deep nesting without an exception', () => {
    const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
    const call = (value: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":${value}}}}`;
    expect(core.decode(call(deep), CLIENT).ok).toBe(true);
    expect(core.decode(deep, CLIENT)).toMatchObject({ ok: false, code: -32600 });
    const discover = (value: string): string =>
      JSON.stringify(TRAFFIC['2026-07-28'][0]?.message)
        .replace('"sampling":{}', '"sampling":{}')
        .replace('"tools":{}', `"tools":{"a":${value}}`);
    expect(late.decode(discover('1.5'), CLIENT).ok).toBe(true);
    expect(late.decode(discover(deep), CLIENT)).toMatchObject({ ok: false, code: -32602 });
    expect(late.decode(discover('1e400'), CLIENT)).toMatchObject({ ok: false, code: -32602 });
    const twice = '{"jsonrpc":"2.0","id":1,"id":null,"method":"ping"}';
    expect(core.decode(twice, CLIENT)).toMatchObject({ ok: false, code: -32600 });
  });
});

describe('a batch of 2025-03-26', () => {
  const good = request('ping');
  const bad = request('tools/call', { name: 5 }, { id: 7 });

  it('is valid exactly when all its messages are', () => {
    expect(early.validateMessage([good, good], CLIENT)).toMatchObject({
      ok: true,
      kind: 'batch',
      items: [{ kind: 'request' }, { kind: 'request' }],
    });
    expect(early.validateMessage([good, bad], CLIENT)).toMatchObject({
      ok: false,
      code: -32602,
      errors: [{ pointer: '/1/params/name' }],
      items: [{ ok: true }, { ok: false }],
    });
    expect(early.validateMessage([], CLIENT)).toMatchObject({ ok: false, code: -32600 });
    expect(early.validateMessage([[good]], CLIENT)).toMatchObject({ errors: [{ pointer: '/0' }] });
  });

  it('of very many invalid messages gets a short report', () => {
    const bad = early.decode(`[${'1,'.repeat(1e6)}1]`, CLIENT);
    if (bad.ok || !('items' in bad)) throw new Error('no batch');
    expect([bad.errors.length, bad.items.length, bad.replies.length]).toEqual([100, 100, 100]);
    const few = early.validateMessage([good, 1, good, 2, good], { ...CLIENT, maxErrors: 2 });
    expect(few).toMatchObject({ errors: [{ pointer: '/1' }, { pointer: '/3' }] });
    expect('items' in few && few.items.length).toBe(4);
  });

  it('gets a batch of errors as its answer', () => {
    const silent = { jsonrpc: '2.0', method: 'unknown' };
    const decoded = early.decode(JSON.stringify([good, bad, silent]), CLIENT);
    expect(decoded).toMatchObject({ ok: false, replies: [{ id: 7, error: { code: -32602 } }] });
    const fine = early.decode(JSON.stringify([good]), CLIENT);
    expect(fine).toMatchObject({ ok: true, kind: 'batch', items: [{ kind: 'request' }] });
    expect(fine).not.toHaveProperty('replies');
  });
});
