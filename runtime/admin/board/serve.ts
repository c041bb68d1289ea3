import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onClose } from '../../transport/index.js';
import { closeServer, listen } from '../../server/listen.js';
import { type AdministeredStore, messageOf, TaskError, type TaskStore } from '../../tasks/index.js';
import {
  type Admission,
  authorizedAccess,
  type BoardAuthorization,
  secretAccess,
} from './access.js';
import { type Answer, BadRequest, refusal } from './answer.js';
import { type BoardAction, createApi } from './api.js';
import { createFeed } from './feed.js';
import { boardPage, readAssets } from './page.js';

export interface BoardOptions {
  /** Its `administration` is what the board shows. The caller closes it, after the board. */
  readonly store: AdministeredStore | TaskStore;
  /** The server's name, which the page shows. */
  readonly name?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: this machine only, 127.0.0.1. Another address needs `auth`. */
  readonly host?: string;
  /** Host names under which browsers reach the board, beside those of this machine. */
  readonly allowedHosts?: readonly string[];
  /**
   * Who may use the board: `bearer(…)` of `@mcp-codegen/runtime/server`, with a scope that only those have who may
   * read and cancel the tasks of all owners. Default: those who have the URL, which contains a secret.
   */
  readonly auth?: BoardAuthorization;
  /** Whether the page may show arguments, answers and results, when it is asked to. Default true. */
  readonly payloads?: boolean;
  /** Called with each task that was cancelled or retried with the board, and, once a minute, whose payloads it showed. */
  readonly onAction?: (action: BoardAction) => void;
  /** Receives the faults of the store. */
  readonly onFault?: (error: unknown) => void;
}

export interface Board {
  /** Opens the board. Its fragment is a secret: it grants what the board can do. */
  readonly url: string;
  /** Ends the streams of open pages. The store stays open. */
  close(): Promise<void>;
}

const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];
const LONGEST_URL = 8_192;
const STATUS_CODES: Readonly<Partial<Record<string, number>>> = { unknown_task: 404 };
/** What can be wrong with an action: the task is not in a state for it. */
const CONFLICT = 409;

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * Serves the task board. Resolves when it accepts requests. Rejects with a TypeError for a store without
 * administration, a malformed host name, and an address beyond this machine without `auth`; with what `ready` of `auth`
 * rejects with; and with a ListenError when the port is in use.
 */
export async function serveBoard(options: BoardOptions): Promise<Board> {
  const { port = 0, host = '127.0.0.1', auth, payloads = true } = options;
  const { name = '', allowedHosts = [] } = options;
  const { onAction = () => undefined, onFault = () => undefined } = options;
  const store = administered(options.store);
  if (auth === undefined && !isLocal(host)) throw new TypeError(beyond(host));
  await auth?.ready?.();
  const access = auth === undefined ? secretAccess() : authorizedAccess(auth);
  const hosts = [...LOCAL, ...(isLocal(host) ? [host] : []), ...allowedHosts.map(checkedHost)];
  const assets = readAssets();
  const api = createApi({ store, payloads, onAction });
  const feed = createFeed((listener) => store.administration.observe(listener));

  /** Undefined for a stream, which the feed writes. */
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer | undefined> {
    const foreign = refuseForeign(request, hosts);
    if (foreign !== undefined) return foreign;
    const url = urlOf(request);
    if (url === undefined) return refusal(400, 'The URL is malformed or too long');
    if (!url.pathname.startsWith('/api/')) return open(request, url.pathname);
    const crossSite = refuseCrossSite(request);
    if (crossSite !== undefined) return crossSite;
    const admitted = await access.admit(request);
    if ('status' in admitted) return admitted;
    if (url.pathname !== '/api/events') return api(request, url, admitted.by);
    if (request.method !== 'GET') return refusal(405, 'The method must be GET', { allow: 'GET' });
    // Its `close` came while the token was verified, and does not come again.
    if (request.socket.destroyed) return undefined;
    if (!feed.hasRoom) return refusal(503, 'Too many pages are open', { 'retry-after': '10' });
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    feed.add(response);
    const admitAgain = (): Promise<Admission | Answer> => access.admit(request);
    onClose(
      response,
      watchAdmission(admitted, admitAgain, () => response.end()),
    );
    return undefined;
  }

  /** The page and its files, which contain no secret. */
  function open({ method }: IncomingMessage, path: string): Answer {
    const found = path === '/' ? boardPage(name, auth !== undefined) : assets.get(path);
    if (found === undefined) return refusal(404, 'Not found');
    if (method === 'GET' || method === 'HEAD') return found;
    return refusal(405, 'The method must be GET', { allow: 'GET, HEAD' });
  }

  const http = createServer((request, response) => {
    answer(request, response)
      .catch((error: unknown) => answerTo(error, onFault))
      .then((answered) => answered && write(answered, request, response))
      .catch(onFault);
  });
  const origin = await listen(http, { port, host });
  return {
    url: `${origin}/${access.fragment}`,
    close: () =>
      closeServer(http, () => {
        feed.close();
        return Promise.resolve();
      }),
  };
}

