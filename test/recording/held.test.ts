import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { proxyHttp } from '../../contracts/recording/proxy/index.js';

const BAD = '{"jsonrpc":"2.0","id":1,"result":{"is":"bad"}}';

/** A proxy that replaces every message, in front of a server with this answer. */
async function held(status: number, headers: Record<string, string>, body: string | Buffer) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const problems: string[] = [];
  const proxy = await proxyHttp({
    target: new URL(`http://127.0.0.1:${String(port)}/mcp`),
    port: 0,
    headers: {},
    watcher: {
      holds: true,
      see({ from, message, fault }) {
        if (fault) problems.push(fault.why);
        return from === 'server' ? { instead: 'good' } : { instead: message };
      },
    },
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(() => proxy.close());
  const ask = async (method: string) => {
    const init = method === 'POST' && { body: '{}' };
    const response = await fetch(proxy.url, { method, redirect: 'manual', ...init });
    return { status: response.status, text: await response.text() };
  };
  return { ask, problems };
}

it.each([
  ['GET', 'text/event-stream; charset=utf-8', `data: ${BAD}\n\n`],
  ['POST', 'application/json', `[${BAD},{}]`],
  ['POST', 'APPLICATION/JSON;charset=utf-8', BAD],
  ['POST', 'text/event-stream', `: x\rdata: ${BAD}\r\r\n\n`],
])('a held message in an answer to %s is seen: %s', async (method, type, body) => {
  const { ask } = await held(200, { 'content-type': type }, body);
  const { text } = await ask(method);
  expect(text).toContain('good');
  expect(text).not.toContain('bad');
});

it.each([
  ['GET', 'text/plain', `data: ${BAD}\n\n`],
  ['GET', 'application/json, text/event-stream', `{}\n\ndata: ${BAD}\n\n`],
  ['POST', 'text/plain', BAD],
  ['POST', '', BAD],
  ['POST', 'application/json; x=1, text/event-stream', BAD],
])('an answer to %s of another type is refused: %s', async (method, type, body) => {
  const { ask, problems } = await held(200, { 'content-type': type }, body);
  const { status, text } = await ask(method);
  expect(status).toBe(502);
  expect(text).not.toContain('bad');
  expect(problems).toEqual([expect.stringContaining('is neither that of JSON nor of events')]);
});

it.each([
  ['GET', 'text/event-stream', 'data: '],
  ['POST', 'application/json', ''],
])('an answer to %s that is too deep is not parsed (%s)', async (method, type, before) => {
  const body = `${before}${'['.repeat(4_000_000)}\n\n`;
  const { ask, problems } = await held(200, { 'content-type': type }, body);
  expect((await ask(method)).text).not.toContain('[[');
  expect(problems).toEqual(['is nested more than 500 levels deep']);
});

it('a compressed answer is refused while messages are held', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const { ask, problems } = await held(200, headers, gzipSync(BAD));
  expect(await ask('POST')).toMatchObject({ status: 502 });
  expect(problems).toEqual([expect.stringMatching(/compressed \("gzip"\)\.$/)]);
});

it.each(['https://example.com/mcp', '//example.com/mcp', '/\\example.com/mcp'])(
  'a redirect to %s is refused while messages are held',
  async (location) => {
    const { ask, problems } = await held(307, { location }, '');
    expect(await ask('POST')).toMatchObject({ status: 502 });
    expect(problems).toEqual([expect.stringContaining(`redirects to ${JSON.stringify(location)}`)]);
  },
);

it('a redirect to a path of the server passes', async () => {
  const { ask } = await held(307, { location: '/mcp/' }, '');
  expect(await ask('POST')).toMatchObject({ status: 307 });
});
