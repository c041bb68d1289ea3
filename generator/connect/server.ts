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
  /** For all that is done with the server together, in milliseconds. */
  readonly timeout: number;
  /** Of the program that connects. */
  readonly version: string;
}

/** Of what a server sends in one answer. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Of what a server's process says on its standard error, from the end. */
const KEPT_CHARACTERS = 2_000;
/** How long to wait for a server that may not know how to tell which revisions it speaks. */
const PROBE_TIMEOUT = 3_000;

/**
 * Connects to a server in the newest revision that both know, does the work, and lets go of it: a
 * process that was started is ended.
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
  /** What the server's process said beside its messages. */
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
  // It is a readable stream whenever it was asked for as a pipe.
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
  // What stands behind the path, or in the arguments, may be a secret.
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

/** What went wrong, down to the cause: `fetch failed` alone helps nobody. */
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

/** Of what a process says as it goes, the line that says why; the end is often a version. */
function tellingLine(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error|cannot|failed/i.test(line)) ?? lines.at(-1) ?? '';
}

function helpFor(location: ServerLocation, error: unknown): string | undefined {
  return 'url' in location && statusOf(error) === 401
    ? 'Add a token: --header "Authorization: Bearer …".'
    : undefined;
}
