import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AuthProvider, Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Readable } from 'node:stream';
import type { ServerLocation } from './location.js';
import type { Io } from './io.js';
import {
  boundedFetch,
  createTaskClient,
  DEFAULT_MESSAGE_BYTES,
  PROTOCOL_VERSIONS,
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
  const client = new Client(
    { name: 'my-mcp-client', version: '0.1.0' },
    {
      supportedProtocolVersions: [...PROTOCOL_VERSIONS],
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: timeout ?? 5_000 } },
    },
  );
  const onError = (error: Error): void => void io.messages.write(`${plain(error.message)}\n`);
  const taskClient = createTaskClient(client, {
    capabilities: CAPABILITIES,
    answer,
    statusHandlers,
    onError,
  });
  const { transport, said } = open(location, options, io);
  try {
    await taskClient.connect(transport, {
      ...(session && { session }),
      ...(timeout !== undefined && { timeout }),
    });
  } catch (error) {
    await taskClient.close().catch(() => undefined);
    const reason = connectionError(location, error, timeout);
    throw new Error([reason, said()].filter(Boolean).join('\n'), { cause: error });
  }
  return taskClient;
}

interface Opened {
  readonly transport: Transport;
  /** The end of what the server's process has said beside its messages. */
  readonly said: () => string;
}

function open(
  location: ServerLocation,
  {
    token,
    authProvider,
    headers: more,
    session,
    maxMessage = DEFAULT_MESSAGE_BYTES,
  }: ConnectOptions,
  io: Io,
): Opened {
  if ('url' in location) {
    const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    // The transport follows no redirect to another origin.
    const transport = new StreamableHTTPClientTransport(new URL(location.url), {
      requestInit: { headers },
      fetch: boundedFetch({ maxMessageBytes: maxMessage }),
      ...(session && { sessionId: session.id }),
      ...(authProvider && { authProvider }),
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
