import { PassThrough } from 'node:stream';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { RevisionVersion } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { serveLines } from '../../runtime/transport/index.js';
import { initialize, served, stateless, text, until } from './rig.js';

async function pipe(
  tools: Parameters<typeof served>[0] = {},
  versions?: readonly RevisionVersion[],
) {
  const own = await served(tools, versions);
  const [source, target] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const problems: unknown[] = [];
  let rest = '';
  target.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const handle = serveLines({
    served: own,
    source,
    target,
    who: 'local',
    onTooSlow: () => undefined,
    onError: (error) => void problems.push(error),
  });
  onTestFinished(() => handle.close());
  const messages = (): JsonObject[] => lines.map((line) => JSON.parse(line) as JsonObject);
  return {
    served: own,
    handle,
    source,
    problems,
    messages,
    write: (line: string) => void source.write(`${line}\n`),
    /** Resolves with the answer to what is sent. */
    ask: async (message: unknown): Promise<JsonObject> => {
      const count = lines.length;
      source.write(`${JSON.stringify(message)}\n`);
      await until(() => lines.length > count);
      return messages()[count] ?? {};
    },
  };
}

const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };
const discover = stateless('server/discover', {}, 'd').message;
const call = (name: string, id: unknown = 1) =>
  stateless('tools/call', { name, arguments: {} }, id).message;

/** The same request in another version. */
function inVersion(message: JsonObject, version: unknown): JsonObject {
  const from = '"io.modelcontextprotocol/protocolVersion":"2026-07-28"';
  const to = `"io.modelcontextprotocol/protocolVersion":${JSON.stringify(version)}`;
  return JSON.parse(JSON.stringify(message).replace(from, to)) as JsonObject;
}

