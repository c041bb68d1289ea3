import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DiagnosticError } from '../../diagnostics/index.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import { CallError, createTaskClient } from '../../../runtime/client/index.js';
import type { ClientTransport, InputHandlers, TaskClient } from '../../../runtime/client/index.js';
import { EXTENSION_ID } from '../../../runtime/protocol.js';
import { boundedFetch } from './fetch.js';
import { inheritedEnv } from './environment.js';
import { causesOf, mayBeOld } from './failures.js';
import type { ServerLocation } from './location.js';
import { processTransport } from './process-transport.js';
import type { ProcessTransport } from './process-transport.js';
import { statusOf, unreachable } from './unreachable.js';

export interface ConnectOptions {
  /** Milliseconds for the connection and all requests together. */
  readonly timeout: number;
  /** The version of this program. */
  readonly version: string;
  /** Whether to declare the tasks extension, as clients of the runtime do and most hosts do not. Default: `false`. */
  readonly knowsTasks?: boolean;
  readonly notice?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Servers have tools that they show only to clients that can be asked. */
const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const ANSWERS: InputHandlers = {
  form: () => ({ action: 'cancel' }),
  url: () => ({ action: 'cancel' }),
  sampling: () => Promise.reject(new Error('There is no language model')),
  // Of this machine a server learns nothing.
  roots: () => ({ roots: [] }),
};

/** Bytes that a server may send in all. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Milliseconds after the timeout for `initialize`, where a server has answered nothing before. */
const LAST_TRY = 5_000;

/**
 * Connects to a server in the newest common revision, runs `work`, and disconnects. It ends the processes that the
 * location's command started.
 *
 * @throws {DiagnosticError} `unreachable-server`, also when the work fails or takes too long.
 */
export async function withServer<T>(
  location: ServerLocation,
  { timeout, version, knowsTasks, notice }: ConnectOptions,
  work: (client: TaskClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(timeout + Math.min(timeout, LAST_TRY));
  const client: TaskClient = createTaskClient({
    name: 'mcp-codegen',
    version,
    answer: ANSWERS,
    capabilities: { ...CAPABILITIES, ...(knowsTasks && { extensions: { [EXTENSION_ID]: {} } }) },
    onError: ({ message }) => message === client.slowness && notice?.(slowServer(message)),
  });
  const { transport, child } = open(location);
  const connectAndWork = async (): Promise<T> => {
    await client.connect(transport, { timeout }).catch(async (error: unknown) => {
      if (!('url' in location) || !mayBeOld(statusOf(causesOf(error)))) throw error;
      // The reason of the first attempt says more.
      await client
        .connect(openOld(location), { timeout })
        .catch(() => Promise.reject(error as Error));
    });
    return await work(client, signal);
  };
  try {
    return await Promise.race([connectAndWork(), aborted(signal)]);
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    const { failure = error, said = '' } = child ?? {};
    const isLate = signal.aborted || (error instanceof CallError && error.reason === 'timeout');
    throw unreachable({ location, error: failure, said, ...(isLate && { timeout }) });
  } finally {
    await client.close().catch(() => undefined);
  }
}

export function slowServer(message: string): Diagnostic {
  return { code: 'slow-server', severity: 'warning', message: `${message}.` };
}

interface Opened {
  readonly transport: ClientTransport;
  /** The transport, if it started a process. */
  readonly child?: ProcessTransport;
}

type UrlLocation = Extract<ServerLocation, { readonly url: URL }>;

/** The transport of 2024-11-05. */
function openOld({ url, headers }: UrlLocation): SSEClientTransport {
  return new SSEClientTransport(url, httpOptions(headers));
}

function httpOptions(headers: UrlLocation['headers']) {
  return { requestInit: { headers: { ...headers } }, fetch: boundedFetch(MOST_BYTES) };
}

function open(location: ServerLocation): Opened {
  if ('url' in location) {
    const { url, headers } = location;
    return { transport: new StreamableHTTPClientTransport(url, httpOptions(headers)) };
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
