import { parseArgs } from 'node:util';
import { type AdministeredStore, messageOf } from '../../tasks/index.js';
import type { BoardAuthorization } from './access.js';
import type { BoardAction } from './api.js';
import { isLocal, serveBoard } from './serve.js';

const USAGE = `Usage: npm run tasks:board -- [options]

  npm run tasks:board
  npm run tasks:board -- --port 8080 --no-payloads

Serves a page with the tasks of all owners, at 127.0.0.1 unless told otherwise, until it is stopped.
The URL that it prints contains a secret, which grants what the board can do.

Options
  --port <number>        The port to listen at. Default: any free one
  --host <address>       The address to listen at. Other than this machine's own: with the server's
                         authorization alone
  --allowed-host <name>  A host name under which browsers reach the board. May be repeated
  --no-payloads          Never shows arguments, answers and results
  --help                 This text`;

export interface BoardCommandOptions {
  /** The server's name, which the page shows. */
  readonly name?: string;
  /** Opens the store, for as long as the board runs. */
  readonly open: () => AdministeredStore | Promise<AdministeredStore>;
  /** The authorization of a board that other machines may use. Absent: none may. */
  readonly auth?: () => BoardAuthorization | Promise<BoardAuthorization>;
  /** Default: prints a line of JSON on standard error. */
  readonly onAction?: (action: BoardAction) => void;
  /** Ends the board. Default: SIGINT and SIGTERM. */
  readonly signal?: AbortSignal;
  /** Default: standard output. */
  readonly print?: (text: string) => void;
  /** Default: standard error. */
  readonly printError?: (text: string) => void;
}

/**
 * Serves the task board until it is told to end. Resolves with the exit code: 0 ended, 1 it could not be
 * served, 2 wrong arguments.
 */
export async function boardCommand(
  args: readonly string[],
  options: BoardCommandOptions,
): Promise<number> {
  const { print = console.log, printError = console.error } = options;
  let given: Given;
  try {
    given = read(args);
  } catch (error) {
    printError(`${messageOf(error)}\n\nSee npm run tasks:board -- --help`);
    return 2;
  }
  if (given.help) {
    print(USAGE);
    return 0;
  }
  try {
    await serve(given, options, print, printError);
    return 0;
  } catch (error) {
    printError(messageOf(error));
    return 1;
  }
}

async function serve(
  { host, port, allowedHosts, payloads }: Given,
  { name = '', open, auth, signal = stopSignal(), onAction }: BoardCommandOptions,
  print: (text: string) => void,
  printError: (text: string) => void,
): Promise<void> {
  const store = await open();
  try {
    const board = await serveBoard({
      ...{ name, store, host, port, allowedHosts, payloads },
      ...(!isLocal(host) && auth && { auth: await auth() }),
      onAction: onAction ?? ((action) => printError(JSON.stringify(action))),
      onFault: (error) => printError(messageOf(error)),
    });
    const secret = isLocal(host) ? 'Its URL is a secret. ' : '';
    print(`The task board is at ${board.url}\n${secret}Ctrl+C stops the board.`);
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    }
    await board.close();
  } finally {
    await store.close();
  }
}

const DEFAULT_HOST = '127.0.0.1';

interface Given {
  readonly help: boolean;
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly payloads: boolean;
}

function read(args: readonly string[]): Given {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      'allowed-host': { type: 'string', multiple: true },
      'no-payloads': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { port = '0', host = DEFAULT_HOST } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${JSON.stringify(port)}`);
  }
  if (host === '') throw new Error('--host must not be empty');
  return {
    help: values.help === true,
    host,
    port: Number(port),
    allowedHosts: values['allowed-host'] ?? [],
    payloads: values['no-payloads'] !== true,
  };
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}