describe('a client over a pipe', () => {
  it('opens a session with a handshake', async () => {
    const { ask, served: own } = await pipe();
    expect(await ask(initialize())).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(await ask(ping)).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
    expect(own.sessions).toHaveLength(1);
  });

  it('needs none for requests of a revision without sessions', async () => {
    const { ask, served: own } = await pipe({ say: () => text('hello') });
    expect(await ask(call('say'))).toMatchObject({ result: { content: [{ text: 'hello' }] } });
    expect(own.sessions).toHaveLength(0);
    expect(await ask(initialize())).toMatchObject({ error: { code: -32022 } });
  });

  it('may ask what the server can do, and whether it reads, and then open a session', async () => {
    const { ask, served: own } = await pipe();
    expect(await ask(discover)).toMatchObject({ id: 'd', result: {} });
    expect(await ask(stateless('ping', {}, 'e').message)).toMatchObject({ id: 'e' });
    expect(await ask(initialize())).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(own.sessions).toHaveLength(1);
  });

  it.each([
    ['unknown', '2099-01-01'],
    ['older', '2025-11-25'],
  ])(
    'is refused a request of an %s version, before and after one was accepted',
    async (_, version) => {
      const { ask, served: own } = await pipe({ say: () => text('hello') });
      const error = { code: -32022, data: { supported: own.versions } };
      expect(await ask(inVersion(call('say', 1), version))).toMatchObject({ id: 1, error });
      expect(await ask(call('say', 2))).toMatchObject({ id: 2, result: {} });
      expect(await ask(inVersion(call('say', 3), version))).toMatchObject({ id: 3, error });
    },
  );

  it('is refused a request whose method is no text, before and after a handshake', async () => {
    const { ask } = await pipe();
    const message = { jsonrpc: '2.0', id: 7, method: 7 };
    expect(await ask(message)).toMatchObject({ error: { code: -32600 } });
    await ask(initialize());
    expect(await ask(message)).toMatchObject({ error: { code: -32600 } });
  });

  const NO_ID = 'The line is not a JSON-RPC message';
  const LONG_ID = 'The id has more than 1000 characters';

  it.each<[unknown, string]>([
    ...[[], {}, null, 1.5, true, 2 ** 60].map((id): [unknown, string] => [id, NO_ID]),
    ['x'.repeat(1_001), LONG_ID],
  ])(
    'is refused a request with an id that is none (%#), however wrong the rest is',
    async (id, message) => {
      const { ask } = await pipe();
      const refused = { jsonrpc: '2.0', error: { code: -32600, message } };
      const unenveloped = inVersion({ ...discover, id }, '2099-01-01');
      expect(await ask(unenveloped)).toEqual(refused);
      await ask(initialize());
      expect(await ask(unenveloped)).toEqual(refused);
      expect(await ask({ ...ping, id })).toEqual(refused);
    },
  );

  it('is refused requests of other versions in a session', async () => {
    const { ask } = await pipe({ say: () => text('hello') });
    await ask(initialize());
    expect(await ask(call('say'))).toMatchObject({ id: 1, error: { code: -32022 } });
    expect(await ask(ping)).toMatchObject({ id: 'p', result: {} });
  });

  it('is refused what only other servers offer', async () => {
    const modern = await pipe({}, ['2026-07-28']);
    expect(await modern.ask(initialize())).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    });
    expect(await modern.ask(ping)).toMatchObject({ error: { code: -32022 } });
    const legacy = await pipe({}, ['2025-11-25']);
    expect(await legacy.ask(discover)).toMatchObject({ error: { code: -32022 } });
    expect(await legacy.ask(initialize())).toMatchObject({ result: {} });
  });

  it.each([
    ['{', -32700],
    ['hello', -32700],
    [`${'['.repeat(501)}${']'.repeat(501)}`, -32600],
    ['7', -32600],
    ['{"a":1}', -32600],
    ['[]', -32600],
    [JSON.stringify([ping]), -32600],
  ])('gets an answer without an id to the line %s', async (line, code) => {
    const { write, messages, ask } = await pipe();
    write(line);
    await until(() => messages().length === 1);
    await ask(initialize());
    write(line);
    await until(() => messages().length === 3);
    for (const message of [messages()[0], messages()[2]]) {
      expect(message).toMatchObject({ jsonrpc: '2.0', error: { code } });
      expect(message).not.toHaveProperty('id');
    }
  });

  it('gets null for the id in the revisions that leave it to JSON-RPC', async () => {
    const { write, messages, ask } = await pipe();
    await ask(initialize('2025-06-18'));
    for (const line of ['{', '[7]', '{"jsonrpc":"2.0","id":{},"method":"ping"}']) write(line);
    await until(() => messages().length === 4);
    expect(messages().slice(1)).toMatchObject([{ id: null }, { id: null }, { id: null }]);
  });

  it('may send several messages in a line where the revision has batches', async () => {
    const { ask, write, messages } = await pipe();
    await ask(initialize('2025-03-26'));
    write(JSON.stringify([ping, { ...ping, id: 'q' }]));
    await until(() => messages().length === 3);
    expect(messages().map(({ id }) => id)).toEqual(['init', 'p', 'q']);
  });

  it('cancels a request without a session by a notification that names no version', async () => {
    const signals: AbortSignal[] = [];
    const { write, ask } = await pipe({
      waits: (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    write(JSON.stringify(call('waits', 'w')));
    await until(() => signals.length === 1);
    const params = { requestId: 'w', reason: 'enough' };
    write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
    await until(() => signals[0]?.aborted === true);
    expect(await ask(discover)).toMatchObject({ id: 'd' });
  });

  it('that closes its input ends its requests, after the lines before were taken', async () => {
    const signals: AbortSignal[] = [];
    const { source, handle } = await pipe({
      waits: (_, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    const lines = Array.from({ length: 40 }, (_, id) => `${JSON.stringify(call('waits', id))}\n`);
    source.end(lines.join(''));
    await handle.closed;
    expect(signals).toHaveLength(40);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('may send lines of 10 MiB, and is disconnected for a longer one', async () => {
    const longest = 10 * 2 ** 20;
    const empty = JSON.stringify({ ...ping, id: '' });
    const lineOf = (length: number): string =>
      `${empty.replace('"id":""', `"id":"${'x'.repeat(length - empty.length - 1)}"`)}\n`;
    const { ask, source, messages, handle, problems } = await pipe();
    await ask(initialize());
    source.write(lineOf(longest));
    await until(() => messages().length === 2);
    source.write(lineOf(longest + 1));
    await handle.closed;
    expect(problems.map(String)).toEqual([`Error: A line is longer than ${longest} bytes`]);
  });
});

describe('what comes right behind a handshake', () => {
  const OLDER = ['2025-11-25', '2025-03-26'] as const;

  it('is served in the revision of the handshake, whatever it is', async () => {
    const { write, messages } = await pipe({ say: () => text('hello') }, OLDER);
    write(
      [
        initialize('2025-03-26'),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        [ping, { ...ping, id: 'q' }],
        { ...ping, id: 'last' },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    await until(() => messages().length === 4);
    expect(messages().map(({ id, result }) => [id, result !== undefined])).toEqual([
      ['init', true],
      ['p', true],
      ['q', true],
      ['last', true],
    ]);
  });

  it('is served after one that failed', async () => {
    const { write, messages } = await pipe();
    const broken = { ...initialize(), params: {} };
    write([broken, initialize(), ping].map((each) => JSON.stringify(each)).join('\n'));
    await until(() => messages().length === 3);
    expect(messages().map(({ error, result }) => error ?? result)).toMatchObject([
      { code: -32602 },
      { protocolVersion: '2025-11-25' },
      {},
    ]);
  });

  it('may be a list of 100 messages and no more', async () => {
    const { ask, messages, write } = await pipe({}, OLDER);
    await ask(initialize('2025-03-26'));
    expect(await ask(Array<object>(101).fill(ping))).toMatchObject({ error: { code: -32600 } });
    write(JSON.stringify(Array(100).fill(ping)));
    await until(() => messages().length === 102);
  });
});

describe('a version that a connection does not speak', () => {
  const supportedIn = (answer: JsonObject): unknown =>
    (answer as { error?: { data?: { supported?: unknown } } }).error?.data?.supported;

  it('is refused with those that it does speak: never with itself', async () => {
    for (const spoken of ['2025-11-25', '2025-03-26'] as const) {
      const { ask } = await pipe({}, ['2026-07-28', '2025-11-25', '2025-03-26']);
      await ask(initialize(spoken));
      expect(supportedIn(await ask(call('say')))).toEqual([spoken]);
      expect(supportedIn(await ask(discover))).toEqual([spoken]);
    }
    const { ask } = await pipe({ say: () => text('hello') });
    await ask(call('say'));
    expect(supportedIn(await ask(initialize()))).toEqual(['2026-07-28']);
    expect(supportedIn(await ask(ping))).toEqual(['2026-07-28']);
  });
});

it.each([
  ['invalid UTF-8', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], -32700],
  ['half a character', [0x22, 0xf0, 0x9f, 0x22], -32700],
  ['4 MiB of brackets', Buffer.alloc(4 * 2 ** 20, '['), -32600],
  [
    '300,000 names',
    Buffer.from(
      JSON.stringify(Object.fromEntries([...Array(300_000).keys()].map((at) => [at, 1]))),
    ),
    -32600,
  ],
])('a line of %s is refused, and the next one served', async (_, bytes, code) => {
  const { source, messages, ask } = await pipe();
  await ask(initialize());
  source.write(Buffer.concat([Buffer.from(bytes), Buffer.from('\n')]));
  await until(() => messages().length === 2);
  expect(messages()[1]).toMatchObject({ error: { code } });
  expect(await ask(ping)).toMatchObject({ id: 'p', result: {} });
});
