import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { META_KEYS } from '../../generated/2026-07-28/protocol.js';
import { EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import { createTaskServer, serveHttp } from '../../runtime/server/index.js';
import { authorization, tokenOf } from './tokens.js';
import { testTools } from './tools.js';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];

/** What a page got, or how its browser refused it. */
interface Got {
  readonly status: number;
  readonly sessionId: string | null;
  readonly challenge: string | null;
  readonly text: string;
}

interface Sending {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Reads until this was said, instead of to the end. */
  readonly until?: string;
}

/** Runs in the page. */
async function send({ url, until, ...init }: Sending): Promise<Got | string> {
  try {
    const response = await fetch(url, init);
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      text += decoder.decode(value, { stream: !done });
      if (done || (until !== undefined && text.includes(until))) break;
    }
    await reader?.cancel();
    return {
      status: response.status,
      sessionId: response.headers.get('mcp-session-id'),
      challenge: response.headers.get('www-authenticate'),
      text,
    };
  } catch (error) {
    return String(error);
  }
}

/** An address of its own for a page: the same machine, another port. */
async function serveAnything(): Promise<string> {
  const http = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>page</title>');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  return `127.0.0.1:${(http.address() as AddressInfo).port}`;
}

describe.skipIf(!existsSync(CHROMIUM))(`a page in Chromium (skipped without ${CHROMIUM})`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  });
  afterAll(() => browser.close());

  async function open(allowed: (page: string) => string[]) {
    const page = `http://${await serveAnything()}`;
    const server = await createTaskServer({ name: 'test', version: '1', tools: testTools });
    const http = await serveHttp(server, { auth: authorization, allowedOrigins: allowed(page) });
    const tab = await browser.newPage();
    onTestFinished(async () => {
      await tab.close();
      await http.close();
      await server.close(0);
    });
    await tab.goto(page);
    const post = (message: object, headers: Readonly<Record<string, string>>, until?: string) =>
      tab.evaluate(send, {
        url: http.url,
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokenOf('ann')}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
        ...(until !== undefined && { until }),
      });
    return { tab, post, url: http.url };
  }

  const initialize = {
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'page', version: '1' },
    },
  };
  const call = { name: 'add', arguments: { a: 1, b: 2 } };

  it('has a session of revision 2025-11-25: calls a tool and listens', async () => {
    const { tab, post, url } = await open((page) => [page]);
    const begun = (await post(initialize, {})) as Got;
    expect(begun).toMatchObject({ status: 200, sessionId: expect.any(String) as string });
    const session = {
      'mcp-session-id': String(begun.sessionId),
      'mcp-protocol-version': '2025-11-25',
    };
    const called = await post({ method: 'tools/call', params: call }, session);
    expect(called).toMatchObject({
      status: 200,
      text: expect.stringContaining('"sum":3') as string,
    });

    const listening = tab.evaluate(send, {
      url,
      method: 'GET',
      headers: {
        ...session,
        authorization: `Bearer ${tokenOf('ann')}`,
        accept: 'text/event-stream',
        'last-event-id': '7',
      },
      until: 'notifications/tasks/status',
    });
    // Only an open stream receives events.
    for (let n = 0; n < 50; n += 1) {
      await post(
        { method: 'tools/call', params: { name: 'failing', arguments: {}, task: {} } },
        session,
      );
      const told = await Promise.race([
        listening,
        new Promise((resolve) => setTimeout(resolve, 100)),
      ]);
      if (told !== undefined) break;
    }
    expect(await listening).toMatchObject({ status: 200 });
    const ended = await tab.evaluate(send, {
      url,
      method: 'DELETE',
      headers: { ...session, authorization: `Bearer ${tokenOf('ann')}` },
    });
    expect(ended).toMatchObject({ status: 200 });
  });

  it('speaks revision 2026-07-28: calls a tool and listens to a task', async () => {
    const { post } = await open(() => ['127.0.0.1']);
    const modern = (method: string, params: object, name?: string, until?: string) => {
      const _meta = {
        [META_KEYS.protocolVersion]: '2026-07-28',
        [META_KEYS.clientInfo]: { name: 'page', version: '1' },
        [META_KEYS.clientCapabilities]: { extensions: { [EXTENSION_ID]: {} } },
      };
      const headers = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': name }),
      };
      return post({ method, params: { ...params, _meta } }, headers, until) as Promise<Got>;
    };
    expect((await modern('tools/call', call, 'add')).text).toContain('"sum":3');
    const started = await modern('tools/call', { name: 'failing', arguments: {} }, 'failing');
    const { result } = JSON.parse(started.text) as { result: { taskId: string } };
    const told = await modern(
      'subscriptions/listen',
      { notifications: { taskIds: [result.taskId] } },
      undefined,
      '"completed"',
    );
    expect(told).toMatchObject({
      status: 200,
      text: expect.stringContaining('"completed"') as string,
    });
  });

  it('can read why it was refused', async () => {
    const { post } = await open((page) => [page]);
    const refused = await post(initialize, { authorization: 'Bearer nobody' });
    expect(refused).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('resource_metadata') as string,
    });
  });

  it('of a foreign origin can send nothing', async () => {
    const { post } = await open(() => ['app.example']);
    expect(await post(initialize, {})).toBe('TypeError: Failed to fetch');
  });
});
