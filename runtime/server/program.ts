import { type ClientConfig, clientConfigOf, configText } from './client-config.js';
import type { ServerLog } from './log.js';
import type { HttpHandle } from './serve.js';
import type { HealthHandle } from './serve-health.js';
import type { TaskServer } from './server.js';
import type { StdioHandle } from './stdio.js';

/** A server and the transport that serves it. */
export interface RunningServer {
  /** The URL, or `standard input and output`. */
  readonly address: string;
  /** For clients; undefined for a process without clients. */
  readonly clientConfig?: ClientConfig;
  /** Resolves when the only client of a server over stdio disconnects. Never resolves over HTTP. */
  readonly disconnected: Promise<void>;
  /** Takes no new requests, lets tasks finish for `drainMs` (default 5,000), closes transport and store. */
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
  const clientConfig = config && { clientConfig: config };
  if ('url' in handle) {
    return {
      ...clientConfig,
      address: handle.url,
      disconnected: new Promise(() => undefined),
      async close(drainMs) {
        await handle.close();
        await server.close(drainMs);
      },
    };
  }
  return {
    ...clientConfig,
    address: 'standard input and output',
    disconnected: handle.closed,
    async close(drainMs) {
      await server.close(drainMs);
      await handle.close();
    },
  };
}

/** Milliseconds beyond the drain after which the process ends, even if something is still open. */
const CLOSING_MS = 2_500;
const DEFAULT_DRAIN_MS = 5_000;

/** Standard output may be the client's. */
const STANDARD_ERROR: Pick<ServerLog, 'info' | 'error'> = {
  info: (_fields, message) => console.error(message),
  error: (_fields, message) => console.error(message),
};

/**
 * Runs a server as the main program of this process: starts it, and closes it at SIGINT, at SIGTERM or
 * when its only client disconnects. Then ends the process, at the latest 2.5 s after the drain. A second
 * signal ends the process at once. Rejects when `start` does. Start and stop are lines of `log`, by default
 * on standard error. When that is a terminal, prints the configuration for clients too.
 */
export async function runUntilStopped(
  start: () => Promise<RunningServer>,
  drainMs = DEFAULT_DRAIN_MS,
  log: Pick<ServerLog, 'info' | 'error'> = STANDARD_ERROR,
): Promise<never> {
  const stopped = stopSignal();
  const server = await start();
  const { address, clientConfig } = server;
  log.info({ event: 'started', address }, `Serving at ${address}`);
  // Logs of a service have the line alone.
  if (clientConfig && process.stderr.isTTY) console.error(configText(clientConfig));
  await Promise.race([stopped, server.disconnected]);
  log.info({ event: 'stopping', drainMs }, `Stopping: tasks get ${drainMs} ms to finish`);
  setTimeout(() => {
    log.error(
      { event: 'stuck' },
      `Not closed ${CLOSING_MS} ms after the drain: ending the process`,
    );
    process.exit(1);
  }, drainMs + CLOSING_MS);
  await server.close(drainMs);
  log.info({ event: 'stopped' }, 'Stopped');
  // A handler that ignores its signal may still hold timers and sockets.
  process.exit();
}

/** The exit code of a process that a signal ended: 128 plus the signal's number. */
const EXIT_CODES = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Resolves at the first SIGINT or SIGTERM. A second signal ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    for (const [signal, code] of EXIT_CODES) {
      process.on(signal, () => {
        if (stopping) process.exit(code);
        stopping = true;
        resolve();
      });
    }
  });
}
