import { describe, expect, it } from 'vitest';

import { resultsPage } from '../../bench/report/page.js';
import { isDrawn, panel } from '../../bench/report/panel.js';
import { svgFile } from '../../bench/report/svg.js';
import { readFigures } from '../../scripts/docs/figures.js';
import { root } from '../docs/snippets.js';
import {
  axeViolations,
  hasBrowser,
  expectRefusal,
  keepPicture,
  openerOf,
} from '../support/browser.js';
import { delays, hostileResults, rates, resultsOf, withoutFigure } from './results.js';

/** Keeps pictures of the pages, when a folder is given. */
const PICTURES = process.env['FIGURES_PICTURES'];

const hostile = hostileResults();
const files = {
  'small.html': resultsPage([resultsOf([rates(), delays(), withoutFigure()])]),
  'saved.html': resultsPage(readFigures(root)),
  'hostile.html': resultsPage([hostile]),
  'hostile.svg': svgFile(
    hostile.subject,
    hostile.benches.flatMap(({ rows }) => rows.filter(isDrawn).map(panel)),
    hostile.machine.processor,
  ),
};
type File = keyof typeof files;

describe.skipIf(!hasBrowser)('a report of the bench in Chromium', () => {
  const open = openerOf(files);

  it.each(Object.keys(files) as File[])('loads nothing and runs nothing: %s', async (name) => {
    const { page, problems } = await open(name);
    expect(await page.evaluate('globalThis.broken')).toBeUndefined();
    expect(await page.locator('script, img, parsererror').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('refuses scripts, styles and pictures that are added', async () => {
    const { page, problems } = await open('small.html');
    await expectRefusal(page, problems);
    await page.context().close();
  });

  it('says what each drawing shows, in a name, a description and a table', async () => {
    const { page } = await open('small.html');
    const drawing = page.getByRole('img', { name: 'plain call' });
    expect(await drawing.locator('desc').textContent()).toContain(
      'SDK v1: 450 per second and core',
    );
    const figure = page.locator('figure').first();
    expect(await figure.locator('tbody tr').allTextContents()).toHaveLength(3);
    await page.evaluate('getSelection().selectAllChildren(document.querySelector("figure svg"))');
    expect(await page.evaluate('String(getSelection())')).toContain('SDK v1');
    await page.context().close();
  });

  it('is read with the keyboard, and printed whole', async () => {
    const { page } = await open('small.html', '', { viewport: { width: 360, height: 800 } });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    const labels: string[] = [];
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('Tab');
      labels.push(String(await page.evaluate('document.activeElement.ariaLabel')));
    }
    expect(labels).toContain('Samples: plain call');
    await page.emulateMedia({ media: 'print' });
    expect(await page.isVisible('nav')).toBe(false);
    expect(await page.isVisible('figure svg')).toBe(true);
    await page.context().close();
  });

  it.each([
    ['small.html', 1200, 'light'],
    ['small.html', 360, 'dark'],
    ['saved.html', 1200, 'dark'],
    ['saved.html', 360, 'light'],
    ['hostile.html', 360, 'dark'],
  ] as const)(
    '%s fits %i px (%s), and has no fault that axe finds',
    async (name, width, colorScheme) => {
      const viewport = { width, height: 800 };
      // The policy of the page refuses axe as well, so it is lifted here.
      const { page } = await open(name, '', { viewport, colorScheme, bypassCSP: true });
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(width);
      await keepPicture(page, PICTURES, `${name}-${String(width)}-${colorScheme}`);
      expect(await axeViolations(page)).toEqual([]);
      await page.context().close();
    },
  );
});
