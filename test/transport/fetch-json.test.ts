import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { introspect } from '../../runtime/server/auth/index.js';
import { fetchJson } from '../../runtime/transport/reading/fetch-json.js';

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ACTIVE = JSON.stringify({
  ...{ active: true, iss: 'i', sub: 's', client_id: 'c', aud: 'a', exp: 4_000_000_000 },
});

/** What an authorization server may answer in place of a token's description, and what is said then. */
const ANSWERS: readonly (readonly [string, RequestListener, string])[] = [
  ['an error', (_, response) => void response.writeHead(500).end(ACTIVE), 'HTTP status 500'],
  ['a 206 with a token', (_, response) => void response.writeHead(206).end(ACTIVE), 'status 206'],
  ['text', (_, response) => void response.end('<html>'), 'is not JSON in UTF-8'],
  ['no UTF-8', (_, response) => void response.end(Buffer.of(0x22, 0xff, 0x22)), 'UTF-8'],
  ['brackets', (_, response) => void response.end('['.repeat(900_000)), '500 levels'],
  ['names', (_, response) => void response.end(`{${'"a":1,'.repeat(50_000)}"b":1}`), 'members'],
  [
    'without end',
    (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    },
    'more than 1048576 bytes',
  ],
];

describe.each(ANSWERS)('an answer that is %s', (_, listener, what) => {
  it('rejects an introspection, and is read no further', async () => {
    const introspection = await serving(listener);
    const verify = introspect({ introspection, clientId: 'mcp', clientSecret: 'secret' });
    await expect(verify('t')).rejects.toThrow(what);
  });
});

it.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed: neither the token nor the secret of the client leaves',
  async (status) => {
    let asked = 0;
    const other = await serving((_, response) => {
      asked += 1;
      response.end(ACTIVE);
    });
    const introspection = await serving((_, response) =>
      response.writeHead(status, { location: other }).end(),
    );
    const verify = introspect({ introspection, clientId: 'mcp', clientSecret: 'secret' });
    await expect(verify('t')).rejects.toThrow(`HTTP status ${status}: redirects are not followed`);
    expect(asked).toBe(0);
  },
);

it('an answer within the bound is read', async () => {
  const url = await serving((_, response) => void response.end(ACTIVE));
  expect(await fetchJson(url, { most: 1_000 })).toMatchObject({ active: true });
  await expect(fetchJson(url, { most: 10 })).rejects.toThrow('more than 10 bytes');
});
