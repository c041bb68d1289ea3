import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { metamodelOf } from '../../generator/emit/index.js';
import { protocolFromSource } from '../../generator/protocol/protocol.js';
import {
  axeViolations,
  hasBrowser,
  expectFits,
  expectRefusal,
  keepPicture,
  openerOf,
} from '../support/browser.js';
import { pageFor, pageOf } from './pages.js';
import { hostileSchema } from './hostile.js';

const files = {
  'late.html': pageOf('2026-07-28', '2025-11-25'),
  'early.html': pageOf('2025-11-25'),
  'hostile.html': pageFor(
    metamodelOf(
      protocolFromSource({ label: 'hostile.json', text: JSON.stringify(hostileSchema()) }).protocol,
    ),
  ),
};

describe.skipIf(!hasBrowser)('a page in Chromium', () => {
  const open = openerOf(files);

  /** The names of the items that are visible. */
  const shown = (page: Page): Promise<string[]> =>
    page.locator('article.item:not([hidden]) > :is(h3, h4) > a').allTextContents();

  it.each(['late.html', 'early.html', 'hostile.html'] as const)(
    'shows all of its texts from 800 px on: %s',
    async (name) => {
      const { page } = await open(name);
      await expectFits(page);
      await page.context().close();
    },
  );

  it.each(['late.html', 'early.html', 'hostile.html'] as const)(
    'runs only its own script: %s',
    async (name) => {
      const { page, problems } = await open(name);
      await page.keyboard.press('Tab');
      await page.fill('#search', 'script');
      await page.hover('h1');
      expect(await page.evaluate('globalThis.broken')).toBeUndefined();
      expect(problems).toEqual([]);
      expect(page.url()).toMatch(/^file:/);
      await page.context().close();
    },
  );

  it('has a policy that refuses every other script and style', async () => {
    const { page, problems } = await open('early.html');
    await expectRefusal(page, problems);
    await page.context().close();
  });

  it('is searched with the keyboard alone', async () => {
    const { page } = await open('late.html');
    const all = await shown(page);
    await page.keyboard.press('/');
    await page.keyboard.type('elicit url');
    const found = await shown(page);
    expect(found).toContain('ElicitRequestURLParams');
    expect(found.length).toBeLessThan(all.length / 4);
    const count = await page.locator('.item:not([hidden])').count();
    expect(await page.textContent('#found')).toMatch(
      new RegExp(`^${String(count)} of \\d+ found$`),
    );
    await expect.poll(() => page.url()).toContain('#search=elicit%20url');
    await page.keyboard.press('Enter');
    const first = await page.locator('.item:not([hidden]) a').first().textContent();
    expect(await page.evaluate('document.activeElement.textContent')).toBe(first);
    await page.focus('#search');
    await page.keyboard.press('Escape');
    expect(await shown(page)).toEqual(all);
    await page.context().close();
  });

  it('opens at a definition, a method, a field and a search', async () => {
    const { page } = await open('late.html', '#search=progress');
    expect(await page.inputValue('#search')).toBe('progress');
    expect(await shown(page)).not.toContain('Tool');
    for (const place of ['type/Tool', 'method/tools%2Fcall', 'type/Tool.name']) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      const target = page.locator(`[id="${place}"]:target`);
      await expect.poll(() => target.isVisible()).toBe(true);
      await expect.poll(async () => (await target.boundingBox())?.y).toBeLessThan(800);
    }
    await page.goto(page.url().replace(/#.*/, '#search=%E0%A4%A'));
    expect(await page.inputValue('#search')).toBe('');
    await page.context().close();
  });

  it('follows the links of a method', async () => {
    const { page } = await open('late.html', '#method/tools%2Fcall');
    await page.locator('[id="method/tools%2Fcall"] dd a', { hasText: 'CallToolResult' }).click();
    await expect.poll(() => page.url()).toMatch(/#type\/CallToolResult$/);
    await page.context().close();
  });

  it('prints every definition, without the search', async () => {
    const { page } = await open('early.html');
    await page.emulateMedia({ media: 'print' });
    expect(await page.isVisible('#search')).toBe(false);
    const pdf = await page.pdf();
    expect(pdf.length).toBeGreaterThan(50_000);
    await page.context().close();
  });

  it.each([
    ['late.html', 1200, 'light'],
    ['late.html', 360, 'dark'],
    ['early.html', 360, 'light'],
    ['hostile.html', 360, 'dark'],
  ] as const)(
    '%s fits %i px (%s), and has no fault that axe finds',
    async (name, width, colour) => {
      const viewport = { width, height: 800 };
      // The policy of the page refuses axe as well, so it is lifted here.
      const { page } = await open(name, '', { viewport, colorScheme: colour, bypassCSP: true });
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(width);
      const picture = `${name}-${String(width)}-${colour}`;
      await keepPicture(page, process.env['EXPLORE_PICTURES'], picture);
      expect(await axeViolations(page)).toEqual([]);
      await page.context().close();
    },
  );
});
