import { linesWritten } from '../server/log/audit-lines.js';
import type { ServerLog } from '../server/log/log.js';
import type { HttpHandle } from '../server/serve.js';
import type { TaskServer } from '../server/server.js';
import type { StdioHandle } from '../server/stdio.js';
import { DEFAULT_DRAIN_MS } from '../tasks/index.js';
import { type ClientConfig, clientConfigOf, configText } from './options.js';
import type { HealthHandle } from './serve-health.js';

/** A server and the transport that serves it. */
export interface RunningServer {
  /** The URL, or `standard input and output`. */
  readonly address: string;
  /** For clients; undefined for a process without clients. */
  readonly clientConfig?: ClientConfig;
  /** Resolves when the only client of a server over stdio disconnects. Never resolves over HTTP. */
  readonly disconnected: Promise<void>;
  /** Takes no new requests, lets calls and tasks finish for `drainMs` (default 5,000), closes transport and store. */
  close(drainMs?: number): Promise<void>;
}

type Handle = StdioHandle | HttpHandle | HealthHandle;

/**
 * A task server with the handle that `serveStdio`, `serveHttp` or `serveHealth` returned for it. When the handle
 * rejects, closes the server first: otherwise the tasks that it took over would count as lost with the process.
 */
export async function running(
  server: TaskServer,
  serving: Handle | Promise<Handle>,
): Promise<RunningServer> {
  const handle = await Promise.resolve(serving).catch(async (error: unknown) => {
    await server.close(0);
    throw error;
  });
  const config = clientConfigOf(server.name, handle, process);
  const isHttp = 'url' in handle;
  return {
    ...(config && { clientConfig: config }),
    address: isHttp ? handle.url : 'standard input and output',
    disconnected: isHttp ? new Promise(() => undefined) : handle.closed,
    async close(drainMs) {
      await Promise.all([server.close(drainMs), handle.close(drainMs)]);
    },
  };
}

/** Milliseconds beyond the drain after which the process ends, even if something is still open. */
const CLOSING_MS = 2_500;

/** Standard output may be the client's. */
const STANDARD_ERROR: Pick<ServerLog, 'info' | 'error'> = {
  info: (_fields, message) => console.error(message),
  error: (_fields, message) => console.error(message),
};

/**
 * Runs a server as the main program of this process: starts it, and closes it at SIGINT, at SIGTERM or
 * when its only client disconnects. Then ends the process, at the latest 2.5 s after the drain. A second
 * signal ends the process at once. A start that a signal interrupts gets the same time to end before the server is
 * closed. Rejects when `start` does. Start and stop are lines of `log`, by default on standard error. When that is a
 * terminal, prints the configuration for clients too.
 */
export async function runUntilStopped(
  start: () => Promise<RunningServer>,
  drainMs = DEFAULT_DRAIN_MS,
  log: Pick<ServerLog, 'info' | 'error'> = STANDARD_ERROR,
): Promise<never> {
  const stopped = stopSignal();
  let timer: NodeJS.Timeout | undefined;
  const endInTime = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      log.error(
        { event: 'stuck' },
        `Not closed ${CLOSING_MS} ms after the drain: ending the process`,
      );
      process.exit(1);
    }, drainMs + CLOSING_MS);
  };
  // Here, because a start may wait for a lock in a database as long as another process holds it.
  void stopped.then(endInTime);
  const server = await start();
  const { address, clientConfig } = server;
  log.info({ event: 'started', address }, `Serving at ${address}`);
  // Logs of a service have the line alone.
  if (clientConfig && process.stderr.isTTY) console.error(configText(clientConfig));
  await Promise.race([stopped, server.disconnected]);
  log.info({ event: 'stopping', drainMs }, `Stopping: calls and tasks get ${drainMs} ms to finish`);
  endInTime();
  await server.close(drainMs);
  log.info({ event: 'stopped' }, 'Stopped');
  await linesWritten();
  // A handler that ignores its signal may still hold timers and sockets.
  process.exit();
}

/** The exit code of a process that a signal ended: 128 plus the signal's number. */
const SIGNAL_CODES = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Resolves at the first SIGINT or SIGTERM. A second signal ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const [signal, code] of SIGNAL_CODES) {
      process.on(signal, () => {
        if (stopping) process.exit(code);
        stopping = true;
        resolve();
      });
    }
  });
}

const WRONG_USAGE = 2;

/**
 * The errors with which a server may fail to start and whose message says all that there is to say: by their
 * names, because the stores are other entry points.
 */
const FAILURE_CODES: Readonly<Record<string, number>> = {
  ConfigError: WRONG_USAGE,
  ListenError: 3,
  /** Of what needs an optional package. */
  MissingPackageError: WRONG_USAGE,
  /** Of the SQLite store. */
  OpenError: 4,
  PostgresError: 4,
};
/** Everything else, which may be a fault of the program: then the stack is printed. */
const UNEXPECTED = 1;

export interface StartFailureOptions {
  /** Prints the stack of every error. Default: of unexpected errors only. */
  readonly debug?: boolean;
  /** A sentence about the settings that mend it, by the error's name. */
  readonly hints?: Readonly<Record<string, string>>;
}

/**
 * Prints on standard error why the program did not start, and ends it. The exit code is 2 for wrong settings, for
 * a database in a folder that does not exist, for an option that `parseArgs` of Node.js refuses, and for a package
 * that is not installed, 3 for an address that it cannot listen at, 4 for a store that it cannot open, and 1 for
 * everything else.
 */
export function exitWithReason(error: unknown, options: StartFailureOptions = {}): never {
  const { debug = false, hints = {} } = options;
  const name = error instanceof Error ? error.name : '';
  const code = isWrongOption(error) || isInMissingFolder(error) ? WRONG_USAGE : FAILURE_CODES[name];
  if (code !== undefined) {
    const { message } = error as Error;
    const hint = hints[name];
    console.error(hint === undefined ? message : `${message} ${hint}`);
  }
  if (code === undefined || debug) console.error(error);
  process.exit(code ?? UNEXPECTED);
}

/** Whether a setting names a database in a folder that does not exist. */
function isInMissingFolder(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'OpenError') return false;
  return error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ENOENT';
}

function isWrongOption(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    'code' in error &&
    String(error.code).startsWith('ERR_PARSE_ARGS_')
  );
}
