import { describe, expect, it } from 'vitest';
import { senderFromPrefix, senderFromTag } from '../../contracts/validate/direction.js';
import {
  answer,
  brief,
  call,
  INITIALIZE,
  initialized,
  lines,
  START,
  validateText,
} from './support.js';

const REVISION = { revision: '2025-11-25' };
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const meta = (extensions?: object): object => ({
  [VERSION_KEY]: '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': extensions ? { extensions } : {},
});
const notify = (method: string, params: object = {}) => ({ jsonrpc: '2.0', method, params });
const from = (direction: string, message: unknown) => ({ direction, message });

describe('tags', () => {
  it.each<[string, 'client' | 'server' | undefined]>([
    ['client', 'client'],
    ['Server', 'server'],
    ['s', 'server'],
    ['client->server', 'client'],
    ['server → client', 'server'],
    ['client-to-server', 'client'],
    ['server_to_client', 'server'],
    ['s2c', 'server'],
    ['-->', 'client'],
    ['<<<', 'server'],
    ['to client', 'server'],
    ['from client', 'client'],
    ['client <-', 'server'],
    ['-> server', 'client'],
    ['client->client', undefined],
    ['outgoing', undefined],
    ['constructor', undefined],
    ['to', undefined],
    ['', undefined],
    ['c'.repeat(100_000), undefined],
  ])('%j names %s as the sender', (tag, sender) => {
    expect(senderFromTag(tag)).toBe(sender);
  });

  it.each<[string, 'client' | 'server' | undefined]>([
    ['--> ', 'client'],
    ['2026-01-01T00:00:00Z [server] ', 'server'],
    ['[12:00:01] client -> server: ', 'client'],
    ['2026-01-01 [info] Message from server: ', 'server'],
    ['sent to client: ', 'server'],
    ['client:', 'client'],
    ['INFO ', undefined],
    ['"message":', undefined],
  ])('%j precedes a message from %s', (prefix, sender) => {
    expect(senderFromPrefix(prefix)).toBe(sender);
  });

  it('without a party leave the sender to the method', async () => {
    const { findings } = await validateText(
      lines(from('outgoing', call(1, { name: 5 })), from('?', notify('notifications/message'))),
      REVISION,
    );
    expect(findings.map(({ from: sender }) => sender)).toEqual(['client', 'server', 'server']);
  });

  it('override the method', async () => {
    const outcome = await validateText(lines(from('server', call(1))), REVISION);
    expect(brief(outcome)).toEqual(['1 bad-message /message/method']);
  });
});

describe('subscriptions', () => {
  it('may be ended by the server, which then answers their requests', async () => {
    const ofStream = { 'io.modelcontextprotocol/subscriptionId': 'l' };
    const notifications = { toolsListChanged: true };
    const outcome = await validateText(
      lines(
        from('client', {
          ...{ jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen' },
          params: { notifications, _meta: meta() },
        }),
        from(
          'server',
          notify('notifications/subscriptions/acknowledged', { notifications, _meta: ofStream }),
        ),
        from('server', notify('notifications/cancelled', { requestId: 'l', _meta: ofStream })),
        from('server', {
          ...{ jsonrpc: '2.0', id: 'l' },
          result: { resultType: 'complete', _meta: ofStream },
        }),
      ),
      { revision: '2026-07-28' },
    );
    expect(brief(outcome)).toEqual([]);
  });
});

describe('a ping without a session', () => {
  const ping = (id: number) => from('client', call(id, { _meta: meta() }, 'ping'));
  const refusal = { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } };

  it.each([
    ['a result', answer(2, {})],
    ['an error', refusal],
  ])('asks whether a server reads, which answers with %s', async (_, answered) => {
    const discover = from('client', call(1, { _meta: meta() }, 'server/discover'));
    const outcome = await validateText(lines(discover, ping(2), from('server', answered)));
    expect(brief(outcome)).toEqual([]);
  });

  it('is no message once the server has answered', async () => {
    const outcome = await validateText(lines(ping(2), from('server', refusal), ping(3)));
    expect(brief(outcome)).toEqual(['3 bad-message /message/method']);
  });
});

