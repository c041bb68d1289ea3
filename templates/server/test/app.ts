import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientCapabilities, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { startApp } from '../src/app.js';
import { readConfig } from '../src/config.js';
import { feature } from '../src/feature.js';
import { startAuthorizationServer } from './authorization-server.js';
import type { AuthorizationServer } from './authorization-server.js';

/** Settings for one test: nothing is left behind. */
function environmentOfTest(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'my-mcp-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return {
    DRAIN_MS: '0',
    /** @when http */
    PORT: '0',
    /** @when sqlite */
    DATABASE: join(folder, 'tasks.db'),
  };
}

/** @when http */
export interface TestApp {
  readonly url: URL;
  /** What clients have to send. */
  readonly headers: Readonly<Record<string, string>>;
  /** @when bearer */
  readonly authorization: AuthorizationServer;
}

/** @when http */
export async function startTestApp(): Promise<TestApp> {
  /** @when bearer */
  const authorization = await startAuthorizationServer();
  /** @when bearer */
  onTestFinished(() => authorization.close());
  const environment = feature.bearer
    ? { ...environmentOfTest(), ...authorization.environment }
    : environmentOfTest();
  const app = await startApp(readConfig(environment));
  onTestFinished(() => app.close());
  return {
    url: new URL(app.address),
    headers: feature.bearer ? { authorization: `Bearer ${authorization.issue()}` } : {},
    /** @when bearer */
    authorization,
  };
}

/** @when stdio */
function stdioTransport(): Transport {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const args = ['--import', 'tsx', main];
  const env = { ...environmentOfTest(), PATH: process.env['PATH'] ?? '' };
  return new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
}

/** @when http */
async function httpTransport(): Promise<Transport> {
  const { url, headers } = await startTestApp();
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

/** Connects to a server of its own. Asked which room to book, the client answers with the tower. */
export async function connect({
  mode,
  capabilities = { elicitation: {} },
}: ConnectOptions): Promise<Connection> {
  const transport = feature.stdio ? stdioTransport() : await httpTransport();
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept' as const,
    content: { room: 'Tower' },
  }));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport };
}
