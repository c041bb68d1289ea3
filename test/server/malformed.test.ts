import { gzipSync } from 'node:zlib';

import fc from 'fast-check';
import { onTestFinished, describe, expect, it } from 'vitest';

import { createTaskServer, type RefusedRequest, serveHttp } from '../../runtime/server/index.js';
import { sized } from '../support/size.js';
import { MOUNTED } from './mounts.js';
import { exchange, request } from './raw.js';
import { rig } from './support.js';
import { authorization, RESOURCE, tokenOf } from './tokens.js';
import { testTools } from './tools.js';

interface Served {
  readonly url: string;
  readonly host: string;
  readonly problems: Error[];
  readonly refusals: RefusedRequest[];
}

async function serve(): Promise<Served> {
  const problems: Error[] = [];
  const refusals: RefusedRequest[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: testTools,
    onError: (error) => problems.push(error),
  });
  const http = await serveHttp(server, {
    auth: authorization,
    maxBodyBytes: 2 ** 20,
    onRefused: (refusal) => refusals.push(refusal),
  });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return { url: http.url, host: new URL(http.url).host, problems, refusals };
}

type Headers = readonly (readonly [string, string])[];

const AUTHORIZATION = ['Authorization', `Bearer ${tokenOf('ann')}`] as const;
const PING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
});

const FILL: Headers = Array.from({ length: 1_000 }, () => ['A', '']);
const GZIP = ['Content-Encoding', 'gzip'] as const;

function headersOf(host: string, body: string | Buffer = PING): Headers {
  return [
    ['Host', host],
    AUTHORIZATION,
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ['Content-Length', String(Buffer.byteLength(body))],
  ];
}

async function expectAlive({ url, host }: Served): Promise<void> {
  const { status } = await exchange(url, request('POST /mcp HTTP/1.1', headersOf(host), PING));
  expect(status).toBe(200);
}

async function expectRefused(served: Served, bytes: Buffer): Promise<number> {
  const { status = 0, text } = await exchange(served.url, bytes);
  expect(Math.floor(status / 100), `${bytes.toString('latin1')}\n→ ${text}`).toBe(4);
  return status;
}

