import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientCapabilities, Transport } from '@modelcontextprotocol/client';
import { migrateDbos } from '@mcp-codegen/runtime/executors/dbos';
import { migratePostgres } from '@mcp-codegen/runtime/stores/postgres';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { dbosSchemaOf, readConfig, readPostgres } from '../src/config.js';
import { startServer } from '../src/server.js';
import { startPostgres } from './postgres.js';
import type { PostgresServer } from './postgres.js';

let postgres: PostgresServer | undefined;
/** A database with all tables, of which each test gets a copy. */
let migrated: string | undefined;
// `npm run dev:cluster` imports this file too.
if (process.env['VITEST'] !== undefined) {
  beforeAll(async () => {
    postgres = await startPostgres();
    migrated = await postgres.newDatabase();
    const settings = readPostgres({ DATABASE_URL: migrated });
    await migratePostgres(settings);
    await migrateDbos({ ...settings, schema: dbosSchemaOf(settings) });
  });
  afterAll(() => postgres?.stop());
}

async function newDatabase(): Promise<string> {
  if (!postgres) throw new Error('This is for tests only');
  return postgres.newDatabase(migrated);
}

/** Takes what has to be called in the end, in reverse order: at the end of the test, by default. */
type Finish = (close: () => void | Promise<void>) => void;

/** Settings of every server. */
const SETTINGS = {
  DRAIN_MS: '0',
  LOG_LEVEL: 'silent',

  PORT: '0',
};

export interface TestApp {
  readonly url: URL;
  /** What clients have to send. */
  readonly headers: Readonly<Record<string, string>>;

  readonly authorization: AuthorizationServer;
}

export async function startTestApp(finish: Finish = onTestFinished): Promise<TestApp> {
  const authorization = await startAuthorizationServer();

  finish(() => authorization.close());
  const environment = {
    ...SETTINGS,

    DATABASE_URL: await newDatabase(),
    ...authorization.environment,
  };
  const app = await startServer({ config: readConfig(environment) });
  finish(() => app.close());
  return {
    url: new URL(app.address),
    headers: { authorization: `Bearer ${authorization.issue()}` },

    authorization,
  };
}

async function httpTransport(finish: Finish): Promise<Transport> {
  const { url, headers } = await startTestApp(finish);
  return new StreamableHTTPClientTransport(url, { requestInit: { headers } });
}

export interface ConnectOptions {
  /** The newest revision up to 2025-11-25, or the newest that both sides know. */
  readonly mode: 'legacy' | 'auto';
  readonly capabilities?: ClientCapabilities;
}

export interface Connection {
  readonly client: Client;
  readonly transport: Transport;
}

/**
 * What a client declares, if nothing else is given.
 *
 */
const FORMS: ClientCapabilities = { elicitation: {} };

/** Connects to a server of its own. */
export async function connect(
  { mode, capabilities = FORMS }: ConnectOptions,
  finish: Finish = onTestFinished,
): Promise<Connection> {
  const transport = await httpTransport(finish);
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  );
  // The answer to "Which room?"

  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept' as const,
    content: { room: 'Tower' },
  }));
  await client.connect(transport);
  finish(() => client.close());
  return { client, transport };
}

/** One connection for the tests of a `describe`: a server's start takes longer than they do. */
export function connectOnce(options: ConnectOptions): () => Connection {
  const closing: (() => void | Promise<void>)[] = [];
  let connection: Connection;
  beforeAll(async () => {
    connection = await connect(options, (close) => closing.unshift(close));
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return () => connection;
}

export interface AuthorizationServer {
  readonly url: string;
  /** What tells the server to trust this one. */
  readonly environment: Readonly<Record<string, string>>;
  /** A token, and what is told about it. */
  issue(claims?: object): string;
  close(): Promise<void>;
}

const RESOURCE = 'http://127.0.0.1:3000/mcp';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');

const JWK = { ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'EdDSA' };

/** A signed token. */
function signed(claims: object): string {
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claimed = `${encoded({ alg: 'EdDSA', typ: 'at+jwt', kid: 'test' })}.${encoded(claims)}`;
  return `${claimed}.${sign(null, Buffer.from(claimed), privateKey).toString('base64url')}`;
}

/**
 * An authorization server that issues tokens to tests, and says which are genuine.
 */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const http = createServer((request, response) => {
    if (request.url === '/jwks') return void response.end(JSON.stringify({ keys: [JWK] }));
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    environment: {
      AUTH_RESOURCE: RESOURCE,
      AUTH_ISSUER: url,

      AUTH_JWKS: `${url}/jwks`,
    },
    issue(claims) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const usual = { active: true, iss: url, sub: 'ann', client_id: 'app', aud: RESOURCE, exp };
      return signed({ ...usual, ...claims });
    },
    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}
