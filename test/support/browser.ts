import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
/** How many times slower the pages run than this machine can: `BROWSER_SLOWDOWN=6` for a slow telephone. */
const SLOWDOWN = Number(process.env['BROWSER_SLOWDOWN'] ?? 1);
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export const hasBrowser = existsSync(CHROMIUM);

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}

/** Opens a page in a context of its own; what goes wrong in it, and what it loads from elsewhere, is listed. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  if (SLOWDOWN !== 1) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  }
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => problems.push(dialog.message()));
  const { origin } = new URL(url);
  page.on('response', (response) => {
    // That of a file is "null".
    const isOwn = origin !== 'null' && new URL(response.url()).origin === origin;
    if (!isOwn && !response.request().isNavigationRequest()) problems.push(response.url());
  });
  await page.goto(url);
  return { page, problems };
}

/** Keeps pages as files for the tests of a `describe`. Returns what opens one, as {@link openPage} does. */
export function openerOf<Name extends string>(pages: Readonly<Record<Name, string>>) {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-pages-'));
    for (const name of Object.keys(pages) as Name[]) writeFileSync(join(folder, name), pages[name]);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });
  return (name: Name, fragment = '', options: BrowserContextOptions = {}) =>
    openPage(browser, pathToFileURL(join(folder, name)).href + fragment, options);
}

/** What axe finds against WCAG 2.2 AA. The page's policy has to be lifted (`bypassCSP`), as it refuses axe too. */
export async function axeViolations(page: Page): Promise<string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.addScriptTag({ content: readFileSync(path, 'utf8') });
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run({ runOnly: rules });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  }, RULES);
}

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** Keeps a picture, when the environment names a folder. */
export async function keepPicture(
  page: Page,
  folder: string | undefined,
  name: string,
  { fullPage = false } = {},
): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}

const INTRUSION = `
  const script = document.createElement('script');
  script.textContent = 'globalThis.broken = 1';
  document.body.append(script);
  document.body.setAttribute('style', 'color: red');
  const image = document.createElement('img');
  image.src = 'https://example.com/x.png';
  document.body.append(image);
`;

/** Puts into a page what its policy has to refuse, and expects that it does. `problems` is that of `openPage`. */
export async function expectRefusal(page: Page, problems: readonly string[]): Promise<void> {
  await page.evaluate(INTRUSION);
  await expect.poll(() => problems.length).toBeGreaterThan(1);
  expect(await page.evaluate('globalThis.broken')).toBeUndefined();
  expect(problems.every((each) => each.includes('Content Security Policy'))).toBe(true);
}

/** Widths of windows, in pixels: a narrow one, common ones, and a wide one. */
export const WIDTHS = [800, 1024, 1280, 1440, 1920] as const;

/**
 * What a person cannot get to at the window's width: text that a box without scrollbar cuts, and a page that scrolls
 * sideways. Links and texts for screen readers alone, and texts that end in `…` by intention, are left out.
 */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) {
      found.push('the page is ' + root.scrollWidth + ' px wide, the window ' + root.clientWidth);
    }
    const named = (element) => element.tagName.toLowerCase() + (element.id && '#' + element.id) +
      [...element.classList].map((name) => '.' + name).join('');
    /** Whether an ancestor scrolls sideways, or is for screen readers; else the first that cuts. */
    const cutBy = (element, box) => {
      for (let outer = element; outer; outer = outer.parentElement) {
        const { overflowX, clipPath, textOverflow } = getComputedStyle(outer);
        if (clipPath !== 'none' || textOverflow === 'ellipsis') return;
        if (['auto', 'scroll'].includes(overflowX)) return;
        if (outer === root) return box.right > root.clientWidth + 1 || box.left < -1 ? root : undefined;
        if (overflowX === 'visible') continue;
        const { left, right } = outer.getBoundingClientRect();
        if (box.right > right + 1 || box.left < left - 1) return outer;
      }
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      const { parentElement: element } = node;
      if (element.closest('.skip, .unseen') || node.data.trim() === '' || !element.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const by = box.width > 0 && cutBy(element, box);
        if (by) found.push(named(element) + ' is cut by ' + named(by) + ': ' + node.data.trim().slice(0, 60));
      }
    }
    return [...new Set(found)].slice(0, 10);
  })()`);
}

/** Expects that a page shows all of its texts at every width. */
export async function expectFits(page: Page): Promise<void> {
  const found: Record<number, string[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await cutOff(page);
    if (cut.length > 0) found[width] = cut;
  }
  expect(found).toEqual({});
}
