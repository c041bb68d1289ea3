import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { query, startPostgres } from './postgres.js';
import type { PostgresServer } from './postgres.js';

let postgres: PostgresServer | undefined;
let databaseUrl = '';
beforeAll(async () => {
  postgres = await startPostgres();
  databaseUrl = await postgres.newDatabase();
});
afterAll(() => postgres?.stop());

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program until it ends. */
async function run(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

it('creates the tables with migrate, once', async () => {
  for (let times = 0; times < 2; times += 1) {
    expect(await run({ DATABASE_URL: databaseUrl }, 'migrate')).toEqual({
      code: 0,
      stdout: expect.stringContaining('Schema mcp_tasks is up to date\n') as string,
      stderr: '',
    });
  }
  expect(await query(databaseUrl, 'SELECT count(*)::integer AS n FROM mcp_tasks.tasks')).toEqual([
    { n: 0 },
  ]);
});

it('connects by the standard variables', async () => {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const { code } = await run(
    {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: pathname.slice(1),
      DATABASE_SCHEMA: 'other',
    },
    'migrate',
  );
  expect(code).toBe(0);
  expect(await query(databaseUrl, 'SELECT * FROM other.tasks')).toEqual([]);
});

/** The URL with parts replaced. */
const withParts = (parts: Partial<URL>): URL => Object.assign(new URL(databaseUrl), parts);

it.each([
  ['a server that is not there', { port: '1' }, /^Cannot connect to PostgreSQL: .*ECONNREFUSED/],
  ['a wrong password', { password: 'sesame' }, /password authentication failed.*Check user/],
  ['a database that is not there', { pathname: '/nowhere' }, /does not exist.*Create the database/],
])('says in one line that it was given %s', async (_, parts, message) => {
  const url = withParts(parts);
  const { code, stdout, stderr } = await run({ DATABASE_URL: url.href }, 'migrate');
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).not.toContain(url.password);
});
