import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { compileWith, typeScriptVersions } from '../support/ts-compile.js';
import { OUTPUTS, PROMPTS, type SdkHandler, TOOLS } from './handlers.js';

/** What users of the official SDK write compiles here as it is: only what is around a handler differs. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const OPTIONS = { types: ['node'] };

const each = (
  handlers: Readonly<Record<string, SdkHandler>>,
  write: (name: string, handler: SdkHandler) => string,
): string =>
  Object.entries(handlers)
    .map(([name, handler]) => write(name, handler))
    .join('\n');

const head = (args: string, { isAsync }: SdkHandler): string =>
  `${isAsync === true ? 'async ' : ''}(${args}) =>`;
/** As a property of what our handlers get. */
const within = (args: string): string =>
  args === '' ? '' : `{ args${args === 'args' ? '' : `: ${args}`} }`;

const SDK = `
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
const server = new McpServer({ name: 'sdk', version: '1.0.0' });
${each(
  TOOLS,
  (name, it) => `server.registerTool(
  '${name}',
  { description: 'A tool.', inputSchema: z.object(${it.shape}) },
  ${head(it.args, it)} ${it.body},
);`,
)}
${each(
  PROMPTS,
  (name, it) => `server.registerPrompt(
  '${name}',
  { argsSchema: z.object(${it.shape}) },
  ${head(it.args, it)} ${it.body},
);`,
)}
`;

const own = (handlers: string): string => `
import { definePrompt, defineTool } from '@mcp-codegen/runtime/server';
import * as z from 'zod';
${handlers}
`;
const tool = (name: string, it: SdkHandler, output = ''): string => `defineTool({
  name: '${name}',
  description: 'A tool.',
  input: z.object(${it.shape}),${output}
  run: ${head(within(it.args), it)} ${it.body},
});`;
const HERE = own(`${each(TOOLS, (name, it) => tool(name, it))}
${each(
  PROMPTS,
  (name, it) => `definePrompt({
  name: '${name}',
  args: z.object(${it.shape}),
  get: ${head(within(it.args), it)} ${it.body},
});`,
)}
${Object.entries(OUTPUTS)
  .map(([name, it]) => tool(name, it, `\n  output: ${it.output},`))
  .join('\n')}
defineTool({
  name: 'sampling',
  description: 'Asks a model.',
  input: z.object({ text: z.string() }),
  run: async ({ args: { text }, task }) => {
    const reply = await task.sample({
      messages: [{ role: 'user', content: { type: 'text', text } }],
      maxTokens: 100,
    });
    const blocks = Array.isArray(reply.content) ? reply.content : [reply.content];
    const [first] = blocks;
    return { content: [{ type: 'text', text: first?.type === 'text' ? first.text : reply.model }] };
  },
});
`);

const WRONG: readonly (readonly [string, string])[] = [
  ['a type of block that does not exist', `({ content: [{ type: 'texts', text: '' }] })`],
  ['a block without its text', `({ content: [{ type: 'text' }] })`],
  ['content that is no list', `({ content: { type: 'text', text: '' } })`],
  ['a number', `7`],
  ['nothing', `undefined`],
  [
    'an asynchronous block that does not exist',
    `Promise.resolve({ content: [{ type: 'texts' }] })`,
  ],
];

describe.each(typeScriptVersions)('TypeScript %s', (version) => {
  it('compiles the handlers of SDK users as they are', async () => {
    expect(Object.keys(TOOLS)).toHaveLength(20);
    expect(await compileWith(version, { 'sdk.ts': SDK, 'here.ts': HERE }, OPTIONS)).toEqual([]);
  });

  it('refuses results that clients cannot read', async () => {
    const files = WRONG.map(([, body], index) => {
      const handler = { shape: '{}', args: '_', body };
      return [`wrong-${String(index)}.ts`, own(tool('wrong', handler))] as const;
    });
    const options = { ...OPTIONS, noUnusedLocals: false, noUnusedParameters: false };
    const problems = await compileWith(version, Object.fromEntries(files), options);
    const refused = new Set(problems.map((each) => each.split('(')[0]));
    expect([...refused].sort()).toEqual(files.map(([name]) => name));
  });
});

it('the lint of new projects accepts them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-codegen-lint-'));
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    for (const file of ['eslint.config.js', 'tsconfig.json']) {
      await copyFile(join(root, 'templates/server', file), join(folder, file));
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/here.ts'), HERE);
    const eslint = join(root, 'node_modules/eslint/bin/eslint.js');
    const { stdout } = await promisify(execFile)(process.execPath, [eslint, 'src'], {
      cwd: folder,
    }).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
