import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../generator/read/load/index.js';
import { readTools } from '../../generator/tools/index.js';
import { toolModules } from './modules.js';

const TOOLS = [
  {
    name: 'add',
    inputSchema: {
      type: 'object',
      properties: { numbers: { type: 'array', items: { type: 'number' } } },
      required: ['numbers'],
    },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  },
];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(packageRoot(), 'node_modules', '.sdk-validator-'));
  const { tools } = readTools(TOOLS);
  const given = `export { jsonSchemaValidator } from './tools/validators.js';\nexport const tools = ${JSON.stringify(TOOLS)};\n`;
  for (const [path, text] of Object.entries({ ...(await toolModules(tools)), 'given.ts': given })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await build({
    entryPoints: [resolve('test/tools/sdk-program.ts')],
    inject: [join(folder, 'given.ts')],
    outfile: join(folder, 'program.mjs'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['as usual', []],
  ['without code from strings', ['--disallow-code-generation-from-strings']],
])('the SDK validates with emitted checks in Node %s', (_, flags) => {
  const output = execFileSync(process.execPath, [...flags, join(folder, 'program.mjs')], {
    encoding: 'utf8',
  });
  const { evaluates, alone, withFallback, served } = JSON.parse(output) as {
    evaluates: boolean;
    alone: string[];
    withFallback: string[];
    served: string[];
  };
  expect(evaluates).toBe(flags.length === 0);
  const unknown: unknown = expect.stringMatching(
    /no emitted check for this schema \(SHA-256 [0-9a-f]{64}\)/,
  );
  const known: unknown[] = [
    '{"sum":3}',
    expect.stringContaining('/sum must be a number, but is the string "three".'),
  ];
  expect(alone).toEqual([...known, unknown, unknown]);
  expect(withFallback).toEqual([...known, '{"other":1}', expect.stringContaining('other')]);
  expect(served).toEqual([
    expect.stringContaining('called'),
    expect.stringContaining('/numbers/1 must be a number, but is the string \\"2\\".'),
  ]);
});