describe('requests that break the rules of HTTP', () => {
  const post = (host: string, more: Headers = [], body: string | Buffer = PING): Buffer =>
    request('POST /mcp HTTP/1.1', [...headersOf(host, body), ...more], body);
  const instead = (host: string, name: string, value: string): Buffer =>
    request(
      'POST /mcp HTTP/1.1',
      headersOf(host).map(([each, old]) => [each, each === name ? value : old] as const),
      PING,
    );

  const chunked = (host: string, body: string): Buffer =>
    request(
      'POST /mcp HTTP/1.1',
      [...headersOf(host).slice(0, -1), ['Transfer-Encoding', 'chunked']],
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );

  it.each<[string, number, (host: string) => Buffer]>([
    ['a malformed Host', 400, (host) => instead(host, 'Host', 'local host')],
    ['a Host with a path', 400, (host) => instead(host, 'Host', `${host}/x`)],
    ['a Host with a user', 400, (host) => instead(host, 'Host', `ann@${host}`)],
    ['a Host with a port that is none', 400, (host) => instead(host, 'Host', 'localhost:port')],
    ['a Host with a port that is too large', 400, () => instead('', 'Host', 'localhost:99999')],
    ['a Host in brackets that are not closed', 400, () => instead('', 'Host', '[::1')],
    ['an empty Host', 403, (host) => instead(host, 'Host', '')],
    ['no Host', 400, (host) => request('POST /mcp HTTP/1.1', headersOf(host).slice(1), PING)],
    ['two Hosts', 400, (host) => post(host, [['Host', 'evil.example']])],
    ['two tokens', 400, (host) => post(host, [['Authorization', 'Bearer other']])],
    [
      'two sessions',
      400,
      (host) =>
        post(host, [
          ['Mcp-Session-Id', 'a'],
          ['mcp-session-id', 'b'],
        ]),
    ],
    ['two lengths', 400, (host) => post(host, [['Content-Length', '1']])],
    ['a length that is no number', 400, (host) => instead(host, 'Content-Length', 'many')],
    ['a negative length', 400, (host) => instead(host, 'Content-Length', '-1')],
    ['a length that is too large', 413, (host) => instead(host, 'Content-Length', '99999999')],
    ['chunks that are too large together', 413, (host) => chunked(host, 'x'.repeat(2 ** 20 + 1))],
    ['a length and chunks', 400, (host) => post(host, [['Transfer-Encoding', 'chunked']])],
    ['a header that is too long', 431, (host) => post(host, [['X-Long', 'x'.repeat(100_000)]])],
    ['a token behind 1,000 headers', 431, (host) => post(host, [...FILL, AUTHORIZATION])],
    ['1,000 headers', 431, (host) => post(host, FILL.slice(0, 995))],
    ['a header with a NUL', 400, (host) => post(host, [['X-Nul', 'a\0b']])],
    [
      'a URL that is too long',
      431,
      (host) => request(`GET /${'x'.repeat(100_000)} HTTP/1.1`, headersOf(host)),
    ],
    ['the URL of another host', 400, (host) => request('GET http://x/ HTTP/1.1', headersOf(host))],
    ['the URL of a foreign host', 403, () => request('GET http://x/mcp HTTP/1.1', headersOf('x'))],
    ['a URL that is none', 400, (host) => request('GET http://[/ HTTP/1.1', headersOf(host))],
    ['a target that is no path', 400, (host) => request('OPTIONS * HTTP/1.1', headersOf(host))],
    ['TRACE', 405, (host) => request('TRACE /mcp HTTP/1.1', [['Host', host]])],
    ['CONNECT', 405, (host) => request('CONNECT localhost:1 HTTP/1.1', [['Host', host]])],
    ['PUT', 405, (host) => request('PUT /mcp HTTP/1.1', headersOf(host), PING)],
    ['PATCH', 405, (host) => request('PATCH /mcp HTTP/1.1', headersOf(host), PING)],
    ['an unknown method', 400, (host) => request('BREW /mcp HTTP/1.1', [['Host', host]])],
    [
      'bytes that are not UTF-8',
      400,
      (host) => post(host, [], Buffer.from([0x22, 0xc3, 0x28, 0x22])),
    ],
    ['half of a character', 400, (host) => post(host, [], Buffer.from([0x22, 0xe2, 0x82, 0x22]))],
    ['UTF-16', 400, (host) => post(host, [], Buffer.from(PING, 'utf16le'))],
    ['arrays 501 levels deep', 400, (host) => post(host, [], nested('[', ']', 501))],
    ['arrays 100,000 levels deep', 400, (host) => post(host, [], nested('[', ']', 100_000))],
    ['objects 50,000 levels deep', 400, (host) => post(host, [], nested('{"a":', '}', 50_000))],
    ['a compressed body', 415, (host) => post(host, [GZIP], gzipSync(PING))],
    ['no HTTP at all', 400, () => Buffer.from('\x16\x03\x01\x02\r\n\r\n')],
  ])('%s are refused with %i', async (_, status, bytes) => {
    const served = await serve();
    expect(await expectRefused(served, bytes(served.host))).toBe(status);
    await expectAlive(served);
    expect(served.problems).toEqual([]);
  });

  it('a URL of this host is served as its path is', async () => {
    const { url, host } = await serve();
    const bytes = request(`POST http://${host}/mcp HTTP/1.1`, headersOf(host), PING);
    expect((await exchange(url, bytes)).status).toBe(200);
  });

  it('a refused Content-Encoding is named, with the one that is accepted', async () => {
    const { url, host } = await serve();
    const { text, head } = await exchange(url, post(host, [GZIP], gzipSync(PING)));
    expect(text).toContain('Content-Encoding must be identity, not \\"gzip\\"');
    expect(head).toMatch(/^accept-encoding: identity$/im);
    const web = await rig();
    const request = new Request(RESOURCE, {
      method: 'POST',
      headers: [...headersOf('localhost').slice(0, -1), GZIP] as [string, string][],
      body: gzipSync(PING),
    });
    const refused = await web.http.fetch(request);
    expect(refused.status).toBe(415);
    expect(refused.headers.get('accept-encoding')).toBe('identity');
  });

  it('a request with 999 headers is served', async () => {
    const { url, host } = await serve();
    expect((await exchange(url, post(host, FILL.slice(0, 994)))).status).toBe(200);
  });

  it('a body with the Content-Encoding identity is served', async () => {
    const { url, host } = await serve();
    const bytes = post(host, [['Content-Encoding', 'Identity']]);
    expect((await exchange(url, bytes)).status).toBe(200);
  });

  it('a compressed body that a framework has parsed is served', async () => {
    const { server } = await rig();
    const port = await MOUNTED['Express, with its JSON parser and a mount path']?.(server);
    const host = `127.0.0.1:${port}`;
    const body = gzipSync(PING);
    const bytes = request('POST /mcp HTTP/1.1', [...headersOf(host, body), GZIP], body);
    expect((await exchange(`http://${host}`, bytes)).status).toBe(200);
  });

  it.each(['Express, with its JSON parser and a mount path', 'Fastify'])(
    'a number beyond all doubles is the same after the parser of %s',
    async (kind) => {
      const { server } = await rig();
      const ports = await Promise.all(
        ['node:http', kind].map(async (each) => await MOUNTED[each]?.(server)),
      );
      const answersTo = (protocolVersion: string): Promise<string[]> =>
        Promise.all(
          ports.map(async (port) => {
            const host = `127.0.0.1:${port}`;
            const body = PING.replace(/"protocolVersion":"[^"]+"/, () => {
              return `"protocolVersion":${protocolVersion},"_meta":{"null":"-Infinity"}`;
            });
            const { text } = await exchange(`http://${host}`, post(host, [], body));
            return text.slice(text.indexOf('{'));
          }),
        );
      for (const number of ['1e400', '-1e400', 'null']) {
        const [plain, parsed] = await answersTo(number);
        expect(parsed).toBe(plain);
        expect(plain).toContain(String(JSON.parse(number)));
      }
    },
  );

  it('bodies of up to 500 levels are read, and brackets in strings do not count', async () => {
    const served = await serve();
    const initialize = (experimental: string): string =>
      PING.replace('"capabilities":{}', `"capabilities":{"experimental":${experimental}}`);
    const texts = ['[{"\\', '[\\"', '"]}', '{'].map((text) => JSON.stringify(text.repeat(9_000)));
    const read = texts.map((text) => `{"a":{"b":${text}}}`);
    for (const experimental of [...read, `{"a":${nested('{"b":', '}', 490, '{}')}}`]) {
      const { status } = await exchange(
        served.url,
        post(served.host, [], initialize(experimental)),
      );
      expect(status).toBe(200);
    }
    const deep = initialize(`{"a":{"b":${texts[0] ?? ''},"c":${nested('[', ']', 500)}}}`);
    expect(await expectRefused(served, post(served.host, [], deep))).toBe(400);
    expect(served.problems).toEqual([]);
  });

  it('of 2026-07-28 are refused without a report, when their headers contradict the body', async () => {
    const served = await serve();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const contradicting: Headers = [
      ['Mcp-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', 'tools/call'],
    ];
    await expectRefused(served, post(served.host, contradicting, body));
    expect(served.problems).toEqual([]);
    expect(served.refusals).toHaveLength(1);
  });

  it('reach onRefused, with the parts that could be read', async () => {
    const served = await serve();
    await expectRefused(served, request('GET /other HTTP/1.1', [['Host', served.host]]));
    await expectRefused(served, request('GET /mcp HTTP/1.1', [['Host', 'evil.example']]));
    await expectRefused(served, request('GET /mcp HTTP/1.1', [['Host', served.host]]));
    await expectRefused(served, request('TRACE / HTTP/1.1', [['Host', served.host]]));
    expect(served.refusals).toEqual([
      { status: 404, method: 'GET', path: '/other' },
      { status: 403, method: 'GET', path: '/mcp' },
      { status: 401, method: 'GET', path: '/mcp' },
      { status: 405 },
    ]);
  });

  it('of every combination are refused, and the server goes on', async () => {
    const served = await serve();
    const odd = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, '')),
      fc.constantFrom(
        '',
        ' ',
        '*',
        '/',
        '//',
        'x',
        '[',
        ']',
        ':',
        '@',
        '%',
        '%zz',
        '\0',
        'é',
        '..',
      ),
      fc.integer().map(String),
    );
    const methods = fc.constantFrom(
      'GET',
      'POST',
      'PUT',
      'DELETE',
      'TRACE',
      'CONNECT',
      'OPTIONS',
      'HEAD',
      'X',
    );
    const targets = fc.oneof(
      fc.constantFrom('/mcp', '/', '*', 'mcp', 'http://x/', 'https://', '//x', '/mcp?\u0001', '/%'),
      odd.map((text) => `/${text.replaceAll(' ', '')}`),
    );
    const names = fc.constantFrom(
      'Host',
      'Origin',
      'Authorization',
      'Content-Type',
      'Content-Length',
      'Transfer-Encoding',
      'Accept',
      'Expect',
      'Mcp-Session-Id',
      'Mcp-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Param-X',
      'Last-Event-ID',
      'Connection',
      'Cookie',
      '__proto__',
    );
    const bodies = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.integer({ min: 501, max: 20_000 }).map((levels) => Buffer.from(nested('[', ']', levels))),
    );
    await fc.assert(
      fc.asyncProperty(
        methods,
        targets,
        fc.array(fc.tuple(names, odd), { maxLength: 4 }),
        bodies,
        fc.boolean(),
        async (method, target, more, body, authorized) => {
          const own = headersOf(served.host, body).filter(
            ([name]) =>
              (authorized || name !== 'Authorization') && !more.some(([each]) => each === name),
          );
          const bytes = request(
            `${method} ${target} HTTP/1.1`,
            [...own, ['Connection', 'close'], ...more],
            body,
          );
          // The client closes its side, so that a body that is announced but not sent has an end.
          const { status = 400 } = await exchange(
            served.url,
            Buffer.concat([bytes, Buffer.from('\r\n\r\n')]),
          );
          expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: sized(300) },
    );
    await expectAlive(served);
    expect(served.problems).toEqual([]);
  });
});

function nested(open: string, close: string, levels: number, inside = ''): string {
  const core = inside || (open.endsWith(':') ? '1' : '');
  return open.repeat(levels) + core + close.repeat(levels);
}
