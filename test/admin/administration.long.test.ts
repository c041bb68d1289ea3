import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { choose, SERVER } from '../../generator/scaffold/index.js';
import { migratePostgres } from '../../runtime/stores/postgres/index.js';
import { ANYBODY } from '../../runtime/server/auth/authorization.js';
import { at } from '../../runtime/peer/wire/json.js';
import { networkTo } from '../server/load.js';
import { legacy, type LegacyClient, until } from '../server/support.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';
import { type Node, startNode } from '../templates/cluster.js';
import { openWorkshop, PROGRAM, type Workshop } from '../templates/workshop.js';

let workshop: Workshop;
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  workshop = openWorkshop();
  for (const store of ['sqlite', 'postgres']) {
    await workshop.makeBuilt({
      name: store,
      choices: choose(SERVER, { transport: 'http', store }),
    });
  }
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  workshop.close();
});

interface Place {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
}

type Document = Readonly<Record<string, unknown>>;

/** `npm run tasks` in a process of its own. */
async function command({ root, environment }: Place, ...args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'tasks', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [code]] = await Promise.all([
    args.includes('--json') ? (json(child.stdout) as Promise<Document>) : text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { output, errors, code, document: output as Document };
}

async function started(place: Place): Promise<{ node: Node; client: LegacyClient }> {
  const node = await startNode(place.root, place.environment);
  onTestFinished(() => node.kill());
  return { node, client: await legacy(networkTo(node.url.href), { token: undefined }) };
}

async function countPrimes(client: LegacyClient, limit: number): Promise<string> {
  const params = { name: 'count-primes', arguments: { limit }, task: {} };
  const { result } = await client.request('tools/call', params);
  return (result?.['task'] as { taskId: string }).taskId;
}

const idsIn = ({ document }: { document: Document }): string[] =>
  (document['tasks'] as { id: string }[]).map(({ id }) => id);

/** More primes than can be counted before the task is cancelled. */
const LONG = 50_000_000;

async function newPlace(store: string): Promise<Place> {
  const root = workshop.rootOf(store);
  if (store === 'sqlite') {
    return { root, environment: { DATABASE: join(root, `${Date.now()}.db`) } };
  }
  const database = await (postgres as PostgresServer).newDatabase();
  return { root, environment: { DATABASE_URL: database.url } };
}

describe.each(['sqlite', 'postgres'])('npm run tasks on %s', (store) => {
  it('lists, inspects, cancels, retries and removes tasks of a server that runs', async () => {
    const place = await newPlace(store);
    const { client } = await started(place);
    const quick = await countPrimes(client, 100);
    await client.request('tasks/result', { taskId: quick });
    const running = await countPrimes(client, LONG);

    expect(idsIn(await command(place, 'list', '--json'))).toEqual([running, quick]);
    const listed = await command(place, 'list', '--status', 'working');
    expect(listed).toMatchObject({ code: 0, errors: '' });
    expect(listed.output).toContain(running);
    expect(listed.output).not.toContain(quick);

    const { document } = await command(place, 'inspect', running, '--payloads', '--json');
    expect(document['task']).toMatchObject({
      status: 'working',
      owner: ANYBODY,
      request: { value: { arguments: { limit: LONG } } },
    });

    const waiting = client.request('tasks/result', { taskId: running });
    expect((await command(place, 'cancel', running)).output).toBe(`Cancelled ${running}\n`);
    expect((await waiting).error).toBeDefined();
    const state = await client.request('tasks/get', { taskId: running });
    expect(state.result).toMatchObject({
      status: 'cancelled',
      statusMessage: 'Cancelled by an administrator',
    });
    const again = await command(place, 'cancel', running);
    expect(again).toMatchObject({ code: 1, output: `${running}: The task is cancelled already\n` });

    const retried = await command(place, 'retry', running, '--json');
    const [{ retriedAs }] = retried.document['retried'] as [{ retriedAs: string }];
    // The server takes it, although it did not create it.
    await until(
      async () => (await command(place, 'inspect', retriedAs, '--json')).document['task'],
      (task) => at(task, ['worker']) !== undefined,
    );
    await command(place, 'cancel', retriedAs);

    const purge = ['purge', '--older-than', '0s', '--json'];
    expect((await command(place, ...purge, '--dry-run')).document['tasks']).toHaveLength(3);
    expect((await command(place, ...purge)).document).toMatchObject({ removed: 3 });
    expect((await client.request('tasks/get', { taskId: quick })).error?.code).toBe(-32602);
  });
});

/** `npm run tasks:board` in a process of its own, and how to ask it. */
async function openBoard({ root, environment }: Place) {
  const child = spawn(process.execPath, [PROGRAM, 'board'], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const errors = text(child.stderr);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const printed = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data') as Promise<[string]>,
    errors.then((message) => Promise.reject(new Error(message))),
  ]);
  const url = new URL(/http:\S+/.exec(printed[0])?.[0] ?? '');
  const authorization = `Bearer ${url.hash.replace('#token=', '')}`;
  return {
    url,
    async ask(path: string, method = 'GET'): Promise<{ status: number; value: Document }> {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: '{}' }),
      });
      return { status: response.status, value: (await response.json()) as Document };
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exit;
      return { code, errors: await errors };
    },
  };
}

