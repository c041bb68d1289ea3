import {
  Client,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { ClientCapabilities, Transport } from '@modelcontextprotocol/client';
import { DiagnosticError } from '../../diagnostics/index.js';
import { boundedFetch } from './fetch.js';
import { inheritedEnv } from './environment.js';
import { causesOf, mayBeOld } from './failures.js';
import type { ServerLocation } from './location.js';
import { processTransport } from './process-transport.js';
import type { ProcessTransport } from './process-transport.js';
import { statusOf, unreachable } from './unreachable.js';
import { revisionsWhere } from '../../ir/revisions/index.js';
import { EXTENSION_ID, METHODS } from '../../../runtime/protocol.js';

const NEWEST_FIRST = revisionsWhere(() => true).reverse();

export interface ConnectOptions {
  /** Milliseconds for the connection and all requests together. */
  readonly timeout: number;
  /** The version of this program. */
  readonly version: string;
  /** Whether to declare the tasks extension, as clients of the runtime do and most hosts do not. Default: `false`. */
  readonly knowsTasks?: boolean;
}

/** Servers have tools that they show only to clients that can be asked. */
const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};

/** Bytes that a server may send in all. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Milliseconds to wait for `server/discover`, which older servers may not answer. */
const PROBE_TIMEOUT = 3_000;

/**
 * Connects to a server in the newest common revision, runs `work`, and disconnects. It ends the processes that the
 * location's command started.
 *
 * @throws {DiagnosticError} `unreachable-server`, also when the work fails or takes too long.
 */
export async function withServer<T>(
  location: ServerLocation,
  { timeout, version, knowsTasks }: ConnectOptions,
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeout);
  const probe = { timeoutMs: Math.min(timeout, PROBE_TIMEOUT) };
  const extensions = knowsTasks && { extensions: { [EXTENSION_ID]: {} } };
  let first: unknown;
  for (let way: Way = 'auto'; ;) {
    const { transport, child } = open(location, way);
    const mode = way === 'auto' ? way : 'legacy';
    const client = new Client(
      { name: 'mcp-codegen', version },
      {
        supportedProtocolVersions: NEWEST_FIRST,
        versionNegotiation: { mode, probe },
        capabilities: { ...CAPABILITIES, ...extensions },
      },
    );
    // Of this machine a server learns nothing.
    client.setRequestHandler(METHODS.rootsList, () => ({ roots: [] }));
    const connectAndWork = async (): Promise<T> => {
      await client.connect(transport, { signal, timeout });
      return await work(client, signal);
    };
    try {
      return await Promise.race([connectAndWork(), aborted(signal)]);
    } catch (error) {
      const other = otherWay(way, error, child);
      first ??= error;
      if (other !== undefined) {
        way = other;
        continue;
      }
      if (error instanceof DiagnosticError) throw error;
      // The reason of the first attempt over HTTP says more.
      const { failure = way === 'sse' ? first : error, said = '' } = child ?? {};
      throw unreachable({ location, error: failure, said, ...(signal.aborted && { timeout }) });
    } finally {
      // The client closes its transport only when it has connected.
      await Promise.allSettled([client.close(), transport.close()]);
    }
  }
}

/** `legacy` asks for no revisions first, and `sse` is the transport of 2024-11-05. */
type Way = 'auto' | 'legacy' | 'sse';

/** Another way to connect, for a server that may be an older one. */
function otherWay(way: Way, error: unknown, child: ProcessTransport | undefined): Way | undefined {
  // Some older servers end when a request comes before `initialize`.
  if (way === 'auto' && child?.hasEnded && isNegotiating(error)) return 'legacy';
  const status = child ? undefined : statusOf(causesOf(error));
  return way !== 'sse' && mayBeOld(status) ? 'sse' : undefined;
}

interface Opened {
  readonly transport: Transport;
  /** The transport, if it started a process. */
  readonly child?: ProcessTransport;
}

function open(location: ServerLocation, way: Way): Opened {
  if ('url' in location) {
    const { url, headers } = location;
    const options = { requestInit: { headers: { ...headers } }, fetch: boundedFetch(MOST_BYTES) };
    const Transport = way === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
    return { transport: new Transport(url, options) };
  }
  const env = inheritedEnv(location.env);
  const child = processTransport({ ...location, env }, { inAll: MOST_BYTES });
  return { transport: child, child };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function isNegotiating(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}
