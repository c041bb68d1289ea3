import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveBoard } from '../../runtime/admin/board/index.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { sized } from '../support/size.js';
import { HOSTILE } from './hostile.js';
import { insertAll, startBoard, taskOf, type TestBoard } from './support.js';

const ROUTES = ['/api/tasks', '/api/counts', '/api/tasks/x', '/api/events', '/api/nothing'];

/** A board with one task of each kind, newest first: cancelled, failed, completed, asking, working. */
async function filled(): Promise<TestBoard> {
  const board = await startBoard();
  await insertAll(board.store, [
    taskOf(1),
    taskOf(2, {
      status: 'input_required',
      version: 2,
      input: [{ key: 'input-1', method: 'elicitation/create', params: '{"message":"secret-q"}' }],
      steps: [{ name: 'first', attempt: 1, result: '"secret-s"', at: Date.now() }],
      trace: { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` },
    }),
    taskOf(3, { status: 'completed', version: 2, outcome: '{"result":{"content":["secret-r"]}}' }),
    taskOf(4, { status: 'failed', version: 2, statusMessage: 'Out of paper', tool: 'print' }),
    taskOf(5, { status: 'cancelled', version: 2, owner: 'ben' }),
  ]);
  return board;
}

const idsOf = (value: unknown): string[] =>
  (value as { tasks: { id: string }[] }).tasks.map(({ id }) => id);
const ids = (...numbers: number[]): string[] => numbers.map((n) => taskOf(n).id);

describe('who may use the board', () => {
  it('those with the secret of its URL, which no answer contains', async () => {
    const { url, token, send } = await filled();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(url.hostname).toBe('127.0.0.1');
    const page = await send('/');
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(token);
    for (const authorization of ['', 'Bearer', `Bearer ${token}x`, `bearer ${token}`, token]) {
      for (const path of ROUTES) {
        const { status, text, headers } = await send(path, { headers: { authorization } });
        expect({ path, status }).toEqual({ path, status: 401 });
        expect(headers['www-authenticate']).toBe('Bearer');
        expect(text).not.toContain(taskOf(1).id);
      }
    }
    const inQuery = await send(`/api/tasks?token=${token}`);
    expect(inQuery.status).toBe(401);
  });

  it.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.',
    '10.0.0.1',
    '',
    'a b',
    'x@127.0.0.1',
  ])('no page that reaches it as the host %j', async (name) => {
    const { ask, url } = await filled();
    for (const path of ['/', '/page/board.js', ...ROUTES]) {
      const { status } = await ask(path, { headers: { host: `${name}:${url.port}` } });
      expect([400, 403]).toContain(status);
    }
  });

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'board.example'])(
    'by the host %s, and by any port of a tunnel',
    async (name) => {
      const { ask } = await startBoard({ allowedHosts: ['Board.example'] });
      const { status } = await ask('/api/counts', { headers: { host: `${name}:8080` } });
      expect(status).toBe(200);
    },
  );

  // Other systems have no such address by default.
  it.runIf(process.platform === 'linux')('by any address of this machine that it has', async () => {
    const { ask, url } = await startBoard({ host: '127.0.0.2' });
    expect(url.hostname).toBe('127.0.0.2');
    expect((await ask('/api/counts')).status).toBe(200);
  });

  it.each([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://user@127.0.0.1:1' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    // Another port of this machine is the same site, and another origin.
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])('no page with the headers %o, whatever secret it has', async (headers) => {
    const { ask, post, token, send, store } = await filled();
    for (const path of ROUTES) expect((await ask(path, { headers })).status).toBe(403);
    const action = await send(`/api/tasks/${taskOf(1).id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: '{}',
    });
    expect(action.status).toBe(403);
    expect((await store.get(taskOf(1)))?.status).toBe('working');
    expect((await post(`/api/tasks/${taskOf(1).id}/cancel`)).status).toBe(200);
  });

  it('its own page, through a proxy with TLS too', async () => {
    const { ask } = await startBoard({ allowedHosts: ['board.example'] });
    const headers = { host: 'board.example', origin: 'https://board.example' };
    expect((await ask('/api/counts', { headers })).status).toBe(200);
    expect(
      (await ask('/api/counts', { headers: { 'sec-fetch-site': 'same-origin' } })).status,
    ).toBe(200);
  });

  it.each(['board.example:80', 'https://board.example', '*', 'a b', ''])(
    'none by an allowed host that is no name: %j',
    async (name) => {
      const starting = serveBoard({ store: createMemoryStore(), allowedHosts: [name] });
      await expect(starting).rejects.toThrow('a name without scheme and port');
    },
  );

  it.each([
    ['a header twice', 400, 'Origin: a\r\nOrigin: http://127.0.0.1\r\n'],
    ['1,000 headers', 431, 'A:\r\n'.repeat(999)],
  ])('none with %s', async (_, status, headers) => {
    const { url } = await filled();
    const socket = connect(Number(url.port), url.hostname);
    onTestFinished(() => void socket.destroy());
    const answer = new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(data.toString())),
    );
    socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
    expect((await answer).slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
  });
});

