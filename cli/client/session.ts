import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ClientTransport,
  DeclaredCapabilities,
  TaskClient,
  TaskStatusHandlers,
} from '../../runtime/client/index.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import { createLogins, type Logins } from '../../runtime/client/node/index.js';
import { openRecording, RecordingError, type Recording } from '../../contracts/recording/index.js';
import { openBook, type Book } from './book.js';
import { connect } from './connect.js';
import { configFolder, stateFolder } from './folders.js';
import type { ClientIo } from './io.js';
import { isSameLocation, type ServerLocation } from './location.js';
import type { Connection } from './named-server.js';
import { createProgressLine, type ProgressLine } from './progress.js';
import { createPrompter, type Prompter } from './prompter.js';
import { askInput } from './prompts.js';
import { openReferences, type KeptTask, type References } from './references.js';
import type { Settings } from './settings.js';
import { line } from './text.js';
import { tokenFor } from './token.js';
import { UsageError } from './usage.js';
import { DECLINING } from './viewpoint.js';

/** The server of a command line. */
export type Given = { readonly location: ServerLocation } | { readonly name: string };

/** A server, and what is kept of an earlier connection to it. */
export interface Target extends Pick<
  KeptTask,
  'server' | 'cwd' | 'saved' | 'session' | 'tokenMark'
> {
  /** The only revision to speak with it. Default: the newest that both sides know. */
  readonly revision?: RevisionVersion;
  /** The capabilities to declare to a server that is only looked at. Each question of it is declined. */
  readonly viewpoint?: DeclaredCapabilities;
  /** Gets the transport of the connection before it is opened. */
  readonly through?: (transport: ClientTransport) => ClientTransport;
  /** Milliseconds for the connection. Default: those of the settings. */
  readonly timeout?: number;
}

export interface Sent {
  /** The token that the server was sent. */
  readonly token: string | undefined;
}

export interface SessionOptions {
  readonly given: Given | undefined;
  readonly settings: Settings;
  /** The version of this program. */
  readonly version: string;
}

/** What commands work with. */
export interface CommandContext {
  readonly io: ClientIo;
  readonly settings: Settings;
  readonly references: References;
  readonly book: Book;
  readonly logins: Logins;
  readonly progress: ProgressLine;
  readonly prompter: Prompter;
  /** The server of the command line. @throws {UsageError} */
  target(): Promise<Target>;
  /** Its location with the values of its variables. @throws {UsageError} */
  location(): Promise<ServerLocation>;
  /** Connects to a server for as long as the work takes. */
  with<T>(target: Target, work: (client: TaskClient, sent: Sent) => Promise<T>): Promise<T>;
  close(): void;
}

