import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GOOD } from '../lint/examples.js';
import { compiled } from '../support/program.js';
import { run, type Ended } from './process.js';

let cwd: string;

const UNION = { ...GOOD, inputSchema: { ...GOOD.inputSchema, oneOf: [{ required: ['size'] }] } };

/** A project's module of tools: one is plain, the other has a name that some hosts refuse. */
const MODULE = `
import { defineTool } from '@mcp-codegen/runtime/server';
import { z } from 'zod';

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => String(a + b),
});
const dotted = defineTool({
  name: 'math.add',
  description: 'Adds.',
  input: z.object({ kind: z.literal(1) }),
  run: () => '',
});
export const tools = [add, dotted];
`;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'mcp-codegen-lint-'));
  const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);
  write('good.json', JSON.stringify({ tools: [GOOD] }));
  write('union.json', JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [UNION] } }));
  write('none.json', '{}');
  write('tools.mjs', MODULE);
  write('other.mjs', 'export const others = 1;');
  write('throws.mjs', "throw new Error('no key')");
  mkdirSync(join(cwd, 'node_modules/@mcp-codegen'), { recursive: true });
  symlinkSync(resolve('runtime'), join(cwd, 'node_modules/@mcp-codegen/runtime'), 'dir');
  symlinkSync(resolve('node_modules/zod'), join(cwd, 'node_modules/zod'), 'dir');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const lint = (...args: string[]): Promise<Ended> => run(['lint', ...args], { cwd });

describe('mcp-codegen lint', () => {
  it('ends with 0 for tools that every host takes, and with 4 for others', async () => {
    expect(await lint('good.json')).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await lint('union.json');
    expect(code).toBe(4);
    expect(stdout).toContain('claude/root-keyword refuses the tool: "draw". oneOf is at the root.');
    expect(stdout).toMatch(/^Claude Code +1 tool affected$/m);
    expect(stdout).not.toContain('/tools/0/inputSchema/oneOf');
    expect((await lint('union.json', '--all')).stdout).toContain(
      '/tools/0/inputSchema/oneOf: oneOf',
    );
    expect(await lint('union.json', '--host', 'vscode')).toMatchObject({ code: 0 });
    const ignored = await lint(
      'union.json',
      '--ignore',
      'root-keyword',
      '--ignore',
      'codex/keyword',
    );
    expect(ignored.stdout).toContain('gemini/keyword is reported to refuse it');
    // What others report need not happen.
    expect(ignored.code).toBe(0);
  });

  it('prints JSON and SARIF', async () => {
    const json = await lint('union.json', '--host', 'claude', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      tools: 1,
      verdicts: [{ host: 'claude', verdict: 'affected', tools: 1, reported: 0 }],
      findings: [{ host: 'claude', tool: 'draw', pointer: '/tools/0/inputSchema/oneOf' }],
    });
    const sarif = await lint('union.json', '--sarif');
    expect(sarif.code).toBe(4);
    expect(JSON.parse(sarif.stdout)).toMatchObject({ version: '2.1.0' });
    const module = await lint('tools.mjs', '--sarif', '--host', 'openai');
    const line = MODULE.split('\n').findIndex((text) => text.includes('math.add')) + 1;
    expect(JSON.parse(module.stdout)).toMatchObject({
      runs: [
        {
          results: [
            {
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'tools.mjs' },
                    region: { startLine: line },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it("examines a module's tools as a server of its project lists them", async () => {
    const { code, stdout, stderr } = await lint('tools.mjs', '--json');
    expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
    const { findings, tools } = JSON.parse(stdout) as {
      readonly tools: number;
      readonly findings: readonly { readonly tool: string; readonly rule: string }[];
    };
    expect(tools).toBe(2);
    expect(new Set(findings.map(({ tool }) => tool))).toEqual(new Set(['math.add']));
    expect(findings.map(({ rule }) => rule)).toContain('openai/tool-name');
    expect(findings.map(({ rule }) => rule)).toContain('gemini/keyword');
  });

  it('examines them as a server with portable schemas lists them', async () => {
    const { stdout } = await lint('tools.mjs', '--portable', '--json', '--host', 'gemini');
    const { findings } = JSON.parse(stdout) as { readonly findings: { readonly rule: string }[] };
    // The constant is a list with one value there, which is still a number.
    expect(findings.map(({ rule }) => rule)).toEqual(['gemini/enum-type']);
  });

  it('takes a file after an option that may be repeated', async () => {
    expect(await lint('--host', 'vscode', 'union.json')).toMatchObject({ code: 0 });
    const { stdout } = await lint(
      '--host',
      'claude',
      '--ignore',
      'root-keyword',
      'union.json',
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({ tools: 1, findings: [] });
  });

  it('examines the tools of a server', async () => {
    const server = compiled(new URL('../tools/server.ts', import.meta.url));
    const { code, stdout } = await lint('--json', '--', process.execPath, server);
    expect([0, 4]).toContain(code);
    expect((JSON.parse(stdout) as { readonly tools: number }).tools).toBeGreaterThan(0);
  });

  it('says what it cannot examine', async () => {
    expect(await lint()).toMatchObject({ code: 2 });
    expect(await lint('good.json', '--host', 'other')).toMatchObject({ code: 2 });
    expect(await lint('missing.json')).toMatchObject({ code: 2 });
    const rule = await lint('good.json', '--ignore', 'root-keywords');
    expect(rule).toMatchObject({ code: 2 });
    expect(rule.stderr).toContain(
      'There is no rule "root-keywords".\n  help: Did you mean root-keyword?',
    );
    const recording = await lint('good.jsonl');
    expect(recording).toMatchObject({ code: 2 });
    expect(recording.stderr).toContain('"good.jsonl" is a recording, not a list of tools.');
    expect(await lint('good.json', '--portable')).toMatchObject({ code: 2 });
    expect(await lint('none.json')).toMatchObject({ code: 3 });
    const other = await lint('other.mjs');
    expect(other).toMatchObject({ code: 3 });
    expect(other.stderr).toContain('It exports no list of tools.');
    expect((await lint('throws.mjs')).stderr).toContain('no key');
    expect((await lint('https://127.0.0.1:1/mcp', '--timeout', '5')).code).toBe(3);
  });
});
