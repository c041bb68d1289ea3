import { randomUUID } from 'node:crypto';
import {
  type CallOptions,
  CallError,
  type InputHandlers,
  type JsonObject,
  type TaskClient,
  type ToolResult,
} from '../client/index.js';
import {
  type CallerIdentity,
  createTaskServer,
  type ServerDefinition,
  serveHttp,
  type ServerLog,
  type TaskServer,
  type TaskStore,
} from '../server/index.js';
import { wayClient, type SomeWays, type Way, waysOfServer, waysOfTool } from './ways.js';
import { headersFor, memoryChannel } from './lines.js';

/** What a function that makes a definition gets, as from `runServer`. */
export interface TestContext<Settings> {
  readonly settings: Settings;
  readonly log: ServerLog;
}

/** A server, or the function that makes it. */
export type ServerUnderTest<Settings> =
  | ServerDefinition
  | ((context: TestContext<Settings>) => ServerDefinition | Promise<ServerDefinition>);

export interface TestServerOptions<Settings = unknown> {
  /** What carries the messages. Default: `memory`. `http` listens at a free port of 127.0.0.1. */
  readonly over?: 'memory' | 'http';
  /** For a function that makes the definition. Default: none. */
  readonly settings?: NoInfer<Settings>;
  /** Default: a log that drops its lines. */
  readonly log?: ServerLog;
  /** Default: in memory. `close` closes it. */
  readonly store?: TaskStore;
  /** Answers what the tools ask. The clients declare what it can answer. */
  readonly answer?: InputHandlers;
  /**
   * Who calls. Default: in memory the local user, for whom a tool has no `caller`; over HTTP `ann`, whose token has
   * all scopes that the tools need.
   */
  readonly caller?: CallerIdentity;
  /** Milliseconds for each call and each handshake. Default: 10,000. */
  readonly timeout?: number;
}

/** Options of one client, instead of those of the test server. */
export type TestClientOptions = Pick<TestServerOptions, 'answer' | 'caller'>;

export interface TestCallOptions extends Omit<CallOptions, 'asTask'> {
  /** Default: the first of the ways in which the tool can be called. */
  readonly way?: Way;
}

/** A server in this process, and a client for each way in which its tools can be called. */
export interface TestServer {
  /** In which clients can call its tools. */
  readonly ways: readonly Way[];
  /** Of the server over HTTP. */
  readonly url: string | undefined;
  /** What the server reported beside its answers: faults of the store, of hooks and of connections. */
  readonly errors: readonly Error[];
  /** The ways in which clients can call one tool. Throws a TypeError for a tool that the server does not have. */
  waysOf(tool: string): SomeWays;
  /** Rejects with a `CallError` whose message names the tool and the way. */
  call(tool: string, args?: JsonObject, options?: TestCallOptions): Promise<ToolResult>;
  /**
   * Calls the tool once in each of its ways, one after the other. Rejects with an `EachWayError` that has the failure
   * of each way. A call that takes too long ends it.
   */
  callEachWay(
    tool: string,
    args?: JsonObject,
    options?: Omit<TestCallOptions, 'way'>,
  ): Promise<readonly (readonly [Way, ToolResult])[]>;
  /** A connected client: the same for each call without options. The test server closes it. */
  client(way: Way, options?: TestClientOptions): Promise<TaskClient>;
  /** Closes the clients, the server and its store. Calls under way reject. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const TIMEOUT_MS = 10_000;

const SILENT: ServerLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Starts a server for a test. Rejects with what `createTaskServer` throws.
 */
export async function startTestServer<Settings = unknown>(
  server: ServerUnderTest<Settings>,
  options: TestServerOptions<Settings> = {},
): Promise<TestServer> {
  const { settings = {} as Settings, log = SILENT, store } = options;
  const definition = typeof server === 'function' ? await server({ settings, log }) : server;
  const errors: Error[] = [];
  const report = (error: Error): void => {
    // Warnings are advice for operators.
    if (error.name !== 'Warning') errors.push(error);
    definition.onError?.(error);
  };
  const started = await createTaskServer({
    ...definition,
    ...(store && { store }),
    ...(options.log && { log }),
    onError: report,
  });
  const caller = options.caller ?? (options.over === 'http' ? everybody(definition) : undefined);
  try {
    const place = options.over === 'http' ? await overHttp(started) : inMemory(started);
    return new RunningTestServer(definition, started, place, { ...options, caller }, errors);
  } catch (error) {
    await started.close(0);
    throw error;
  }
}

/** How clients reach the server. */
interface Place {
  readonly url: string | undefined;
  connect(client: TaskClient, caller: CallerIdentity | undefined, timeout: number): Promise<void>;
  close(): Promise<void>;
}

function inMemory(server: TaskServer): Place {
  return {
    url: undefined,
    connect: (client, caller, timeout) =>
      client.connect(memoryChannel(server, caller), { timeout }),
    close: () => Promise.resolve(),
  };
}

async function overHttp(server: TaskServer): Promise<Place> {
  const callers = new Map<string, CallerIdentity>();
  const handle = await serveHttp(server, {
    identify: ({ headers }) => callers.get(headers.authorization ?? ''),
  });
  return {
    url: handle.url,
    async connect(client, caller, timeout) {
      const token = randomUUID();
      if (caller !== undefined) callers.set(`Bearer ${token}`, caller);
      await client.connect(handle.url, { timeout, headers: headersFor(token) });
    },
    close: () => handle.close(0),
  };
}

/** A caller who may call every tool. */
function everybody({ tools, resources = [], prompts = [] }: ServerDefinition): CallerIdentity {
  const scopes = [...tools, ...resources, ...prompts].flatMap((each) => each.scopes);
  return {
    issuer: 'https://issuer.example',
    subject: 'ann',
    client: 'test',
    scopes: [...new Set(scopes)],
  };
}

interface RunningOptions extends Omit<TestServerOptions, 'caller'> {
  readonly caller: CallerIdentity | undefined;
}

class RunningTestServer implements TestServer {
  readonly ways: readonly Way[];
  readonly url: string | undefined;
  readonly errors: readonly Error[];
  readonly #definition: ServerDefinition;
  readonly #server: TaskServer;
  readonly #place: Place;
  readonly #options: RunningOptions;
  readonly #timeout: number;
  readonly #byWay = new Map<Way, Promise<TaskClient>>();
  readonly #clients = new Set<TaskClient>();
  readonly #onClientError: (error: Error) => void;
  #closing: Promise<void> | undefined;

