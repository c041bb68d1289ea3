import { spawnSync } from 'node:child_process';
import { transformSync } from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { metamodelOf } from '../../generator/emit/index.js';
import { printMetamodel } from '../../generator/emit/metamodel/metamodel.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import { snippetsIn } from '../docs/snippets.js';
import { sampled } from '../support/size.js';

const PAGE = 'docs/metamodel.md';
const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-example-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [program = ''] = textsOf('ts');
const [shown = ''] = textsOf('');
const script = join(folder, 'python.mjs');
writeFileSync(script, transformSync(program, { loader: 'ts' }).code);

function textsOf(language: string): string[] {
  return snippetsIn(PAGE)
    .filter((snippet) => snippet.language === language)
    .map(({ text }) => text);
}

it.each(sampled(REVISIONS, 2))(
  'the program of the page writes Python types for %s',
  async (revision) => {
    const { protocol } = await readProtocol(revision);
    const path = join(folder, `${revision}.json`);
    writeFileSync(path, printMetamodel(metamodelOf(protocol)));
    const { stdout, stderr } = spawnSync(process.execPath, [script, path], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const written = [...stdout.matchAll(/^(\w+) = /gm)].map(([, name]) => name);
    expect(written).toEqual(protocol.definitions.map(({ name }) => name));
    if (revision === '2025-11-25') expect(stdout).toContain(shown);
  },
);
