import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

/** The modules that a program has loaded when it serves, from the built package. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Paths of modules. The program ends when it has started. */
function loaded(parts: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-loads-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = join(folder, 'list.txt');
  const hook = `import { appendFileSync } from 'node:fs';
    export function load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + '\\n');
      return next(url, context);
    }`;
  const program = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));
    const { defineServer } = await import('@mcp-codegen/runtime/server');
    const { http, jwt, memory, postgres, runServer, sqlite, stdio } = await import('@mcp-codegen/runtime/program');
    const silent = () => undefined;
    const ends = ({ event }) => event === 'started' && process.exit();
    await runServer({
      server: defineServer({ name: 'loads', version: '1.0.0', tools: [] }),
      project: new URL(${JSON.stringify(`${pathToFileURL(folder).href}/`)}),
      ${parts}
    });`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], PORT: '0' },
  });
  expect(status, stderr).toBe(0);
  return readFileSync(list, 'utf8').trim().split('\n');
}

const OWN_LOG = 'log: { debug: silent, info: ends, warn: silent, error: silent },';

/** Entries of the runtime among the modules, and packages that are not those of pino. */
function entriesIn(urls: readonly string[]): readonly string[] {
  const entries = urls.flatMap(
    (url) => /\/dist\/modules\/((?!shared-)[\w-]+)\.js$/.exec(url)?.[1] ?? [],
  );
  const packages = urls.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  return [...new Set([...entries, ...packages])].sort();
}

it.each([
  ['http()', 'memory()', []],
  ['http()', 'sqlite()', ['stores-sqlite']],
  ['stdio()', 'memory()', []],
])('of %s and %s are those that it uses', (transport, store, others) => {
  const urls = loaded(`transport: ${transport}, store: ${store}, ${OWN_LOG}`);
  expect(entriesIn(urls)).toEqual(['program', 'server', ...others, 'zod'].sort());
  // One copy of Zod.
  expect(urls.filter((url) => /\/zod\/(?:v3|mini|v4\/mini)\//.test(url))).toEqual([]);
});

it('have the log of a program that has no other', () => {
  const entries = entriesIn(loaded('transport: stdio(), store: memory(),'));
  expect(entries).toContain('pino');
  expect(entries.filter((name) => /^(?:admin|board|stores|executors|server-)/.test(name))).toEqual(
    [],
  );
});
