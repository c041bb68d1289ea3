import { transformSync } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { select } from '../../cli/selection.js';
import { readSelectedTools } from '../../cli/tools-selection.js';
import { generate } from '../../generator/plan/generate.js';
import type { GenerationResult } from '../../generator/plan/generate.js';
import { applyPlan, diskFolder, staleFiles } from '../../generator/write/index.js';
import type { Json } from '../support/corpus/json.js';
import { temporaryFolder } from '../support/stores.js';

let folder: string;
let remove: () => void;
beforeEach(() => ({ path: folder, remove } = temporaryFolder()));
afterEach(() => remove());

const ADD: Json = {
  name: 'add_all',
  title: 'Add',
  inputSchema: {
    type: 'object',
    properties: { numbers: { type: 'array', items: { type: 'number' } } },
    required: ['numbers'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
  },
};
const PING: Json = { name: 'ping', inputSchema: { type: 'object' } };

const write = (path: string, content: Json): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
};

/** Runs `generate` (which asks servers) or `check` by the configuration or the manifest, and writes the plan. */
async function run(
  command: 'generate' | 'check',
  by: 'configuration' | 'manifest' = 'configuration',
): Promise<GenerationResult> {
  const args: { readonly config?: string; readonly out?: string } =
    by === 'configuration'
      ? { config: join(folder, 'mcp-codegen.json') }
      : { out: join(folder, 'generated') };
  const cwd = process.cwd();
  const { out, tools, inputs, ...selection } = select(args as Parameters<typeof select>[0], cwd);
  const onDisk = diskFolder(out);
  const reads = { cwd, env: process.env, out, asks: command === 'generate' };
  const result = await generate({
    ...selection,
    inputs: [...inputs, ...(await readSelectedTools(tools, reads))],
    folder: onDisk,
    force: false,
  });
  if (command === 'generate') applyPlan(result.plan, onDisk);
  return result;
}

const stale = ({ plan }: GenerationResult): string[] =>
  staleFiles(plan).map(({ path, action }) => `${action} ${path}`);

/** A server that answers once, as a file that Node runs. */
function server(tools: readonly Json[]): string[] {
  const script = `
    const tools = ${JSON.stringify(tools)};
    let text = '';
    process.stdin.on('data', (chunk) => {
      text += chunk;
      for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
        const { id, method } = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        if (id === undefined) continue;
        const about = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
        const result = { ...about, serverInfo: { name: 'test', version: '1' } };
        const answers = { initialize: result, 'tools/list': { tools } };
        const answer = answers[method]
          ? { result: answers[method] }
          : { error: { code: -32601, message: 'no such method' } };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      }
    });`;
  writeFileSync(join(folder, 'server.mjs'), script);
  return [process.execPath, 'server.mjs'];
}

describe('tools in mcp-codegen.json', () => {
  it('come from a file, and check notices each change', async () => {
    write('math.json', { tools: [PING, ADD] });
    write('mcp-codegen.json', { revisions: [], tools: [{ name: 'math', source: 'math.json' }] });
    expect(await run('generate').then(stale)).toContain('create math.ts');
    expect(readdirSync(join(folder, 'generated')).sort()).toEqual([
      'manifest.json',
      'math',
      'math.ts',
      'support',
    ]);
    expect(readdirSync(join(folder, 'generated/math'))).toEqual(['validators.ts']);
    expect(await run('check').then(stale)).toEqual([]);
    expect(await run('check', 'manifest').then(stale)).toEqual([]);

    write('math.json', { jsonrpc: '2.0', id: 1, result: { tools: [ADD, PING] } });
    expect(await run('check').then(stale)).toEqual([]);
    write('math.json', { tools: [PING] });
    const changed = await run('check').then(stale);
    expect(changed.slice(0, 2)).toEqual(['update math.ts', 'update math/validators.ts']);
    write('math.json', { tools: [PING, ADD] });
    writeFileSync(join(folder, 'generated/math.ts'), 'mine');
    expect(await run('check').then(stale)).toEqual(['conflict math.ts']);
  });

  it('come from a server, which check does not start', async () => {
    const settings = { revisions: [], tools: [{ name: 'math', server: server([ADD, PING]) }] };
    write('mcp-codegen.json', settings);
    expect(await run('check').then(stale)).toContain('create math.ts');
    await run('generate');
    expect(readdirSync(join(folder, 'generated/math')).sort()).toEqual([
      'tools.json',
      'validators.ts',
    ]);
    rmSync(join(folder, 'server.mjs'));
    expect(await run('check').then(stale)).toEqual([]);
    expect(await run('check', 'manifest').then(stale)).toEqual([]);
    rmSync(join(folder, 'generated/math/tools.json'));
    await expect(run('check', 'manifest')).rejects.toThrow('The tools of "math" are not in');
  });

  it('are deleted when the configuration drops them', async () => {
    write('math.json', [ADD]);
    write('mcp-codegen.json', { revisions: [], tools: [{ name: 'math', source: 'math.json' }] });
    await run('generate');
    write('mcp-codegen.json', { revisions: [], tools: [{ name: 'other', source: 'math.json' }] });
    expect(await run('generate').then(stale)).toContain('delete math.ts');
    expect(readdirSync(join(folder, 'generated'))).not.toContain('math.ts');
  });

  it.each([['7'], ['{"tools": 7}'], ['{"tools"']])('need a list of tools, not %s', async (text) => {
    writeFileSync(join(folder, 'math.json'), text);
    write('mcp-codegen.json', { revisions: [], tools: [{ name: 'math', source: 'math.json' }] });
    await expect(run('generate')).rejects.toThrow(/no list of tools|not JSON/);
  });
});

