import { expect, it, onTestFinished } from 'vitest';

import { createTaskServer, serveHttp } from '../../runtime/server/index.js';
import { type Draft, REQUESTS } from './drafts.js';
import { target } from './hostile/target.js';
import { bytesOf, type HostileRequest, requestOf } from './hostile/request.js';
import { authorization } from './tokens.js';
import { release, testTools } from './tools.js';
import { BEFORE_NODE_CLOSES, eventually, wireTo } from './hostile/wire.js';

const draft = (name: string): Draft => REQUESTS[name] as Draft;
const inSession = (message: object): Draft => ({
  ...draft('core ping'),
  message: { jsonrpc: '2.0', id: 7, ...message },
});
const held = { name: 'held', arguments: { label: 'none' } };

const ANSWERS: Readonly<Record<string, Draft>> = {
  JSON: draft('core ping'),
  'JSON of 2026-07-28': draft('ext plain 0 add'),
  'a stream': draft('core plain 0 add'),
  'a stream with progress': inSession({
    method: 'tools/call',
    params: { ...held, _meta: { progressToken: 'p' } },
  }),
  'a refusal': inSession({}),
};

it('a connection is closed after its answer when the client asks for it', async () => {
  const { url, fill } = await target();
  release('none');
  for (const [kind, { headers, message }] of Object.entries(ANSWERS)) {
    for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
      const request = requestOf({ headers: { ...headers, Connection: 'close' }, message });
      const wire = wireTo(url);
      await wire.send([bytesOf({ ...request, version }, fill)], ['POST']);
      const isClosed = await eventually(() => wire.closed, BEFORE_NODE_CLOSES);
      expect(isClosed, `${kind}, ${version}`).toBe(true);
      const [answer] = wire.answers;
      expect(answer?.whole).toBe(true);
      expect(answer?.headers.map((line) => line.toLowerCase())).toContain('connection: close');
    }
  }
});

it('an idle connection stays open for longer than those of proxies', async () => {
  const server = await createTaskServer({ name: 'test', version: '1.0.0', tools: testTools });
  const http = await serveHttp(server, { auth: authorization });
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  const response = await fetch(http.url);
  expect(response.headers.get('keep-alive')).toBe('timeout=65');
  await response.body?.cancel();
});

it('a request that follows another at once, and expects 100, gets it before its answer', async () => {
  const { url, fill } = await target();
  const { headers } = draft('core ping');
  const expecting = { ...headers, Expect: '100-continue' };
  const long = { name: 'add', arguments: { a: 'x'.repeat(10_000) } };
  for (const [message, status] of [
    [draft('core ping').message, 200],
    [{}, 400],
    [{ jsonrpc: '2.0', id: 8, method: 'tools/call', params: long }, 200],
  ] as const) {
    const wire = wireTo(url);
    const requests = [requestOf(draft('core ping')), requestOf({ headers: expecting, message })];
    const bytes = requests.map((each) => bytesOf(each, fill));
    await wire.send([Buffer.concat(bytes)], ['POST', 'POST']);
    const isAnswered = (): boolean => wire.answers.length === 3 && wire.answers[2]?.whole === true;
    await eventually(isAnswered);
    expect(wire.answers.map((answer) => answer.status)).toEqual([200, 100, status]);
  }
});

it('a request is refused before its body has come, where the head says enough', async () => {
  const { url } = await target();
  const { headers } = draft('core ping');
  const cases: readonly (readonly [number, Partial<HostileRequest>, Draft['headers']])[] = [
    [400, {}, { Host: 'local host' }],
    [401, {}, { Authorization: 'Bearer none' }],
    [403, {}, { Host: 'evil.example' }],
    [403, {}, { Origin: 'https://evil.example' }],
    [404, { target: '/other' }, {}],
    [405, { method: 'PUT' }, {}],
    [413, {}, { 'Content-Length': '99999999' }],
    [415, {}, { 'Content-Type': 'text/plain' }],
  ];
  for (const [status, changes, changed] of cases) {
    const all = { ...headers, 'Content-Length': '1000', ...changed };
    const request = { ...requestOf({ headers: all, message: undefined }), ...changes };
    const wire = wireTo(url);
    await wire.send([bytesOf(request, (text) => text)], [request.method]);
    await eventually(() => wire.answers[0]?.whole === true);
    expect(wire.answers.map((answer) => answer.status)).toEqual([status]);
    wire.break();
  }
});

it('an authorization of its own gets the request with its body', async () => {
  const seen: string[] = [];
  const { url, fill } = await target({
    auth: {
      authenticate: async (request) => {
        seen.push(await request.text());
        return authorization.authenticate(request);
      },
      metadata: () => undefined,
    },
  });
  const wire = wireTo(url);
  const request = requestOf(draft('core ping'));
  await wire.send([bytesOf(request, fill)], ['POST']);
  await eventually(() => wire.answers[0]?.whole === true);
  expect(wire.answers[0]?.status).toBe(200);
  expect(seen.at(-1)).toBe(request.body);
});
