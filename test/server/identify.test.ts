import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { requireBearerAuth } from '@modelcontextprotocol/express';
import { type AuthInfo, requireBearerAuth as gate } from '@modelcontextprotocol/server';
import express from 'express';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import {
  bearer,
  type CallerIdentity,
  createHttpHandler,
  createNodeHandler,
  createTaskServer,
  defineTool,
  type HttpOptions,
  type NodeRequest,
} from '../../runtime/server/index.js';
import { sized } from '../support/size.js';
import { legacy, modern, type Reachable, rig, until } from './support.js';

const whoami = defineTool({
  name: 'whoami',
  description: 'Says who called it.',
  input: z.object({}),
  taskSupport: 'optional',
  run: ({ caller }) => JSON.stringify(caller ?? 'none'),
});

/** Tokens are the JSON of what the middleware puts into `auth`. */
const verifier = {
  verifyAccessToken: (token: string): Promise<AuthInfo> =>
    Promise.resolve({
      token,
      clientId: 'app',
      scopes: ['mcp'],
      expiresAt: Date.now() / 1000 + 600,
      extra: JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>,
    }),
};
const tokenOf = (extra: object): string => Buffer.from(JSON.stringify(extra)).toString('base64url');
const ISSUER = 'https://issuer.example';
const ANN = tokenOf({ issuer: ISSUER, subject: 'ann' });
const BOB = tokenOf({ issuer: ISSUER, subject: 'bob' });
/** The same subject as ANN, at another issuer. */
const OTHER_ANN = tokenOf({ issuer: 'https://other.example', subject: 'ann' });

async function newServer(problems: string[]) {
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [whoami],
    onError: ({ message }) => problems.push(message),
  });
  onTestFinished(() => server.close(0));
  return server;
}

/** Express with the SDK's middleware in front of the handler. */
async function onExpress(
  options: HttpOptions<NodeRequest>,
): Promise<Reachable & { problems: string[] }> {
  const problems: string[] = [];
  const handler = createNodeHandler(await newServer(problems), options);
  const app = express();
  app.use('/mcp', requireBearerAuth({ verifier }));
  app.all('/mcp', (request, response) => handler.handle(request, response));
  const http = createServer(app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await handler.close();
    http.closeAllConnections();
    http.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  return { problems, http: { fetch: (request) => sentTo(url, request) } };
}

async function sentTo(url: string, request: Request): Promise<Response> {
  const { method, headers } = request;
  headers.delete('host');
  const body = method === 'POST' ? { body: await request.text() } : {};
  return fetch(url, { method, headers, ...body });
}

async function onWeb(options: HttpOptions<Request>): Promise<Reachable & { problems: string[] }> {
  const problems: string[] = [];
  const http = createHttpHandler(await newServer(problems), options);
  onTestFinished(() => http.close());
  return { problems, http };
}

const identify = (request: NodeRequest) => request.auth;
const FACES: Readonly<Record<string, () => ReturnType<typeof onExpress>>> = {
  'Express with requireBearerAuth': () => onExpress({ identify }),
  'web requests with requireBearerAuth': () => onWeb({ identify: gate({ verifier }) }),
};

describe.each(Object.entries(FACES))('behind %s', (_, start) => {
  it('a tool gets the caller', async () => {
    const { result } = await modern(
      await start(),
      'tools/call',
      { name: 'whoami' },
      {
        token: ANN,
        capabilities: {},
      },
    );
    const caller = { issuer: ISSUER, subject: 'ann', client: 'app', scopes: ['mcp'] };
    expect(result).toMatchObject({ content: [{ text: JSON.stringify(caller) }] });
  });

  it.each([
    ['another subject', BOB],
    ['the same subject of another issuer', OTHER_ANN],
  ])('SEC-1 a caller with %s neither sees, lists, reads nor cancels a task', async (__, token) => {
    const face = await start();
    const { result } = await modern(face, 'tools/call', { name: 'whoami' }, { token: ANN });
    const taskId = String(result?.['taskId']);
    const session = await legacy(face, { token: ANN });
    const made = await session.request('tools/call', { name: 'whoami', task: {} });
    const { taskId: coreId } = made.result?.['task'] as { taskId: string };
    const stranger = await legacy(face, { token });
    expect((await stranger.request('tasks/list', {})).result?.['tasks']).toEqual([]);
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      const answer = await stranger.request(method, { taskId: coreId });
      expect(answer.error, method).toMatchObject({ message: 'Unknown or expired task' });
    }
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const params = { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) };
      const answer = await modern(face, method, params, { token });
      expect(answer.error, method).toMatchObject({ message: 'Unknown or expired task' });
    }
    const stolen = await legacy(face, { token, sessionId: session.sessionId });
    expect((await stolen.request('tasks/list', {})).status).toBe(404);
    expect(
      (
        await until(
          () => modern(face, 'tasks/get', { taskId }, { token: ANN }),
          (answer) => answer.result?.['status'] !== 'working',
        )
      ).result,
    ).toMatchObject({ status: 'completed' });
    expect((await session.request('tasks/result', { taskId: coreId })).error).toBeUndefined();
  });

  it.each([{}, { subject: 'ann' }, { issuer: ISSUER }, { issuer: ISSUER, subject: '' }])(
    'SEC-2 an `auth` whose extra is %j gets 500, and the reason is reported',
    async (extra) => {
      const face = await start();
      const { status } = await modern(
        face,
        'tools/call',
        { name: 'whoami' },
        { token: tokenOf(extra) },
      );
      expect(status).toBe(500);
      expect(face.problems).toEqual([expect.stringMatching(/^identify: extra\.(issuer|subject)/)]);
    },
  );
});

