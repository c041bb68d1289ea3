import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { installed, newerNode } from '../../scripts/newer-node.js';
import { type Scaffolded, scaffold } from './scaffolded.js';
import { programOf, runNode } from './workshop.js';

/**
 * The command lines of the MCP Inspector and of mcporter, on what `new server` makes. They weigh 110 and 75 MB and need a
 * newer Node: `.cache` holds all three.
 */

const VERSION = '2.12.0';
const MCPORTER = '0.12.3';
const DEFAULT_URL = 'http://127.0.0.1:3000/mcp';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-inspector-'));
let node: string;
let launcher: string;
let mcporter: string;
let server: Scaffolded;

beforeAll(async () => {
  node = await newerNode();
  const inspector = await installed('inspector', '@modelcontextprotocol/inspector', VERSION);
  launcher = join(inspector, 'clients', 'launcher', 'build', 'index.js');
  mcporter = join(await installed('mcporter', 'mcporter', MCPORTER), 'dist', 'cli.js');
  server = await scaffold();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function inspect(kind: string, era: string, ...args: string[]): Promise<unknown> {
  const { command, args: start, cwd } = server.stdio;
  const target =
    kind === 'stdio'
      ? ['--', command, ...start]
      : ['--server-url', server.open.url.href, '--transport', 'http'];
  const options = ['--cli', '--format', 'json', '--protocol-era', era, ...args, ...target];
  const env = { ...process.env, MCP_CATALOG_PATH: join(folder, 'catalog.json') };
  try {
    const { stdout } = await run(node, [launcher, ...options], { cwd, env });
    return JSON.parse(stdout);
  } catch (error) {
    // A tool that fails makes the Inspector fail; what it prints is the same.
    return JSON.parse((error as { stdout: string }).stdout);
  }
}

describe('npm run inspect', () => {
  it.each(['stdio', 'http'] as const)('lists the tools of a server over %s', async (kind) => {
    const cwd = server[kind === 'http' ? 'open' : 'stdio'].cwd;
    const built = await runNode(
      [programOf('typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'],
      cwd,
    );
    expect(built.code, built.output).toBe(0);
    const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as {
      scripts: { inspect: string };
    };
    const [npx, yes, name, ...words] = scripts.inspect.split(' ');
    expect([npx, yes, name]).toEqual(['npx', '-y', `@modelcontextprotocol/inspector@^${VERSION}`]);
    // The project listens at a free port in this test.
    const args = words.map((word) => (word === DEFAULT_URL ? server.open.url.href : word));
    const cli = ['--cli', '--format', 'json', '--method', 'tools/list'];
    const env = { ...process.env, MCP_CATALOG_PATH: join(folder, 'catalog.json') };
    const { stdout } = await run(node, [launcher, ...cli, ...args], { cwd, env });
    expect(stdout).toContain('count-primes');
  });
});

describe.each(['stdio', 'http'])('the Inspector over %s', (kind) => {
  it.each(['legacy', 'modern'])('lists and calls tools of a %s server', async (era) => {
    expect(await inspect(kind, era, '--method', 'tools/list')).toMatchObject({
      result: {
        tools: expect.arrayContaining([expect.objectContaining({ name: 'count-primes' })]) as [],
      },
    });
    const call = ['--method', 'tools/call', '--tool-name', 'count-primes'];
    expect(await inspect(kind, era, ...call, '--tool-arg', 'limit=1000')).toMatchObject({
      result: { structuredContent: { primes: 168 } },
    });
  });

  it.each(['legacy', 'modern'])(
    'shows the message of a tool that throws to a %s client',
    async (era) => {
      const call = ['--method', 'tools/call', '--tool-name', 'find-order', '--tool-arg', 'id=A7'];
      expect(await inspect(kind, era, ...call)).toMatchObject({
        result: {
          isError: true,
          content: [
            { type: 'text', text: expect.stringContaining('There is no order A7') as string },
          ],
        },
      });
    },
  );
});

describe.each(['stdio', 'http'])('mcporter over %s', (kind) => {
  async function port(...args: string[]): Promise<unknown> {
    const { command, args: start, cwd } = server.stdio;
    const target =
      kind === 'stdio'
        ? ['--stdio', [command, ...start].join(' '), '--cwd', cwd]
        : ['--http-url', server.open.url.href, '--allow-http'];
    // It reads the settings of editors in the home folder.
    const env = { PATH: process.env['PATH'], HOME: folder };
    const { stdout } = await run(node, [mcporter, ...args, ...target], { cwd: folder, env });
    return JSON.parse(stdout);
  }

  it('lists and calls tools', async () => {
    expect(JSON.stringify(await port('list', '--json'))).toContain('count-primes');
    const call = ['call', '--tool', 'count-primes', '--args', '{"limit":1000}', '--output', 'json'];
    expect(await port(...call)).toMatchObject({ primes: 168 });
  });
});