describe('pairing', () => {
  it('checks results by the method of the request with that id and direction', async () => {
    const outcome = await validateText(
      lines(
        from('client', call(1)),
        from('server', call(1, undefined, 'roots/list')),
        from('server', answer(1, { roots: [] })),
        from('client', answer(1, { content: [] })),
      ),
      REVISION,
    );
    expect(brief(outcome)).toEqual([
      '3 bad-message /message/result/content',
      '4 bad-message /message/result/roots',
    ]);
    expect(outcome.rows).toMatchObject([
      { method: 'roots/list', requests: 1, results: 1, invalid: 1 },
      { method: 'tools/call', requests: 1, results: 1, invalid: 1 },
    ]);
  });

  it('distinguishes the ids 1 and "1"', async () => {
    const outcome = await validateText(
      lines(call(1), call('1', {}, 'tools/list'), answer('1', { tools: [] }), answer(1)),
      REVISION,
    );
    expect(brief(outcome)).toEqual([]);
    expect(outcome.counts).toMatchObject({ unanswered: 0, unasked: 0 });
  });

  it('refuses the id of an open request, not of an answered one', async () => {
    const outcome = await validateText(
      lines(call(1), answer(1), call(1), call(1), from('server', call(1, {}, 'ping'))),
      REVISION,
    );
    expect(brief(outcome)).toEqual(['4 reused-id /id']);
  });

  it('warns about answers without a request when both sides are recorded', async () => {
    const outcome = await validateText(
      lines(from('client', call(1)), from('server', answer(2, { any: 1 }))),
      REVISION,
    );
    expect(brief(outcome)).toEqual(['2 unasked /message']);
    expect(outcome.counts).toMatchObject({ unasked: 1, unanswered: 1, invalid: 0 });
  });

  it('does not warn when only one side is recorded', async () => {
    const outcome = await validateText(lines(answer(1), answer(2)), {
      ...REVISION,
      from: 'server',
    });
    expect(brief(outcome)).toEqual([]);
    expect(outcome.counts.unasked).toBe(2);
    expect(outcome.rows).toMatchObject([{ method: '(no request)', results: 2 }]);
  });

  it('accepts requests without an answer, and errors', async () => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } };
    const outcome = await validateText(lines(call(1), call(2), error), REVISION);
    expect(brief(outcome)).toEqual([]);
    expect(outcome.counts.unanswered).toBe(1);
    expect(outcome.rows).toMatchObject([{ requests: 2, errors: 1 }]);
  });

  it('checks the answer to tasks/result by the request that became the task', async () => {
    const task = {
      taskId: 'T',
      status: 'working',
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: '2026-01-01T00:00:00Z',
      ttl: null,
    };
    const asked = from('client', call(2, { taskId: 'T' }, 'tasks/result'));
    const made = from('client', call(1, { name: 'search', task: {} }));
    const outcome = await validateText(
      lines(made, answer(1, { task }), asked, answer(2, { content: 'none' })),
      REVISION,
    );
    expect(brief(outcome)).toEqual(['4 bad-message /result/content']);
  });

  it('checks only the envelope of an answer to an unknown method', async () => {
    const outcome = await validateText(
      lines(call(1, {}, 'x/y'), from('server', answer(1))),
      REVISION,
    );
    expect(brief(outcome)).toEqual(['1 bad-message /method']);
    expect(outcome.findings[0]?.expected).toBe('a method of 2025-11-25');
    expect(outcome.rows).toMatchObject([{ method: '(unknown method)', requests: 1, results: 1 }]);
  });

  it('drops the oldest of very many open requests, and reports it', async () => {
    const many = Array.from({ length: 20_000 }, (_, id) => from('client', call(id)));
    const outcome = await validateText(
      lines(...many, from('server', answer(19_999)), from('server', answer(0, { any: 1 }))),
      REVISION,
    );
    expect(brief(outcome)).toEqual(['20002 unasked /message']);
    expect(outcome.findings[0]?.message).toContain('still in memory');
    expect(outcome.counts.unanswered).toBe(19_999);
  });
});

