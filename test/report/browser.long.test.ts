import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  axeViolations,
  hasBrowser,
  expectFits,
  expectRefusal,
  keepPicture,
  openerOf,
  WIDTHS,
} from '../support/browser.js';
import { hostileRecording } from './hostile.js';
import { coreRecording, extRecording, jsonl, withFaults } from './recordings.js';
import { reportOf } from './reports.js';

const COUNT = 10_000;
const core = withFaults(coreRecording(300), 13);
/** A recording whose methods, tools and tasks have names without a place to break them. */
const longNames = core.map((line) => {
  const long = JSON.stringify(line)
    .replaceAll(
      '"tools/call"',
      '"tools/call_of_a_method_with_a_very_long_name_that_has_no_end_in_sight"',
    )
    .replaceAll('"search"', `"${'search'.repeat(20)}"`)
    .replaceAll(/"task-\d+"/g, (id) => `"${'task'.repeat(30)}${id.slice(1)}`);
  return JSON.parse(long) as typeof line;
});
const files = {
  'long-names.html': await reportOf(jsonl(longNames)),
  'core.html': await reportOf(jsonl(core)),
  'ext.html': await reportOf(jsonl(extRecording(120))),
  'untimed.html': await reportOf(jsonl(core.map(({ message }) => message))),
  'hostile.html': await reportOf(hostileRecording()),
  'large.html': await reportOf(jsonl(withFaults(coreRecording(COUNT)))),
};

