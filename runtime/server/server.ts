import type { ServerContext } from '@modelcontextprotocol/server';

import { createInProcessExecutor } from '../executors/in-process/index.js';
import { createMemoryStore } from '../stores/index.js';
import type {
  AuditSink,
  Dialect,
  TaskEngine,
  TaskExecutor,
  TaskLimits,
  TaskStore,
} from '../tasks/index.js';
import { createTaskEngine } from '../tasks/index.js';
import { dialectOf } from './capabilities.js';
import { connect, type ConnectedServer, type Setup } from './connection.js';
import { createInputDelivery } from './input-delivery.js';
import { messageOf } from './errors.js';
import { ANYBODY, callerOf, type Identification } from './principal.js';
import { trySetup } from './registered-tools.js';
import { createReporter } from './report.js';
import { createRequestStates } from './multi-round-trip.js';
import { handlerOf } from './runs.js';
import type { ServerTool } from './tool.js';

export interface TaskServerOptions {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** How to use the server, for the model. */
  readonly instructions?: string;
  readonly tools: readonly ServerTool[];
  /** Registers tools, resources, prompts and whatever else the SDK offers, on each connection. */
  readonly setup?: Setup;
  /** Default: in memory, for as long as the process lives. The server closes it. */
  readonly store?: TaskStore;
  /** Default: in this process. */
  readonly executor?: TaskExecutor;
  /** Default: both. */
  readonly dialects?: readonly Dialect[];
  readonly limits?: Partial<TaskLimits>;
  /** Milliseconds between polls that requestors are asked to keep. Default 1,000. */
  readonly pollInterval?: number;
  readonly audit?: AuditSink;
  /**
   * Told what goes wrong beside the answers to requests. Default: a line on standard error, and
   * for what repeats, one every 10 s with a count.
   */
  readonly onError?: (error: Error) => void;
}

/** Tools, tasks and what the user registers, ready to be served over any number of connections. */
export interface TaskServer {
  readonly engine: TaskEngine;
  /**
   * For transports: a server instance of the SDK for one connection, or one request. Users whom nothing
   * identifies are asked for input only where `asksUnidentified` says so.
   */
  connection(
    era: 'legacy' | 'modern',
    identification: Identification,
    asksUnidentified?: boolean,
  ): ConnectedServer;
  /** The JSON Schema of a tool's arguments. */
  inputSchemaOf(tool: string): unknown;
  /** Whether tasks of the extension can exist, and so be listened to. */
  readonly servesExt: boolean;
  readonly onError: (error: unknown) => void;
  /** Resolves when the store can be written and read. */
  probe(): Promise<void>;
  /** Takes nothing new, lets tasks finish for `drainMs` (default 5,000), closes the store. */
  close(drainMs?: number): Promise<void>;
}

/** Throws a TypeError for two tools of one name, what `setup` throws, and what the store throws when it cannot be read. */
export async function createTaskServer(options: TaskServerOptions): Promise<TaskServer> {
  const { store = createMemoryStore(), dialects = ['core', 'ext'], executor } = options;
  const tools = byName(options.tools);
  const registeredSchemaOf = options.setup && trySetup(options, options.setup, tools);
  const report = options.onError ?? createReporter();
  const onError = (error: unknown): void =>
    report(error instanceof Error ? error : new Error(messageOf(error)));

  const engine = await createTaskEngine({
    store,
    executor: executor ?? createInProcessExecutor(),
    handlers(task) {
      const tool = tools.get(task.tool ?? '');
      return tool && handlerOf(tool, task);
    },
    ...(options.limits && { limits: options.limits }),
    ...(options.pollInterval !== undefined && { pollInterval: options.pollInterval }),
    ...(options.audit && { audit: options.audit }),
    onFault: (error) => onError(new Error(`Task store: ${messageOf(error)}`, { cause: error })),
  });
  const inputDelivery = createInputDelivery(engine, onError);
  const requestStates = createRequestStates(await store.secret(), requestStateOwner);

  let closing: Promise<void> | undefined;
  async function close(drainMs?: number): Promise<void> {
    await engine.close(drainMs);
    await store.close();
  }

  return {
    engine,
    onError,
    inputSchemaOf: (tool) => tools.get(tool)?.listing.inputSchema ?? registeredSchemaOf?.(tool),
    servesExt: dialectOf({ tools: options.tools, dialects, era: 'modern' }) === 'ext',
    connection: (era, identification, asksUnidentified = false) =>
      connect(
        { ...options, dialects, tools, engine, inputDelivery, requestStates, onError },
        era,
        identification,
        asksUnidentified,
      ),
    probe: () => store.probe(),
    close: (drainMs) => (closing ??= close(drainMs)),
  };
}

/** The owner that a request state is bound to. All users without authorization share one. */
function requestStateOwner(ctx: ServerContext): string {
  const { authInfo } = ctx.http ?? {};
  return authInfo === undefined ? ANYBODY : callerOf('authorization', 'ext', authInfo).owner;
}

function byName(tools: readonly ServerTool[]): ReadonlyMap<string, ServerTool> {
  const map = new Map<string, ServerTool>();
  for (const tool of tools) {
    if (map.has(tool.name)) throw new TypeError(`Two tools are called ${tool.name}`);
    map.set(tool.name, tool);
  }
  return map;
}