describe('the sender', () => {
  it('is requested once for each method that both sides send', async () => {
    const ping = call(1, {}, 'ping');
    const text = lines(ping, { ...ping, id: 2 }, notify('notifications/progress', {}));
    const outcome = await validateText(text, REVISION);
    expect(brief(outcome)).toEqual([
      '1 no-sender ',
      '3 no-sender ',
      '3 bad-message /params/progress',
      '3 bad-message /params/progressToken',
    ]);
    expect(outcome.findings[0]).toMatchObject({ severity: 'unclear', method: 'ping' });
    expect(brief(await validateText(lines(ping), { ...REVISION, from: 'server' }))).toEqual([]);
  });

  it('is requested for an answer without a request or with two', async () => {
    expect(brief(await validateText(lines(answer(1)), REVISION))).toEqual(['1 no-sender ']);
    const both = lines(call(1), call(1, {}, 'roots/list'), answer(1));
    expect(brief(await validateText(both, REVISION))).toEqual(['3 no-sender ']);
  });

  it('of cancellations and progress is found from the request that they name', async () => {
    const outcome = await validateText(
      lines(
        call(1, { name: 'search', _meta: { progressToken: 'p' } }),
        notify('notifications/progress', { progressToken: 'p', progress: 'much' }),
        notify('notifications/cancelled', { requestId: 1, reason: 5 }),
      ),
      REVISION,
    );
    expect(brief(outcome)).toEqual([
      '2 bad-message /params/progress',
      '3 bad-message /params/reason',
    ]);
    expect(outcome.findings.map(({ from: sender }) => sender)).toEqual(['server', 'client']);
  });

  it('in --from overrides the method', async () => {
    const text = lines(notify('notifications/message', { level: 'info', data: 1 }));
    expect(brief(await validateText(text, { ...REVISION, from: 'server' }))).toEqual([]);
    expect(brief(await validateText(text, { ...REVISION, from: 'client' }))).toEqual([
      '1 bad-message /method',
    ]);
  });
});