describe('identify', () => {
  const statusOf = async (value: () => unknown) => {
    const face = await onWeb({ identify: value as () => CallerIdentity });
    const { status } = await modern(face, 'tools/call', { name: 'whoami' }, { token: undefined });
    return { status, problems: face.problems };
  };

  it.each([undefined, null])('refuses with 401 when it returns %j', async (value) => {
    expect(await statusOf(() => value)).toEqual({ status: 401, problems: [] });
  });

  it('refuses with its own response', async () => {
    const { status } = await statusOf(() => Response.json({}, { status: 402 }));
    expect(status).toBe(402);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('The session store is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('The session store is down'))],
  ])('refuses with 500 when it %s, and reports why', async (_, value) => {
    const { status, problems } = await statusOf(value);
    expect(status).toBe(500);
    expect(problems).toEqual(['identify: The session store is down']);
  });

  it('SEC-2 lets no caller in for what names no caller, whatever it is', async () => {
    let value: unknown;
    const face = await onWeb({ identify: () => value as CallerIdentity });
    const good = { issuer: ISSUER, subject: 'ann', client: 'app', scopes: [] };
    const odd = fc.oneof(
      fc.anything(),
      fc
        .dictionary(fc.constantFrom('issuer', 'subject', 'client', 'scopes'), fc.anything(), {
          minKeys: 1,
        })
        .map((changed) => ({ ...good, ...changed })),
      fc.record({ clientId: fc.anything(), scopes: fc.anything(), extra: fc.anything() }),
    );
    await fc.assert(
      fc.asyncProperty(odd, async (each) => {
        value = each;
        const { status } = await modern(
          face,
          'tools/call',
          { name: 'whoami' },
          { token: undefined },
        );
        expect([200, 401, 500]).toContain(status);
        if (status !== 200) return;
        const { issuer, subject, client, scopes } = each as Record<string, unknown>;
        for (const text of [issuer, subject, client]) expect(text).toMatch(/^[^]+$/);
        expect(Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')).toBe(
          true,
        );
      }),
      { numRuns: sized(200) },
    );
  });

  it('SEC-1 is asked for each request: an object that it changes is another caller', async () => {
    const shared = {
      token: '',
      clientId: 'app',
      scopes: [],
      extra: { issuer: ISSUER, subject: 'ann' },
    };
    const face = await onWeb({ identify: () => shared });
    const { result } = await modern(face, 'tools/call', { name: 'whoami' }, { token: undefined });
    shared.extra.subject = 'bob';
    const stolen = await modern(
      face,
      'tasks/get',
      { taskId: String(result?.['taskId']) },
      { token: undefined },
    );
    expect(stolen.error).toMatchObject({ message: 'Unknown or expired task' });
  });

  it('cannot be combined with `auth`, and one of the three options has to be there', async () => {
    const server = await newServer([]);
    const verify = () => Promise.resolve(undefined);
    const auth = bearer({ resource: 'http://localhost/mcp', issuer: ISSUER, verify });
    expect(() => createHttpHandler(server, { auth, identify: () => undefined })).toThrow(
      'remove one',
    );
    expect(() => createHttpHandler(server, {})).toThrow('identify');
  });

  it('needs no warning about serving without authorization', async () => {
    expect((await onWeb({ identify: () => undefined })).problems).toEqual([]);
  });
});

it('SEC-4 `allowUnidentified` does not make one caller of all that middleware has identified', async () => {
  const face = await onExpress({ allowUnidentified: true });
  const { status } = await modern(face, 'tools/call', { name: 'whoami' }, { token: ANN });
  expect(status).toBe(500);
  expect(face.problems.at(-1)).toContain('identify: (request) => request.auth');
  const open = await rig({ tools: [whoami] }, { allowUnidentified: true });
  expect((await modern(open, 'tools/call', { name: 'whoami' }, { token: undefined })).status).toBe(
    200,
  );
});
