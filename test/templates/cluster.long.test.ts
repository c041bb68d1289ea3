import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { choose, SERVER } from '../../generator/scaffold/index.js';
import { networkTo } from '../server/load.js';
import { legacy, until, type LegacyClient } from '../server/support.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { startNode, type Node } from './cluster.js';
import { openWorkshop, PROGRAM, type Workshop } from './workshop.js';

/** What docs/deploying.md says about roles and migrations. */

let workshop: Workshop;
let postgres: PostgresServer;
let root: string;
beforeAll(async () => {
  workshop = openWorkshop();
  const choices = choose(SERVER, { transport: 'http', store: 'postgres', auth: 'none' });
  [root, postgres] = await Promise.all([
    workshop.makeBuilt({ name: 'cluster', choices }),
    startPostgres(),
  ]);
});
afterAll(async () => {
  await postgres?.stop();
  workshop?.close();
});

async function newDatabase(): Promise<PostgresDatabase> {
  const database = await postgres.newDatabase();
  onTestFinished(() => database.remove());
  return database;
}

async function start(environment: Record<string, string>, ...args: string[]): Promise<Node> {
  const node = await startNode(root, environment, ...args);
  onTestFinished(() => node.kill());
  return node;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the program until it ends by itself. */
async function run(environment: Record<string, string>, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const begin = ({ url }: Node): Promise<LegacyClient> =>
  legacy(networkTo(url.href), { token: undefined });

const COUNT = {
  name: 'count-primes',
  task: {},
  _meta: { progressToken: 'progress' },
};

async function count(client: LegacyClient, limit = 1_000): Promise<string> {
  const { result } = await client.request('tools/call', { ...COUNT, arguments: { limit } });
  return (result?.['task'] as { taskId: string }).taskId;
}

describe('roles', () => {
  it('web creates tasks, worker runs them, and the query of the autoscaler counts those that wait', async () => {
    const database = await newDatabase();
    const environment = { DATABASE_URL: database.url };
    const web = await start(environment, '--role', 'web');
    const client = await begin(web);
    const stream = await client.listen();
    const ids = await Promise.all([1, 2, 3].map(() => count(client)));
    expect(await waitingIn(database)).toBe(3);

    const worker = await start({ ...environment, ROLE: 'worker' });
    for (const taskId of ids) {
      const { result } = await client.request('tasks/result', { taskId });
      expect(result?.['structuredContent']).toEqual({ primes: 168 });
    }
    expect(await waitingIn(database)).toBe(0);
    const ranOn = (node: Node): unknown[] =>
      node.noted.filter(({ event }) => event === 'completed').map(({ taskId }) => taskId);
    await until(
      () => Promise.resolve(ranOn(worker).length),
      (number) => number === 3,
    );
    expect(new Set(ranOn(worker))).toEqual(new Set(ids));
    expect(ranOn(web)).toEqual([]);

    // Each change of status reaches the other node.
    for await (const { method, params } of stream) {
      expect(method).toBe('notifications/tasks/status');
      if (params?.['taskId'] === ids.at(-1) && params?.['status'] === 'completed') break;
    }

    // It serves its health alone.
    expect((await fetch(worker.url)).status).toBe(200);
    expect((await fetch(new URL('/health/live', worker.url))).status).toBe(200);
    expect((await fetch(new URL('/mcp', worker.url))).status).toBe(404);
  });

  /** What the autoscaler of deploy/kubernetes.yaml asks the database. */
  async function waitingIn(database: PostgresDatabase): Promise<number> {
    const text = readFileSync(join(root, 'deploy/kubernetes.yaml'), 'utf8');
    const query = parseAllDocuments(text)
      .map((each) => each.getIn(['spec', 'triggers', 0, 'metadata', 'query']))
      .find((each) => typeof each === 'string');
    const [row] = await database.sql(String(query));
    return Number(row?.['count']);
  }

  it('CORE-PRG-1 the client of a web node gets the progress of a task on a worker', async () => {
    const environment = { DATABASE_URL: (await newDatabase()).url };
    const web = await start(environment, '--role', 'web');
    await start(environment, '--role', 'worker');
    const client = await begin(web);
    const stream = await client.listen();
    const taskId = await count(client, 10_000_000);
    for await (const { method, params } of stream) {
      expect(params?.['status']).not.toBe('completed');
      if (method !== 'notifications/progress') continue;
      expect(params).toMatchObject({ progressToken: 'progress', total: 10_000_000 });
      break;
    }
    await client.request('tasks/cancel', { taskId });
  });

  it('a worker that is told to stop hands its tasks over to another', async () => {
    const environment = { DATABASE_URL: (await newDatabase()).url, DRAIN_MS: '0' };
    const client = await begin(await start(environment, '--role', 'web'));
    const first = await start(environment, '--role', 'worker');
    const long = { ...COUNT, arguments: { limit: 3_000_000 } };
    const { result } = await client.request('tools/call', long);
    const { taskId } = result?.['task'] as { taskId: string };
    await until(
      () => client.request('tasks/get', { taskId }),
      ({ result: task }) => task?.['statusMessage'] !== 'Queued' && task?.['status'] === 'working',
    );
    await start(environment, '--role', 'worker');
    await first.kill('SIGTERM');
    const ended = await client.request('tasks/result', { taskId });
    expect(ended.result?.['structuredContent']).toEqual({ primes: 216_816 });
  });

  it.each([
    [
      ['--role', 'boss'],
      /^ROLE is "boss": Invalid option: expected one of "all"\|"web"\|"worker".*\n$/,
    ],
    [['--rule', 'web'], /^Unknown option '--rule'.*\n$/],
    [['web'], /^Unknown command "web"\. Known: tasks, board, migrate\.\n$/],
    [['--role'], /^Option '--role <value>' argument missing\. --help lists .*\n$/],
  ])('%j is refused in one line', async (args, message) => {
    const { code, output } = await run({}, ...args);
    expect(code).toBe(2);
    expect(output).toMatch(message);
  });
});

describe('migrations', () => {
  it('by the command and the standard variables, and then a role that may create nothing', async () => {
    const database = await newDatabase();
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const environment = {
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: password,
      PGDATABASE: pathname.slice(1),
    };
    const outdated = await run({ ...environment, MIGRATE_AT_START: 'false' });
    expect(outdated.code).toBe(4);
    expect(outdated.output).toMatch(
      /^Schema mcp_tasks does not exist, and this server needs version \d+\. Run migratePostgres first: npm run migrate .* DATABASE_URL sets the address.*\n$/,
    );
    // Any number at the same time, and again.
    const runs = await Promise.all([1, 2, 3].map(() => run(environment, 'migrate')));
    runs.push(await run(environment, 'migrate'));
    for (const { code, output } of runs) {
      expect(code, output).toBe(0);
      // DBOS writes a line where there is something to do.
      expect(output).toMatch(/^(?:Running DBOS [^\n]*\n)?Schema mcp_tasks is up to date\n$/);
    }
    // The rights that docs/deploying.md lists.
    const role = `app_${username}`;
    await database.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'few rights'`);
    onTestFinished(async () => {
      await database.sql(`DROP OWNED BY ${role}`);
      await database.sql(`DROP ROLE ${role}`);
    });
    const [, grants = ''] = /```sql\n(GRANT [^`]+)```/.exec(readFileSync(DOCS, 'utf8')) ?? [];
    await database.sql(grants.replaceAll('tasks_app', role));
    const few = { ...environment, PGUSER: role, PGPASSWORD: 'few rights' };
    const node = await start({ ...few, MIGRATE_AT_START: 'false' });
    const client = await begin(node);
    const taskId = await count(client);
    const { result } = await client.request('tasks/result', { taskId });
    expect(result?.['structuredContent']).toEqual({ primes: 168 });
    const faults = node.noted.filter(({ level }) => level === 'error').map(({ msg }) => msg);
    expect(faults).toEqual([]);
  });
  const DOCS = new URL('../../docs/deploying.md', import.meta.url);

  it('is refused in one line for a role without the right, and for tables of a newer version', async () => {
    const database = await newDatabase();
    const url = new URL(database.url);
    const role = `poor_${url.username}`;
    await database.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'no rights'`);
    onTestFinished(async () => {
      await database.sql(`DROP ROLE ${role}`);
    });
    url.username = role;
    url.password = 'no rights';
    const poor = await run({ DATABASE_URL: url.href }, 'migrate');
    expect(poor.code).toBe(4);
    expect(poor.output).toMatch(/^Cannot prepare schema mcp_tasks: permission denied .*\n$/);
    expect(poor.output).not.toMatch(/no(?:%20| )rights/);

    await run({ DATABASE_URL: database.url }, 'migrate');
    await database.sql('INSERT INTO mcp_tasks.migrations (version) VALUES (99)');
    for (const args of [['migrate'], []]) {
      const newer = await run({ DATABASE_URL: database.url }, ...args);
      expect(newer.code).toBe(4);
      expect(newer.output).toMatch(/^Schema mcp_tasks was written by a newer version \(99, .*\n$/);
    }
  });
});