describe('a board that other machines may use', () => {
  const identity = { clientId: 'app', extra: { issuer: 'https://issuer.example', subject: 'ann' } };
  const auth = {
    authenticate: (request: Request) =>
      Promise.resolve(
        request.headers.get('authorization') === 'Bearer good'
          ? identity
          : new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer x="y"' } }),
      ),
  };

  it.each(['0.0.0.0', '::', '192.0.2.1', 'board.example', '127.0.0.1.example', '1270.0.0.1'])(
    'needs an authorization: %s',
    async (host) => {
      const starting = serveBoard({ store: createMemoryStore(), host });
      await expect(starting).rejects.toThrow("the server's authorization");
      await expect(starting).rejects.toThrow('ssh -L');
    },
  );

  it('asks the authorization, and names its user in what is done', async () => {
    const { url, send, actions, store } = await startBoard({ auth });
    await insertAll(store, [taskOf(1)]);
    expect(url.hash).toBe('');
    const refused = await send('/api/tasks', { headers: { authorization: 'Bearer bad' } });
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer x="y"' } });
    const cancelled = await send(`/api/tasks/${taskOf(1).id}/cancel`, {
      method: 'POST',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(cancelled.status).toBe(200);
    expect(actions).toMatchObject([{ by: '["https://issuer.example","ann","app"]' }]);
  });
});

describe('requests', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'GET', 'HEAD'])(
    'with %s change nothing',
    async (method) => {
      const { ask, store } = await filled();
      const { status, headers } = await ask(`/api/tasks/${taskOf(1).id}/cancel`, { method });
      expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'POST' });
      expect((await store.get(taskOf(1)))?.status).toBe('working');
    },
  );

  it.each([
    ['text/plain', '{}', 415],
    ['application/x-www-form-urlencoded', 'again=true', 415],
    ['application/json', '', 400],
    ['application/json', '[]', 400],
    ['application/json', 'null', 400],
    ['application/json', '{"again":1}', 400],
    ['application/json', '{"force":true}', 400],
    ['application/json', '{"__proto__":{"again":true}}', 400],
    ['application/json', `{"again":${' '.repeat(2_000)}true}`, 413],
  ])('with a body of %s %j do nothing', async (type, body, expected) => {
    const { ask, store, actions } = await filled();
    const headers = { 'content-type': type };
    const path = `/api/tasks/${taskOf(1).id}/cancel`;
    expect((await ask(path, { method: 'POST', headers, body })).status).toBe(expected);
    expect((await store.get(taskOf(1)))?.status).toBe('working');
    expect(actions).toEqual([]);
  });

  it.each([
    'status=done',
    'status=working&status=failed',
    'limit=0',
    'limit=201',
    'limit=1e2',
    'limit=-1',
    'before=%00',
    'before=../x',
    `before=${'a'.repeat(65)}`,
    'id=%27%20OR%201=1',
    'tool=',
    `owner=${'x'.repeat(2_001)}`,
    'page=1',
    '__proto__=1',
  ])('with the parameters %s are refused', async (query) => {
    const { ask, faults } = await filled();
    expect((await ask(`/api/tasks?${query}`)).status).toBe(400);
    expect(faults).toEqual([]);
  });

  it('with any path, parameter and method get an answer, and never a fault', async () => {
    const { ask, faults } = await filled();
    const part = fc.stringMatching(/^[a-zA-Z0-9%./?&=#;:@'"<>_~-]{0,30}$/);
    const methods = fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', 'api/', 'api/tasks/', 'api/tasks?'),
        part,
        methods,
        async (start, rest, method) => {
          const { status } = await ask(`/${start}${rest}`, { method });
          expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: sized(300) },
    );
    expect(faults).toEqual([]);
  });

  it('get no HTML, are not kept, and are not framed', async () => {
    const { ask, send } = await filled();
    for (const { headers } of [await ask('/api/tasks'), await ask('/api/x'), await send('/')]) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none';.*frame-ancestors 'none'/,
      );
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await ask('/api/tasks')).headers['content-type']).toBe('application/json');
    const [first, second] = [await send('/'), await send('/')];
    expect(first.headers['content-security-policy']).not.toBe(
      second.headers['content-security-policy'],
    );
    expect(first.headers['content-security-policy']).not.toContain('unsafe');
  });

  it('that make the store fail get no message of the store', async () => {
    const store = createMemoryStore();
    const { administration } = store;
    if (administration === undefined) throw new Error('no administration');
    const fail = (): Promise<never> => Promise.reject(new Error('password=hunter2'));
    const board = await startBoard({
      store: { ...store, administration: { ...administration, find: fail, count: fail } },
    });
    for (const path of ['/api/tasks', '/api/counts', `/api/tasks/${taskOf(1).id}`]) {
      const { status, text, headers } = await board.ask(path);
      expect(status).toBe(503);
      expect(headers['retry-after']).toBe('5');
      expect(text).not.toContain('hunter2');
    }
    expect(board.faults).toHaveLength(3);
  });
});

