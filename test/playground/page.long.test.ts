import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAFTS } from '../../json-schema/index.js';
import { run } from '../cli/process.js';
import { HOSTILE } from '../explore/pages.js';
import { drawnSchema } from '../read/drawn.js';
import { coreRecording, jsonl } from '../report/recordings.js';
import {
  axeViolations,
  expectFits,
  expectRefusal,
  hasBrowser,
  launchBrowser,
  openPage,
} from '../support/browser.js';
import { RECORDINGS, withoutHeader } from './texts.js';

const FILE = 'page.html';
const MOST_BYTES = 3_000_000;

let cwd: string;
let browser: Browser;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-playground-page-'));
  expect(await run(['playground', '--out', FILE], { cwd })).toEqual({
    code: 0,
    stdout: `create    ./${FILE}\n1 created.\n`,
    stderr: '',
  });
  if (hasBrowser) browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(cwd, { recursive: true });
});

const open = (options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> =>
  openPage(browser, pathToFileURL(join(cwd, FILE)).href, options);

/** Without the worker and the frame, which the page makes itself. */
const fromElsewhere = (problems: readonly string[]): string[] =>
  problems.filter((each) => !each.startsWith('blob:null/'));

/** The text of an output; empty when it is not there. */
async function output(page: Page, label: string): Promise<string> {
  const found = page.getByLabel(label, { exact: true });
  return (await found.count()) === 0 ? '' : ((await found.textContent()) ?? '');
}

/** Newer engines of JavaScript say the line and the column of broken JSON as well. */
const withoutPlaces = (text: string): string => text.replace(/ \(line \d+ column \d+\)/g, '');

/** Pastes a text, which `fill` would type line by line. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.evaluate((element, pasted) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as Pasting;
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const event = { clipboardData, bubbles: true, cancelable: true };
    (element as unknown as EventTarget).dispatchEvent(new ClipboardEvent('paste', event));
  }, text);
  await expect.poll(() => field.inputValue().then(({ length }) => length)).toBe(text.length);
}

/** What a status says after the engine has answered. */
async function said(status: Locator): Promise<string> {
  const ended = status.filter({ hasText: /\w/ }).filter({ hasNotText: '…' });
  await ended.waitFor({ timeout: 100_000 });
  return (await ended.textContent()) ?? '';
}

async function check(page: Page, text: string): Promise<string> {
  await page.getByLabel('Messages to check').fill(text);
  await page.getByRole('button', { name: 'Check the messages' }).click();
  return said(page.locator('#messages .status'));
}

async function generate(page: Page, text: string): Promise<string> {
  await page.getByLabel('Schema', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Generate code' }).click();
  return said(page.locator('#schemas .status').first());
}

async function judge(page: Page, value: string): Promise<string> {
  await page.getByLabel('Value to check, as JSON').fill(value);
  await page.getByRole('button', { name: 'Check the value' }).click();
  return said(page.locator('#schemas .status').last());
}

describe('the command', () => {
  it('writes one file of limited size, replaces its own pages, and keeps other files', async () => {
    expect(statSync(join(cwd, FILE)).size).toBeLessThan(MOST_BYTES);
    writeFileSync(join(cwd, 'mine.html'), 'mine');
    expect((await run(['playground', '--out', 'mine.html'], { cwd })).code).toBe(5);
    expect(readFileSync(join(cwd, 'mine.html'), 'utf8')).toBe('mine');
    const again = await run(['playground', '--out', FILE, '--json'], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({ page: FILE });
  });
});

describe.skipIf(!hasBrowser)('the page in Chromium, from a file', () => {
  it('has the findings, the counts and the report of validate', async () => {
    const { page, problems } = await open();
    for (const text of Object.values(RECORDINGS)) {
      writeFileSync(join(cwd, 'pasted'), text);
      const { code, stdout } = await run(['validate', 'pasted', '--report', 'report.html'], {
        cwd,
      });
      const verdict = await check(page, text);
      const passed = text === '' ? 'There is no message to check' : 'Valid';
      expect(verdict).toContain(code === 0 ? passed : code === 2 ? 'Unclear' : 'Invalid');
      const findings = await output(page, 'Findings');
      const summary = await output(page, 'Summary');
      expect(withoutPlaces(findings + summary)).toBe(withoutPlaces(stdout));
      await page.getByText('Report', { exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Save the report' }).click(),
      ]);
      const [saved, written] = [await download.path(), join(cwd, 'report.html')].map((path) =>
        withoutPlaces(readFileSync(path, 'utf8')),
      );
      expect(saved).toBe(written);
    }
    expect(fromElsewhere(problems)).toEqual([]);
    await page.context().close();
  });

  it('checks by the revision and the sender that the user chooses', async () => {
    const { page } = await open();
    const text = '{"jsonrpc":"2.0","id":1,"method":"tasks/list"}';
    expect(await check(page, text)).toContain('Unclear');
    await page.getByLabel('Revision').selectOption('2025-11-25');
    await page.getByLabel('Sender').selectOption('client');
    expect(await check(page, text)).toContain('Valid');
    await page.getByLabel('Revision').selectOption('2024-11-05');
    expect(await check(page, text)).toContain('Invalid');
    await page.context().close();
  });

  it('shows the report, whose script runs', async () => {
    const { page, problems } = await open();
    await check(page, jsonl(coreRecording(20)));
    await page.getByText('Report', { exact: true }).click();
    const frame = page.frameLocator('iframe');
    await frame.locator('[role=option]').first().click();
    await expect.poll(() => frame.locator('#detail .body').textContent()).toContain('jsonrpc');
    expect(fromElsewhere(problems)).toEqual([]);
    await page.context().close();
  });

  it('has the types, Zod schemas and validators of generate', async () => {
    const { page, problems } = await open();
    const drawn = DRAFTS.flatMap((draft) =>
      fc.sample(drawnSchema(draft), { numRuns: 2, seed: 7 }).map((schema) => ({ draft, schema })),
    );
    for (const { draft, schema } of drawn) {
      const text = JSON.stringify(schema);
      writeFileSync(join(cwd, 'schema.json'), text);
      const args = ['--schema', 'schema.json', '--draft', draft, '--out', 'out', '--force'];
      await run(['generate', ...args], { cwd });
      await page.getByLabel('Draft').selectOption(draft);
      expect(await generate(page, text)).toContain('Generated 3 files');
      for (const file of ['types.ts', 'zod.ts', 'validators.ts']) {
        const written = readFileSync(join(cwd, 'out/schema', file), 'utf8');
        expect(await output(page, file)).toBe(withoutHeader(written));
      }
    }
    expect(fromElsewhere(problems)).toEqual([]);
    await page.context().close();
  });

  it('judges values of the definition that the user chooses', async () => {
    const { page } = await open();
    const $defs = { Size: { type: 'integer', maximum: 3 }, Name: { type: 'string' } };
    await generate(page, JSON.stringify({ $defs }));
    await page.getByLabel('Definition').selectOption('Size');
    expect(await judge(page, '4')).toBe('Invalid Size: the value must be at most 3.');
    expect(await judge(page, '3')).toBe('Valid: the value is a Size.');
    await page.getByLabel('Definition').selectOption('Name');
    expect(await judge(page, '3')).toBe('Invalid Name: the value must be a string.');
    expect(await judge(page, '{')).toBe('The value was not checked.');
    expect(await output(page, 'Problems of schema or value')).toContain('error[not-json]');
    await page.context().close();
  });

  it('runs nothing of a text', async () => {
    const { page, problems } = await open();
    const named = Object.fromEntries(
      HOSTILE.map((each) => [each, { description: each, const: each }]),
    );
    const schema = {
      title: HOSTILE[0],
      description: HOSTILE.join(),
      type: 'object',
      properties: named,
    };
    await generate(page, JSON.stringify(schema));
    for (const each of HOSTILE) {
      await judge(page, JSON.stringify({ [each]: each, x: 1 }));
      await check(page, JSON.stringify({ jsonrpc: '2.0', id: each, method: each }));
    }
    expect(await page.evaluate('globalThis.broken')).toBeUndefined();
    expect(fromElsewhere(problems)).toEqual([]);
    await page.context().close();
  });

  it('has a policy that refuses every other script and style', async () => {
    const { page, problems } = await open();
    await expectRefusal(page, problems);
    await page.context().close();
  });

  it('stops what takes long when the user cancels, and answers the next question', async () => {
    const { page } = await open();
    const text = jsonl(coreRecording(20_000));
    await paste(page.getByLabel('Messages to check'), text);
    const status = page.locator('#messages .status');
    await page.getByRole('button', { name: 'Check the messages' }).click();
    await expect.poll(() => status.textContent()).toBe('Checking …');
    // The page answers while the engine works.
    await page.getByRole('button', { name: 'Cancel' }).first().click();
    await expect.poll(() => status.textContent()).toBe('Cancelled.');
    expect(await check(page, jsonl(coreRecording(2)))).toContain('Valid');
    await page.context().close();
  });

  it('is used with the keyboard alone', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Use an example' }).first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    // A disabled button is passed over.
    await page.keyboard.press('Enter');
    expect(await said(page.locator('#messages .status'))).toContain('Invalid');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const label = (): Promise<unknown> =>
      page.evaluate(() => (globalThis as unknown as Focused).document.activeElement.ariaLabel);
    expect(await label()).toBe('Findings');
    await page.keyboard.press('Tab');
    expect(await label()).toBe('Summary');
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('has no axe finding in %s', async (colorScheme) => {
    const { page } = await open({ colorScheme, bypassCSP: true });
    for (const button of await page.getByRole('button', { name: 'Use an example' }).all()) {
      await button.click();
    }
    await page.getByRole('button', { name: 'Check the messages' }).click();
    await said(page.locator('#messages .status'));
    await page.getByRole('button', { name: 'Generate code' }).click();
    await said(page.locator('#schemas .status').first());
    await page.getByRole('button', { name: 'Check the value' }).click();
    await said(page.locator('#schemas .status').last());
    const closed = page.locator('details:not([open]) > summary');
    while ((await closed.count()) > 0) await closed.first().click();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  it('shows all of its texts from 800 px on', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Use an example' }).first().click();
    await page.getByRole('button', { name: 'Check the messages' }).click();
    await said(page.locator('#messages .status'));
    await expectFits(page);
    await page.context().close();
  });
});

/** The part of a browser that `paste` uses. */
interface Pasting {
  readonly DataTransfer: new () => { setData(type: string, text: string): void };
  readonly ClipboardEvent: new (type: string, init: object) => Event;
}

interface Focused {
  readonly document: { readonly activeElement: { readonly ariaLabel: string | null } };
}