  constructor(
    definition: ServerDefinition,
    server: TaskServer,
    place: Place,
    options: RunningOptions,
    errors: Error[],
  ) {
    this.#definition = definition;
    this.#server = server;
    this.#place = place;
    this.#options = options;
    this.#timeout = options.timeout ?? TIMEOUT_MS;
    this.#onClientError = (error) => void errors.push(error);
    this.ways = waysOfServer(server);
    this.url = place.url;
    this.errors = errors;
  }

  waysOf(tool: string): SomeWays {
    return waysOfTool(tool, this.#definition, this.ways);
  }

  async call(
    tool: string,
    args: JsonObject = {},
    { way: wanted, ...options }: TestCallOptions = {},
  ): Promise<ToolResult> {
    const ways = this.waysOf(tool);
    const way = wanted ?? ways[0];
    if (!ways.includes(way)) {
      throw new TypeError(`${tool} cannot be called as ${way}. Its ways are: ${ways.join(', ')}`);
    }
    const before = this.errors.length;
    try {
      const client = await this.client(way);
      return await client.call(tool, args, { timeout: this.#timeout, ...options });
    } catch (error) {
      throw failedIn(tool, way, error, this.errors.slice(before));
    }
  }

  async callEachWay(
    tool: string,
    args: JsonObject = {},
    options: Omit<TestCallOptions, 'way'> = {},
  ): Promise<readonly (readonly [Way, ToolResult])[]> {
    const results: (readonly [Way, ToolResult])[] = [];
    const failures: (readonly [Way, CallError])[] = [];
    for (const way of this.waysOf(tool)) {
      try {
        results.push([way, await this.call(tool, args, { ...options, way })]);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        failures.push([way, error]);
        // The other ways would take as long.
        if (error.reason === 'timeout') break;
      }
    }
    if (failures.length > 0) throw new EachWayError(tool, failures, results);
    return results;
  }

  async client(way: Way, options?: TestClientOptions): Promise<TaskClient> {
    if (this.#closing !== undefined) throw new Error('The test server is closed');
    if (options !== undefined) return this.#connected(way, options);
    const known = this.#byWay.get(way);
    if (known !== undefined) return known;
    const client = this.#connected(way);
    this.#byWay.set(way, client);
    // The next call tries again.
    client.catch(() => this.#byWay.delete(way));
    return client;
  }

  async #connected(way: Way, given: TestClientOptions = {}): Promise<TaskClient> {
    const { answer, caller } = { ...this.#options, ...given };
    const client = wayClient({ way, answer, onError: this.#onClientError });
    this.#clients.add(client);
    await this.#place.connect(client, caller, this.#timeout);
    return client;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#clients].map((client) => client.close()));
    await this.#place.close();
    await this.#server.close(0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A call that failed in one way. The message names the tool and the way. */
function failedIn(tool: string, way: Way, error: unknown, reported: readonly Error[]): CallError {
  const { failure, reference } =
    error instanceof CallError
      ? error
      : { failure: { reason: 'lost' } as const, reference: undefined };
  const message = error instanceof Error ? error.message : String(error);
  const reasons = [...new Set(reported.map((each) => each.message))].join('; ');
  const server = reasons === '' ? '' : ` (the server reported: ${reasons})`;
  return new CallError(failure, `${tool}, ${way}: ${message}${server}`, {
    cause: error,
    reference,
  });
}

/** A tool failed in some of the ways in which it was called. The message names each with its reason. */
export class EachWayError extends Error {
  override readonly name = 'EachWayError';
  readonly failures: readonly (readonly [Way, CallError])[];
  /** Of the other ways. */
  readonly results: readonly (readonly [Way, ToolResult])[];

  constructor(
    tool: string,
    failures: readonly (readonly [Way, CallError])[],
    results: readonly (readonly [Way, ToolResult])[],
  ) {
    const lines = failures.map(([, { message }]) => `\n  ${message}`);
    const others = results.map(([way]) => way).join(', ');
    const succeeded = others === '' ? '' : `\nIt succeeded in: ${others}`;
    super(`${tool} failed in ${failures.length} of its ways:${lines.join('')}${succeeded}`, {
      cause: failures[0]?.[1],
    });
    this.failures = failures;
    this.results = results;
  }
}
