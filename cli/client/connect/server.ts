import { DiagnosticError } from '../../../generator/diagnostics/index.js';
import type { Diagnostic } from '../../../generator/diagnostics/index.js';
import { CallError, createTaskClient } from '../../../runtime/client/index.js';
import type { InputHandlers, TaskClient } from '../../../runtime/client/index.js';
import {
  type ProcessTransport,
  processTransport,
} from '../../../runtime/client/node/process/index.js';
import { TASKS_EXTENSION } from '../../../runtime/rules/messages.js';
import { byteCounter, countedFetch } from './counted.js';
import { inheritedEnv } from './environment.js';
import type { ProcessLocation, ServerLocation } from './location.js';
import { unreachable } from './unreachable.js';

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
    capabilities: { ...CAPABILITIES, ...(knowsTasks && TASKS_EXTENSION) },
    onError: ({ message }) => message === client.slowness && notice?.(slowServer(message)),
  });
  const count = byteCounter(MOST_BYTES);
  const child = 'command' in location ? processOf(location, count) : undefined;
  const connectAndWork = async (): Promise<T> => {
    await ('url' in location
      ? client.connect(location.url, {
          ...{ timeout, headers: location.headers },
          fetch: countedFetch(count),
        })
      : client.connect(child as ProcessTransport, { timeout }));
    return await work(client, signal);
  };
  try {
    return await Promise.race([connectAndWork(), aborted(signal)]);
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    const isLate = signal.aborted || (error instanceof CallError && error.reason === 'timeout');
    throw unreachable({ location, error, said: child?.said ?? '', ...(isLate && { timeout }) });
  } finally {
    await client.close().catch(() => undefined);
  }
}

export function slowServer(message: string): Diagnostic {
  return { code: 'slow-server', severity: 'warning', message: `${message}.` };
}

function processOf(location: ProcessLocation, count: (bytes: number) => void): ProcessTransport {
  const env = inheritedEnv(location.env);
  return processTransport({ ...location, env, stderr: 'ignore' }, { count });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
