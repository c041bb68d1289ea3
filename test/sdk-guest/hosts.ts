import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';

import type { SdkTransport } from '../../runtime/server/sdk-guest/index.js';

/** The ways in which people serve with the SDK, by its own documentation. */

/** Connects a server to one transport, for one client. */
export type Connect = (transport: SdkTransport) => Promise<void>;

/** The callers of a test, by their tokens. */
const CALLERS: Readonly<Record<string, object>> = Object.fromEntries(
  ['ann', 'bob'].map((subject) => [
    subject,
    {
      token: subject,
      clientId: 'app',
      scopes: ['mcp'],
      extra: { issuer: 'https://issuer.example', subject },
    },
  ]),
);

/** What the SDK's middleware does. */
function authenticate(request: IncomingMessage & { auth?: unknown }): void {
  const token = request.headers.authorization?.slice('Bearer '.length);
  const caller = token === undefined ? undefined : CALLERS[token];
  if (caller !== undefined) request.auth = caller;
}

interface HttpTransport extends SdkTransport {
  handleRequest(request: never, response: ServerResponse, body?: unknown): Promise<void>;
}

type Make = (options: {
  sessionIdGenerator: (() => string) | undefined;
  onsessioninitialized?: (id: string) => void;
}) => HttpTransport;

const makeV1: Make = (options) => new StreamableHTTPServerTransport(options as never);
const makeV2: Make = (options) => new NodeStreamableHTTPServerTransport(options);

/** Returns the URL. */
async function listening(
  handle: (request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>,
): Promise<string> {
  const http = createServer((request, response) => {
    authenticate(request);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      void handle(request, response, text === '' ? undefined : JSON.parse(text));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** A transport for each session. */
function sessions(make: Make): (connect: Connect) => Promise<string> {
  return (connect) => {
    const transports = new Map<string, HttpTransport>();
    return listening(async (request, response, body) => {
      const id = request.headers['mcp-session-id'];
      let transport = typeof id === 'string' ? transports.get(id) : undefined;
      if (transport === undefined) {
        const made = make({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (sessionId) => transports.set(sessionId, made),
        });
        made.onclose = () => void transports.delete(made.sessionId ?? '');
        transport = made;
        await connect(made);
      }
      await transport.handleRequest(request as never, response, body);
    });
  };
}

/** A transport for each request. */
function single(make: Make): (connect: Connect) => Promise<string> {
  return (connect) =>
    listening(async (request, response, body) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const transport = make({ sessionIdGenerator: undefined });
      response.on('close', () => void transport.close());
      await connect(transport);
      await transport.handleRequest(request as never, response, body);
    });
}

export const HTTP_HOSTS = [
  ['sessions of v1', sessions(makeV1)],
  ['sessions of v2', sessions(makeV2)],
] as const;

export const SINGLE_HOSTS = [
  ['requests of v1', single(makeV1)],
  ['requests of v2', single(makeV2)],
] as const;

/** A pipe of which the SDK serves one end. Returns the other. */
export async function piped(
  version: 'v1' | 'v2',
  connect: Connect,
): Promise<{ readonly source: PassThrough; readonly target: PassThrough }> {
  const [source, target] = [new PassThrough(), new PassThrough()];
  const transport = version === 'v1' ? new StdioV1(source, target) : new StdioV2(source, target);
  await connect(transport);
  onTestFinished(() => transport.close());
  return { source, target };
}
