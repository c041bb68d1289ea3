import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AuthProvider, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Readable } from 'node:stream';
import type { ServerLocation } from './location.js';
import type { Io } from './io.js';
import {
  boundedFetch,
  createTaskClient,
  DEFAULT_MESSAGE_BYTES,
  statusOf,
} from '@mcp-codegen/runtime/client';
import type {
  InputHandlers,
  Session as ServerSession,
  TaskClient,
  TaskStatusHandlers,
} from '@mcp-codegen/runtime/client';
import { CAPABILITIES } from './capabilities.js';
import { connectionError } from './connection-error.js';
import { plain } from './text.js';

export interface ConnectOptions {
  readonly token: string | undefined;
  /** The login at the server, if there is no token. */
  readonly authProvider: AuthProvider | undefined;
  /** Further headers of each request over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** The handlers of the server's questions. */
  readonly answer: InputHandlers;
  readonly statusHandlers: TaskStatusHandlers;
  /** Bytes of one message of the server. */
  readonly maxMessage: number | undefined;
  /** Milliseconds to connect in. */
  readonly timeout: number | undefined;
  /** To go on in, instead of opening another. */
  readonly session: ServerSession | undefined;
}

/** A task client that is connected, in the newest revision that both sides know. */
export async function connect(
  location: ServerLocation,
  options: ConnectOptions,
  io: Io,
): Promise<TaskClient> {
  const { answer, statusHandlers, session, timeout } = options;
  const client = createTaskClient({
    name: 'my-mcp-client',
    version: '0.1.0',
    capabilities: CAPABILITIES,
    answer,
    statusHandlers,
    onError: (error) => void io.messages.write(`${plain(error.message)}\n`),
  });
  const { transport, said } = open(location, options, io);
  const limits = { ...(timeout !== undefined && { timeout }) };
  try {
    await client.connect(transport, { ...limits, ...(session && { session }) }).catch((error) => {
      if (!('url' in location) || !mayBeOld(error)) throw error;
      // Why the first attempt failed says more.
      const older = openOld(location.url, options);
      return client.connect(older, limits).catch(() => Promise.reject(error as Error));
    });
  } catch (error) {
    await client.close().catch(() => undefined);
    const reason = connectionError(location, error, timeout);
    throw new Error([reason, said()].filter(Boolean).join('\n'), { cause: error });
  }
  return client;
}

/** Whether the server may be one of 2024-11-05, which refuses what later revisions send. */
function mayBeOld(error: unknown): boolean {
  const status = error instanceof Error ? statusOf(error.cause) : undefined;
  return status === 400 || status === 404 || status === 405;
}

interface Opened {
  readonly transport: Transport;
  /** The end of what the server's process has said beside its messages. */
  readonly said: () => string;
}

/** The transport of 2024-11-05. */
function openOld(url: string, options: ConnectOptions): Transport {
  return new SSEClientTransport(new URL(url), httpOptions(options));
}

/** The transports follow no redirect to another origin. */
function httpOptions({ token, authProvider, headers: more, maxMessage }: ConnectOptions) {
  const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return {
    requestInit: { headers },
    fetch: boundedFetch({ maxMessageBytes: maxMessage ?? DEFAULT_MESSAGE_BYTES }),
    ...(authProvider && { authProvider }),
  };
}

function open(location: ServerLocation, options: ConnectOptions, io: Io): Opened {
  const { session, maxMessage = DEFAULT_MESSAGE_BYTES } = options;
  if ('url' in location) {
    const transport = new StreamableHTTPClientTransport(new URL(location.url), {
      ...httpOptions(options),
      ...(session && { sessionId: session.id }),
    });
    return { transport, said: () => '' };
  }
  const { command, args } = location;
  // These are for servers at URLs.
  const env = Object.entries(io.env).filter(
    (each): each is [string, string] => each[1] !== undefined && !SECRETS.has(each[0]),
  );
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries(env),
    stderr: 'pipe',
    maxBufferSize: maxMessage,
  });
  let text = '';
  (transport.stderr as Readable | null)?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT_CHARACTERS);
    // On a terminal it would run into progress and prompts.
    if (!io.messages.isTTY) io.messages.write(plain(chunk));
  });
  return { transport, said: () => (io.messages.isTTY ? text.trim() : '') };
}

/** Environment variables that started servers do not get. */
const SECRETS: ReadonlySet<string> = new Set(['MCP_TOKEN', 'MCP_CLIENT_SECRET']);

const KEPT_CHARACTERS = 1_000;
