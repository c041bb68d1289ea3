import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];
const ROUNDS = 7;

export const missingBrowser = existsSync(CHROMIUM) ? undefined : `skipped: no ${CHROMIUM}`;

/** What a person waits for, in milliseconds: from the address until `seen` resolves. Each round has a new profile. */
export async function delays(
  url: string,
  seen: (page: Page) => Promise<unknown>,
): Promise<readonly number[]> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  const samples: number[] = [];
  try {
    // The first round starts the browser's processes.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1_400, height: 900 } });
      const page = await context.newPage();
      const start = performance.now();
      await page.goto(url, { waitUntil: 'commit' });
      await seen(page);
      if (round > 0) samples.push(performance.now() - start);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return samples;
}

/** Resolves when what was drawn is on the screen. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
