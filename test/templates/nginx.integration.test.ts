import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { startIssuer, type Issuer } from '../../runtime/testing/index.js';
import { networkTo } from '../server/load.js';
import {
  legacy,
  messagesOf,
  modern,
  modernResponse,
  until,
  type Answer,
  type LegacyClient,
  type Reachable,
  type Respond,
} from '../server/support.js';
import { hasNginx, startNginx, type Nginx } from '../support/nginx.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { startNode, type Node } from './cluster.js';
import { openWorkshop, type Workshop } from './workshop.js';

/**
 * What docs/deploying.md says about nginx, with the very file that `new server --store postgres` writes,
 * apart from its addresses. CI installs nginx (`apt-get install nginx-light`).
 */
const canRun = hasNginx || process.env['CI'] !== undefined;
if (!canRun) console.warn('Skipped: nginx is not installed (apt-get install nginx-light).');

let workshop: Workshop;
let postgres: PostgresServer;
let database: PostgresDatabase;
let issuer: Issuer;
let environment: Record<string, string>;
let site: string;
let root: string;
/** Two web nodes and a worker. */
const nodes: Node[] = [];
let web: [Node, Node];

beforeAll(async () => {
  if (!canRun) return;
  workshop = openWorkshop();
  const choices = choose(SERVER, { transport: 'http', store: 'postgres', auth: 'bearer' });
  [root, postgres, issuer] = await Promise.all([
    workshop.makeBuilt({ name: 'cluster', choices }),
    startPostgres(),
    startIssuer(),
  ]);
  database = await postgres.newDatabase();
  environment = { ...issuer.environment, DATABASE_URL: database.url };
  site = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8');
  web = await Promise.all([start('--role', 'web'), start('--role', 'web')]);
  await start('--role', 'worker');
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill()));
  await issuer?.close();
  await postgres?.stop();
  workshop?.close();
});

async function start(...args: string[]): Promise<Node> {
  const node = await startNode(root, environment, ...args);
  nodes.push(node);
  return node;
}

/** nginx with the site's addresses replaced, and then `change` applied. */
async function proxy(
  change: (text: string) => string = (text) => text,
  [first, second] = web,
): Promise<Nginx & Reachable> {
  const replaced = (text: string, from: string, to: string): string => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  };
  const nginx = await startNginx((port) => {
    let text = replaced(site, 'web-1:3000', first.url.host);
    text = replaced(text, 'web-2:3000', second.url.host);
    return change(replaced(text, 'listen 8080', `listen 127.0.0.1:${port}`));
  });
  onTestFinished(() => nginx.stop());
  return { ...nginx, ...networkTo(`${nginx.origin}/mcp`) };
}

/** The text with one part replaced, which has to be there. */
const swap =
  (from: string, to: string) =>
  (text: string): string => {
    expect(text).toContain(from);
    return text.replace(from, to);
  };
const ROUND_ROBIN = swap('  hash $mcp_key consistent;\n', '');

/** Which node answered last. */
const lastOf = (nginx: Nginx): string => nginx.passed().at(-1)?.upstream ?? '';

const ACCEPTED = { action: 'accept', content: { room: 'Tower' } };
const answerForm: Respond = () => ({ result: ACCEPTED });

/** A session of its own. */
const begin = (reach: Reachable, respond = answerForm): Promise<LegacyClient> =>
  legacy(reach, { token: issuer.token(), capabilities: { elicitation: {} }, respond });

/** Two sessions of one user, one on each node. */
async function beginOnBoth(
  reach: Nginx & Reachable,
  respond = answerForm,
  nodes = web,
): Promise<[LegacyClient, LegacyClient]> {
  const found = new Map<string, LegacyClient>();
  await until(
    async () => {
      const client = await begin(reach, respond);
      await client.request('ping');
      return found.set(lastOf(reach), client).size;
    },
    (size) => size === 2,
  );
  return nodes.map(({ url }) => found.get(url.host)) as [LegacyClient, LegacyClient];
}

const BOOK = { name: 'book-room', arguments: { date: '2030-01-31' }, task: {} };
const BOOKED = [{ type: 'text', text: 'Tower is booked on 2030-01-31.' }];

async function book(client: LegacyClient): Promise<string> {
  const { result } = await client.request('tools/call', BOOK);
  return (result?.['task'] as { taskId: string }).taskId;
}

