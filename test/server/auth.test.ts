import { onTestFinished, describe, expect, it } from 'vitest';

import { serveBoard } from '../../runtime/admin/board/index.js';
import { MissingPackageError } from '../../runtime/optional.js';
import {
  bearer,
  createHttpHandler,
  createNodeHandler,
  createTaskServer,
  serveHttp,
  type VerifiedToken,
} from '../../runtime/server/index.js';
import { ownerOf } from '../../runtime/server/auth/bearer.js';
import { createMemoryStore } from '../../runtime/stores/index.js';
import { deferred, type JsonObject } from '../../runtime/tasks/index.js';
import { authorization, legacy, modern, RESOURCE, rig, tokenOf } from './support.js';
import { testTools } from './tools.js';

const NOW = Date.now() / 1000;
const genuine: VerifiedToken = {
  issuer: 'https://issuer.example',
  subject: 'ann',
  clientId: 'app',
  audience: [RESOURCE],
  scopes: ['mcp'],
  expiresAt: NOW + 600,
};

async function answerTo(token: string | undefined, verified?: VerifiedToken): Promise<Response> {
  const auth = bearer({
    resource: RESOURCE,
    issuer: genuine.issuer,
    scopes: ['mcp'],
    verify: () => Promise.resolve(verified),
  });
  const { http } = await rig({}, { auth });
  return http.fetch(
    new Request(RESOURCE, {
      method: 'POST',
      headers: {
        host: 'localhost',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: token }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      }),
    }),
  );
}

const trust = { issuer: genuine.issuer, verify: () => Promise.resolve(undefined) };

