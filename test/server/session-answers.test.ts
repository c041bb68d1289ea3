import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { createTaskServer, defineTool, type HttpOptions } from '../../runtime/server/index.js';
import { createNodeParts } from '../../runtime/server/serve.js';
import { legacy, type LegacyClient, messagesOf, post, type Reachable, until } from './support.js';
import { authorization, tokenOf } from './tokens.js';
import { hold, release, signals, testTools } from './tools.js';

/** A call as a task that is answered in JSON, once `prepare` is let go. */
const prepares = defineTool({
  name: 'prepares',
  description: 'Waits before it becomes a task.',
  input: z.object({ label: z.string() }),
  taskSupport: 'required',
  async prepare({ args, task }) {
    const { label } = args;
    signals.set(label, task.signal);
    await hold(label).released;
    return args;
  },
  run: () => 'done',
});

/** A server behind Node's HTTP. */
async function served(options: Partial<HttpOptions> = {}) {
  const problems: Error[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: [...testTools, prepares],
    onError: (error) => problems.push(error),
  });
  const { handler } = createNodeParts(server, { auth: authorization, ...options });
  const http = createServer((incoming, outgoing) => void handler.handle(incoming, outgoing));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  onTestFinished(async () => {
    await handler.close();
    http.closeAllConnections();
    http.close();
    await server.close(0);
  });
  const target: Reachable = {
    http: {
      fetch: (web, signal) =>
        fetch(url, {
          method: web.method,
          headers: web.headers,
          body: web.body,
          duplex: 'half',
          ...(signal && { signal }),
        }),
    },
  };
  return { target, problems };
}

const headersOf = ({ sessionId }: LegacyClient): Record<string, string> => ({
  authorization: `Bearer ${tokenOf('ann')}`,
  'mcp-session-id': sessionId,
  'mcp-protocol-version': '2025-11-25',
});

const held = (label: string, more: object = {}): object => ({
  name: 'held',
  arguments: { label },
  ...more,
});

async function started(client: LegacyClient, params: object): Promise<string> {
  const { result } = await client.request('tools/call', { ...params, task: {} });
  return (result?.['task'] as { taskId: string }).taskId;
}

const REFUSED = { error: { code: -32000, message: 'Not now' } };

/** The message and the comments of a stream. */
async function textOf(response: Response): Promise<string> {
  return response.text().catch(() => '(broken)');
}

