import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LATEST, REVISIONS } from '../../generator/ir/revisions/index.js';
import { brokenLinks } from '../../scripts/site/links.js';
import { axeViolations, hasBrowser, launchBrowser, openPage } from '../support/browser.js';
import { serveFolder } from './static-server.js';

const ROOT = join(import.meta.dirname, '../..');
const HTML = join(ROOT, '.cache/site/html');
const BASE = '/mcp-codegen/';

/** A page of each kind. */
const KINDS = [
  '',
  'docs/',
  'docs/servers',
  'docs/api',
  'docs/decisions/wire',
  'source/generator/diff/diff-ts',
  'reference/',
  `reference/${LATEST}`,
];

beforeAll(() => {
  execFileSync('npm', ['run', '--silent', 'site'], {
    cwd: ROOT,
    env: { ...process.env, SITE_BASE: BASE },
    shell: process.platform === 'win32',
  });
}, 600_000);

describe('the built site', () => {
  it('has a page for each kind, and no link that leads nowhere', () => {
    const pages = [...KINDS, ...REVISIONS.map((each) => `reference/${each}`)];
    for (const page of pages) {
      expect(existsSync(join(HTML, `${page.replace(/(^|\/)$/, '$1index')}.html`))).toBe(true);
    }
    expect(brokenLinks(HTML, BASE)).toEqual([]);
  });

  it('has every file that llms.txt names', () => {
    const text = readFileSync(join(HTML, 'llms.txt'), 'utf8');
    const paths = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !existsSync(join(HTML, path)))).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('the site in Chromium', () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveFolder>>;
  beforeAll(async () => {
    [browser, site] = await Promise.all([launchBrowser(), serveFolder(HTML, BASE)]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  async function open(path: string, options: BrowserContextOptions = {}) {
    const opened = await openPage(browser, site.url + path, options);
    // The button is there when the scripts of the site run.
    await opened.page.locator('.VPNavBarSearch button').first().waitFor();
    return opened;
  }

  /** The page with an open search, and what the search finds. */
  async function searched(text: string, options: BrowserContextOptions = {}) {
    const { page, problems } = await open('', options);
    await expect
      .poll(async () => {
        await page.keyboard.press('/');
        return page.locator('#localsearch-input').count();
      })
      .toBe(1);
    await page.locator('#localsearch-input').fill(text);
    await page.locator('#localsearch-list a').first().waitFor();
    return { page, problems };
  }

  const links = '#localsearch-list a';

  it.each(
    KINDS.flatMap((path) => (['light', 'dark'] as const).map((scheme) => [path, scheme] as const)),
  )(
    '/%s has no fault that axe finds (%s), and loads nothing from elsewhere',
    async (path, colorScheme) => {
      const { page, problems } = await open(path, { colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  it.each(['light', 'dark'] as const)(
    'the open search has no fault that axe finds (%s)',
    async (colorScheme) => {
      const { page, problems } = await searched('task', { colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  it('finds a function of the API by its name', async () => {
    const { page } = await searched('createTaskClient');
    await expect
      .poll(async () => (await page.locator(links).allTextContents()).join())
      .toMatch(/Clients|public API/);
    await page.context().close();
  });

  it('finds a definition by its name, in the revisions that have it', async () => {
    const { page } = await searched('ElicitRequestURLParams');
    const addresses = (): Promise<string[]> =>
      page.locator(links).evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
    await expect
      .poll(addresses)
      .toContain(`${BASE}reference/2025-11-25#type/ElicitRequestURLParams`);
    expect(await addresses()).not.toContain(
      `${BASE}reference/2025-06-18#type/ElicitRequestURLParams`,
    );
    await page.context().close();
  });

  it('leads from a definition and from a method to the same one of another revision', async () => {
    const { page } = await open(`reference/${LATEST}#type/Tool`);
    for (const place of ['type/Tool', 'method/tools/call']) {
      const item = page.locator('article.item', { has: page.locator(`[id="${place}"]`) });
      await item.locator('.revisions a', { hasText: /^2025-06-18$/ }).click();
      await expect.poll(() => page.locator('h1').textContent()).toContain('2025-06-18');
      const there = page.locator(`[id="${place}"]`);
      await expect.poll(async () => (await there.boundingBox())?.y).toBeLessThan(300);
      expect((await there.boundingBox())?.y).toBeGreaterThan(0);
      await page.goto(`${site.url}reference/${LATEST}`);
    }
    await page.context().close();
  });
});
