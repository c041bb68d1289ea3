import { channelTransport, type OpenChannel } from './channel.js';
import { asCallError, type CallError } from './errors.js';
import type { Session } from './session.js';
import { type ClientTransport, statusOf } from './transport.js';
import { httpTransport } from './transports/http.js';
import type { FetchLike, HttpOptions } from './transports/requests.js';
import { sseTransport } from './transports/sse.js';

/** The command that starts a server on its standard streams. */
export interface ServerCommand {
  readonly command: string;
  readonly args?: readonly string[];
  /** Default: that of this process. */
  readonly cwd?: string;
  /**
   * Variables beside those that a program needs to run, such as `PATH` and `HOME`. No others are inherited, because they may
   * hold secrets that are not for this server.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where its standard error goes: to that of this process (default), nowhere, or to a function. */
  readonly stderr?: 'inherit' | 'ignore' | ((text: string) => void);
}

/** What a client can use beside the web's standards. `nodeHost` of `client/node` is that of Node.js. */
export interface Host {
  /** Makes the `fetch` of connections over HTTP. */
  readonly fetch?: (options: Pick<HttpOptions, 'maxMessageBytes'>) => FetchLike;
  /** Makes a connection to the process that a command starts. */
  readonly process?: (command: ServerCommand, options: HttpOptions) => ClientTransport;
}

/** Where a server is: a URL, or what carries messages to it. */
export type ServerAddress = string | URL | ServerCommand | ClientTransport | OpenChannel;

export interface AddressOptions extends HttpOptions {
  /** Continues an earlier session. */
  readonly session?: Session | undefined;
  /** Gets each connection before it is opened: `recorded` of `mcp-codegen` takes one, too. */
  readonly through?: (transport: ClientTransport) => ClientTransport;
}

/** The ways to a server: the second one is for a server that refuses the first as servers of 2024-11-05 do. */
export type Ways = readonly [ClientTransport, (() => ClientTransport)?];

export function waysTo(to: ServerAddress, options: AddressOptions, host: Host = {}): Ways {
  const { session, through = same, ...http } = options;
  const all = { ...(host.fetch && { fetch: host.fetch(http) }), ...http };
  if (typeof to === 'function') return [through(channelTransport(to))];
  if (typeof to === 'string' || to instanceof URL) {
    const url = urlOf(to);
    return [
      through(httpTransport(url, { ...all, sessionId: session?.id })),
      () => through(sseTransport(url, all)),
    ];
  }
  if (!('command' in to)) return [through(to)];
  if (host.process) return [through(host.process(to, all))];
  throw new TypeError(
    'Only Node.js starts processes: import createTaskClient of @mcp-codegen/runtime/client/node',
  );
}

const same = (transport: ClientTransport): ClientTransport => transport;

function urlOf(to: string | URL): URL {
  const url = URL.canParse(String(to)) ? new URL(to) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError(
    `Not an http or https URL: ${JSON.stringify(String(to))}. Connect to a program with { command, args }`,
  );
}

/** Opens the first way, or else the second, whose failure says more unless the server refuses to open it, too. */
export async function openOne(
  [first, older]: Ways,
  open: (transport: ClientTransport, isOlder: boolean) => Promise<void>,
): Promise<void> {
  try {
    await open(first, false);
  } catch (error) {
    const failure: CallError = asCallError(error);
    const status = statusOf(failure.cause);
    if (older === undefined || !OLD.has(status)) throw failure;
    const second = older();
    const start = second.start.bind(second);
    let isOpened = false;
    second.start = async () => {
      await start();
      isOpened = true;
    };
    await open(second, true).catch((reason: unknown) => {
      const isRefused = !isOpened && statusOf(asCallError(reason).cause) !== undefined;
      throw isRefused ? failure : reason;
    });
  }
}

/** Statuses with which servers of 2024-11-05 refuse what later revisions send. */
const OLD: ReadonlySet<number | undefined> = new Set([400, 404, 405]);
