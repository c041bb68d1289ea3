import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, describe, it } from 'vitest';

import { serveHttp } from '../../runtime/server/index.js';
import { runBlocks } from './run-shell.js';
import { shellBlocksIn } from './shell.js';
import { FILES, TEXTS } from './shell-files.js';
import { pages, root, snippetsIn } from './snippets.js';
import { weatherServer } from './weather-server.js';

/**
 * Runs the shell blocks of each page in their order. README.md comes first: it installs the tool, which the
 * folders of the other pages, below its own, then find.
 */

const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-docs-'));
const weather = await weatherServer();
const http = await serveHttp(weather, { allowUnidentified: true });

afterAll(async () => {
  await http.close();
  await weather.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A command `weather-server`, as the pages call it. */
function installWeatherServer(): void {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  const server = join(root, 'test/docs/weather-server.ts');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${tsx}' '${server}'\n`;
  chmodSync(write(join(folder, 'node_modules/.bin/weather-server'), script), 0o755);
}

describe('the shell blocks', () => {
  const runnable = pages().flatMap((page) => {
    const blocks = shellBlocksIn(snippetsIn(page)).filter(({ reason }) => reason === undefined);
    return blocks.length > 0 ? [[page, blocks] as const] : [];
  });

  it.each(runnable)('of %s run, and print what the page says', async (page, blocks) => {
    const isFirst = page === 'README.md';
    const start = isFirst ? folder : join(folder, page.replaceAll(/\W+/g, '-'));
    mkdirSync(start, { recursive: true });
    for (const [path, text] of Object.entries(FILES[page] ?? {})) write(join(start, path), text);
    if (isFirst) write(join(folder, 'package.json'), '{"name":"reader","private":true}');
    else installWeatherServer();
    const texts = new Map([...TEXTS, ['https://example.com/mcp', http.url]]);
    await runBlocks(blocks, start, { folder, texts });
  });
});
