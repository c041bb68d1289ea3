import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientCapabilities, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { migrateDbos } from '@mcp-codegen/runtime/executors/dbos';
import { migratePostgres } from '@mcp-codegen/runtime/stores/postgres';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { dbosSchemaOf, readConfig, readPostgres } from '../src/config.js';
import { feature } from '../src/feature.js';
import { startServer } from '../src/server.js';
import { startPostgres } from './postgres.js';
import type { PostgresServer } from './postgres.js';

/** @when postgres */
let postgres: PostgresServer | undefined;
/** A database with all tables, of which each test gets a copy. @when postgres */
let migrated: string | undefined;
// `npm run dev:cluster` imports this file too.
if (feature.postgres && process.env['VITEST'] !== undefined) {
  beforeAll(async () => {
    postgres = await startPostgres();
    migrated = await postgres.newDatabase();
    const settings = readPostgres({ DATABASE_URL: migrated });
    await migratePostgres(settings);
    if (feature.http) await migrateDbos({ ...settings, schema: dbosSchemaOf(settings) });
  });
  afterAll(() => postgres?.stop());
}

/** @when postgres */
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
  /** @when http */
  PORT: '0',
};

/** A database in a folder that is removed. @when sqlite */
function newFile(finish: Finish): string {
  const folder = mkdtempSync(join(tmpdir(), 'my-mcp-server-'));
  finish(() => rmSync(folder, { recursive: true }));
  return join(folder, 'tasks.db');
}

/** @when http */
export interface TestApp {
  readonly url: URL;
  /** What clients have to send. */
  readonly headers: Readonly<Record<string, string>>;
  /** @when authorized */
  readonly authorization: AuthorizationServer;
}

/** @when http */
export async function startTestApp(finish: Finish = onTestFinished): Promise<TestApp> {
  /** @when authorized */
  const authorization = await startAuthorizationServer();
  /** @when authorized */
  finish(() => authorization.close());
  const environment = {
    ...SETTINGS,
    ...(feature.sqlite && { DATABASE: newFile(finish) }),
    ...(feature.postgres && { DATABASE_URL: await newDatabase() }),
    ...(feature.authorized ? authorization.environment : {}),
  };
  const app = await startServer({ config: readConfig(environment) });
  finish(() => app.close());
  return {
    url: new URL(app.address),
    headers: feature.authorized ? { authorization: `Bearer ${authorization.issue()}` } : {},
    /** @when authorized */
    authorization,
  };
}

/** @when stdio */
function stdioTransport(environment: Record<string, string>): Transport {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const args = ['--import', 'tsx', main];
  const env = { ...environment, PATH: process.env['PATH'] ?? '' };
  return new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
}

/** @when http */
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
 * @when forms
 */
const FORMS: ClientCapabilities = { elicitation: {} };

/** Connects to a server of its own. */
export async function connect(
  { mode, capabilities = feature.forms ? FORMS : {} }: ConnectOptions,
  finish: Finish = onTestFinished,
): Promise<Connection> {
  const transport = feature.stdio
    ? stdioTransport({
        ...SETTINGS,
        ...(feature.sqlite && { DATABASE: newFile(finish) }),
        ...(feature.postgres && { DATABASE_URL: await newDatabase() }),
      })
    : await httpTransport(finish);
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  );
  // The answer to "Which room?"
  // @when forms
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

/** @when authorized */
export interface AuthorizationServer {
  readonly url: string;
  /** What tells the server to trust this one. */
  readonly environment: Readonly<Record<string, string>>;
  /** A token, and what is told about it. */
  issue(claims?: object): string;
  close(): Promise<void>;
}

/** @when authorized */
const RESOURCE = 'http://127.0.0.1:3000/mcp';
/** @when bearer */
const CLIENT_ID = 'my-mcp-server';
/** @when bearer */
const CLIENT_SECRET = 'secret';
/** @when jwt */
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
/** @when jwt */
const JWK = { ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'EdDSA' };

/** A signed token. @when jwt */
function signed(claims: object): string {
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claimed = `${encoded({ alg: 'EdDSA', typ: 'at+jwt', kid: 'test' })}.${encoded(claims)}`;
  return `${claimed}.${sign(null, Buffer.from(claimed), privateKey).toString('base64url')}`;
}

/**
 * An authorization server that issues tokens to tests, and says which are genuine.
 * @when authorized
 */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  /** @when bearer */
  const tokens = new Map<string, object>();
  /** @when bearer */
  const credentials = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
  const http = createServer((request, response) => {
    /** @when jwt */
    if (request.url === '/jwks') return void response.end(JSON.stringify({ keys: [JWK] }));
    /** @when bearer */
    void text(request).then((body) => {
      const known = request.headers.authorization === `Basic ${credentials}`;
      const claims = tokens.get(new URLSearchParams(body).get('token') ?? '');
      response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(claims ?? { active: false }));
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url,
    environment: {
      AUTH_RESOURCE: RESOURCE,
      AUTH_ISSUER: url,
      /** @when bearer */
      AUTH_INTROSPECTION: `${url}/introspect`,
      /** @when bearer */
      AUTH_CLIENT_ID: CLIENT_ID,
      /** @when bearer */
      AUTH_CLIENT_SECRET: CLIENT_SECRET,
      /** @when jwt */
      AUTH_JWKS: `${url}/jwks`,
    },
    issue(claims) {
      const exp = Math.floor(Date.now() / 1000) + 600;
      const usual = { active: true, iss: url, sub: 'ann', client_id: 'app', aud: RESOURCE, exp };
      if (feature.jwt) {
        return signed({ ...usual, ...claims });
      } else {
        const token = randomUUID();
        tokens.set(token, { ...usual, ...claims });
        return token;
      }
    },
    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
}
