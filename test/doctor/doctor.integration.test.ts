import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Examination } from '../../contracts/doctor/index.js';
import { run } from '../cli/process.js';
import { compiled } from '../support/program.js';
import { scaffold } from '../templates/scaffolded.js';
import type { Scaffolded } from '../templates/scaffolded.js';

interface Outcome extends Examination {
  readonly exitCode: number;
}

let cwd: string;
beforeAll(() => void (cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-doctor-'))));
afterAll(() => rmSync(cwd, { recursive: true }));

const doctor = (...args: string[]) => run(['doctor', ...args], { cwd });
const outcome = async (...args: string[]): Promise<Outcome> =>
  JSON.parse((await doctor('--json', ...args)).stdout) as Outcome;

/** What a broken server does with a line of its input. */
const BROKEN: readonly (readonly [string, string, RegExp])[] = [
  ['ends at once', 'process.exit(1)', /Cannot connect[^]*process ended/],
  ['ends with a stack', "throw new Error('no key')", /Cannot connect[^]*no key/],
  ['prints logs', "console.log('Starting…'); answer()", /BASE-MSG-8/],
  ['prints JSON that is no message', 'console.log(42); console.log("[[[[")', /BASE-MSG-8/],
  [
    'answers everything with a number',
    'console.log(JSON.stringify({ jsonrpc: "2.0", id, result: 3 }))',
    /BASE-MSG-2/,
  ],
  [
    'answers with another id',
    'console.log(JSON.stringify({ jsonrpc: "2.0", id: 99, result: {} }))',
    /not answer|unasked|\[BASE/,
  ],
  [
    'initializes, then ends',
    'answer(); if (method !== "initialize" && id > 1) process.exit(3)',
    /ended the connection/,
  ],
  [
    'initializes, then is silent',
    'if (method === "initialize" || method === "server/discover") answer()',
    /does not answer tools\/list/,
  ],
];

function program(body: string): string {
  return `
    import { createInterface } from 'node:readline';
    createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const answer = () => {
        if (id === undefined) return;
        const result = method === 'initialize'
          ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
          : method === 'tools/list' ? { tools: [] } : method === 'ping' ? {} : undefined;
        const error = { code: -32601, message: 'Method not found' };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
      };
      ${body};
    });
  `;
}

describe('mcp-codegen doctor of a server that is broken', () => {
  it.each(BROKEN)('says what is wrong with one that %s', async (name, body, expected) => {
    const file = `${name.replace(/\W+/g, '-')}.mjs`;
    writeFileSync(join(cwd, file), program(body));
    const { code, stdout, stderr } = await doctor('--timeout', '3', '--', process.execPath, file);
    expect(`${stdout}${stderr}`).toMatch(expected);
    expect(code).toBe(3);
    expect(`${stdout}${stderr}`).not.toMatch(/dist\/cli|internal error/);
  });
});

describe('mcp-codegen doctor of new servers', () => {
  let made: Scaffolded;
  beforeAll(async () => void (made = await scaffold()));
  afterAll(() => made.close());

  const clean = ({ findings }: Outcome) =>
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);

  it('finds nothing over stdio', async () => {
    const { command, args, cwd: folder } = made.stdio;
    const { stdout, code } = await run(['doctor', '--json', '--', command, ...args], {
      cwd: folder,
    });
    clean(JSON.parse(stdout) as Outcome);
    expect(code).toBe(0);
  });

  it('finds nothing over HTTP', async () => {
    clean(await outcome(made.open.url.href));
  });

  it('compares with the lock that it wrote, and with no lock of another server', async () => {
    const first = await outcome(made.open.url.href, '--write-lock');
    expect(first.summaries.changed).toMatch(/^wrote mcp\.lock\.json/);
    expect(existsSync(join(cwd, 'mcp.lock.json'))).toBe(true);
    const again = await outcome(made.open.url.href);
    expect(again.summaries.changed).toBe('not since mcp.lock.json');
    const other = compiled(new URL('../client-commands/server.ts', import.meta.url));
    const { summaries, changes } = await outcome('--', process.execPath, other);
    expect(summaries.changed).toMatch(/^mcp\.lock\.json is the lock of another server/);
    expect(changes).toBeUndefined();
    const named = await outcome('--lock', 'mcp.lock.json', '--', process.execPath, other);
    expect(named.exitCode).toBe(4);
    expect(named.changes?.length).toBeGreaterThan(0);
    const absent = ['--lock', 'absent.lock.json'];
    expect(await doctor(made.open.url.href, ...absent)).toMatchObject({ code: 2 });
    const written = await outcome(made.open.url.href, ...absent, '--write-lock');
    expect(written.summaries.changed).toMatch(/^wrote absent\.lock\.json/);
  });

  it('prints a page at a terminal, and Markdown', async () => {
    const text = await doctor(made.open.url.href);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout.split('\n').length).toBeLessThan(24);
    for (const title of [
      'speaks MCP',
      'works in hosts',
      'is ready for',
      'has changed',
      'is safe to offer',
    ]) {
      expect(text.stdout).toContain(title);
    }
    const { stdout } = await doctor(made.open.url.href, '--markdown');
    expect(stdout).toMatch(/^## `open /);
    expect(stdout).toContain('| ✓ | speaks MCP | `');
  });
});