describe.each(['sqlite', 'postgres'])('npm run tasks:board on %s', (store) => {
  it('shows, cancels and retries tasks of a server that runs, and says so', async () => {
    const place = await newPlace(store);
    const { client } = await started(place);
    const running = await countPrimes(client, LONG);
    const board = await openBoard(place);
    expect((await fetch(new URL('/', board.url))).status).toBe(200);
    expect((await fetch(new URL('/api/tasks', board.url))).status).toBe(401);
    const { value } = await board.ask('/api/tasks?status=working&tool=count-primes');
    expect(value['tasks']).toMatchObject([{ id: running, owner: ANYBODY }]);
    expect((await board.ask('/api/counts')).value['counts']).toMatchObject({ working: 1 });

    const waiting = client.request('tasks/result', { taskId: running });
    expect((await board.ask(`/api/tasks/${running}/cancel`, 'POST')).status).toBe(200);
    expect((await waiting).error).toBeDefined();
    const { value: retried } = await board.ask(`/api/tasks/${running}/retry`, 'POST');
    const again = String(retried['retriedAs']);
    await until(
      async () => (await board.ask(`/api/tasks/${again}`)).value['task'],
      (task) => at(task, ['worker']) !== undefined,
    );
    await board.ask(`/api/tasks/${again}/cancel`, 'POST');
    const { code, errors } = await board.stop();
    expect(code).toBe(0);
    const lines = errors.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Document)).toMatchObject([
      { event: 'cancelled', by: 'board', taskId: running, tool: 'count-primes' },
      { event: 'retried', taskId: running, retriedAs: again },
      { event: 'cancelled', taskId: again },
    ]);
  });
});

describe('a backup', () => {
  it('of SQLite is made by npm run tasks, and served by another server', async () => {
    const place = await newPlace('sqlite');
    const { node, client } = await started(place);
    const [done, running] = [await countPrimes(client, 100), await countPrimes(client, 3_000_000)];
    await client.request('tasks/result', { taskId: done });
    const file = join(place.root, 'copy.db');
    expect(await command(place, 'backup', file)).toMatchObject({ code: 0, errors: '' });
    expect(await command(place, 'backup', file)).toMatchObject({ code: 1 });
    await node.kill();

    const restored: Place = {
      root: place.root,
      environment: { DATABASE: join(place.root, 'restored.db') },
    };
    copyFileSync(file, restored.environment['DATABASE'] ?? '');
    const second = await started(restored);
    const { result } = await second.client.request('tasks/result', { taskId: done });
    expect(result).toMatchObject({ structuredContent: { primes: 25 } });
    // It ran at the time of the copy, so the server takes it over.
    const finished = await second.client.request('tasks/result', { taskId: running });
    expect(finished.result).toMatchObject({ structuredContent: { primes: 216_816 } });
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it('of PostgreSQL keeps tasks readable, and unfinished ones go on', async () => {
    const [from, to] = [await newPlace('postgres'), await newPlace('postgres')];
    const { node, client } = await started(from);
    const [done, running] = [await countPrimes(client, 100), await countPrimes(client, 3_000_000)];
    await client.request('tasks/result', { taskId: done });
    await copyDatabase(from, to);
    await node.kill();
    const second = await started(to);
    const { result } = await second.client.request('tasks/result', { taskId: done });
    expect(result).toMatchObject({ structuredContent: { primes: 25 } });
    const finished = await second.client.request('tasks/result', { taskId: running });
    expect(finished.result).toMatchObject({ structuredContent: { primes: 216_816 } });
  });
});

/** Table by table, as pg_dump does. The packages of the tests have no pg_dump for their server. */
async function copyDatabase(from: Place, to: Place): Promise<void> {
  const [source, target] = [from, to].map(({ environment }) => environment['DATABASE_URL'] ?? '');
  await migratePostgres({ connectionString: target ?? '' });
  const { Client } = await import('pg');
  const [reader, writer] = [source, target].map(
    (connectionString) => new Client({ connectionString }),
  ) as [InstanceType<typeof Client>, InstanceType<typeof Client>];
  await Promise.all([reader.connect(), writer.connect()]);
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  for (const table of ['tasks', 'owners', 'removals', 'leases', 'settings']) {
    const { rows } = await reader.query<{ all: unknown }>(
      `SELECT coalesce(json_agg(t), '[]')::text AS all FROM mcp_tasks.${table} t`,
    );
    await writer.query(
      `INSERT INTO mcp_tasks.${table}
        SELECT * FROM json_populate_recordset(NULL::mcp_tasks.${table}, $1::json)`,
      [rows[0]?.all],
    );
  }
  await Promise.all([reader.end(), writer.end()]);
}
