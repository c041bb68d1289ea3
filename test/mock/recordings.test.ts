import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mock } from '../../contracts/mock/mock.js';
import { INFO } from '../server/clients.js';
import { temporaryFolder } from './support.js';
import { call, connected, fileOf, HELLO, type Line, playing, textOf, written } from './written.js';

const MASK = '*masked:0a1b2c3d*';

describe('equal requests', () => {
  const file = written([
    ...HELLO,
    ...call(1, { a: 1, b: 2 }, 'one'),
    ...call(2, { b: 2, a: 1 }, 'two'),
  ]);

  it('get their answers in order, and then the last one', async () => {
    const client = await connected(await playing(file));
    const texts = [];
    for (const args of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: 1, b: 2 },
    ])
      texts.push(await textOf(client, args));
    expect(texts).toEqual(['one', 'two', 'two']);
  });

  it('begin again with another client', async () => {
    const server = await playing(file);
    expect(await textOf(await connected(server), { a: 1, b: 2 })).toBe('one');
    expect(await textOf(await connected(server), { a: 1, b: 2 })).toBe('one');
  });
});

describe('a request that was not recorded', () => {
  it('gets an error that names the nearest recorded one', async () => {
    const server = await playing(written([...HELLO, ...call(1, { text: 'hi', n: 1 }, 'one')]));
    const client = await connected(server);
    await expect(
      client.callTool({ name: 'echo', arguments: { text: 'ho', n: 1 } }),
    ).rejects.toThrow(
      'No recorded answer to this request "tools/call echo". The nearest recorded one has {"text":"hi","n":1}. It differs at "/arguments/text".',
    );
    await expect(client.callTool({ name: 'ecko' })).rejects.toThrow('"tools/call echo"');
    await expect(client.listPrompts()).rejects.toThrow();
    expect(server.requests.at(-1)).toMatchObject({ answeredBy: 'nothing' });
  });
});

it('secrets that were masked match any text', async () => {
  const lines = [
    ...HELLO,
    ...call(1, { token: MASK, n: 1 }, 'one'),
    ...call(2, { token: MASK, n: 2 }, 'two'),
  ];
  const client = await connected(await playing(written(lines)));
  expect(await textOf(client, { token: 'secret', n: 2 })).toBe('two');
  expect(await textOf(client, { token: 'another', n: 1 })).toBe('one');
});

describe('recorded numbers', () => {
  const NUMBERS = '{"big":9007199254740993,"list":[1.0,1e3,-0],"text":"1.0"}';
  const lines: readonly Line[] = [
    ...HELLO,
    ['>', { id: 1, method: 'tools/call', params: { name: 'n', arguments: {} } }],
    ['<', { method: 'notifications/message', params: { level: 'info', data: 'numbers' } }],
    ['<', { id: 1, result: { content: [], structuredContent: 'numbers' } }],
    ['>', { id: 2, method: 'tools/call', params: { name: 'n', arguments: 'numbers' } }],
    ['<', { id: 2, error: { code: -32000, message: 'no', data: 'numbers' } }],
  ];

  it.each([
    ['lines', (text: string) => text],
    ['a list', (text: string) => `[${text.split('\n').join(',\n')}]`],
  ])('of %s are sent as they were written, and match by their values', async (_, form) => {
    const server = await playing(form(written(lines).replaceAll('"numbers"', NUMBERS)));
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const post = async (body: string): Promise<string> => {
      const response = await fetch(server.url, { method: 'POST', headers, body });
      headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? '';
      return response.text();
    };
    await post(JSON.stringify({ jsonrpc: '2.0', ...HELLO[0]?.[1] }));
    await post(JSON.stringify({ jsonrpc: '2.0', ...HELLO[2]?.[1] }));
    const called = (args: string): Promise<string> =>
      post(
        `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"n","arguments":${args}}}`,
      );
    const first = await called('{}');
    expect(first.split(NUMBERS)).toHaveLength(3);
    const second = await called('{"text":"1.0","list":[1,1000.0,0],"big":9007199254740993.0}');
    expect(second).toContain(`"data":${NUMBERS}`);
  });
});