describe('answers of a session that take long', () => {
  const label = (name: string): string => `${name} long`;

  it('tasks/result gets its head at once, and its answer when the task ends', async () => {
    const { target, problems } = await served();
    const client = await legacy(target);
    const taskId = await started(client, held(label('waits')));
    const response = await post(
      target.http,
      { id: 9, method: 'tasks/result', params: { taskId } },
      headersOf(client),
    );
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    release(label('waits'));
    for await (const { id, result } of messagesOf(response)) {
      expect([id, result?.['content']]).toEqual([
        9,
        [{ type: 'text', text: `done ${label('waits')}` }],
      ]);
    }
    expect(problems).toEqual([]);
  });

  it('comments keep a waiting stream open', async () => {
    const { target } = await served({ keepAliveMs: 20 });
    const client = await legacy(target);
    const taskId = await started(client, held(label('comments')));
    const params = { taskId };
    const response = await post(
      target.http,
      { id: 9, method: 'tasks/result', params },
      headersOf(client),
    );
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes(': keepalive\n\n')) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    expect(text).toMatch(/^id: .*\nretry: 3000\ndata: \n\n(: keepalive\n\n)+$/);
    await reader.cancel();
    release(label('comments'));
  });

  it('questions of a task go out on tasks/result, and its answer follows', async () => {
    const { target, problems } = await served();
    const client = await legacy(target, {
      capabilities: { elicitation: {}, sampling: {} },
      respond: ({ method }) =>
        method === 'elicitation/create'
          ? { result: { action: 'accept', content: { name: 'Ann' } } }
          : {
              result: {
                role: 'assistant',
                model: 'm',
                content: { type: 'text', text: 'Hello' },
              },
            },
    });
    const taskId = await started(client, { name: 'asks', arguments: {} });
    await until(
      () => client.request('tasks/get', { taskId }),
      ({ result }) => result?.['status'] === 'input_required',
    );
    const { result } = await client.request('tasks/result', { taskId });
    expect(result?.['content']).toMatchObject([{ type: 'text' }]);
    expect(client.heard.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'sampling/createMessage',
    ]);
    expect(problems).toEqual([]);
  });

  it('questions of a task go to the next client when the one that was asked has disconnected', async () => {
    const { target, problems } = await served({ resumeMs: 20 });
    const capabilities = { elicitation: {}, sampling: {} };
    const silent = await legacy(target, { capabilities });
    const taskId = await started(silent, { name: 'asks', arguments: {} });
    const disconnect = new AbortController();
    const left = silent.request('tasks/result', { taskId }, disconnect.signal);
    await until(
      () => Promise.resolve(silent.heard),
      ({ length }) => length === 1,
    );
    disconnect.abort();
    await left.catch(() => undefined);
    const next = await legacy(target, { capabilities, respond: () => REFUSED });
    const answer = await next.request('tasks/result', { taskId });
    expect(answer).toMatchObject(REFUSED);
    expect(next.heard.map(({ method }) => method)).toEqual(['elicitation/create']);
    expect(problems).toEqual([]);
  });

  it('a plain call asks, and reports progress, on its stream', async () => {
    const { target, problems } = await served();
    const client = await legacy(target, {
      capabilities: { elicitation: {} },
      respond: () => ({ result: { action: 'accept', content: { name: 'Ann' } } }),
    });
    const asked = await client.request('tools/call', { name: 'asks-once', arguments: {} });
    expect(asked.result?.['content']).toEqual([{ type: 'text', text: 'accept Ann' }]);
    release(label('progress'));
    await client.request('tools/call', held(label('progress'), { _meta: { progressToken: 'p' } }));
    expect(client.heard.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'notifications/progress',
      'notifications/progress',
    ]);
    expect(problems).toEqual([]);
  });

  it('notifications/cancelled aborts the handler of a call, which gets no answer', async () => {
    const { target } = await served({ keepAliveMs: 20 });
    const client = await legacy(target);
    const call = { id: 'c', method: 'tools/call', params: held(label('cancelled')) };
    const response = await post(target.http, call, headersOf(client));
    await until(
      () => Promise.resolve(signals.get(label('cancelled'))),
      (signal) => signal !== undefined,
    );
    await client.notify('notifications/cancelled', { requestId: 'c', reason: 'enough' });
    expect(signals.get(label('cancelled'))).toMatchObject({ aborted: true, reason: 'enough' });
    release(label('cancelled'));
    await hold(label('cancelled')).released;
    expect(await textOf(response)).not.toContain('data: {');
  });

  it('a cancelled request gets a stream without an answer, which ends', async () => {
    const { target, problems } = await served({ keepAliveMs: 20 });
    const client = await legacy(target);
    const params = { name: 'prepares', arguments: { label: label('json') }, task: {} };
    const answered = post(
      target.http,
      { id: 'j', method: 'tools/call', params },
      headersOf(client),
    );
    await until(
      () => Promise.resolve(signals.get(label('json'))),
      (signal) => signal !== undefined,
    );
    await client.notify('notifications/cancelled', { requestId: 'j', reason: 'enough' });
    expect(signals.get(label('json'))).toMatchObject({ aborted: true, reason: 'enough' });
    release(label('json'));
    const response = await answered;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await textOf(response)).not.toContain('data: {');
    expect(problems).toEqual([]);
  });

  it('the id of an open request may come again: both are answered', async () => {
    const { target } = await served();
    const client = await legacy(target);
    const call = { id: 's', method: 'tools/call', params: held(label('same')) };
    const first = await post(target.http, call, headersOf(client));
    await until(
      () => Promise.resolve(signals.get(label('same'))),
      (signal) => signal !== undefined,
    );
    const add = { name: 'add', arguments: { a: 1, b: 2 } };
    const again = { id: 's', method: 'tools/call', params: add };
    const second = await post(target.http, again, headersOf(client));
    const messages = messagesOf(second);
    expect((await messages.next()).value).toMatchObject({ id: 's', result: {} });
    release(label('same'));
    expect(await textOf(first)).toContain(`done ${label('same')}`);
  });

  it('a disconnect does not cancel a call of a session', async () => {
    const { target } = await served();
    const client = await legacy(target);
    const disconnect = new AbortController();
    const call = { id: 'd', method: 'tools/call', params: held(label('left')) };
    await post(target.http, call, headersOf(client), disconnect.signal);
    await until(
      () => Promise.resolve(signals.get(label('left'))),
      (signal) => signal !== undefined,
    );
    disconnect.abort();
    await client.request('ping');
    expect(signals.get(label('left'))?.aborted).toBe(false);
    release(label('left'));
  });

  it('the end of a session ends its streams and aborts its calls', async () => {
    const { target } = await served();
    const client = await legacy(target);
    const call = { id: 'e', method: 'tools/call', params: held(label('ended')) };
    const response = await post(target.http, call, headersOf(client));
    await until(
      () => Promise.resolve(signals.get(label('ended'))),
      (signal) => signal !== undefined,
    );
    const headers = { host: 'localhost', ...headersOf(client) };
    await target.http.fetch(new Request('http://localhost/mcp', { method: 'DELETE', headers }));
    expect(await textOf(response)).not.toContain('data: {');
    expect(signals.get(label('ended'))?.aborted).toBe(true);
    release(label('ended'));
  });
});
