import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  Client,
  StreamableHTTPClientTransport,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';

import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';
import { deferred } from '../../runtime/tasks/index.js';
import { authorization, tokenOf } from '../server/tokens.js';
import { root, snippetsIn } from './snippets.js';

const INFO = { name: 'app', version: '1.0.0' };
const HEADERS = { requestInit: { headers: { authorization: `Bearer ${tokenOf('ann')}` } } };
const ANY = z.looseObject({});

/** The module that a block of docs/clients.md is. */
async function moduleOf<T>(name: string): Promise<T> {
  const snippet = snippetsIn('docs/clients.md').find(({ text }) => text.startsWith(`// ${name}\n`));
  mkdirSync(`${root}.cache`, { recursive: true });
  const folder = mkdtempSync(`${root}.cache/docs-`);
  try {
    writeFileSync(join(folder, name), snippet?.text ?? '');
    return (await import(/* @vite-ignore */ join(folder, name))) as T;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface SdkV1 {
  readonly compute: (client: ClientV1, save: (id: string) => void) => Promise<object>;
  readonly finish: (client: ClientV1, taskId: string) => Promise<object>;
  readonly stop: (client: ClientV1, taskId: string) => Promise<string>;
}

interface SdkV2 {
  readonly computeAsTask: (client: Client) => Promise<object>;
}

/** A server with a tool `slow_compute`, which does what `run` does, and one that runs as a task only. */
async function serve(run: (signal: AbortSignal) => Promise<string>): Promise<URL> {
  const tool = (name: string, taskSupport: 'optional' | 'required') =>
    defineTool({
      name,
      description: 'Computes.',
      input: z.object({}),
      taskSupport,
      run: ({ task }) => run(task.signal),
    });
  const server = await createTaskServer({
    ...INFO,
    tools: [tool('slow_compute', 'optional'), tool('as_task', 'required')],
    pollInterval: 10,
  });
  const http = await serveHttp(server, { auth: authorization });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return new URL(http.url);
}

async function v1(url: URL): Promise<ClientV1> {
  const client = new ClientV1(INFO);
  await client.connect(new HttpV1(url, HEADERS));
  onTestFinished(() => client.close());
  return client;
}

async function v2(url: URL, mode: 'legacy' | 'auto', capabilities = {}): Promise<Client> {
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, HEADERS));
  onTestFinished(() => client.close());
  return client;
}

const request = (client: Client, method: string, params: Record<string, unknown>) =>
  client.request({ method, params }, ANY);

const done = { content: [{ type: 'text', text: 'done' }] };
const run = (): Promise<string> => Promise.resolve('done');

describe('the example for version 1 of the SDK', () => {
  let sdk: SdkV1;
  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    sdk = await moduleOf('sdk-v1.ts');
  });

  it('gets the result of a task, and again in another session', async () => {
    const url = await serve(run);
    const ids: string[] = [];
    expect(await sdk.compute(await v1(url), (id) => ids.push(id))).toMatchObject(done);
    expect(ids).toHaveLength(1);
    expect(await sdk.finish(await v1(url), ids[0] ?? '')).toMatchObject(done);
  });

  it('gets what a failed task says', async () => {
    const url = await serve(() => Promise.reject(new Error('The disk is full')));
    expect(await sdk.compute(await v1(url), () => undefined)).toMatchObject({
      isError: true,
      content: [{ text: 'The disk is full' }],
    });
  });

  it('cancels a task from another session', async () => {
    const stopped = deferred<void>();
    const url = await serve((signal) => {
      signal.addEventListener('abort', () => stopped.resolve());
      return new Promise(() => undefined);
    });
    const created = deferred<string>();
    const result = sdk.compute(await v1(url), created.resolve);
    expect(await sdk.stop(await v1(url), await created.promise)).toBe('cancelled');
    await stopped.promise;
    await expect(result).rejects.toThrow();
  });

  it('is refused by a server without the tool, before a task is created', async () => {
    const server = await createTaskServer({ ...INFO, tools: [] });
    const http = await serveHttp(server, { auth: authorization });
    onTestFinished(async () => {
      await http.close();
      await server.close(0);
    });
    const client = await v1(new URL(http.url));
    const refused = expect.objectContaining({ code: -32601 }) as Error;
    await expect(sdk.compute(client, () => undefined)).rejects.toEqual(refused);
  });

  it('needs a task where the tool does', async () => {
    const client = await v1(await serve(run));
    await expect(client.callTool({ name: 'as_task' })).rejects.toMatchObject({ code: -32601 });
  });
});

describe('version 2 of the SDK', () => {
  it('runs tasks of revisions up to 2025-11-25 as its example does', async () => {
    const { computeAsTask } = await moduleOf<SdkV2>('sdk-v2.ts');
    const client = await v2(await serve(run), 'legacy');
    expect(await computeAsTask(client)).toMatchObject(done);
    expect(await request(client, 'tasks/list', {})).toMatchObject({
      tasks: [{ status: 'completed' }],
    });
    expect(await client.callTool({ name: 'slow_compute' })).toMatchObject(done);
    await expect(client.callTool({ name: 'as_task' })).rejects.toMatchObject({ code: -32601 });
  });

  it('makes plain calls in 2026-07-28, unless it declares the tasks extension', async () => {
    const url = await serve(run);
    const plain = await v2(url, 'auto');
    expect(await plain.callTool({ name: 'slow_compute' })).toMatchObject(done);
    await expect(plain.callTool({ name: 'as_task' })).rejects.toMatchObject({ code: -32021 });
    const declares = await v2(url, 'auto', { extensions: { [EXTENSION_ID]: {} } });
    for (const name of ['slow_compute', 'as_task']) {
      const code = 'UNSUPPORTED_RESULT_TYPE';
      await expect(declares.callTool({ name })).rejects.toMatchObject({ code });
      const called = request(declares, 'tools/call', { name, arguments: {} });
      await expect(called).rejects.toMatchObject({ code });
    }
  });

  it('reads, cancels and subscribes to a task of 2026-07-28 that another client created', async () => {
    const url = await serve(() => new Promise(() => undefined));
    const taskId = await createdBy(url);
    const client = await v2(url, 'auto', { extensions: { [EXTENSION_ID]: {} } });
    const ended = deferred<unknown>();
    client.setNotificationHandler('notifications/tasks', { params: ANY }, (params) => {
      if (params['status'] !== 'working') ended.resolve(params['status']);
    });
    await client.listen({ taskIds: [taskId] } as SubscriptionFilter);
    expect(await request(client, 'tasks/get', { taskId })).toMatchObject({ status: 'working' });
    await request(client, 'tasks/cancel', { taskId });
    expect(await ended.promise).toBe('cancelled');
  });
});

/** The id of a task that a client beside the SDK's creates. */
async function createdBy(url: URL): Promise<string> {
  const { modern } = await import('../server/support.js');
  const http = { fetch: (web: Request) => fetch(url, { ...sent(web), body: web.body }) };
  const { result } = await modern({ http }, 'tools/call', { name: 'as_task', arguments: {} });
  return String(result?.['taskId']);
}

function sent({ method, headers }: Request): RequestInit {
  return { method, headers, duplex: 'half' };
}