describe('what the board shows', () => {
  it('lists by status, tool, owner and the beginning of an id', async () => {
    const { ask } = await filled();
    const found = async (query: string) => idsOf((await ask(`/api/tasks?${query}`)).value);
    expect(await found('')).toEqual(ids(5, 4, 3, 2, 1));
    expect(await found('status=failed')).toEqual(ids(4));
    expect(await found('status=input_required')).toEqual(ids(2));
    expect(await found('tool=print')).toEqual(ids(4));
    expect(await found('owner=ben')).toEqual(ids(5));
    expect(await found('owner=ben&status=working')).toEqual([]);
    expect(await found(`id=${taskOf(3).id}`)).toEqual(ids(3));
    expect(await found(`id=${taskOf(3).id.slice(0, -1)}`)).toEqual(ids(5, 4, 3, 2, 1));
    expect(await found('id=0')).toEqual([]);
    expect(await found(`before=${taskOf(3).id}`)).toEqual(ids(2, 1));
    expect((await ask('/api/counts')).value).toMatchObject({
      counts: { working: 1, input_required: 1, completed: 1, failed: 1, cancelled: 1 },
    });
  });

  it('shows and counts a task of the extension whose tool returned an error as failed', async () => {
    const { ask, store } = await filled();
    const ended = { dialect: 'ext', status: 'completed', version: 2 } as const;
    const outcome = '{"result":{"isError":true}}';
    await insertAll(store, [taskOf(6, { ...ended, outcome, statusMessage: 'No paper' })]);
    expect((await ask('/api/counts')).value).toMatchObject({ counts: { completed: 1, failed: 2 } });
    expect(idsOf((await ask('/api/tasks?status=failed')).value)).toEqual(ids(6, 4));
    expect(idsOf((await ask('/api/tasks?status=completed')).value)).toEqual(ids(3));
    expect((await ask(`/api/tasks/${taskOf(6).id}`)).value).toMatchObject({
      task: { status: 'failed', protocolStatus: 'completed', mayRetry: true },
    });
  });

  it('names its server, whatever the name is made of', async () => {
    const { send } = await startBoard({ name: 'shop </title><script>&' });
    const { text } = await send('/');
    expect(text).toContain('<title>shop &lt;/title>&lt;script>&amp;: Tasks</title>');
    expect(text.match(/<script/g)).toHaveLength(1);
  });

  it('shows sizes of what clients and handlers sent, and their texts only when asked', async () => {
    const { ask, actions } = await filled();
    const path = `/api/tasks/${taskOf(2).id}`;
    const { text, value } = await ask(path);
    expect(text).not.toMatch(/secret-|"n":1/);
    expect(value).toMatchObject({
      task: {
        history: [{ status: 'working' }],
        steps: [{ name: 'first', finished: true, bytes: 10 }],
        input: [{ key: 'input-1', answered: false }],
        traceId: 'ab'.repeat(16),
        mayCancel: true,
        mayRetry: false,
      },
    });
    expect(actions).toEqual([]);
    const shown = await ask(`${path}?payloads=1`);
    expect(shown.text).toMatch(/secret-q.*|secret-s/);
    // The page reads it again at each change.
    await ask(`${path}?payloads=1`);
    expect(actions).toMatchObject([{ type: 'payloads_shown', by: 'board', taskId: taskOf(2).id }]);
  });

  it('never shows payloads where that is switched off', async () => {
    const board = await startBoard({ payloads: false });
    await insertAll(board.store, [taskOf(1)]);
    const path = `/api/tasks/${taskOf(1).id}`;
    expect((await board.ask(path)).value).toMatchObject({ payloads: false });
    expect((await board.ask(`${path}?payloads=1`)).status).toBe(403);
    expect(board.actions).toEqual([]);
  });

  it('cuts what is too long for a page', async () => {
    const board = await startBoard();
    await insertAll(board.store, [
      taskOf(1, { args: JSON.stringify({ x: 'y'.repeat(1_000_000) }) }),
    ]);
    const { text, value } = await board.ask(`/api/tasks/${taskOf(1).id}?payloads=1`);
    expect(text.length).toBeLessThan(100_000);
    expect(value).toMatchObject({ task: { request: { bytes: 1_000_008, isCut: true } } });
  });

  it.each(HOSTILE)('answers with the text %j as it is, as JSON', async (hostile) => {
    const board = await startBoard();
    await insertAll(board.store, [
      taskOf(1, {
        tool: hostile,
        owner: hostile,
        status: 'failed',
        version: 2,
        statusMessage: hostile,
      }),
    ]);
    const list = await board.ask('/api/tasks');
    expect(list.value).toMatchObject({ tasks: [{ tool: hostile, statusMessage: hostile }] });
    expect(list.headers['content-type']).toBe('application/json');
    // A URL cannot contain half a character.
    if (/\p{Surrogate}/u.test(hostile)) return;
    const path = `/api/tasks?owner=${encodeURIComponent(hostile)}`;
    expect(idsOf((await board.ask(path)).value)).toEqual(ids(1));
  });
});