export function createSession(
  { given, settings, version }: SessionOptions,
  io: ClientIo,
): CommandContext {
  const { env } = io;
  const progress = createProgressLine(io);
  const prompter = createPrompter({ io, progress, settings });
  const statusHandlers = createStatusHandlers(progress);
  const bookIn = (cwd: string): Book =>
    openBook({
      cwd,
      env,
      ask: (message, secret) => askInput(message, secret, io, settings),
    });
  const book = bookIn(io.cwd);
  const folder = join(configFolder(env), 'logins');
  const logins = createLogins({ folder, clientName: 'mcp-codegen' });
  const references = openReferences(settings.state ?? join(stateFolder(env), 'tasks'));
  const noticed = new Set<string>();
  let recording: Recording | undefined;

  async function target(): Promise<Target> {
    if (given === undefined) {
      throw noServer('Give --server <url or name>, or -- and the command that starts one.');
    }
    if ('location' in given) {
      const { location } = given;
      return { server: location, ...('command' in location && { cwd: io.cwd }) };
    }
    const { location, exact, folder } = await book.find(given.name);
    return { server: location, saved: exact, cwd: folder ?? io.cwd };
  }

  async function keepsSession({ session }: TaskClient): Promise<boolean> {
    if (session === undefined) return false;
    return (await references.list()).some((task) => task.session?.id === session.id);
  }

  async function connectionOf({ server, saved, cwd = io.cwd }: Target): Promise<Connection> {
    if (saved === undefined) return { location: server, cwd };
    const named = await bookIn(cwd)
      .find(saved)
      .catch(() => undefined);
    // The server of a name may have changed since a task was started at it.
    if (named && isSameLocation(named.location, server)) {
      if (named.notice !== undefined && !noticed.has(saved)) io.err.write(`${named.notice()}\n`);
      noticed.add(saved);
      return await named.connection();
    }
    if (saved.startsWith('saved:')) return { location: server, cwd };
    throw new UsageError(`The server ${saved} of this task is not in its file any more.`);
  }

  /** The origin that `MCP_TOKEN` is for. A name in a file of a project may be of a stranger's choice. */
  async function originOfToken(): Promise<string | undefined> {
    const set = env['MCP_SERVER'];
    // As everywhere, an empty variable counts as one that is not set.
    const asked = given && 'name' in given ? given.name : undefined;
    const named = set === undefined || set === '' ? asked : set;
    if (named === undefined)
      return given && 'location' in given ? originOf(given.location) : undefined;
    if (/^https?:\/\//i.test(named)) return originOf({ url: named });
    const found = await book.find(named).catch(() => undefined);
    return found === undefined || found.isProject ? undefined : originOf(found.location);
  }

  /** What is sent to a server beside messages. */
  async function secretsOf({ tokenMark }: Target, connection: Connection) {
    const { location } = connection;
    const headers = { ...connection.headers, ...settings.headers };
    if ('authorization' in headers && settings.token?.from !== 'command line') {
      return { token: undefined, authProvider: undefined, headers };
    }
    const token =
      connection.token !== undefined && settings.token?.from !== 'command line'
        ? connection.token()
        : await tokenFor(location, settings.token, { mark: tokenMark, originOfToken, io });
    const authProvider =
      token === undefined && 'url' in location
        ? await logins.authProvider(location.url, env['MCP_CLIENT_SECRET'] || undefined)
        : undefined;
    return { token, authProvider, headers };
  }

  return {
    io,
    settings,
    progress,
    prompter,
    book,
    logins,
    references,
    target,
    async location() {
      if (given === undefined) throw noServer('Give --server <url or name>.');
      return (await connectionOf(await target())).location;
    },
    async with(wanted, work) {
      const connection = await connectionOf(wanted);
      assertFolder(connection);
      const secrets = await secretsOf(wanted, connection);
      const { record } = settings;
      if (record !== undefined) recording ??= recordingAt(record, io);
      const client = await connect(
        connection,
        {
          ...secrets,
          version,
          settings: { ...settings, timeout: wanted.timeout ?? settings.timeout },
          through: wanted.through,
          answer: wanted.viewpoint ? DECLINING : prompter.answer,
          viewpoint: wanted.viewpoint,
          askStepUp: prompter.stepUp,
          statusHandlers,
          session: wanted.session,
          revision: wanted.revision,
          recording,
        },
        io,
      );
      try {
        const done = await work(client, { token: secrets.token });
        // A task that runs on may be visible in its session only.
        if (!(await keepsSession(client))) await client.endSession();
        return done;
      } finally {
        progress.clear();
        await client.close();
      }
    },
    close: () => recording?.close(),
  };
}

/** @throws {UsageError} when the file exists already, or cannot be written. */
function recordingAt(path: string, io: ClientIo): Recording {
  try {
    return openRecording(path, { onProblem: (problem) => io.err.write(`${problem}\n`) });
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new UsageError(`${error.message} (--record)`, error.help);
  }
}

function noServer(help: string): UsageError {
  return new UsageError('No server is given.', help);
}

/** Without it, the error of a missing folder would say that the command was not found. @throws {UsageError} */
function assertFolder({ location, cwd }: Connection): void {
  if (!('command' in location) || cwd === undefined || existsSync(cwd)) return;
  throw new UsageError(`The folder ${line(cwd, 500)}, in which the server starts, does not exist.`);
}

function originOf(location: ServerLocation): string | undefined {
  return 'url' in location && URL.canParse(location.url) ? new URL(location.url).origin : undefined;
}

/** Shows the status that a server announces. Servers need not announce any: `commands/call.ts` waits for a task by itself. */
function createStatusHandlers(progress: ProgressLine): TaskStatusHandlers {
  return {
    /** A core task, from servers of revision 2025-11-25. */
    'notifications/tasks/status': (task) => progress.announced(task),
    /** A task of the extension, from servers of revision 2026-07-28. */
    'notifications/tasks': (task) => progress.announced(task),
  };
}
