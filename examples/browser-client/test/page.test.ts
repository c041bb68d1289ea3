import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build, preview, type PreviewServer } from 'vite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/** A Chromium or Chrome of this machine. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const root = fileURLToPath(new URL('..', import.meta.url));

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
  const begin = () => page.getByRole('button', { name: 'Call' }).click();

  async function answer(people: string): Promise<void> {
    await page.getByRole('heading', { name: 'Who travels to Rome?' }).waitFor();
    await page.getByLabel('People').fill(people);
    await page.getByLabel('Seat').selectOption('window');
    await page.getByLabel('With insurance').check();
    await page.getByRole('button', { name: 'Send' }).click();
  }

  it('follows a task of another origin, answers its question, and checks the result in a worker', async () => {
    const worker = page.waitForEvent('worker');
    await begin();
    await status('Planning day');
    expect(await page.getByRole('progressbar').getAttribute('value')).not.toBe('0');
    await answer('3');
    await status('Done in revision');
    expect(await page.locator('#result').textContent()).toContain('"booking": "MC-3"');
    expect((await worker).url()).toMatch(/client-schema-worker/);
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