function administered(store: AdministeredStore | TaskStore): AdministeredStore {
  const { administration } = store;
  if (administration !== undefined) return store as AdministeredStore;
  throw new TypeError('The store has no member "administration", which the board needs');
}

function checkedHost(name: string): string {
  if (/^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])$/i.test(name)) return name.toLowerCase();
  throw new TypeError(
    `An allowed host is a name without scheme and port, such as board.example, not ${JSON.stringify(name)}`,
  );
}

/** Whether only this machine reaches the address. */
export function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function beyond(host: string): string {
  return (
    `The board at ${host} could be used by other machines: that needs \`auth\`, the server's authorization. ` +
    'Or keep it at 127.0.0.1 and forward the port: ssh -L 8080:127.0.0.1:<port> <machine>'
  );
}

function urlOf({ url = '' }: IncomingMessage): URL | undefined {
  const isPath = url.startsWith('/') && !url.startsWith('//') && url.length <= LONGEST_URL;
  return isPath && URL.canParse(url, 'http://board') ? new URL(url, 'http://board') : undefined;
}

function answerTo(error: unknown, onFault: (error: unknown) => void): Answer {
  if (error instanceof BadRequest) return refusal(error.status, error.message);
  if (error instanceof TaskError) {
    const status = STATUS_CODES[error.reason] ?? CONFLICT;
    return refusal(status, messageOf(error), undefined, error.reason);
  }
  onFault(error);
  const message = 'The store failed; retry in 5 s. The output of the board says why.';
  return refusal(503, message, { 'retry-after': '5' }, 'failed');
}

function write(
  { status, type, body, headers }: Answer,
  { method }: IncomingMessage,
  response: ServerResponse,
): void {
  // A body that was not read must not become the next request.
  const unread = status >= 400 && method !== 'GET' && method !== 'HEAD';
  response.writeHead(status, {
    ...HEADERS,
    ...headers,
    ...(unread && { connection: 'close' }),
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/** After which a token that was revoked, and has not expired, is noticed at the latest. */
const LOOK_MS = 15_000;

/**
 * Calls `end` when a request that goes on would be refused now: its token expired, or was revoked. While that cannot be
 * found out the request goes on, until the token expires. Returns what ends the watch.
 */
export function watchAdmission(
  { until }: Admission,
  admit: () => Promise<Admission | Answer>,
  end: () => void,
): () => void {
  if (until === undefined) return () => undefined;
  let isOver = false;
  let timer: NodeJS.Timeout;

  function wait(expiry: number): void {
    const pause = Math.max(0, Math.min(LOOK_MS, expiry - Date.now()));
    timer = setTimeout(() => void look(expiry), pause).unref();
  }

  async function look(expiry: number): Promise<void> {
    const found = await admit().catch(() => undefined);
    if (isOver) return;
    if (isRefusal(found) || Date.now() >= expiry) end();
    else wait(expiry);
  }

  wait(until);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function isRefusal(found: Admission | Answer | undefined): boolean {
  return found !== undefined && 'status' in found && (found.status === 401 || found.status === 403);
}

/** A name or an address in brackets, and a port. */
const HOST = /^([a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** Headers whose second value senders and readers treat differently. */
const ONCE = ['host', 'origin', 'authorization', 'content-type', 'sec-fetch-site'];

/** Names and values at which Node begins to drop headers, among which could be a second one of a name. */
const MOST_RAW_HEADERS = 2_000;

/**
 * Refuses a request that a browser sent for another page: one whose name for this machine is not ours (DNS
 * rebinding), or one that a page of another origin made. Undefined for a request that may go on.
 */
function refuseForeign(
  request: IncomingMessage,
  allowedHosts: readonly string[],
): Answer | undefined {
  const { headers, rawHeaders } = request;
  if (rawHeaders.length >= MOST_RAW_HEADERS) {
    return refusal(431, 'The request has 1,000 headers or more');
  }
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const twice = ONCE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) return refusal(400, `There is more than one ${twice} header`);
  const { host = '', origin } = headers;
  const [, name] = HOST.exec(host) ?? [];
  if (name === undefined) return refusal(400, 'The Host header is missing or malformed');
  if (!allowedHosts.includes(name.toLowerCase())) {
    return refusal(403, `The board does not serve the host ${name}. --allowed-host allows it.`);
  }
  if (origin !== undefined && !isOwn(origin, host)) {
    return refusal(403, 'A page of another origin may not use the board');
  }
  return undefined;
}

/** Refuses what the browser itself says is of another origin: an image or a form has no Origin header. */
function refuseCrossSite({ headers }: IncomingMessage): Answer | undefined {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin') return undefined;
  return refusal(403, 'Only the page of the board may use it');
}

/** A proxy in front of the board may end TLS, so both schemes count. */
function isOwn(origin: string, host: string): boolean {
  const [, authority] = /^https?:\/\/([^/@?#]+)$/i.exec(origin) ?? [];
  return authority?.toLowerCase() === host.toLowerCase();
}
