import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { ServerLocation } from './client/connect/index.js';
import type * as ProxyRoom from '../contracts/recording/proxy/index.js';
import type { ServerEnd, Watcher } from '../contracts/recording/proxy/index.js';
import { openRecording, RecordingError } from '../contracts/recording/index.js';
import type { Recording, RecordingOptions } from '../contracts/recording/index.js';
import type { OptionTable } from './command.js';
import { EXIT, UsageError } from './exit.js';
import type { Io } from './io.js';
import { proxiedServer } from './proxied-server.js';
import type { ProxiedArguments } from './proxied-server.js';

/** The commands that stand between a client and a server: their options, and the way to the end of the server. */

const text = { type: 'string', requiresArg: true } as const;
const LAST_PORT = 65_535;

export const PROXY_OPTIONS = {
  port: { ...text, describe: 'The port on this computer, for a URL (default: any free one)' },
  header: {
    ...text,
    array: true,
    nargs: 1,
    describe: 'An HTTP header for the URL, "Name: value"; may be repeated',
  },
  append: { type: 'boolean', describe: 'Add to the recording if it exists' },
  'no-mask': { type: 'boolean', describe: 'Record tokens, passwords and form answers as they are' },
} as const satisfies OptionTable;

/** The command that starts a server follows `--`. */
export const PROXIED = {
  positionals: {
    server: {
      type: 'string',
      describe: 'URL or name of the server; or after "--" the command that starts it',
    },
  },
  verbatim: 'command',
} as const;

export interface ProxyArguments extends ProxiedArguments {
  readonly port?: string | undefined;
}

type Proxies = typeof ProxyRoom;

/** What the command line says of the server. @throws {UsageError} */
export async function proxiedLocation(args: ProxyArguments, io: Io): Promise<ServerLocation> {
  const location = await proxiedServer(args, io);
  if (!('url' in location) && args.port !== undefined) {
    throw new UsageError('--port needs a server URL.', 'Give a URL, or remove --port.');
  }
  portOf(args.port);
  return location;
}

/** Stands between client and server until the server ends, or Ctrl-C. Returns the exit code. */
export async function proxy(
  location: ServerLocation,
  args: ProxyArguments,
  watcher: Watcher,
  io: Io,
): Promise<number> {
  const proxies = await import('../contracts/recording/proxy/index.js');
  if ('url' in location) return await proxyUrl(location, portOf(args.port), watcher, io, proxies);
  const { onInterrupt } = io;
  const end = await proxies.proxyStdio({ location, watcher, ...io.pipes(), onInterrupt });
  return exitCodeOf(end);
}

async function proxyUrl(
  { url: target, headers }: Extract<ServerLocation, { url: URL }>,
  port: number,
  watcher: Watcher,
  io: Io,
  { proxyHttp }: Proxies,
): Promise<number> {
  const onProblem = (problem: string): void => io.err.write(`${problem}\n`);
  const http = await proxyHttp({ target, headers, port, watcher, onProblem });
  io.err.write(`Clients connect to ${http.url} in place of ${target.origin}. Ctrl-C ends.\n`);
  await new Promise<void>((resolve) => {
    const stop = io.onInterrupt(() => {
      stop();
      resolve();
    });
  });
  await http.close();
  return EXIT.done;
}

/** As shells say it. */
function exitCodeOf({ code, signal }: ServerEnd): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** @throws {UsageError} */
function portOf(given = '0'): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= LAST_PORT) return Number(given);
  throw new UsageError(
    `--port is ${JSON.stringify(given)}, not a port.`,
    `Use 0 to ${String(LAST_PORT)}; 0 is any free one.`,
  );
}

/** The recording of a command's options. @throws {UsageError} */
export function recordingOf(
  out: string,
  {
    append = false,
    noMask = false,
  }: { append?: boolean | undefined; noMask?: boolean | undefined },
  { cwd, err }: Io,
): Recording {
  const options: RecordingOptions = {
    append,
    mask: !noMask,
    onProblem: (problem) => err.write(`${problem}\n`),
  };
  try {
    return openRecording(resolve(cwd, out), options);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    throw new UsageError(error.message, error.help);
  }
}
