import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, preview, type PreviewServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PROTOCOL_VERSIONS, REVISIONS } from '../../runtime/protocol.js';
import { createTaskServer, serveHttp } from '../../runtime/server/index.js';
import type { Dialect } from '../../runtime/tasks/index.js';
import { CORE_ONLY, EXT_ONLY, release, testTools } from '../server/tools.js';
import { axeViolations, hasBrowser, launchBrowser, openPage } from '../support/browser.js';

/** The client library in a browser: the page of examples/browser-client, with servers of other origins. */

const root = fileURLToPath(new URL('../../examples/browser-client', import.meta.url));

/** Without authorization, no client may list tasks. */
const CORE = { ...CORE_ONLY, core: { tasks: { cancel: {}, requests: { tools: { call: {} } } } } };

async function serve(dialect: Dialect): Promise<string> {
  const server = await createTaskServer({
    name: 'test',
    version: '1',
    tools: testTools,
    revisions: PROTOCOL_VERSIONS.filter((each) => REVISIONS[each].dialect === dialect),
    capabilities: dialect === 'core' ? CORE : EXT_ONLY,
    pollInterval: 100,
  });
  const http = await serveHttp(server, {
    allowedOrigins: ['127.0.0.1'],
    allowUnidentified: true,
    allowUnidentifiedInput: true,
  });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return http.url;
}

/** A server by hand, whose output schema keeps a validator busy for years. */
async function serveHostile(): Promise<string> {
  const schema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    },
    'tools/list': {
      tools: [{ name: 'work', inputSchema: { type: 'object' }, outputSchema: schema }],
    },
    'tools/call': {
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { text: `${'a'.repeat(60)}!` },
    },
  };
  const http = createServer((request, response) => {
    void (async () => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('access-control-allow-headers', '*');
      if (request.method === 'OPTIONS') return response.writeHead(204).end();
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = (await json(request)) as { id?: number; method: string };
      if (id === undefined) return response.writeHead(202).end();
      const result = results[method];
      const error = { code: -32601, message: 'Method not found' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
    })();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

describe.skipIf(!hasBrowser)('the client in Chromium', () => {
  let folder: string;
  let site: PreviewServer;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-page-'));
    const options = { root, build: { outDir: folder, emptyOutDir: true } };
    await build({ ...options, logLevel: 'warn' });
    site = await preview({ ...options, preview: { host: '127.0.0.1', port: 0 } });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    rmSync(folder, { recursive: true });
  });

  async function open(options = {}): Promise<Page> {
    const { page } = await openPage(browser, site.resolvedUrls?.local[0] ?? '', options);
    onTestFinished(() => page.context().close());
    return page;
  }

  async function call(page: Page, server: string, tool: string, args: object): Promise<void> {
    await page.getByLabel('Server').fill(server);
    await page.getByLabel('Tool').fill(tool);
    await page.getByLabel('Arguments').fill(JSON.stringify(args));
    await page.getByRole('button', { name: 'Call' }).click();
  }

  const status = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
  const result = (page: Page) => page.locator('#result').textContent();

  describe.each(['core', 'ext'] as const)('in %s', (dialect) => {
    it('follows a task, resumes it after a reload, and shows its progress', async () => {
      const page = await open();
      const label = `page-${dialect}`;
      await call(page, await serve(dialect), 'held', { label });
      const half = page.locator('progress[value="0.5"]');
      await half.waitFor();
      await page.reload();
      await status(page, 'The task is working');
      release(label);
      await status(page, 'Done in revision');
      expect(await result(page)).toContain(`done ${label}`);
    });

    it('answers a question of a task', async () => {
      const page = await open({ bypassCSP: true });
      await call(page, await serve(dialect), 'asks-once', {});
      await page.getByRole('heading', { name: 'What is your name?' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByLabel('name', { exact: true }).fill('Ann');
      await page.getByRole('button', { name: 'Send' }).click();
      await status(page, 'Done in revision');
      expect(await result(page)).toContain('accept Ann');
    });
  });

  it('checks a result where the policy of the page forbids eval', async () => {
    const page = await open();
    await call(page, await serve('ext'), 'add', { a: 1, b: 2 });
    await status(page, 'Done in revision');
    expect(await result(page)).toContain('"sum": 3');
  });

  it('refuses the result of a hostile schema', async () => {
    const page = await open();
    await call(page, await serveHostile(), 'work', {});
    await status(page, 'structuredContent/text must match the pattern');
  });
});