describe('the revision', () => {
  const propose = (protocolVersion: string) => ({
    ...INITIALIZE,
    params: { ...INITIALIZE.params, protocolVersion },
  });
  const audio = { type: 'audio', data: '', mimeType: 'audio/wav' };

  it.each<[string, string[]]>([
    ['2024-11-05', ['4 bad-message /result/content/0/type']],
    ['2025-03-26', []],
  ])('is the result of initialize: %s', async (version, expected) => {
    const outcome = await validateText(
      lines(propose('2025-11-25'), initialized(version), call(1), answer(1, { content: [audio] })),
    );
    expect(brief(outcome)).toEqual(expected);
    expect(outcome.revisions).toEqual(['2025-11-25', version]);
  });

  it('applies to earlier messages too', async () => {
    const early = notify('notifications/message', { level: 'info' });
    const outcome = await validateText(lines(early, INITIALIZE, early, initialized('2024-11-05')));
    expect(brief(outcome)).toEqual(['1 bad-message /params/data', '3 bad-message /params/data']);
    expect(outcome.counts.unchecked).toBe(0);
  });

  it('is the proposed one when no answer is recorded', async () => {
    const outcome = await validateText(lines(propose('2025-06-18'), call(1, { name: 5 })));
    expect(brief(outcome)).toEqual(['2 bad-message /params/name']);
    expect(outcome.revisions).toEqual(['2025-06-18']);
  });

  it('comes from each request in 2026-07-28', async () => {
    const outcome = await validateText(
      lines(
        call(1, { name: 'search', _meta: meta() }),
        answer(1, { content: [], resultType: 'complete' }),
        call(2, { _meta: meta() }),
        answer(2, {}),
      ),
    );
    expect(outcome.revisions).toEqual(['2026-07-28']);
    expect(brief(outcome)[0]).toBe('3 bad-message /params/name');
    expect(outcome.counts).toMatchObject({ messages: 4, invalid: 2 });
  });

  it('is requested when no message contains it', async () => {
    const outcome = await validateText(lines(call(1, { name: 5 }), call(2, { name: 5 })));
    expect(brief(outcome)).toEqual(['1 no-revision ']);
    expect(outcome.findings[0]?.message).toContain('2024-11-05, 2025-03-26, 2025-06-18');
    expect(outcome.counts).toMatchObject({ messages: 2, unchecked: 2, invalid: 0 });
  });

  it('is the proposed one until the server answers', async () => {
    const [opening, ...others] = START;
    const outcome = await validateText(
      lines(opening, call(1, { name: 5 }), ...others, answer(1, {})),
    );
    expect(brief(outcome)).toEqual(['2 bad-message /params/name', '4 bad-message /result/content']);
    expect(outcome.counts.unchecked).toBe(0);
  });

  it('may be known late, and messages are checked from there', async () => {
    const early = Array.from({ length: 1500 }, () => notify('notifications/message'));
    const outcome = await validateText(lines(...early, ...START, call(1, { name: 5 })));
    expect(brief(outcome)).toEqual(['1 no-revision ', '1503 bad-message /params/name']);
    expect(outcome.counts.unchecked).toBe(1500);
  });

  it.each<[string, unknown[], string[]]>([
    [
      'settled',
      [INITIALIZE, initialized('2099-01-01'), call(1, { name: 5 })],
      ['2 unknown-revision /result/protocolVersion'],
    ],
    [
      'proposed',
      [propose('\u001b[31m'), call(1, { name: 5 })],
      ['1 unknown-revision /params/protocolVersion'],
    ],
    [
      'of a request',
      [call(1, { _meta: { [VERSION_KEY]: '__proto__' } })],
      ['1 unknown-revision /params/_meta/io.modelcontextprotocol~1protocolVersion'],
    ],
  ])('is refused when it is unknown: %s', async (_, messages, expected) => {
    const outcome = await validateText(lines(...messages));
    expect(brief(outcome)).toEqual(expected);
    expect(outcome.findings[0]?.message).toContain('Known: 2024-11-05, ');
    expect(outcome.findings[0]?.message).not.toContain('\u001b');
  });

  it('that was proposed may be unknown', async () => {
    const outcome = await validateText(lines(propose('2099-01-01'), initialized()));
    expect(brief(outcome)).toEqual([]);
  });

  it('in --revision overrides messages', async () => {
    const text = lines(...START, call(1), answer(1, { content: [audio] }));
    const outcome = await validateText(text, { revision: '2024-11-05' });
    expect(brief(outcome)).toEqual(['4 bad-message /result/content/0/type']);
  });
});

describe('extensions', () => {
  const id = 'io.modelcontextprotocol/tasks';
  const get = (extensions?: object) =>
    call(1, { taskId: 'T', _meta: meta(extensions) }, 'tasks/get');

  it('are active once they are declared', async () => {
    expect(brief(await validateText(lines(get())))).toEqual(['1 bad-message /method']);
    expect(brief(await validateText(lines(get({ [id]: {} }))))).toEqual([]);
    expect(brief(await validateText(lines(get({ 'com.example/other': {} }))))).toEqual([
      '1 bad-message /method',
    ]);
  });

  it('may be set by --extension', async () => {
    expect(brief(await validateText(lines(get()), { extensions: [id] }))).toEqual([]);
  });

  it('do not affect other revisions', async () => {
    const text = lines(...START, call(1, {}, 'tasks/update'));
    const outcome = await validateText(text, { extensions: [id] });
    expect(brief(outcome)).toEqual(['3 bad-message /method']);
  });
});