const stateOf = async (client: LegacyClient, taskId: string): Promise<unknown> =>
  (await client.request('tasks/get', { taskId })).result?.['status'];

/** The locations of the project's file that are comments, in place of its own. */
function underBasePath(text: string): string {
  const [before, after = ''] = text.split('  location / {\n    proxy_pass http://cluster;\n  }\n');
  return before + after.replaceAll(/^ {2}# (?=location|\}| {2}proxy_pass)/gm, '  ');
}

describe.runIf(canRun)('a base path behind nginx', () => {
  it('leads to the server, its health and its metadata', async () => {
    const resource = 'https://mcp.example/tools/mcp';
    const other = await startIssuer({ resource });
    onTestFinished(() => other.close());
    const node = await startNode(root, { ...other.environment, DATABASE_URL: database.url });
    onTestFinished(() => node.kill());
    const { origin } = await proxy(underBasePath, [node, node]);
    const reach = networkTo(`${origin}/tools/mcp`);
    const client = await legacy(reach, {
      ...{ token: other.token(), capabilities: { elicitation: {} }, respond: answerForm },
    });
    expect(await stateOf(client, await book(client))).toMatch(/working|input_required|completed/);
    expect((await fetch(`${origin}/tools/health`)).status).toBe(200);
    expect((await fetch(`${origin}/mcp`, { method: 'POST' })).status).toBe(404);
    const refused = await fetch(`${origin}/tools/mcp`, { method: 'POST', body: '{}' });
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const { pathname } = new URL(/resource_metadata="([^"]*)"/.exec(challenge)?.[1] ?? '');
    const metadata = await fetch(`${origin}${pathname}`);
    expect(await metadata.json()).toMatchObject({ resource, authorization_servers: [other.url] });
  });
});

