import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTaskServer, defineTool, serveHttp } from '@mcp-codegen/runtime/server';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build, preview, type PreviewServer } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

/** A Chromium or Chrome of this machine. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const root = fileURLToPath(new URL('..', import.meta.url));

/** A server whose tool asks two questions at once. */
async function startAsking(): Promise<string> {
  const asks = defineTool({
    name: 'asks',
    description: 'Asks two questions at once.',
    input: z.object({}),
    taskSupport: 'optional',
    async run({ task }) {
      const ask = async (message: string): Promise<string> => {
        const properties = { text: { type: 'string', title: 'Answer' } } as const;
        const requestedSchema = { type: 'object', properties, required: ['text'] } as const;
        const { content } = await task.elicit({ message, requestedSchema });
        return `${message} ${String(content?.text)}`;
      };
      return (await Promise.all([ask('First?'), ask('Second?')])).join(' ');
    },
  });
  const server = await createTaskServer({ name: 'asks', version: '1.0.0', tools: [asks] });
  const http = await serveHttp(server, {
    port: 0,
    allowedOrigins: ['127.0.0.1'],
    allowUnidentified: true,
    allowUnidentifiedInput: true,
  });
  onTestFinished(() => http.close().then(() => server.close()));
  return http.url;
}

describe.skipIf(!existsSync(CHROMIUM))(`the page in ${CHROMIUM}`, () => {
  let browser: Browser;
  let site: PreviewServer;
  let server: ChildProcess;
  let url: string;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    await build({ root, logLevel: 'warn' });
    site = await preview({ root, preview: { host: '127.0.0.1', port: 0 } });
    server = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), 'server.ts'], {
      cwd: root,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
    url = String(line).replace('Serving at ', '').trim();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    server.kill();
  });

  beforeEach(async () => {
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (line) => problems.push(line.text()));
    await page.goto(site.resolvedUrls?.local[0] ?? '');
    await page.getByLabel('Server').fill(url);
  });

  const status = (text: string) => page.getByRole('status').getByText(text).waitFor();
  const other = (question = '') => (question === 'First?' ? 'Second?' : 'First?');
  const begin = () => page.getByRole('button', { name: 'Call' }).click();

  async function answer(people: string): Promise<void> {
    await page.getByRole('heading', { name: 'Who travels to Rome?' }).waitFor();
    await page.getByLabel('People').fill(people);
    await page.getByLabel('Seat').selectOption('window');
    await page.getByLabel('Meals').selectOption(['breakfast', 'dinner']);
    await page.getByLabel('With insurance').check();
    await page.getByRole('button', { name: 'Send' }).click();
  }

  it('follows a task of another origin, answers its question, and checks the result', async () => {
    await begin();
    await status('Planning day');
    expect(await page.getByRole('button', { name: 'Call' }).isDisabled()).toBe(true);
    expect(await page.getByRole('progressbar').getAttribute('value')).not.toBe('0');
    await answer('3');
    await status('Done in revision');
    const result = JSON.parse((await page.locator('#result').textContent()) ?? '') as unknown;
    expect(result).toEqual({ booking: 'MC-3', meals: ['breakfast', 'dinner'] });
    expect(await page.getByRole('button', { name: 'Call' }).isEnabled()).toBe(true);
    expect(await page.locator('#question').isVisible()).toBe(false);
  });

  it('resumes its task after a reload, before the question and at it', async () => {
    await begin();
    await status('Planning day');
    await page.reload();
    await page.getByRole('heading', { name: 'Who travels to Rome?' }).waitFor();
    await page.reload();
    await answer('2');
    await status('Done');
    expect(await page.locator('#result').textContent()).toContain('"booking": "MC-2"');
    await page.reload();
    await status('Ready');
  });

  it('shows one question after the other when a server asks two at once', async () => {
    await page.getByLabel('Server').fill(await startAsking());
    await page.getByLabel('Tool').fill('asks');
    await page.getByLabel('Arguments').fill('{}');
    await begin();
    const message = page.locator('#message');
    const asked: string[] = [];
    for (const text of ['one', 'two']) {
      await page.getByText(asked.length === 0 ? /^(First|Second)\?$/ : other(asked[0])).waitFor();
      asked.push((await message.textContent()) ?? '');
      await page.getByLabel('Answer').fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
    }
    await status('Done');
    const result = await page.locator('#result').textContent();
    expect(result).toContain(`${asked[0]} one`);
    expect(result).toContain(`${asked[1]} two`);
  });

  it('shows that arguments are not JSON, and lets the user try again', async () => {
    await page.getByLabel('Arguments').fill('to=Rome');
    await begin();
    await status('not valid JSON');
    expect(await page.getByRole('button', { name: 'Call' }).isEnabled()).toBe(true);
  });

  it('shows why a call failed, and cancels one', async () => {
    await begin();
    await page.getByRole('button', { name: 'Decline' }).click();
    await status('The user does not travel.');
    await begin();
    await status('Planning day');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await status('The task was cancelled');
    expect(problems).toEqual([]);
  });
});