describe.skipIf(!hasBrowser)('a report in Chromium', () => {
  const open = openerOf(files);

  const options = (page: Page) => page.locator('#list [role=option]');
  const title = (page: Page): Promise<string | null> => page.textContent('#detail h3');
  const found = (page: Page): Promise<string | null> => page.textContent('#found');

  it.each(['core.html', 'ext.html', 'untimed.html', 'hostile.html'] as const)(
    'runs only its own script: %s',
    async (name) => {
      const { page, problems } = await open(name);
      await page.focus('#list');
      const count = await page.evaluate("document.querySelectorAll('[role=option]').length");
      expect(count).toBeGreaterThan(5);
      const total = Number(await options(page).first().getAttribute('aria-setsize'));
      for (let row = 0; row < Math.min(total, 95); row += 1) await page.keyboard.press('ArrowDown');
      await page.fill('#search', 'script');
      await expect.poll(() => page.url()).toContain('#message=');
      expect(await page.evaluate('globalThis.broken')).toBeUndefined();
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  it.each(['core.html', 'ext.html', 'untimed.html', 'hostile.html', 'long-names.html'] as const)(
    'shows all of its texts from 800 px on: %s',
    async (name) => {
      const { page } = await open(name);
      await expectFits(page);
      await page.setViewportSize({ width: WIDTHS[0], height: 900 });
      const beyond = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)';
      expect(await page.evaluate(`${beyond}(document.querySelector('#methods .scroll'))`)).toBe(0);
      await page.context().close();
    },
  );

  it('has a policy that refuses every other script and style', async () => {
    const { page, problems } = await open('hostile.html');
    await expectRefusal(page, problems);
    await page.context().close();
  });

  it('has its keys as soon as it is loaded', async () => {
    const { page } = await open('core.html');
    await page.addInitScript(`
      addEventListener('load', () => {
        dispatchEvent(new KeyboardEvent('keydown', { key: '/' }));
        globalThis.focused = document.activeElement.id;
      });
    `);
    await page.reload();
    expect(await page.evaluate('globalThis.focused')).toBe('search');
    await page.context().close();
  });

  it('is read with the keyboard alone', async () => {
    const { page } = await open('core.html');
    await page.keyboard.press('/');
    await page.keyboard.type('passages');
    await expect.poll(() => found(page)).toMatch(/^\d+ of 300 messages$/);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('list');
    await expect.poll(() => page.textContent('#detail .body')).toContain('passages');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await expect.poll(() => found(page)).toBe('300 messages');
    await page.focus('#list');
    await page.keyboard.press('End');
    await expect.poll(() => title(page)).toMatch(/^Message 300 /);
    await page.keyboard.press('Home');
    await page.keyboard.press('a');
    await expect.poll(() => title(page)).toMatch(/^Message 2 initialize result/);
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('#detail .findings li').count()).toBeGreaterThan(0);
    const first = await title(page);
    await page.keyboard.press('n');
    await page.keyboard.press('p');
    await expect.poll(() => title(page)).toBe(first);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('detail');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('list');
    const active = await page.getAttribute('#list', 'aria-activedescendant');
    await expect.poll(() => page.getAttribute(`#${active ?? ''}`, 'aria-selected')).toBe('true');
    await page.context().close();
  });

  it('opens at a message, a task, a rule and a search', async () => {
    const { page } = await open('core.html', '#message=13');
    await expect.poll(() => title(page)).toMatch(/^Message 13 /);
    await expect.poll(() => page.locator('#detail .line.hit.mark').count()).toBe(1);
    for (const [hash, id, value] of [
      ['#task=1', 'task', '1'],
      ['#finding=bad-message', 'finding', 'bad-message'],
      ['#method=tools%2Fcall&search=render', 'method', 'tools/call'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await expect.poll(() => page.inputValue(`#${id}`)).toBe(value);
      await expect.poll(() => found(page)).toMatch(/^\d+ of 300 messages$/);
    }
    await expect.poll(() => page.inputValue('#search')).toBe('render');
    await page.evaluate(`location.hash = '#message=99999'`);
    await expect.poll(() => found(page)).toContain('not in the report');
    await page.evaluate(`location.hash = '#search=%E0%A4%A'`);
    await expect.poll(() => page.inputValue('#search')).toBe('');
    await page.context().close();
  });

  it('loses no search and no link when much is done at once', async () => {
    const { page } = await open('core.html');
    await page.evaluate(`
      const search = document.getElementById('search');
      search.value = 'passages';
      search.dispatchEvent(new Event('input'));
      document.getElementById('list').focus();
    `);
    // Before the search is applied.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => found(page)).toMatch(/^\d+ of 300 messages$/);
    // Slower than the delay of the address.
    await page.evaluate(`
      document.getElementById('clear').click();
      document.getElementById('list').dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
      location.hash = '#message=13';
      const begun = performance.now();
      while (performance.now() - begun < 500);
    `);
    await expect.poll(() => title(page)).toMatch(/^Message 13 /);
    await expect.poll(() => page.url()).toContain('message=13');
    await page.context().close();
  });

  it('filters by method, severity, sender and task', async () => {
    const { page } = await open('core.html');
    const kept = async (): Promise<number> => Number(/^\d+/.exec((await found(page)) ?? '')?.[0]);
    for (const [id, value, holds] of [
      ['method', 'tasks/get', ({ method }) => method === 'tasks/get'],
      ['side', 'c', ({ from }) => from === 'client->server'],
    ] as readonly [string, string, (fact: { method: unknown; from: string }) => boolean][]) {
      await page.selectOption(`#${id}`, value);
      const requests = core.filter(({ message }) => message['method'] !== undefined);
      const methods = new Map(requests.map(({ message }) => [message['id'], message['method']]));
      const expected = core.filter(({ message, direction }) =>
        holds({ method: message['method'] ?? methods.get(message['id']), from: direction }),
      );
      await expect.poll(kept).toBe(expected.length);
      await page.click('#clear');
    }
    await page.selectOption('#finding', 'error');
    await expect.poll(async () => (await kept()) - (await options(page).count())).toBe(0);
    expect(await page.locator('#list .row:not(.found)').count()).toBe(0);
    await page.selectOption('#task', '0');
    await expect.poll(kept).toBeLessThan(5);
    await page.context().close();
  });

  it('says where an answer is, and marks the part that a finding names', async () => {
    const { page } = await open('core.html', '#message=1');
    await page.click('#detail dl a');
    await expect.poll(() => title(page)).toMatch(/^Message 2 /);
    await page.click('#findings a');
    await expect.poll(() => page.locator('#detail .findings li').count()).toBeGreaterThan(0);
    await page.click('#detail button.pointer');
    expect(await page.evaluate('document.activeElement.className')).toContain('hit');
    await page.context().close();
  });

  it('says that a recording has no times', async () => {
    const { page } = await open('untimed.html');
    await expect.poll(() => page.textContent('#summary')).toContain('has no times');
    expect(await page.locator('#list .time').count()).toBe(0);
    await page.context().close();
  });

  it('prints its messages without the controls', async () => {
    const { page } = await open('core.html');
    await page.evaluate(`addEventListener('beforeprint', () => {
      globalThis.printed = document.querySelectorAll('#printed li').length;
    })`);
    const pdf = await page.pdf();
    expect(await page.evaluate('globalThis.printed')).toBe(300);
    await page.emulateMedia({ media: 'print' });
    expect(await page.isVisible('#filters')).toBe(false);
    expect(await page.isVisible('#list')).toBe(false);
    expect(pdf.length).toBeGreaterThan(50_000);
    await page.context().close();
  });

  it('has only the rows on the screen, of ten thousand', async () => {
    const { page, problems } = await open('large.html');
    await expect.poll(() => found(page)).toBe('10,000 messages');
    expect(await options(page).count()).toBeLessThan(60);
    await page.focus('#list');
    await page.keyboard.press('End');
    await expect.poll(() => title(page)).toMatch(/^Message 10,000 /);
    await expect.poll(() => options(page).last().textContent()).toContain('10,000');
    expect(await options(page).count()).toBeLessThan(60);
    await page.fill('#search', 'chapter 1999');
    await expect.poll(() => found(page)).toMatch(/^\d of 10,000 messages$/);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['core.html', 1400, 'light', '#message=13'],
    ['core.html', 360, 'dark', '#message=13'],
    ['ext.html', 1400, 'dark', ''],
    ['hostile.html', 360, 'light', '#message=2'],
    ['untimed.html', 360, 'light', '#search=no-message-has-this'],
  ] as const)(
    '%s fits %i px (%s), and has no fault that axe finds',
    async (name, width, colour, hash) => {
      const viewport = { width, height: 800 };
      const { page } = await open(name, hash, { viewport, colorScheme: colour, bypassCSP: true });
      expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(width);
      const picture = `report-${name}-${String(width)}-${colour}`;
      await keepPicture(page, process.env['REPORT_PICTURES'], picture);
      expect(await axeViolations(page)).toEqual([]);
      await page.context().close();
    },
  );
});
