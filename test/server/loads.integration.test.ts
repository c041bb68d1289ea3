import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

/** The modules that a process has loaded when its server serves, from the built package. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-loads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TASKS = ['ext-tasks'];
/** No SDK. */
const PACKAGES = ['zod'];
const SERVE_HTTP = 'await serveHttp(server, { allowUnidentified: true })';

interface Loaded {
  /** Packages other than the runtime, sorted. */
  readonly packages: readonly string[];
  /** Revisions whose validators were loaded, sorted. */
  readonly validators: readonly string[];
  /** How many modules of the runtime. */
  readonly own: number;
}

/** Runs a program whose server has these options, then `serve`. */
function loaded(options: string, serve: string, imports = ''): Loaded {
  const list = join(folder, 'list.txt');
  rmSync(list, { force: true });
  const hook = `import { appendFileSync } from 'node:fs';
    export function load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + '\\n');
      return next(url, context);
    }`;
  const program = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));
    const { createTaskServer, defineTool, serveHttp, serveStdio } = await import('@mcp-codegen/runtime/server');
    const { z } = await import('zod');
    ${imports}
    const tool = defineTool({
      name: 'count', description: 'Counts', input: z.object({}), taskSupport: 'optional', run: () => 'done',
    });
    const server = await createTaskServer({
      name: 'loads', version: '1', tools: [tool], onError: () => undefined, ${options}
    });
    const handle = ${serve};
    console.log('serves');
    process.exit();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe('serves\n');
  const urls = readFileSync(list, 'utf8').trim().split('\n');
  const named = urls.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  const validators = urls.flatMap((url) => /([^/]+)\/validators\.js$/.exec(url)?.[1] ?? []);
  return {
    packages: [...new Set(named)].sort(),
    validators: validators.sort(),
    own: urls.filter((url) => url.includes('/runtime/dist/')).length,
  };
}

describe('a start over HTTP', () => {
  it('loads the validators of both dialects, and no older ones', () => {
    const { own, ...others } = loaded('', SERVE_HTTP);
    expect(others).toEqual({
      packages: PACKAGES,
      validators: ['2025-11-25', '2026-07-28', ...TASKS],
    });
    // 181 before the package was bundled.
    expect(own).toBeLessThan(52);
  });

  it.each([
    [['2026-07-28'], ['2026-07-28', ...TASKS]],
    [['2025-11-25'], ['2025-11-25']],
    [['2025-11-25', '2024-11-05'], ['2025-11-25']],
  ])('that serves %j loads the validators of %j', (revisions, validators) => {
    const options = `revisions: ${JSON.stringify(revisions)}`;
    expect(loaded(options, SERVE_HTTP).validators).toEqual(validators);
  });

  it('loads an older revision when a client negotiates it', () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2024-11-05',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    };
    const serve = `${SERVE_HTTP};
      await (await fetch(handle.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: ${JSON.stringify(JSON.stringify(message))},
      })).text()`;
    expect(loaded('', serve).validators).toEqual([
      '2024-11-05',
      '2025-11-25',
      '2026-07-28',
      ...TASKS,
    ]);
  });

  it('loads no client of PostgreSQL, no DBOS and no JWT for SQLite', () => {
    const imports = `const { openSqliteStore } = await import('@mcp-codegen/runtime/stores/sqlite');`;
    const file = JSON.stringify(join(folder, 'tasks.db'));
    const { packages } = loaded(`store: openSqliteStore({ file: ${file} })`, SERVE_HTTP, imports);
    expect(packages).toEqual(PACKAGES);
  });

  it('loads jose when it verifies JWT, and not with the entry', () => {
    const entry = `const { verifyJwt } = await import('@mcp-codegen/runtime/server/jwt');`;
    expect(loaded('', SERVE_HTTP, entry).packages).toEqual(PACKAGES);
    const verifies = `${entry} await verifyJwt({ jwks: 'https://issuer.example/keys' }).ready();`;
    expect(loaded('', SERVE_HTTP, verifies).packages).toEqual(['jose', ...PACKAGES]);
  });
});