describe('bearer tokens', () => {
  it('let in a client with a valid one', async () => {
    expect((await answerTo('Bearer good', genuine)).status).toBe(200);
  });

  it.each([
    ['there is none', undefined, genuine],
    ['it is of another kind', 'Basic YTpi', genuine],
    ['it is not genuine', 'Bearer bad', undefined],
    ['another issuer made it', 'Bearer t', { ...genuine, issuer: 'https://other.example' }],
    ['it is for another resource', 'Bearer t', { ...genuine, audience: ['http://other/mcp'] }],
    ['it is for no resource', 'Bearer t', { ...genuine, audience: [] }],
    ['it has expired', 'Bearer t', { ...genuine, expiresAt: NOW - 1 }],
    ['it names no subject', 'Bearer t', { ...genuine, subject: '' }],
    ['it names no client', 'Bearer t', { ...genuine, clientId: '' }],
  ])('SEC-2 refuse with 401 where %s, and say where to get one', async (_, token, verified) => {
    const response = await answerTo(token, verified);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain(
      'resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
    );
    expect(response.headers.get('mcp-session-id')).toBeNull();
  });

  const challengeFor = async (authorization?: string): Promise<string | null> => {
    const auth = bearer({
      resource: RESOURCE,
      issuer: genuine.issuer,
      scopes: ['mcp'],
      verify: () => Promise.resolve(undefined),
    });
    const headers = { ...(authorization !== undefined && { authorization }) };
    const answer = await auth.authenticate(new Request(RESOURCE, { headers }));
    if (!(answer instanceof Response)) return expect.fail('The request was let in');
    expect(answer.status).toBe(401);
    expect(await answer.text()).not.toContain(authorization === undefined ? 'invalid' : 'YTpi');
    return answer.headers.get('www-authenticate');
  };

  it.each([undefined, '', 'Basic YTpi', 'Bearer', 'Bearer '])(
    'are asked for without an error code where the request has none: %j (RFC 6750, 3.1)',
    async (authorization) => {
      expect(await challengeFor(authorization)).toBe(
        'Bearer scope="mcp", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"',
      );
    },
  );

  it.each(['Bearer a', 'Bearer a b', 'Bearer a, Bearer b', 'DPoP a'])(
    'are refused with an error code where the request has one: %j',
    async (authorization) => {
      expect(await challengeFor(authorization)).toMatch(/^Bearer error="invalid_token", /);
    },
  );

  it('refuse with 403 where a scope is missing, and name it', async () => {
    const response = await answerTo('Bearer t', { ...genuine, scopes: ['other'] });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toMatch(/insufficient_scope.*mcp/s);
  });

  it('are described by the protected-resource metadata, which needs none', async () => {
    const { http } = await rig();
    const response = await http.fetch(
      new Request('http://localhost/.well-known/oauth-protected-resource/mcp', {
        headers: { host: 'localhost' },
      }),
    );
    expect(await response.json()).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [genuine.issuer],
      scopes_supported: ['mcp'],
    });
  });

  it.each(['HTTPS://MCP.Example:443/mcp', 'https://mcp.example', 'https://mcp.example/a/../mcp'])(
    'for the resource of the metadata are accepted, if the option has it as %s',
    async (resource) => {
      const metadata = bearer({ ...trust, resource }).metadata;
      const { pathname } = new URL(resource);
      const path = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`;
      const answer = metadata(new Request(new URL(path, resource)));
      const { resource: audience } = (await answer?.json()) as { resource: string };
      const verify = () => Promise.resolve({ ...genuine, audience });
      const auth = bearer({ ...trust, resource, verify });
      const headers = { authorization: 'Bearer t' };
      expect(await auth.authenticate(new Request(resource, { headers }))).toMatchObject({
        clientId: 'app',
      });
    },
  );

  it('come from an issuer that is HTTPS or local', () => {
    const verify = (): Promise<undefined> => Promise.resolve(undefined);
    expect(() => bearer({ resource: RESOURCE, issuer: 'http://far.example', verify })).toThrow();
    expect(() =>
      bearer({ resource: RESOURCE, issuer: 'http://localhost:1', verify }),
    ).not.toThrow();
  });
});

describe('an authorization whose package is missing', () => {
  const missing = new MissingPackageError('verifyJwt needs the package jose');
  const fails = (): Promise<never> => Promise.reject(missing);
  const auth = bearer({
    resource: RESOURCE,
    issuer: genuine.issuer,
    verify: Object.assign(fails, { probe: fails, ready: fails }),
  });

  const unreadyServer = async () => {
    const problems: Error[] = [];
    const reported = deferred<void>();
    const server = await createTaskServer({
      name: 'test',
      version: '1.0.0',
      tools: [],
      onError(error) {
        problems.push(error);
        reported.resolve();
      },
    });
    onTestFinished(() => server.close(0));
    return { server, problems, reported: reported.promise };
  };

  it.each([createHttpHandler, createNodeHandler])(
    'is reported at once by a handler: %o',
    async (create) => {
      const { server, problems, reported } = await unreadyServer();
      const handler = create(server, { auth });
      onTestFinished(() => handler.close());
      await reported;
      expect(problems).toEqual([missing]);
    },
  );

  it('makes the health page fail before a request comes with a token', async () => {
    const { server } = await unreadyServer();
    const handler = createHttpHandler(server, { auth });
    onTestFinished(() => handler.close());
    const response = await handler.fetch(new Request('http://localhost/health'));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ parts: { authorization: 'failing' } });
  });

  it('keeps serveHttp and serveBoard from serving', async () => {
    const { server } = await unreadyServer();
    await expect(serveHttp(server, { auth })).rejects.toBe(missing);
    await expect(serveBoard({ store: createMemoryStore(), auth })).rejects.toBe(missing);
  });
});

describe('owners', () => {
  const start = async (server: Awaited<ReturnType<typeof rig>>): Promise<string> => {
    const { result } = await modern(server, 'tools/call', { name: 'failing' });
    return String(result?.['taskId']);
  };

  it.each([
    ['subject', tokenOf('bob')],
    ['client', tokenOf('ann', 'another')],
  ])('SEC-1 SEC-2 are different when the %s is', async (_, token) => {
    const rigged = await rig();
    const taskId = await start(rigged);
    expect((await modern(rigged, 'tasks/get', { taskId })).error).toBeUndefined();
    const { error } = await modern(rigged, 'tasks/get', { taskId }, { token });
    expect(error).toMatchObject({ code: -32602, message: 'Unknown or expired task' });
  });

  it('SEC-1 SEC-2 are different when the issuer is', async () => {
    const rigged = await rig();
    const taskId = await start(rigged);
    const issuer = 'https://second.example';
    const verify = (): Promise<VerifiedToken> => Promise.resolve({ ...genuine, issuer });
    const http = createHttpHandler(rigged.server, {
      auth: bearer({ resource: RESOURCE, issuer, verify }),
    });
    onTestFinished(() => http.close());
    const { error } = await modern({ http }, 'tasks/get', { taskId });
    expect(error).toMatchObject({ code: -32602, message: 'Unknown or expired task' });
  });

  it('SEC-1 cannot be forged by odd names', () => {
    const owner = (subject: string, clientId: string): string =>
      ownerOf({ token: '', scopes: [], clientId, extra: { issuer: 'i', subject } });
    expect(owner('a","b', 'c')).not.toBe(owner('a', 'b","c'));
    expect(() => ownerOf({ token: '', scopes: [], clientId: 'c' })).toThrow('extra.issuer');
  });
});

describe('serving without authorization', () => {
  async function open(allowUnidentified?: boolean): Promise<string[]> {
    const problems: string[] = [];
    const server = await createTaskServer({
      name: 'test',
      version: '1',
      tools: testTools,
      onError: ({ name, message }) => problems.push(`${name}: ${message}`),
    });
    onTestFinished(() => server.close(0));
    const http = createHttpHandler(
      server,
      allowUnidentified === undefined ? {} : { allowUnidentified },
    );
    onTestFinished(() => http.close());
    return problems;
  }

  it('SEC-4 does not start over HTTP unless that is said to be meant', async () => {
    await expect(open()).rejects.toThrow('allowUnidentified');
    await expect(open(false)).rejects.toThrow('authorization');
  });

  it('starts where that is said to be meant, and warns', async () => {
    expect(await open(true)).toEqual([
      expect.stringMatching(/^Warning: Serving without authorization/),
    ]);
  });

  it('SEC-3 gives ids of at least 128 random bits, short-lived where the server says so', async () => {
    const rigged = await rig({ limits: { ttlMax: 60_000 } }, { allowUnidentified: true });
    const tasks: JsonObject[] = [];
    for (let n = 0; n < 20; n += 1) {
      const { result } = await modern(
        rigged,
        'tools/call',
        { name: 'failing' },
        { token: undefined },
      );
      tasks.push(result ?? {});
    }
    // What a clock could tell comes first; the rest must hold the bits.
    const ids = tasks.map(({ taskId }) => String(taskId));
    const common = ids.reduce((prefix, id) => {
      let length = 0;
      while (length < prefix.length && prefix[length] === id[length]) length += 1;
      return prefix.slice(0, length);
    });
    const bits = Math.min(...ids.map((id) => (id.length - common.length) * Math.log2(64)));
    expect(bits).toBeGreaterThanOrEqual(128);
    expect(tasks.every(({ ttlMs }) => Number(ttlMs) <= 60_000)).toBe(true);
  });
});

describe('requests that need no token', () => {
  const request = async (init: RequestInit, url = RESOURCE): Promise<number> => {
    const { http } = await rig({}, { auth: authorization, maxBodyBytes: 1_000 });
    const headers = {
      host: 'localhost',
      'content-type': 'application/json',
      authorization: `Bearer ${tokenOf('ann')}`,
      ...init.headers,
    };
    const response = await http.fetch(new Request(url, { method: 'POST', ...init, headers }));
    return response.status;
  };

  it.each([
    ['another host name', 403, { headers: { host: 'evil.example' } }],
    ['no host name', 403, { headers: { host: '' } }],
    ['a foreign page', 403, { headers: { origin: 'https://evil.example' } }],
    ['another content type', 415, { headers: { 'content-type': 'text/plain' }, body: '{}' }],
    ['no JSON', 400, { body: '{' }],
    ['too much', 413, { body: `"${'x'.repeat(1_000)}"` }],
    ['nothing that is a message', 400, { body: '[]' }],
  ])('%s is refused with %i', async (_, status, init) => {
    expect(await request(init)).toBe(status);
  });

  it('a host name that was accepted lets no other one in', async () => {
    const { http } = await rig();
    const statusFor = async (host: string): Promise<number> => {
      const headers = { host, 'content-type': 'application/json' };
      const request = new Request(RESOURCE, { method: 'POST', headers, body: '[]' });
      return (await http.fetch(request)).status;
    };
    const hosts = [
      'localhost',
      'evil.example',
      'localhost',
      '',
      'localhost:1',
      'local host',
      'localhost',
    ];
    const statuses: number[] = [];
    for (const host of hosts) statuses.push(await statusFor(host));
    expect(statuses).toEqual([401, 403, 401, 403, 401, 400, 401]);
  });

  it('another path is refused with 404', async () => {
    expect(await request({ body: '{}' }, 'http://localhost/other')).toBe(404);
  });

  it('requests for health are answered without a token, and say that the server closes', async () => {
    const { http } = await rig();
    const health = () => http.fetch(new Request('http://localhost/health'));
    expect((await health()).status).toBe(200);
    const client = await legacy({ http });
    await http.close();
    expect((await health()).status).toBe(503);
    expect((await client.request('tools/list')).status).toBe(503);
  });
});
