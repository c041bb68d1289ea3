import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createDbosExecutor, migrateDbos } from '../../runtime/executors/dbos/index.js';
import { createMemoryStore } from '../../runtime/stores/memory/index.js';
import { openPostgresStore, PostgresError } from '../../runtime/stores/postgres/index.js';
import type { PostgresStoreOptions } from '../../runtime/stores/postgres/index.js';
import { NO_CAPS, sampleTask } from '../../runtime/testing/testkit/index.js';
import { createTaskEngine } from '../../runtime/tasks/index.js';
import { startPostgres, type PostgresDatabase, type PostgresServer } from '../support/postgres.js';
import { temporaryFolder } from '../support/stores.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder.path, stdio: 'pipe' });
}

/** An authority of its own: `<name>.pem`, `<name>.key`. */
function createAuthority(name: string): void {
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`],
    ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
  );
}

/** A certificate for 127.0.0.1 only. */
function createServerCertificate(authority: string): void {
  openssl(
    ...['req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', 'server.key', '-out', 'server.csr'],
  );
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-days', '2', '-copy_extensions', 'copy'],
    ...['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial'],
    ...['-out', 'server.pem'],
  );
}

/** Files that only the server's user may read: it is another one when the tests run as root. */
async function giveToServer(name: string): Promise<void> {
  const lines = readFileSync(at(name), 'utf8').trimEnd().split('\n');
  const values = lines.map((line, n) => `(${n}, '${line}')`).join(', ');
  await database.sql(`COPY (SELECT line FROM (VALUES ${values}) AS file (n, line) ORDER BY n)
    TO PROGRAM 'umask 077; cat > ${name}'`);
}

let server: PostgresServer;
let database: PostgresDatabase;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.newDatabase();
  if (server.restart === undefined) return;
  createAuthority('ours');
  createAuthority('other');
  createServerCertificate('ours');
  await giveToServer('server.key');
  await giveToServer('server.pem');
  for (const setting of [`ssl_cert_file = 'server.pem'`, `ssl_key_file = 'server.key'`, 'ssl = on'])
    await database.sql(`ALTER SYSTEM SET ${setting}`);
  await server.restart();
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

function urlWith(parameters: Readonly<Record<string, string>>, host = '127.0.0.1'): string {
  const url = new URL(database.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The configuration of the server of `DATABASE_URL` is its owner's. */
const onOwnServer = it.skipIf(process.env['DATABASE_URL'] !== undefined);

const VERIFIED = { sslmode: 'verify-full' };

const WAYS: [how: string, options: () => Pick<PostgresStoreOptions, 'connectionString' | 'ssl'>][] =
  [
    [
      'sslrootcert in the connection string',
      () => ({ connectionString: urlWith({ ...VERIFIED, sslrootcert: at('ours.pem') }) }),
    ],
    [
      'ssl: { ca }',
      () => ({ connectionString: urlWith({}), ssl: { ca: readFileSync(at('ours.pem'), 'utf8') } }),
    ],
    [
      'sslmode and ssl: { ca }',
      () => ({
        connectionString: urlWith(VERIFIED),
        ssl: { ca: readFileSync(at('ours.pem'), 'utf8') },
      }),
    ],
  ];

onOwnServer.each(WAYS)('connects with %s, and every connection uses TLS', async (_, options) => {
  const store = await openPostgresStore({ ...options(), applicationName: 'tls' });
  const end = store.watch?.(() => undefined);
  await store.insert(sampleTask(Math.floor(Math.random() * 1e6)), NO_CAPS);
  const connections = (): ReturnType<typeof database.sql> =>
    database.sql(`SELECT application_name AS name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
      WHERE application_name LIKE 'tls%'`);
  while (!(await connections()).some(({ name }) => name === 'tls (listener)'));
  const all = await connections();
  end?.();
  await store.close();
  expect(all.every(({ ssl }) => ssl === true)).toBe(true);
});

onOwnServer.each(WAYS)('the DBOS executor connects with %s, and uses TLS', async (_, options) => {
  const store = createMemoryStore();
  const engine = await createTaskEngine({
    store,
    executor: createDbosExecutor({ ...options(), name: 'tls', role: 'worker', schema: 'dbos_tls' }),
    handlers: () => undefined,
  });
  const connections =
    await database.sql(`SELECT ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
    WHERE application_name = 'tls (dbos)'`);
  await engine.close(0);
  await store.close();
  expect(connections).not.toEqual([]);
  expect(connections.every(({ ssl }) => ssl === true)).toBe(true);
});

onOwnServer.each(WAYS)('migrateDbos connects with %s, and uses TLS', async (_, options) => {
  // Notes of each change of the schema whether its connection is encrypted.
  await database.sql(`CREATE TABLE changes (ssl boolean);
    CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN INSERT INTO public.changes SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid(); END $$;
    CREATE EVENT TRIGGER note ON ddl_command_end EXECUTE FUNCTION note()`);
  try {
    await migrateDbos({ ...options(), schema: `dbos_${randomUUID().slice(0, 8)}` });
    const found = await database.sql('SELECT DISTINCT ssl FROM changes');
    expect(found).toEqual([{ ssl: true }]);
  } finally {
    await database.sql('DROP EVENT TRIGGER note; DROP FUNCTION note(); DROP TABLE changes');
  }
});

onOwnServer.each<[what: string, options: () => PostgresStoreOptions, hint: RegExp]>([
  [
    'the certificate of another authority',
    () => ({ connectionString: urlWith({ ...VERIFIED, sslrootcert: at('other.pem') }) }),
    /ssl: \{ ca \}/,
  ],
  [
    'an authority that Node.js does not have',
    () => ({ connectionString: urlWith(VERIFIED) }),
    /ssl: \{ ca \}/,
  ],
  [
    'a certificate for another host',
    () => ({
      connectionString: urlWith({ ...VERIFIED, sslrootcert: at('ours.pem') }, 'localhost'),
    }),
    /name that the certificate/,
  ],
])('refuses %s, and says what to do', async (_, options, hint) => {
  const error = await openPostgresStore(options()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PostgresError);
  expect(String(error)).toMatch(hint);
});
