import { describe, expect, it } from 'vitest';
import { doctorPage } from '../../pages/doctor/index.js';
import {
  axeViolations,
  expectFits,
  expectRefusal,
  hasBrowser,
  keepPicture,
  openerOf,
} from '../support/browser.js';
import { ASSETS, hostile } from './pages.js';
import { examined } from './server.js';

const files = {
  'good.html': doctorPage(await examined(), ASSETS),
  'hostile.html': doctorPage(await hostile(), ASSETS),
};
const NAMES = Object.keys(files) as readonly (keyof typeof files)[];

describe.skipIf(!hasBrowser)('the page of an examined server in Chromium', () => {
  const open = openerOf(files);

  it.each(NAMES)('shows all of its texts, and runs nothing: %s', async (name) => {
    const { page, problems } = await open(name);
    await expectFits(page);
    expect(await page.evaluate('globalThis.broken')).toBeUndefined();
    expect(problems).toEqual([]);
    await expectRefusal(page, problems);
    await page.context().close();
  });

  it.each(NAMES)('prints all findings: %s', async (name) => {
    const { page } = await open(name);
    const shown = await page.locator('.findings > li').count();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.findings > li:visible').count()).toBe(shown);
    expect(await page.isVisible('nav')).toBe(false);
    await page.context().close();
  });

  it.each(
    NAMES.flatMap((name) => [
      [name, 1200, 'light'] as const,
      [name, 360, 'dark'] as const,
      [name, 360, 'light'] as const,
    ]),
  )('%s fits %i px (%s), and has no fault that axe finds', async (name, width, colorScheme) => {
    const viewport = { width, height: 800 };
    // The policy of the page refuses axe as well, so it is lifted here.
    const { page } = await open(name, '', { viewport, colorScheme, bypassCSP: true });
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(width);
    await keepPicture(
      page,
      process.env['EXPLORE_PICTURES'],
      `${name}-${String(width)}-${colorScheme}`,
    );
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });
});
