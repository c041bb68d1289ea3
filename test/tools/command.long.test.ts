import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { transformSync } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { besideSources } from '../support/beside-sources.js';
import { createTaskClient } from '../../runtime/client/index.js';
import { run } from '../cli/process.js';
import type { Ended } from '../cli/process.js';
import type * as Golden from '../golden/tools.js';
import { compileWith, typeScriptVersions } from '../support/ts-compile.js';

const fileBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const TSX = fileURLToPath(new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url));
const STDIO = ['--', process.execPath, TSX, fileBeside('server.ts')];
const liar = (lie: string): string[] => ['--', process.execPath, TSX, fileBeside('liar.ts'), lie];

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-tools-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const tools = (...args: string[]): Promise<Ended> => run(['tools', ...args], { cwd });
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');

/** The modules in a folder, by path. */
const modules = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(cwd, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [path, read(join(folder, path))]),
  );

/** Without the header, as it compiles beside the other golden files, which may not import each other. */
const golden = (text: string): string =>
  besideSources(
    text
      .slice(text.indexOf('/* eslint'))
      .replace("'./tools-test/validators.js'", "'../tools/unchecked.js'")
      .replace("'../tools-test.js'", "'./tools.js'"),
  );

/** What the command writes for the test server, except the manifest. */
const FILES = [
  ...['applicators', 'check', 'evaluated', 'report', 'schema-hash', 'schema-validator'].map(
    (name) => `support/${name}.ts`,
  ),
  'support/shapes.ts',
  'support/validation.ts',
  'tools-test.ts',
  'tools-test/tools.json',
  'tools-test/validators.ts',
];

