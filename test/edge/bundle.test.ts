import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundle } from './places.js';

/** What the entries for places without Node import: a bundle for no platform has all of it. */

const path = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-bundle-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENTRIES = [
  'runtime/server/web.ts',
  'runtime/stores/memory/index.ts',
  'runtime/executors/in-process/index.ts',
  'bench/server/core-server.ts',
  'test/edge/server/worker.ts',
];

const NODE_GLOBALS =
  /\b(?:process|Buffer|global|__dirname|setImmediate)\b(?=[.([])|\.(?:un)?ref\(\)/;

describe.each(ENTRIES)('%s', (entry) => {
  it('reaches no module of Node, and no package but zod', async () => {
    const text = await bundle(path(entry), join(folder, 'bundle.mjs'), ['zod']);
    const imports = [...text.matchAll(/^import .*?from "([^"]+)";$/gm)].map(([, name]) => name);
    expect(imports.filter((name) => name !== 'zod')).toEqual([]);
    expect(text).not.toMatch(/\bimport\(|\brequire\(|['"]node:/);
  });

  it('uses globals of Node only where it has looked for them', async () => {
    const text = await bundle(path(entry), join(folder, 'bundle.mjs'), ['zod']);
    const code = text.replace(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '');
    const lines = code.split('\n').filter((line) => NODE_GLOBALS.test(line));
    expect(lines.filter((line) => !line.includes('if (typeof '))).toEqual([]);
  });

  it('makes no code from texts', async () => {
    const text = await bundle(path(entry), join(folder, 'bundle.mjs'), ['zod']);
    expect(text).not.toMatch(/\beval\(|\bFunction\(/);
  });
});

it('a bundle for one revision has no code of another one, and none for sessions', async () => {
  const text = await bundle(path('bench/server/core-server.ts'), join(folder, 'bundle.mjs'));
  expect(text).toContain('generated/2026-07-28/validators.ts');
  expect(text).not.toMatch(/^\/\/ .*generated\/20(?!26-07-28)/m);
  expect(text).not.toMatch(/^\/\/ .*(?:sessions|dialects\/core|sdk-guest)/m);
});
