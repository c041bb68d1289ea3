import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Readable } from 'node:stream';
import { DiagnosticError } from '../diagnostics/index.js';
import { boundedFetch } from './fetch.js';
import type { ServerLocation } from './location.js';
import { unreachable } from './unreachable.js';

export interface ConnectOptions {
  /** Milliseconds for the connection and all requests together. */
  readonly timeout: number;
  /** The version of this program. */
  readonly version: string;
}

/** Bytes of one answer. */
const MOST_BYTES = 16 * 1024 * 1024;
/** The last characters of a server process's standard error that are kept. */
const KEPT_CHARACTERS = 2_000;
/** Milliseconds to wait for `server/discover`, which older servers may not answer. */
const PROBE_TIMEOUT = 3_000;

/**
 * Connects to a server in the newest common revision, runs `work`, and disconnects. It ends a process
 * that it started.
 *
 * @throws {DiagnosticError} `unreachable-server`, also when the work fails or takes too long.
 */
export async function withServer<T>(
  location: ServerLocation,
  { timeout, version }: ConnectOptions,
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = new Client(
    { name: 'mcp-codegen', version },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(timeout, PROBE_TIMEOUT) } },
    },
  );
  const { transport, said } = open(location);
  const signal = AbortSignal.timeout(timeout);
  try {
    await client.connect(transport, { signal, timeout });
    return await work(client, signal);
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    throw unreachable({ location, error, said: said(), ...(signal.aborted && { timeout }) });
  } finally {
    await client.close().catch(() => undefined);
  }
}

interface Opened {
  readonly transport: Transport;
  /** The standard error of the server's process. */
  readonly said: () => string;
}

function open(location: ServerLocation): Opened {
  if ('url' in location) {
    const transport = new StreamableHTTPClientTransport(location.url, {
      requestInit: { headers: { ...location.headers } },
      fetch: boundedFetch(MOST_BYTES),
    });
    return { transport, said: () => '' };
  }
  const { command, args, cwd, env } = location;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd,
    env: { ...env },
    stderr: 'pipe',
    maxBufferSize: MOST_BYTES,
  });
  let text = '';
  // It is a Readable, because `stderr` is `pipe`.
  (transport.stderr as Readable | null)?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT_CHARACTERS);
  });
  return { transport, said: () => text.trim() };
}