let url: string;
let stop: () => void;
beforeAll(async () => {
  const child = spawn(process.execPath, [TSX, fileBeside('server.ts'), '--http'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  stop = () => child.stdin.end();
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  url = line.trim();
});
afterAll(() => stop());

/** What a user would write: each line as it should be, or marked as the mistake that it is. */
const USE = `
import { createTools, ToolFailure, withTools } from './tools.js';
import type { SlowComputeInput, SlowComputeOutput, WalkTreeInput } from './tools.js';

interface Result { content: { type: string; text: string }[]; structuredContent?: { [key: string]: unknown }; isError?: boolean }
interface Options { signal?: AbortSignal; ttl?: number }
declare class TaskClient {
  #secret: number;
  call(tool: string, args: { [key: string]: unknown }, options?: Options): Promise<Result>;
}
declare const task: TaskClient;
const client = withTools(task);
export const same: TaskClient = client.client;
export const value: number = (await client.tools.slowCompute({ seconds: 3 })).value;
export const unit: 's' | null = (await client.tools.slowCompute({ seconds: 3, mode: 'exact' }, { ttl: 1 })).unit;
export const sizes: number | undefined = (await client.tools.walkTree({ root: { name: 'a', children: [{ name: 'b' }] }, where: [1, 2] })).sizes['x'];
export const text: string | undefined = (await client.tools.ping()).content[0]?.text;
export const again: Promise<Result> = createTools(task).ping({}, { signal: new AbortController().signal });
export const input: SlowComputeInput = { seconds: 1 };
export const output: SlowComputeOutput = { value: 1, unit: null };
export const walk: WalkTreeInput['where'] = 'here';
export const failure = (error: unknown): string => error instanceof ToolFailure ? error.tool : '';
// @ts-expect-error seconds is missing
await client.tools.slowCompute({});
// @ts-expect-error seconds is a number
await client.tools.slowCompute({ seconds: '3' });
// @ts-expect-error no such mode
await client.tools.slowCompute({ seconds: 3, mode: 'other' });
// @ts-expect-error no such argument
await client.tools.slowCompute({ seconds: 3, second: 3 });
// @ts-expect-error no such option
await client.tools.slowCompute({ seconds: 3 }, { tll: 3 });
// @ts-expect-error no such tool
await client.tools.quickCompute({ seconds: 3 });
// @ts-expect-error a pair has two
await client.tools.walkTree({ root: { name: 'a' }, where: [1, 2, 3] });
// @ts-expect-error a value is a number
(await client.tools.slowCompute({ seconds: 3 })).value.length;
`;

describe('mcp-codegen tools', () => {
  it('writes the same module for a started server and for a URL', async () => {
    const first = await tools(...STDIO);
    expect(first).toEqual({
      code: 0,
      stdout:
        [...FILES, 'manifest.json'].map((path) => `create    generated/tools/${path}\n`).join('') +
        `${FILES.length + 1} created.\n`,
      stderr: '',
    });
    const text = read('generated/tools/tools-test.ts');
    expect(text).not.toContain(cwd);
    expect(text).not.toContain('tsx');
    expect(await tools(url)).toEqual({
      code: 0,
      stdout: `${FILES.length + 1} unchanged.\n`,
      stderr: '',
    });
    expect((await run(['check', '--out', 'generated/tools'], { cwd })).code).toBe(0);
    const validators = read('generated/tools/tools-test/validators.ts');
    await expect(golden(text)).toMatchFileSnapshot('../golden/tools.ts');
    await expect(golden(validators)).toMatchFileSnapshot('../golden/tools-validators.ts');
  });

  it.each(typeScriptVersions)('writes types that TypeScript %s checks', async (version) => {
    await tools(url, '--name', 'tools', '--out', '.');
    const files = { ...modules('.'), 'use.ts': USE };
    const options = { lib: ['es2022', 'dom'] };
    expect(await compileWith(version, files, options)).toEqual([]);
  });

  it('writes functions that call the tools', async () => {
    await tools(url, '--name', 'tools', '--out', '.');
    writeFileSync(join(cwd, 'tools.mjs'), transformSync(read('tools.ts'), { loader: 'ts' }).code);
    const module = (await import(join(cwd, 'tools.mjs'))) as typeof Golden;
    const taskClient = createTaskClient({ name: 'test', version: '1' });
    await taskClient.connect(new StreamableHTTPClientTransport(new URL(url)));
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const made = module.withTools(taskClient).tools;
    const options = { onStatus: () => undefined };
    expect(await made.slowCompute({ seconds: 3 }, options)).toEqual({ value: 6, unit: 's' });
    expect(await made.ping()).toMatchObject({ content: [{ type: 'text', text: 'pong' }] });
    await expect(made.fail()).rejects.toMatchObject({ reason: 'tool_error' });
    // A client that hands failures over like any other result.
    const bare = module.createTools({
      call: (name: string, args: Record<string, unknown>) =>
        client.callTool({ name, arguments: args }),
    });
    await expect(bare.fail()).rejects.toThrow('The tool fail failed: as it should');
    await expect(bare.fail()).rejects.toBeInstanceOf(module.ToolFailure);
    await Promise.all([taskClient.close(), client.close()]);
  });

  it('shows the plan with --dry-run, and stops at a conflict', async () => {
    const dry = await tools(url, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      schemaVersion: 1,
      command: 'tools',
      exitCode: 4,
      out: 'generated/tools',
      dryRun: true,
      name: 'tools-test',
      tools: [
        { name: 'fail', function: 'fail' },
        { name: 'ping', function: 'ping' },
        { name: 'slow_compute', function: 'slowCompute' },
        { name: 'walk-tree', function: 'walkTree' },
      ],
      files: [...FILES, 'manifest.json'].map((path) => ({ path, action: 'create' })),
      diagnostics: [],
    });
    expect(readdirSync(cwd)).toEqual([]);
    writeFileSync(join(cwd, 'mine.ts'), 'mine');
    const args = [url, '--out', '.', '--name', 'mine'];
    const refused = await tools(...args);
    expect(refused.code).toBe(5);
    expect(refused.stdout).toContain('conflict  ./mine.ts was not generated by this tool');
    expect(read('mine.ts')).toBe('mine');
    expect((await tools(...args, '--force')).code).toBe(0);
    expect(read('mine.ts')).toContain('export interface Tools');
  });

  it('passes the arguments after -- and the environment on', async () => {
    const script = "console.error(process.argv.slice(1).join(' '), process.env.SECRET)";
    const ended = await run(
      ['tools', '--', process.execPath, '-e', script, '--', '--json', '--out', '-x'],
      { cwd, env: { SECRET: 'shared' } },
    );
    expect(ended.code).toBe(3);
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toContain('help: The server printed: "--json --out -x shared"');
  });

  it('sends headers', async () => {
    const server = createServer((request, response) => {
      response.writeHead(
        request.headers['x-a'] === '1' && request.headers.authorization ? 418 : 400,
      );
      response.end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const at = `http://127.0.0.1:${String(port)}/mcp?key=secret`;
    const ended = await tools(at, '--header', 'X-A: 1', '--header', 'Authorization: Bearer t0ken');
    server.close();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('the server answered with HTTP 418');
    expect(ended.stderr).not.toMatch(/secret|t0ken/);
  });

  it.each([
    [[], 'No server is given.'],
    [['ftp://example.com'], 'Cannot connect to "ftp://example.com".'],
    [['mcp.lock.json'], '"mcp.lock.json" is a file, not a server.'],
    [['https://example.com', 'more'], 'Unexpected argument "more" after the URL.'],
    [['https://example.com', '--header', 'secret'], '--header is not "Name: value".'],
    [['https://example.com', '--header', 'A: b\nC: d'], '--header is not "Name: value".'],
    [['--header', 'A: b', '--', 'x'], '--header needs a server URL.'],
    [['--timeout', 'soon', '--', 'x'], '--timeout is "soon", not a number of seconds.'],
    [['--name', '../x', '--', 'x'], 'Invalid file name "../x" for --name.'],
    [['--out', 'a', '--out', 'b', '--', 'x'], '--out is given twice.'],
  ])('refuses %j', async (args, message) => {
    const ended = await tools(...args);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(message);
  });
});

describe('a hostile server', () => {
  it.each([
    ['endless', 'The list of tools does not end'],
    ['repeating', 'The list of tools does not end'],
    ['shapeless', 'Cannot list the tools of'],
    ['huge', 'Cannot list the tools of'],
    ['bottomless', 'a line that is nested more than 500 levels deep'],
    ['leaving', 'help: The server printed: "\\u001b[31mI am honest\\u001b[0m"'],
    ['unknown', 'No such method \\u001b[31m'],
  ])('that is %s gives a readable error', async (lie, message) => {
    const ended = await tools(...liar(lie));
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('error[unreachable-server]');
    expect(ended.stderr).toContain(message);
    expect(ended.stdout + ended.stderr).not.toContain('\u001b');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('that does not answer fails after the timeout', async () => {
    const ended = await tools('--timeout', '1', ...liar('silent'));
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('it did not answer within 1 s');
  });

  it.each(['babbling', 'mixed', 'deep'])(
    'that is %s gets functions for its valid tools',
    async (lie) => {
      const ended = await tools(...liar(lie === 'babbling' ? 'mixed' : lie), '--json');
      expect(ended.stderr + ended.stdout).not.toContain('\u001b');
      expect(ended.code).toBe(lie === 'deep' ? 0 : 3);
      expect(await compileWith('7.0', modules('generated/tools'), { lib: ['es2022'] })).toEqual([]);
    },
  );
});
