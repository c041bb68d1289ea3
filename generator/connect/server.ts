import {
  Client,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Readable } from 'node:stream';
import { DiagnosticError, quote } from '../diagnostics/index.js';
import { boundedFetch } from './fetch.js';

/** A running server at a URL, or the command that starts one on its standard streams. */
export type ServerLocation =
  | { readonly url: URL; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    };

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
    throw unreachable(location, error, signal, said());
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

function unreachable(
  location: ServerLocation,
  error: unknown,
  signal: AbortSignal,
  said: string,
): DiagnosticError {
  // Leaves out the query and the arguments, because they may contain secrets.
  const source = 'url' in location ? location.url.origin + location.url.pathname : location.command;
  const reason = signal.aborted ? 'the server did not answer in time' : reasonOf(error);
  const help =
    said === '' ? helpFor(location, error) : `The server printed: ${quote(tellingLine(said))}`;
  return new DiagnosticError([
    {
      code: 'unreachable-server',
      severity: 'error',
      message: `Cannot list the tools of ${quote(source)}: ${reason}.`,
      ...(help && { help }),
    },
  ]);
}

/** The error's message with those of its causes, because `fetch failed` alone does not help. */
function reasonOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return `the server answered ${String(status)}`;
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause) {
    const { message, code } = each as NodeJS.ErrnoException;
    const text = message || String(code ?? '');
    if (text !== '' && !parts.some((part) => part.includes(text))) parts.push(text);
  }
  return (parts.join(': ') || String(error)).replace(/\.$/, '').slice(0, 300);
}

function statusOf(error: unknown): number | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof UnauthorizedError) return 401;
    if (each instanceof SdkHttpError) return each.status;
  }
  return undefined;
}

/** The line of standard error that contains the reason. The last line is often a version. */
function tellingLine(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error|cannot|failed/i.test(line)) ?? lines.at(-1) ?? '';
}

function helpFor(location: ServerLocation, error: unknown): string | undefined {
  return 'url' in location && statusOf(error) === 401
    ? 'Add a token: --header "Authorization: Bearer …".'
    : undefined;
}