describe.runIf(canRun)('sessions of 2025-11-25 behind nginx', () => {
  it('without stickiness are unknown to every other node', async () => {
    const reach = await proxy(ROUND_ROBIN);
    const client = await begin(reach);
    const answers: Answer[] = [];
    for (let count = 0; count < 6; count += 1) answers.push(await client.request('ping'));
    const [known, unknown] = [200, 404].map((code) => answers.filter((it) => it.status === code));
    expect([known?.length, unknown?.length]).toEqual([3, 3]);
    expect(unknown?.[0]?.error).toEqual({ code: -32001, message: 'Session not found' });
  });

  it('with a hash of the session id alone are unknown to the node that it points at', async () => {
    const reach = await proxy(swap('hash $mcp_key', 'hash $http_mcp_session_id'));
    const clients = await Promise.all(Array.from({ length: 20 }, () => begin(reach)));
    const answers = await Promise.all(clients.map((client) => client.request('ping')));
    expect(answers.map(({ status }) => status)).toContain(404);
  });

  it('with the configuration of the project reach the node that began them', async () => {
    const reach = await proxy();
    const clients = await Promise.all(Array.from({ length: 20 }, () => begin(reach)));
    for (let count = 0; count < 3; count += 1) {
      const answers = await Promise.all(clients.map((client) => client.request('tools/list')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const used = new Set(reach.passed().map(({ upstream }) => upstream));
    expect(used).toEqual(new Set(web.map(({ url }) => url.host)));
  });

  it('work with the SDK: a call, a task that asks, its result', async () => {
    const { origin } = await proxy();
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'legacy' } },
    );
    client.setRequestHandler('elicitation/create', () => ACCEPTED as never);
    const headers = { authorization: `Bearer ${issuer.token()}` };
    const url = new URL(`${origin}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    onTestFinished(() => client.close());
    const { task: _, ...plain } = BOOK;
    expect((await client.callTool(plain)).content).toEqual(BOOKED);
  });

  it('CORE-RES-1 a task of one session is read, answered and awaited in another, on another node', async () => {
    const [first, second] = await beginOnBoth(await proxy());
    const taskId = await book(first);
    await until(
      () => stateOf(second, taskId),
      (status) => status === 'input_required',
    );
    // The question comes on this stream and is answered while it is open, so nothing holds it back.
    const { result } = await second.request('tasks/result', { taskId });
    expect(result?.['content']).toEqual(BOOKED);
    expect(second.heard.map(({ method }) => method)).toContain('elicitation/create');
    expect(await stateOf(first, taskId)).toBe('completed');
  });

  it('a cancel on one node ends the wait for the result on another', async () => {
    // Without an answer to its question the task cannot end by itself.
    const [first, second] = await beginOnBoth(await proxy(), () => undefined);
    const taskId = await book(first);
    const waiting = second.request('tasks/result', { taskId });
    await until(
      () => Promise.resolve(second.heard.map(({ method }) => method)),
      (methods) => methods.includes('elicitation/create'),
    );
    const { result } = await first.request('tasks/cancel', { taskId });
    expect(result?.['status']).toBe('cancelled');
    expect((await waiting).error).toBeDefined();
    expect(await stateOf(second, taskId)).toBe('cancelled');
  });

  it('a stream of one node gets the status of a task that ends on another', async () => {
    const [first, second] = await beginOnBoth(await proxy());
    const leave = new AbortController();
    const stream = await first.listen(leave.signal);
    const taskId = await book(first);
    await second.request('tasks/result', { taskId });
    const seen: unknown[] = [];
    for await (const { method, params } of stream) {
      if (method !== 'notifications/tasks/status' || params?.['taskId'] !== taskId) continue;
      seen.push(params['status']);
      if (params['status'] === 'completed') break;
    }
    leave.abort();
    expect(seen.at(-1)).toBe('completed');
  });
});

describe.runIf(canRun)('requests of 2026-07-28 behind nginx', () => {
  const call = (reach: Reachable, method: string, params: object): Promise<Answer> =>
    modern(reach, method, params as never, { token: issuer.token() });

  it('need no stickiness: create, subscribe, ask, answer and end, each on any node', async () => {
    const reach = await proxy(ROUND_ROBIN);
    const { name, arguments: args } = BOOK;
    const created = await call(reach, 'tools/call', { name, arguments: args });
    const taskId = String(created.result?.['taskId']);
    const response = await modernResponse(
      reach,
      'subscriptions/listen',
      { notifications: { taskIds: [taskId] } },
      { token: issuer.token() },
    );
    const states: unknown[] = [];
    for await (const message of messagesOf(response)) {
      const { status, inputRequests } = message.params ?? {};
      if (status !== undefined) states.push(status);
      if (status !== 'input_required') continue;
      const [key = ''] = Object.keys(inputRequests as object);
      await call(reach, 'tasks/update', { taskId, inputResponses: { [key]: ACCEPTED } });
    }
    expect(states.at(-1)).toBe('completed');
    const ends = await Promise.all([1, 2, 3, 4].map(() => call(reach, 'tasks/get', { taskId })));
    for (const { result } of ends) expect(result).toMatchObject({ result: { content: BOOKED } });
    const used = new Set(reach.passed().map(({ upstream }) => upstream));
    expect(used.size).toBe(2);
    expect(reach.passed().every(({ status }) => status === 200)).toBe(true);
  });
});

describe.runIf(canRun)('a web node that is told to stop', () => {
  it('ends its streams, and nginx sends what comes later to the other', async () => {
    const leaving = await start('--role', 'web');
    const reach = await proxy(undefined, [leaving, web[1]]);
    const [first, second] = await beginOnBoth(reach, () => undefined, [leaving, web[1]]);
    const taskId = await book(first);
    const waiting = first.request('tasks/result', { taskId }).catch(() => undefined);
    await until(
      () => stateOf(second, taskId),
      (status) => status === 'input_required',
    );
    await leaving.kill('SIGTERM');
    expect(leaving.child.exitCode).toBe(0);
    expect((await waiting)?.result).toBeUndefined();

    const before = reach.passed().length;
    const again = await begin(reach);
    const { result } = await again.request('tasks/result', { taskId });
    expect(result?.['content']).toEqual(BOOKED);
    for (let count = 0; count < 10; count += 1) {
      expect((await again.request('ping')).status).toBe(200);
      expect((await begin(reach)).sessionId).not.toBe('');
    }
    const answered = reach.passed().slice(before);
    expect(answered.length).toBeGreaterThan(20);
    expect(answered.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
  });
});

// Last, because it ends a node.
describe.runIf(canRun)('a web node that is killed', () => {
  it('takes its sessions with it: clients get 404, begin again, and find their tasks', async () => {
    const reach = await proxy();
    const [first] = await beginOnBoth(reach);
    const taskId = await book(first);
    await first.request('tasks/result', { taskId });
    await web[0].kill();
    expect((await first.request('tasks/get', { taskId })).status).toBe(404);
    const again = await begin(reach);
    const { result } = await again.request('tasks/result', { taskId });
    expect(result?.['content']).toEqual(BOOKED);
  });
});
