import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { choose, SERVER } from '../../generator/scaffold/index.js';
import { startProgram, type TestProgram } from '../../runtime/testing/index.js';
import { openWorkshop, programOf, runNode } from '../templates/workshop.js';

const MCP_BUNDLE = fileURLToPath(new URL('../../runtime/bin/mcp-bundle.js', import.meta.url));
const workshop = openWorkshop();
afterAll(() => workshop.close());

/** Runs the `build` script of a project. */
async function build(root: string): Promise<void> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: { build: string };
  };
  expect(scripts.build).toBe('tsc -p tsconfig.build.json && mcp-bundle src/main.ts dist/main.js');
  const [tsc, main] = ['tsconfig.build.json', 'src/main.ts'];
  const compiled = await runNode([programOf('typescript/bin/tsc'), '-p', tsc], root);
  expect(compiled).toEqual({ code: 0, output: '' });
  const bundled = await runNode([MCP_BUNDLE, main, 'dist/main.js'], root);
  expect(bundled).toEqual({ code: 0, output: '' });
}

/** A failing tool, whose line is 7. */
const FAILING = `import * as z from 'zod';
import { defineTool } from '@mcp-codegen/runtime/server';
export const failing = defineTool({
  name: 'failing',
  description: 'Fails.',
  input: z.object({}),
  run: () => String(new Error('on purpose').stack),
});
`;

describe('a new server, bundled', () => {
  let root: string;
  let program: TestProgram;
  const environment = (): Record<string, string> => ({ DATABASE: join(root, 'test.db') });

  beforeAll(async () => {
    root = await workshop.make({
      name: 'bundled',
      choices: choose(SERVER, { transport: 'http', store: 'sqlite' }),
    });
    writeFileSync(join(root, 'src/tools/failing.ts'), FAILING);
    const index = join(root, 'src/tools/index.ts');
    const text = readFileSync(index, 'utf8').replace('export const tools = [', '$&failing, ');
    writeFileSync(index, `import { failing } from './failing.js';\n${text}`);
    await build(root);
    program = await startProgram(join(root, 'dist/main.js'), { environment: environment() });
  });
  afterAll(() => program.stop());

  it('has Zod and the runtime in its program, and no schema texts of other languages', () => {
    const text = readFileSync(join(root, 'dist/main.js'), 'utf8');
    expect(text.match(/from ['"](?:zod|@mcp-codegen)[^'"]*['"]/g)).toBeNull();
    expect(text).not.toContain('locales/de.js');
  });

  it('runs calls and tasks, also in threads, whose modules the compiler wrote', async () => {
    const client = await program.connect();
    const words = await client.call('count-words', { text: 'one two' });
    expect(words.structuredContent).toMatchObject({ words: 2 });
    const primes = await client.call('count-primes', { limit: 1_000 });
    expect(primes.structuredContent).toEqual({ primes: 168 });
  });

  it('loads a revision that is not in the bundle when a client asks for it', async () => {
    const response = await fetch(program.url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: OLDEST,
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      }),
    });
    expect(await response.text()).toContain(`"protocolVersion":"${OLDEST}"`);
  });

  it('names the sources in stack traces', async () => {
    const client = await program.connect();
    const { content } = await client.call('failing', {});
    expect(JSON.stringify(content)).toMatch(/src\/tools\/failing\.ts:7:\d+/);
  });

  it('shows the board of its tasks, with the files of the page', async () => {
    const board = spawn(process.execPath, ['dist/main.js', 'board'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void board.kill());
    const lines = createInterface(board.stdout);
    let url: string | undefined;
    for await (const line of lines) {
      url = /The task board is at (\S+)/.exec(line)?.[1];
      if (url !== undefined) break;
    }
    for (const file of ['board.css', 'board.js']) {
      const response = await fetch(new URL(`/page/${file}`, url));
      expect(response.status).toBe(200);
      expect(await response.text()).toBe(readFileSync(new URL(file, PAGE), 'utf8'));
    }
  });

  it('may be bundled again', async () => {
    expect(await runNode([MCP_BUNDLE, 'src/main.ts', 'dist/main.js'], root)).toMatchObject({
      code: 0,
    });
  });
});

const PAGE = new URL('../../runtime/dist/pages/', import.meta.url);
const OLDEST = '2024-11-05';

it('explains how it is called', async () => {
  const { code, output } = await runNode([MCP_BUNDLE, 'src/main.ts'], workshop.folder);
  expect(code).toBe(2);
  expect(output).toContain('mcp-bundle <main source> <program>');
});

it('names the package that it needs, without a stack trace', async () => {
  expect(await runNode([MCP_BUNDLE, 'src/main.ts', 'dist/main.js'], tmpdir())).toEqual({
    code: 1,
    output: 'mcp-bundle needs esbuild. Run: npm install --save-dev esbuild\n',
  });
});
