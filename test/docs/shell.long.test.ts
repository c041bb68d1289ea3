import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { serveHttp } from '../../runtime/server/index.js';
import { endsAs, shellBlocksIn } from './shell.js';
import type { ShellBlock, Step } from './shell.js';
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

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** What a terminal would show: stdout and stderr. */
  readonly output: string;
  /** The folder that the script ends in. */
  readonly cwd: string;
}

function sh({ script, mayFail }: Step, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const place = join(folder, '.cwd');
  const text = `trap 'pwd > "${place}"' EXIT\n${script}\n`;
  const child = spawn('sh', [...(mayFail ? [] : ['-e']), '-c', text], { cwd, env, stdio: 'pipe' });
  child.stdin.end();
  const ended = { stdout: '', output: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    ended.stdout += chunk;
    ended.output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (ended.output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      resolve({ code, ...ended, cwd: readFileSync(place, 'utf8').trim() });
    });
  });
}

async function run(
  blocks: readonly ShellBlock[],
  start: string,
  texts: ReadonlyMap<string, string>,
) {
  const env = {
    ...process.env,
    NO_COLOR: '1',
    // Saved servers and tasks are not those of this user.
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_STATE_HOME: join(folder, '.state'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  let cwd = start;
  for (const { place, steps } of blocks) {
    for (const step of steps) {
      const script = [...texts].reduce(
        (text, [from, to]) => text.replaceAll(from, to),
        step.script,
      );
      const ended = await sh({ ...step, script }, cwd, env);
      const about = `${place}\n${script}\n${ended.output}`;
      if (!step.mayFail) expect(ended.code, about).toBe(0);
      const output = step.mayFail ? ended.output : ended.stdout;
      if (step.printed !== undefined) expect(endsAs(output, step.printed), about).toBe(true);
      cwd = ended.cwd;
    }
  }
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
    await run(blocks, start, new Map([...TEXTS, ['https://example.com/mcp', http.url]]));
  });
});
