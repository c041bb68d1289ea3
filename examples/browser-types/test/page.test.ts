import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A Chromium or Chrome of this machine. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

describe.skipIf(!existsSync(CHROMIUM))(`the page in ${CHROMIUM}`, () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    execSync('npm run build', { stdio: 'pipe' });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (line) => problems.push(line.text()));
    await page.goto(new URL('../index.html', import.meta.url).href);
  });
  afterAll(() => browser.close());

  const verdict = (): Promise<string | null> => page.locator('#verdict').textContent();
  const errors = (): Promise<string[]> => page.locator('#errors li').allTextContents();

  it('starts with a message that is valid', async () => {
    expect(await verdict()).toBe('Valid: call of the tool add');
    expect(await errors()).toEqual([]);
  });

  it('names each invalid field', async () => {
    const wrong = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } };
    await page.fill('#message', JSON.stringify(wrong));
    expect(await verdict()).toBe('Invalid: answer with -32602');
    expect(await errors()).toEqual(['/params/name must be a string, but is the number 7.']);
  });

  it('checks what the chosen sender may send', async () => {
    const ask = { jsonrpc: '2.0', id: 'a', method: 'roots/list' };
    await page.fill('#message', JSON.stringify(ask));
    expect(await verdict()).toBe('Invalid: answer with -32601');
    await page.selectOption('#from', 'server');
    expect(await verdict()).toBe('Valid: request roots/list');
  });

  it('shows a text of the message as text', async () => {
    const answer = { jsonrpc: '2.0', id: '<img src=x onerror=alert(1)>', result: {} };
    await page.fill('#message', JSON.stringify(answer));
    expect(await verdict()).toBe('Valid: answer to request <img src=x onerror=alert(1)>');
    await page.fill('#message', '{"jsonrpc":');
    expect(await verdict()).toBe('Invalid: answer with -32700');
  });

  it('causes no error and no warning in the browser', () => {
    expect(problems).toEqual([]);
  });
});
