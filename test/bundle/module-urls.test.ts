import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';

import { moduleUrls } from '../../runtime/program/bundle/module-urls.js';

/** As programs of packages begin, and with a name of its own. */
const MAIN = `#!/usr/bin/env node
const PLACE = import.meta.url;
console.log(PLACE);
`;

it('leaves a source its first line and its names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [sources, outfile] = [join(folder, 'src'), join(folder, 'dist/main.mjs')];
  mkdirSync(sources);
  writeFileSync(join(sources, 'main.mts'), MAIN);
  await esbuild.build({
    entryPoints: [join(sources, 'main.mts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [moduleUrls(sources, esbuild)],
  });
  const printed = execFileSync(process.execPath, [outfile], { encoding: 'utf8' });
  expect(printed.trim()).toBe(pathToFileURL(outfile).href);
});