interface Emitted {
  readonly createTools: (
    client: object,
    options?: { readonly check?: boolean },
  ) => Record<'addAll' | 'ping', (args?: object) => Promise<unknown>>;
}

/** Generates the modules, and loads the one with the functions. */
async function emitted(): Promise<Emitted> {
  write('math.json', [ADD, PING]);
  write('mcp-codegen.json', { revisions: [], tools: [{ name: 'math', source: 'math.json' }] });
  await run('generate');
  const out = join(folder, 'generated');
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');
  for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    const { code } = transformSync(readFileSync(join(out, path), 'utf8'), { loader: 'ts' });
    writeFileSync(join(out, path.replace(/ts$/, 'js')), code);
  }
  return (await import(pathToFileURL(join(out, 'math.js')).href)) as Emitted;
}

describe('createTools with checks', () => {
  const answering = (structuredContent: unknown): { calls: unknown[]; call: object } => {
    const calls: unknown[] = [];
    return {
      calls,
      call: (_: string, args: unknown) => {
        calls.push(args);
        return Promise.resolve({ structuredContent });
      },
    };
  };

  it('refuses arguments before they are sent, with every error', async () => {
    const { createTools } = await emitted();
    const client = answering({ sum: 1 });
    const wrong = { numbers: [1, 'two', null], more: true };
    const failure = createTools(client, { check: true }).addAll(wrong);
    await expect(failure).rejects.toMatchObject({
      name: 'ToolMismatch',
      tool: 'add_all',
      part: 'arguments',
      message: expect.stringContaining('The arguments of the tool add_all do not match') as string,
      errors: expect.arrayContaining(
        ['/numbers/1', '/numbers/2', '/more'].map(
          (pointer) => expect.objectContaining({ pointer }) as object,
        ),
      ) as object,
    });
    expect(client.calls).toEqual([]);
    expect(await createTools(client, { check: true }).addAll({ numbers: [1] })).toEqual({ sum: 1 });
    expect(await createTools(client).addAll(wrong)).toEqual({ sum: 1 });
  });

  it('refuses structured content that does not match', async () => {
    const { createTools } = await emitted();
    const client = answering({ sum: '\u202e1' });
    await expect(
      createTools(client, { check: true }).addAll({ numbers: [] }),
    ).rejects.toMatchObject({
      part: 'structured content',
      errors: [{ pointer: '/sum' }],
      message: expect.stringContaining('\\u{202e}') as string,
    });
    expect(await createTools(client).addAll({ numbers: [] })).toEqual({ sum: '\u202e1' });
    // Without an output schema nothing is checked.
    expect(await createTools(client, { check: true }).ping()).toEqual({
      structuredContent: { sum: '\u202e1' },
    });
  });

  it('hands failures of a tool over unchecked', async () => {
    const { createTools } = await emitted();
    const client = {
      call: () => Promise.resolve({ isError: true, structuredContent: 7, content: [] }),
    };
    await expect(
      createTools(client, { check: true }).addAll({ numbers: [] }),
    ).rejects.toMatchObject({ name: 'ToolFailure' });
  });
});