describe('actions', () => {
  it('cancel a live task once, and say what was done', async () => {
    const { post, actions, store } = await filled();
    const path = `/api/tasks/${taskOf(2).id}/cancel`;
    expect((await post(path)).status).toBe(200);
    expect(await store.get(taskOf(2))).toMatchObject({
      status: 'cancelled',
      statusMessage: 'Cancelled by an administrator',
    });
    expect(await post(path)).toMatchObject({ status: 409, value: { error: { reason: 'ended' } } });
    expect(actions).toMatchObject([
      { type: 'cancelled', by: 'board', taskId: taskOf(2).id, owner: 'ann', tool: 'sample' },
    ]);
  });

  it('retry a task that failed or was cancelled, once unless again', async () => {
    const { post, ask, actions } = await filled();
    const path = (n: number) => `/api/tasks/${taskOf(n).id}/retry`;
    expect((await post(path(1))).status).toBe(409);
    expect((await post(path(3))).status).toBe(409);
    const { value } = await post(path(4));
    const { retriedAs } = value as { retriedAs: string };
    expect((await ask(`/api/tasks/${retriedAs}`)).value).toMatchObject({
      task: { status: 'working', retryOf: taskOf(4).id, tool: 'print' },
    });
    expect((await post(path(4))).status).toBe(409);
    expect((await post(path(4), { again: true })).status).toBe(200);
    expect((await post(path(5))).status).toBe(200);
    expect(actions.map(({ type }) => type)).toEqual(['retried', 'retried', 'retried']);
    expect(actions[0]).toMatchObject({ retriedAs, taskId: taskOf(4).id });
  });

  it('of an unknown id are 404', async () => {
    const { post, ask } = await filled();
    expect((await post('/api/tasks/1a2/cancel')).status).toBe(404);
    expect((await post('/api/tasks/1a2/retry')).status).toBe(404);
    expect((await ask('/api/tasks/1a2')).status).toBe(404);
    expect((await ask('/api/tasks/..%2f..%2fetc')).status).toBe(400);
  });
});

it('needs a store with administration', async () => {
  const { administration: _, ...store } = createMemoryStore();
  await expect(serveBoard({ store })).rejects.toThrow('"administration"');
});
