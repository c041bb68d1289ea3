import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startIssuer } from './issuer.js';
import {
  connect,
  type Environment,
  httpTransport,
  newFolder,
  run,
  start,
  stdioTransport,
  urlOf,
} from './process.js';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** The settings of a store, with a database of its own. */
async function storeSettings(store: string): Promise<Environment> {
  if (store !== 'postgres') return {};
  const database = await postgres.newDatabase();
  onTestFinished(() => database.remove());
  return { DATABASE_URL: database.url };
}

const TRANSPORTS = ['stdio', 'http', 'http jwt', 'http introspection'];
const STORES = ['memory', 'sqlite', 'postgres'];
const PROGRAMS = TRANSPORTS.flatMap((transport) => STORES.map((store) => [transport, store]));

describe('a program', () => {
  it.each(PROGRAMS)('over %s with %s answers a call and runs a task', async (transport, store) => {
    const issuer = await startIssuer();
    const settings = await storeSettings(store ?? '');
    const environment = { ...issuer.settings, ...settings, PORT: '0', STEPS: '2' };
    const options = { parts: `${transport} ${store}`, project: newFolder(), environment };
    const client = await connect(
      transport === 'stdio'
        ? stdioTransport(options)
        : httpTransport(await urlOf(start(options)), await issuer.token('ann')),
    );
    const { content } = await client.call('greet', { name: 'Ann' });
    expect(content).toEqual([{ type: 'text', text: 'Hello, Ann!' }]);
    const walked = await client.call('walk', { ms: 1 });
    expect(walked.content).toEqual([{ type: 'text', text: 'Walked 2 steps' }]);
    await client.close();
  });

  it.each(['jwt', 'introspection'])('with %s() refuses strangers', async (auth) => {
    const issuer = await startIssuer();
    const environment = { ...issuer.settings, AUTH_SCOPES: 'mcp,walk', PORT: '0' };
    const program = start({ parts: `http ${auth}`, project: newFolder(), environment });
    const url = await urlOf(program);
    const post = async (token: string): Promise<readonly [number, string | null]> => {
      const { status, headers } = await fetch(url, {
        ...{ method: 'POST', body: '{}' },
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      return [status, headers.get('www-authenticate')];
    };
    expect((await post('stranger'))[0]).toBe(401);
    const [status, challenge] = await post(await issuer.token('ann', 'mcp'));
    expect([status, challenge]).toEqual([403, expect.stringContaining('scope="mcp walk"')]);
    expect((await post(await issuer.token('ann', 'mcp walk')))[0]).toBe(400);
  });
});

describe('a program of several processes', () => {
  it('has processes that serve and processes that work', async () => {
    const settings = await storeSettings('postgres');
    const parts = 'http postgres';
    const project = newFolder();
    const environment = { ...settings, PORT: '0' };
    const web = start({ parts, project, environment: { ...environment, ROLE: 'web' } });
    const url = await urlOf(web);
    const worker = start({ parts, project, environment, args: ['--role', 'worker'] });
    const health = await urlOf(worker);
    expect(health).toMatch(/\/health$/);
    expect(await (await fetch(health)).json()).toMatchObject({ status: 'ok' });
    expect((await fetch(new URL('/mcp', health), { method: 'POST' })).status).toBe(404);

    const client = await connect(httpTransport(url));
    const { content } = await client.call('walk', { ms: 1 });
    expect(content).toEqual([{ type: 'text', text: 'Walked 3 steps' }]);
    expect(worker.lines.filter((line) => line.includes('Walked')).length).toBe(3);
    expect(web.lines.filter((line) => line.includes('Walked'))).toEqual([]);
  });

  it('migrates by a command, and starts without rights to do so', async () => {
    const settings = await storeSettings('postgres');
    const parts = 'http postgres';
    const project = newFolder();
    const environment = { ...settings, PORT: '0', MIGRATE_AT_START: 'false' };
    const early = await run({ parts, project, environment });
    expect(early).toMatchObject({ code: 4, output: expect.stringMatching(/mcp_tasks/) as string });
    const { code, output } = await run({ parts, project, environment, args: ['migrate'] });
    // DBOS says what it does.
    expect(output).toMatch(/(?:^|\n)Schema mcp_tasks is up to date\n$/);
    expect(code).toBe(0);
    const client = await connect(
      httpTransport(await urlOf(start({ parts, project, environment }))),
    );
    expect((await client.call('walk', { ms: 1 })).isError).not.toBe(true);
  });

  it('refuses a role that there is none', async () => {
    const options = { parts: 'http postgres', project: newFolder(), args: ['--role', 'boss'] };
    expect(await run(options)).toEqual({
      code: 2,
      output: 'ROLE is "boss": Invalid option: expected one of "all"|"web"|"worker"\n',
    });
  });
});
