import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import {
  boundedFetch,
  createTaskClient,
  DEFAULT_MESSAGE_BYTES,
  statusOf,
} from '../../runtime/client/index.js';
import type {
  DeclaredCapabilities,
  InputHandlers,
  Session as ServerSession,
  TaskClient,
  TaskStatusHandlers,
} from '../../runtime/client/index.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import { stepUpFetch } from '../../runtime/client/node/index.js';
import type { LoginProvider } from '../../runtime/client/node/index.js';
import { inheritedEnv, mayBeOld, processTransport, slowServer } from './connect/index.js';
import { recorded } from '../recording/index.js';
import type { Recording } from '../recording/index.js';
import { capabilitiesOf } from './capabilities.js';
import { connectionError } from './connection-error.js';
import type { ClientIo } from './io.js';
import type { Connection } from './named-server.js';
import type { Prompter } from './prompter.js';
import type { Settings } from './settings.js';
import { showLogin } from './show-login.js';
import { plain } from './text.js';

export interface ConnectOptions {
  /** The version of this program. */
  readonly version: string;
  readonly settings: Settings;
  readonly token: string | undefined;
  /** The login at the server, if there is no token. */
  readonly authProvider: LoginProvider | undefined;
  /** Further headers of each request over HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** The handlers of the server's questions. */
  readonly answer: InputHandlers;
  /** The capabilities to declare (default: those of the settings). */
  readonly viewpoint: DeclaredCapabilities | undefined;
  /** Asks whether the user logs in again. Undefined for a script, which would wait for a user. */
  readonly askStepUp: Prompter['stepUp'];
  readonly statusHandlers: TaskStatusHandlers;
  /** To continue, instead of opening another. */
  readonly session: ServerSession | undefined;
  /** The only revision to offer. Default: all. */
  readonly revision: RevisionVersion | undefined;
  readonly recording: Recording | undefined;
}

export interface Connected {
  readonly client: TaskClient;
  /** Ends the session at the server, where there is one. Call it before `close` of the client. Never rejects. */
  readonly endSession: () => Promise<void>;
}

/** A task client that is connected, in the newest revision that both sides know. */
export async function connect(
  connection: Connection,
  options: ConnectOptions,
  io: ClientIo,
): Promise<Connected> {
  const { location } = connection;
  const { answer, statusHandlers, session, revision, recording, settings, version } = options;
  const { timeout } = settings;
  const capabilities = options.viewpoint ?? capabilitiesOf(settings);
  const client: TaskClient = createTaskClient({
    name: 'mcp-codegen',
    version,
    ...(revision && { revisions: [revision] }),
    capabilities,
    ...(capabilities.tasks && { receiver: {} }),
    answer,
    statusHandlers,
    onError: ({ message }) =>
      message === client.slowness
        ? io.notice?.(slowServer(message))
        : io.err.write(`${plain(message)}\n`),
  });
  const limits = { ...(timeout !== undefined && { timeout }) };
  const { transport, said } = open(connection, options, io);
  const withRecording = (each: Transport): Transport =>
    recording ? recorded(each, { file: recording }) : each;
  try {
    await client
      .connect(withRecording(transport), { ...limits, ...(session && { session }) })
      .catch((error) => {
        if (!('url' in location) || !mayBeOld(statusIn(error))) throw error;
        const older = openOld(location.url, options, io);
        recording?.clearUnanswered();
        // The reason of the first attempt says more.
        return client
          .connect(withRecording(older), limits)
          .catch(() => Promise.reject(error as Error));
      });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw connectionError(location, error, { timeout, said: said() });
  }
  return { client, endSession: () => endSession(transport) };
}

/** Milliseconds for the request that ends a session. A server that does not answer it ends the session by itself. */
const END_OF_SESSION = 2_000;

async function endSession(transport: Transport): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport)) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, END_OF_SESSION);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), waited]);
  clearTimeout(timer);
}

function statusIn(error: unknown): number | undefined {
  return error instanceof Error ? statusOf(error.cause) : undefined;
}

interface Opened {
  readonly transport: Transport;
  /** The end of what the server's process has printed beside its messages. */
  readonly said: () => string;
}

/** The transport of 2024-11-05. */
function openOld(url: string, options: ConnectOptions, io: ClientIo): Transport {
  return new SSEClientTransport(new URL(url), httpOptions(url, options, io));
}

/** The transports follow no redirect to another origin. */
function httpOptions(url: string, options: ConnectOptions, io: ClientIo) {
  const { token, authProvider, headers: more } = options;
  const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return {
    requestInit: { headers },
    fetch: fetchFor(url, options, io),
    ...(authProvider && { authProvider }),
  };
}

function fetchFor(
  url: string,
  { authProvider, askStepUp, settings }: ConnectOptions,
  io: ClientIo,
): FetchLike {
  const fetch = boundedFetch({ maxMessageBytes: settings.maxMessage ?? DEFAULT_MESSAGE_BYTES });
  if (authProvider === undefined || askStepUp === undefined) return fetch;
  const { origin: server } = new URL(url);
  return stepUpFetch(authProvider, {
    fetch,
    show: (address) => showLogin(address, io, settings),
    agree: (scopes, signal) => askStepUp({ server, scopes }, signal),
  });
}

function open(
  { location, env: more, cwd }: Connection,
  options: ConnectOptions,
  io: ClientIo,
): Opened {
  const { session, settings } = options;
  if ('url' in location) {
    const transport = new StreamableHTTPClientTransport(new URL(location.url), {
      ...httpOptions(location.url, options, io),
      ...(session && { sessionId: session.id }),
    });
    return { transport, said: () => '' };
  }
  const { command, args } = location;
  const transport = processTransport(
    { command, args, cwd: cwd ?? io.cwd, env: { ...inheritedEnv(io.env), ...more } },
    { aLine: settings.maxMessage ?? DEFAULT_MESSAGE_BYTES },
    // On a terminal it would run into progress and prompts.
    io.err.canRedraw ? undefined : (text) => io.err.write(plain(text)),
  );
  return {
    transport,
    said: () => (io.err.canRedraw ? transport.said.slice(-KEPT_CHARACTERS) : ''),
  };
}

const KEPT_CHARACTERS = 1_000;