it('masks that look like values match any value, where the recording names them', async () => {
  const lines = written([
    ...HELLO,
    ...call(1, { pin: 4321, id: { a: 'x' }, n: [1] }, 'one'),
    ...call(2, { pin: 4321, id: { a: 'x' }, n: [2] }, 'two'),
  ]).replaceAll(
    /"session":1,(?="message":{[^\n]*"pin")/g,
    '"session":1,"masked":["/params/arguments/pin","/params/arguments/id/a","/params/none/x","",7],',
  );
  const client = await connected(await playing(lines));
  expect(await textOf(client, { pin: 1, id: { a: 'y' }, n: [2] })).toBe('two');
  expect(await textOf(client, { pin: 99, id: { a: null }, n: [1] })).toBe('one');
  await expect(textOf(client, { pin: 1, id: { b: 'x' }, n: [1] })).rejects.toThrow('differs');
});

it('requests that differ in masked secrets alone get their answers in order', async () => {
  const lines = [
    ...HELLO,
    ...call(1, { token: MASK, n: 1 }, 'one'),
    ...call(2, { token: '*masked:11111111*', n: 1 }, 'two'),
    ...call(3, { token: MASK, n: 1 }, 'three'),
  ];
  const client = await connected(await playing(written(lines)));
  const texts = [];
  for (const token of ['a', 'b', 'a', 'b', 'a', 'c']) {
    texts.push(await textOf(client, { token, n: 1 }));
  }
  expect(texts).toEqual(['one', 'two', 'three', 'two', 'three', 'one']);
});

describe('a recording', () => {
  const good = written([...HELLO, ...call(1, {}, 'one')]);

  it.each([
    ['with half a line at its end', `${good}\n{"time":"2026-01-01T00:00:00Z","direc`],
    ['with text between its lines', `${good.replaceAll('\n', '\nstarting up\n\n')}\n`],
    ['in gzip', gzipSync(good)],
    ['as one list', `[${good.split('\n').join(',\n')}]`],
    [
      'with a list of several lines',
      JSON.stringify(
        good.split('\n').map((line) => JSON.parse(line) as unknown),
        null,
        2,
      ),
    ],
    ['in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')])],
    ['with the line ends of Windows', good.replaceAll('\n', '\r\n')],
    [
      'of messages alone',
      good
        .split('\n')
        .map((line) => JSON.stringify((JSON.parse(line) as { message: unknown }).message))
        .join('\n'),
    ],
    ['of answers without requests', `${written([['<', { id: 77, result: {} }]])}\n${good}`],
  ])('%s is played', async (_, content) => {
    const file = fileOf(content);
    const before = readFileSync(file);
    const server = await mock(file);
    onTestFinished(() => server.close());
    const client = await connected(server);
    expect(client.getServerVersion()).toEqual(INFO);
    expect(await textOf(client, {})).toBe('one');
    expect(readFileSync(file)).toEqual(before);
  });

  it.each([
    ['that is empty', '', 'The recording has no request of a client.'],
    ['that is no recording', 'hello\nworld\n', 'The recording has no request of a client.'],
    [
      'that is a picture',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]),
      'The recording has no request',
    ],
    [
      'of the client alone',
      written(HELLO.filter(([way]) => way === '>').slice(0, 1)),
      'The recording has 1 request and no answer: only the client was recorded',
    ],
    ['without a handshake', written(call(1, {}, 'one')), 'The recording has no handshake'],
  ])('%s is refused', async (_, content, message) => {
    await expect(mock(fileOf(content))).rejects.toThrow(message);
  });

  it('that is a lock is refused, with the option that plays it', async () => {
    const help = 'Record one with "mcp-codegen record". A lock is played with --lock.';
    await expect(mock(fileOf('{ "lockVersion": 1 }'))).rejects.toMatchObject({
      message: 'The recording has no request of a client: 1 text without a message.',
      diagnostics: [{ help }],
    });
  });

  it('that is missing is refused', async () => {
    await expect(mock(join(temporaryFolder(), 'x.jsonl'))).rejects.toThrow(
      'Cannot read the recording',
    );
  });

  it('that changes while it is played is an error of the request', async () => {
    const file = fileOf(good);
    const server = await mock(file);
    onTestFinished(() => server.close());
    const client = await connected(server);
    writeFileSync(file, 'x'.repeat(10_000));
    await expect(textOf(client, {})).rejects.toThrow('has changed');
    appendFileSync(file, '\n');
  });
});

describe('a hostile recording', () => {
  it('with ids as objects inherit them is played', async () => {
    const task = (status: string) => ({
      taskId: '__proto__',
      status,
      createdAt: 'x',
      lastUpdatedAt: 'x',
      ttl: null,
    });
    const lines: Line[] = [
      ...HELLO,
      [
        '>',
        {
          id: '__proto__',
          method: 'tools/call',
          params: { name: 'constructor', arguments: { ['__proto__']: 1 }, task: {} },
        },
      ],
      ['<', { id: '__proto__', result: { task: task('working') } }],
      ['>', { id: 9, method: 'tasks/get', params: { taskId: '__proto__' } }],
      ['<', { id: 9, result: task('toString') }],
    ];
    const client = await connected(await playing(written(lines)));
    const created = await client.request(
      {
        method: 'tools/call',
        params: JSON.parse('{"name":"constructor","arguments":{"__proto__":1},"task":{}}') as never,
      },
      (await import('@modelcontextprotocol/sdk/types.js')).CreateTaskResultSchema,
    );
    expect(created.task.taskId).toBe('__proto__');
  });

  it('with endless progress and questions without an answer is played', async () => {
    const progress = Array.from({ length: 5_000 }, (_, index): Line => [
      '<',
      { method: 'notifications/progress', params: { progressToken: 1, progress: index } },
    ]);
    const [request, answer] = call(1, {}, 'one') as [Line, Line];
    const asked = {
      ...request[1],
      params: { name: 'echo', arguments: {}, _meta: { progressToken: 1 } },
    };
    const question: Line = ['<', { id: 5, method: 'ping' }];
    const client = await connected(
      await playing(written([...HELLO, ['>', asked], ...progress, question, answer])),
    );
    expect(await textOf(client, {})).toBe('one');
  });
});
