import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bun, deno, workerd } from './places.js';
import { bundledProgram } from './program.js';

/** Generated code on the run-times of the edge: one program, and on each the same verdicts. */

const CHROMIUM = '/usr/bin/chromium';
const NO_EVAL = '--disallow-code-generation-from-strings';

interface Said {
  readonly verdicts: readonly string[];
  /** Whether the run-time makes code from texts. */
  readonly evaluates: boolean;
}

let folder: string;
let expected: readonly string[];
const inFolder = (name: string): string => join(folder, name);

const WORKERD = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = (
  compatibilityDate = "2025-06-01",
  modules = [
    (name = "worker", esModule = embed "worker.mjs"),
    (name = "program.mjs", esModule = embed "program.mjs"),
  ],
))]);
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-edge-'));
  const bundled = await bundledProgram(folder);
  expect(bundled).not.toMatch(/\beval\(|\brequire\(|\bprocess\.|\bBuffer\b|node:/);
  const say = 'console.log(JSON.stringify({ verdicts: verdicts(), evaluates: evaluates() }))';
  const files = {
    'program.mjs': bundled,
    'main.mjs': `import { verdicts, evaluates } from './program.mjs';\n${say};\n`,
    'worker.mjs': `import { verdicts, evaluates } from 'program.mjs';\nexport default { test() { ${say}; } };\n`,
    'page.mjs': bundled.replace(
      /\bexport \{[^}]*\};?\s*$/,
      'Object.assign(globalThis, { verdicts, evaluated: evaluates() });',
    ),
    'config.capnp': WORKERD,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(inFolder(name), text);
  mkdirSync(inFolder('home'));
  const here = (await import(pathToFileURL(inFolder('program.mjs')).href)) as {
    verdicts: () => string[];
  };
  expected = here.verdicts();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, HOME: inFolder('home') },
  });
  expect(status, `${command} ${args.join(' ')}\n${stderr}${String(error ?? '')}`).toBe(0);
  return stdout;
}

const said = (output: string): Said =>
  JSON.parse(output.slice(output.indexOf('{"verdicts"')).split('\n')[0] ?? '') as Said;

it('accepts and refuses some of what it gets', () => {
  const accepted = expected.filter((each) => /^\[(?:true|\{"ok":true)/.test(each));
  expect(accepted.length).toBeGreaterThan(300);
  expect(expected.length - accepted.length).toBeGreaterThan(300);
});

const RUN_TIMES: Readonly<
  Record<string, { readonly args: () => string[]; readonly evaluates: boolean }>
> = {
  'Node without code from strings': {
    args: () => [process.execPath, NO_EVAL, 'main.mjs'],
    evaluates: false,
  },
  workerd: { args: () => [workerd(), 'test', 'config.capnp'], evaluates: false },
  'Deno without permissions and without code from strings': {
    args: () => [deno(), 'run', '--no-prompt', `--v8-flags=${NO_EVAL}`, 'main.mjs'],
    evaluates: false,
  },
  bun: { args: () => [bun(), 'run', 'main.mjs'], evaluates: true },
};

it.each(Object.entries(RUN_TIMES))('%s gives the same verdicts', (_, { args, evaluates }) => {
  const [command = '', ...rest] = args();
  expect(said(run(command, rest))).toEqual({ verdicts: expected, evaluates });
});

it.skipIf(!existsSync(CHROMIUM))(
  `Chromium under a policy that forbids eval gives the same verdicts (skipped without ${CHROMIUM})`,
  async () => {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    try {
      const page = await browser.newPage();
      await page.route('**/*', async (route) => {
        await route.fulfill({
          contentType: 'text/html',
          headers: { 'Content-Security-Policy': "script-src 'self'" },
          body: '<!doctype html><script type="module" src="/page.mjs"></script>',
          ...(route.request().url().endsWith('.mjs') && {
            contentType: 'text/javascript',
            path: inFolder('page.mjs'),
          }),
        });
      });
      await page.goto('http://localhost/');
      await page.waitForFunction('evaluated !== undefined');
      const found = await page.evaluate(() => {
        const page = globalThis as unknown as { verdicts: () => string[]; evaluated: boolean };
        return { verdicts: page.verdicts(), evaluates: page.evaluated };
      });
      expect(found).toEqual({ verdicts: expected, evaluates: false });
    } finally {
      await browser.close();
    }
  },
);
