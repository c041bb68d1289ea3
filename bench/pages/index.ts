import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { REVISIONS } from '../../generator/read/load/index.js';
import { serveBoard } from '../../runtime/admin/board/index.js';
import { openSqliteBeside, openSqliteStore } from '../../runtime/stores/sqlite/index.js';
import type { Bench, Row } from '../bench.js';
import { measured, OURS } from '../measured.js';
import { fill, TASKS } from '../tasks/listing.js';
import { inTemporaryFolder } from '../tasks/sqlite-engine.js';
import { delays, missingBrowser, painted } from './browser.js';
import { recording } from './recording.js';

const CLI = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const MESSAGES = 10_000;
const KB = 1_000;

const run = (...args: readonly string[]): unknown =>
  execFileSync(process.execPath, [CLI, ...args], { stdio: 'pipe' });

/** The pages in a browser: `explore`, a report of a recording, and the task board. */
export const pages: Bench = {
  name: 'pages',
  run: () =>
    inTemporaryFolder(async (folder) => [
      ...(await explored(folder)),
      await reported(folder),
      await board(folder),
    ]),
};

async function explored(folder: string): Promise<Row[]> {
  const files = REVISIONS.map((revision) => {
    const file = join(folder, `${revision}.html`);
    run('explore', revision, '--out', file);
    return { file, size: statSync(file).size / KB };
  });
  const largest = files.reduce((most, each) => (each.size > most.size ? each : most));
  const size = measured({
    row: 'explore: the largest page of a revision',
    unit: 'KB',
    better: 'less',
    bars: { [OURS]: [largest.size] },
    most: 500,
  });
  const row = 'explore: that page, until a search has its result';
  const search = () =>
    delays(pathToFileURL(largest.file).href, async (page) => {
      await page.fill('#search', 'progress');
      await page.waitForSelector('#found:not(:empty)');
      await painted(page);
    });
  return [size, await waited(row, search, 1_000)];
}

function reported(folder: string): Promise<Row> {
  const [trace, file] = [join(folder, 'trace.jsonl'), join(folder, 'report.html')];
  writeFileSync(trace, recording(MESSAGES));
  run('validate', trace, '--report', file);
  const row = `report of ${MESSAGES.toLocaleString('en')} messages, until its first view`;
  const view = () =>
    delays(pathToFileURL(file).href, async (page) => {
      await page.waitForSelector('#list [role=option]');
      await painted(page);
    });
  return waited(row, view, 3_000);
}

async function board(folder: string): Promise<Row> {
  const row = `task board: 50 of ${TASKS.toLocaleString('en')} tasks (SQLite), until they are seen`;
  const file = join(folder, 'tasks.db');
  return waited(row, async () => {
    const server = openSqliteStore({ file });
    await fill(server);
    const store = openSqliteBeside({ file });
    const served = await serveBoard({ store });
    try {
      return await delays(served.url, async (page) => {
        await page.waitForSelector('#tasks tbody tr:nth-child(50)');
        await painted(page);
      });
    } finally {
      await served.close();
      await store.close();
      await server.close();
    }
  });
}

/** A row of what a person waits for. Without a browser it says so. */
async function waited(
  row: string,
  samples: () => Promise<readonly number[]>,
  most?: number,
): Promise<Row> {
  if (missingBrowser !== undefined) {
    return { row, goal: '–', ours: missingBrowser, peer: '', met: null };
  }
  const bars = { [OURS]: await samples() };
  return measured({ row, unit: 'ms', better: 'less', bars, ...(most !== undefined && { most }) });
}
