import { createRequire } from 'node:module';
import { memoryTransport, serveMockHttp } from './connections.js';
import { mocked } from './mocked.js';
import type { MockOptions, MockRequest, MockServer, MockTransport } from './types.js';

/** Requests that `requests` keeps. */
const MOST_REQUESTS = 10_000;

/**
 * Starts a server that plays a recording: with the transports of clients in this process, over Streamable HTTP, and with
 * a command line for stdio. `recording` is the path of a file that `mcp-codegen record` wrote, or any other that
 * `mcp-codegen validate` reads; leave it out to serve a lock alone.
 *
 * @throws {DiagnosticError} for a file that cannot be read or played.
 * @throws {TypeError} for an option that is out of range.
 */
export async function mock(
  recording: string | undefined,
  options: MockOptions = {},
): Promise<MockServer> {
  const {
    lock,
    speed = Infinity,
    seed = 1,
    strict = false,
    port = 0,
    host = '127.0.0.1',
  } = options;
  if (!(speed > 0)) throw new TypeError(`speed: ${speed} is not above 0`);
  if (!Number.isSafeInteger(seed)) throw new TypeError(`seed: ${seed} is no whole number`);
  if (recording === undefined && lock === undefined) {
    throw new TypeError('mock needs the path of a recording, or the option lock');
  }
  const requests: MockRequest[] = [];
  const ready = await mocked({
    recording,
    lock,
    speed,
    seed,
    isStrict: strict,
    onRequest(request) {
      if (requests.push(request) > MOST_REQUESTS) requests.shift();
    },
    onProblem: () => undefined,
  });
  const transports = new Set<MockTransport>();
  const http = await serveMockHttp(ready.server, { port, host }).catch((error: unknown) => {
    ready.close();
    throw error;
  });

  async function closeAll(): Promise<void> {
    await Promise.all([...transports].map((each) => each.close()));
    await http.close(0);
    ready.close();
  }

  return {
    url: http.url,
    command: commandOf(recording, options),
    requests,
    transport() {
      const transport = memoryTransport(ready.server);
      transports.add(transport);
      return transport;
    },
    close: closeAll,
    [Symbol.asyncDispose]: closeAll,
  };
}

/** The command line of this package that serves the same. */
function commandOf(
  recording: string | undefined,
  { lock, speed = Infinity, seed = 1, strict = false }: MockOptions,
): readonly [string, ...string[]] {
  const program = createRequire(import.meta.url).resolve('mcp-codegen/package.json');
  return [
    process.execPath,
    program.replace(/package\.json$/, 'dist/cli/bin.js'),
    'mock',
    ...(recording === undefined ? [] : [recording]),
    ...(lock === undefined ? [] : ['--lock', lock]),
    ...['--speed', speed === Infinity ? 'instant' : String(speed), '--seed', String(seed)],
    ...(strict ? ['--strict'] : []),
  ];
}
