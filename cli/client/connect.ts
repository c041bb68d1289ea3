import {
  createTaskClient,
  DEFAULT_CLIENT_LIMITS,
  DEFAULT_MESSAGE_BYTES,
  type ClientTransport,
  type DeclaredCapabilities,
  type FetchLike,
  type InputHandlers,
  type ServerCommand,
  type Session as ServerSession,
  type TaskClient,
  type TaskStatusHandlers,
} from '../../runtime/client/index.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import {
  processTransport,
  stepUpFetch,
  type LoginProvider,
  type ProcessTransport,
} from '../../runtime/client/node/index.js';
import { inheritedEnv, slowServer } from './connect/index.js';
import { recorded, type Recording } from '../../contracts/recording/index.js';
import { connectionError } from './connection-error.js';
import type { ClientIo } from './io.js';
import type { Connection } from './named-server.js';
import type { Prompter } from './prompter.js';
import type { Settings } from './settings.js';
import { showLogin } from './show-login.js';
import { plain } from './text.js';
import { TASKS_EXTENSION } from '../../runtime/rules/messages.js';

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
  /** Gets the transport before it is opened. */
  readonly through: ((transport: ClientTransport) => ClientTransport) | undefined;
}

/** A task client that is connected, in the newest revision that both sides know. */
export async function connect(
  connection: Connection,
  options: ConnectOptions,
  io: ClientIo,
): Promise<TaskClient> {
  const { location } = connection;
  const { answer, statusHandlers, session, revision, recording, settings, version } = options;
  const { timeout } = settings;
  const capabilities = options.viewpoint ?? capabilitiesOf(settings);
  const client: TaskClient = createTaskClient({
    name: 'mcp-codegen',
    version,
    ...(revision && { revisions: [revision] }),
    capabilities,
    limits: {
      ...(settings.silence !== undefined && { silence: settings.silence }),
      // Polls are repeated: a longer time for the call is none for each of them.
      ...(timeout !== undefined &&
        timeout < DEFAULT_CLIENT_LIMITS.requestTimeout && { requestTimeout: timeout }),
    },
    ...(capabilities.tasks && { receiver: {} }),
    answer,
    statusHandlers,
    onError: ({ message }) =>
      message === client.slowness
        ? io.notice?.(slowServer(message))
        : io.err.write(`${plain(message)}\n`),
  });
  const child = 'command' in location ? processOf(connection, options, io) : undefined;
  const maxMessageBytes = settings.maxMessage ?? DEFAULT_MESSAGE_BYTES;
  let isFirst = true;
  /** What the first way left unanswered, the second one asks again. */
  const through = (each: ClientTransport): ClientTransport => {
    if (!isFirst) recording?.clearUnanswered();
    isFirst = false;
    const watched = options.through?.(each) ?? each;
    return recording ? recorded(watched, { file: recording }) : watched;
  };
  try {
    await client.connect('url' in location ? location.url : (child as ProcessTransport), {
      ...{ through, maxMessageBytes, session },
      ...(timeout !== undefined && { timeout }),
      ...('url' in location && httpOptions(location.url, options, io)),
    });
  } catch (error) {
    await client.close().catch(() => undefined);
    // On a terminal it was not shown.
    const said = io.err.canRedraw ? child?.said.slice(-KEPT_CHARACTERS) : undefined;
    throw connectionError(location, error, { timeout, said: said ?? '' });
  }
  return client;
}

function httpOptions(url: string, options: ConnectOptions, io: ClientIo) {
  const { token, authProvider, headers: more } = options;
  const own = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    headers: { ...more, ...own } as Readonly<Record<string, string>>,
    fetch: fetchFor(url, options, io),
    ...(authProvider && { authProvider }),
  };
}

function fetchFor(
  url: string,
  { authProvider, askStepUp, settings }: ConnectOptions,
  io: ClientIo,
): FetchLike {
  if (authProvider === undefined || askStepUp === undefined) return fetch;
  const { origin: server } = new URL(url);
  return stepUpFetch(authProvider, {
    fetch,
    show: (address) => showLogin(address, io, settings),
    agree: (scopes, signal) => askStepUp({ server, scopes }, signal),
  });
}

function processOf(
  { location, env: more, cwd }: Connection,
  { settings: { maxMessage: maxMessageBytes = DEFAULT_MESSAGE_BYTES } }: ConnectOptions,
  io: ClientIo,
): ProcessTransport {
  const env = { ...inheritedEnv(io.env), ...more };
  // On a terminal it would run into progress and prompts.
  const stderr = io.err.canRedraw ? 'ignore' : (text: string) => io.err.write(plain(text));
  const server = { ...(location as ServerCommand), cwd: cwd ?? io.cwd, env, stderr } as const;
  return processTransport(server, { maxMessageBytes });
}

const KEPT_CHARACTERS = 1_000;

/**
 * The capabilities that are declared to servers: forms, addresses and tasks. Replies in place of a language model
 * and folders only where the user offers them, because servers learn of the machine from them.
 */
function capabilitiesOf({
  sampling,
  roots,
}: Pick<Settings, 'sampling' | 'roots'>): DeclaredCapabilities {
  return {
    elicitation: { form: {}, url: {} },
    ...(sampling && { sampling: {} }),
    ...(roots.length > 0 && { roots: {} }),
    // Calls may become tasks in revision 2026-07-28. The core dialect needs no declaration for that.
    ...TASKS_EXTENSION,
  };
}
