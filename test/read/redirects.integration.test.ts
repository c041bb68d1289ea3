import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOpenssl, selfSigned } from '../support/certificate.js';
import { run } from '../cli/process.js';

const SCHEMA = '{"$defs":{"Moved":{"type":"string"}}}';
const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-redirects-'));
const servers: Server[] = [];
const origins: Record<string, string> = {};
const authorized: string[] = [];

/** `/https/http` redirects to https, which redirects to http, which has the schema. */
const listener =
  (scheme: string): RequestListener =>
  ({ url = '', headers }, response) => {
    if (headers.authorization !== undefined) authorized.push(scheme);
    const [, next = '', ...rest] = url.split('/');
    if (next === '') return void response.end(SCHEMA);
    const target = origins[next] ?? next;
    response.writeHead(302, { location: [target, ...rest].join('/') }).end();
  };

beforeAll(async () => {
  if (!hasOpenssl()) return;
  const [cert, key] = selfSigned(folder);
  const options = { cert: readFileSync(cert), key: readFileSync(key) };
  for (const [scheme, server] of [
    ['http', createServer(listener('http'))],
    ['https', createTlsServer(options, listener('https'))],
  ] as const) {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    servers.push(server);
    origins[scheme] = `${scheme}://localhost:${String((server.address() as AddressInfo).port)}`;
  }
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!hasOpenssl())('a schema that has moved', () => {
  it.each([
    ['http', 'http', undefined],
    ['http', 'https', undefined],
    ['https', 'https', undefined],
    ['https', 'http', 'it redirects from https to http'],
    // Who can change the answer over http can lead to another server over https.
    ['https', 'http/https', 'it redirects from https to http'],
    ['http', 'data:,{}', 'it redirects from http to data'],
    ['http', 'http/'.repeat(21), 'it redirects more than 20 times'],
  ])('from %s to %s', async (from, path, refusal) => {
    authorized.length = 0;
    const url = `${origins[from] ?? ''}/${path}`.replace('://', '://ann:secret@');
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') };
    const { code, stdout, stderr } = await run(['generate', '--schema', url, '--dry-run'], {
      cwd: folder,
      env,
    });
    expect([code, stdout + stderr]).toEqual([
      refusal === undefined ? 0 : 3,
      expect.stringContaining(refusal ?? 'types.ts'),
    ]);
    expect(new Set(authorized)).toEqual(new Set([from]));
  });
});
