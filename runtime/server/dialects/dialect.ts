import type { ServerContext } from '@modelcontextprotocol/server';

import type {
  Caller,
  CallerIdentity,
  Dialect,
  JsonObject,
  Slot,
  TaskEngine,
} from '../../tasks/index.js';
import type { AskClient, Asking } from '../asks.js';
import type { StoredCall } from '../runs.js';
import type { Identification } from '../principal.js';
import type { Answer, ConnectedServer, TaskSubscriptions } from '../sdk/index.js';
import type { ServerTool } from '../tool.js';

/**
 * How a server and its clients speak about tasks: `core` in sessions of revision 2025-11-25, `ext` in requests
 * of 2026-07-28. There is one for each connection. `core.ts` and `ext.ts` implement it, function by function.
 */
export interface TaskDialect {
  readonly name: Dialect;
  /** The `tasks/*` methods that it serves. */
  methods(): ReadonlyMap<string, Answer>;
  /** Throws when the client of this request may not use them. */
  assertServed(ctx: ServerContext): void;
  /** What the client declares that it can do. */
  clientCapabilities(ctx: ServerContext): unknown;
  /** Whether a call becomes a task. Throws for a call that has to be a task, or must not be one. */
  becomesTask(call: ToolCallRequest): boolean;
  /**
   * Runs `work` with a function that asks the client. Resolves with the answer to the call: the result of
   * `work`, or questions that come first. With a `slot`, others get the slot while the client answers.
   */
  withQuestions(
    call: ToolCallRequest,
    slot: Slot | undefined,
    work: (ask: AskClient) => Promise<JsonObject>,
  ): Promise<JsonObject>;
  /**
   * What the tool's `run` may ask in a plain call; `prepare` may ask with `ask`. Throws when the tool says
   * that it asks and this call cannot carry questions.
   */
  questionsOfRun(call: ToolCallRequest, ask: AskClient): AskClient;
  /** Makes a task of the call, and resolves with the answer to the call. */
  createTask(call: ToolCallRequest, stored: StoredCall): Promise<JsonObject>;
}

/** A dialect that a server serves, with what its connections share. */
export interface ServedDialect {
  connect(connection: Connection): TaskDialect;
  /** Subscriptions to tasks; undefined where none can be listened to. */
  subscriptions(identification: Identification): TaskSubscriptions | undefined;
}

export interface DialectDependencies {
  readonly engine: TaskEngine;
  /** The store's, which all processes of a server share. */
  readonly secret: Uint8Array;
  /** Whether tasks can exist in the dialect. */
  readonly servesTasks: boolean;
  readonly onError: (error: unknown) => void;
}

/** The client of a session. */
export interface Peer extends Pick<ConnectedServer, 'notify' | 'onClosed'> {
  /** What it declared in its handshake. */
  readonly clientCapabilities: unknown;
}

/** A client's connection, as a dialect needs it. */
export interface Connection {
  readonly peer: Peer;
  readonly engine: TaskEngine;
  /** What is declared about tasks, and so served. */
  readonly serves: ServedTasks;
  readonly callerOf: (ctx: ServerContext) => Caller;
  /** What its tools get of the caller. */
  readonly identityOf: (ctx: ServerContext) => CallerIdentity | undefined;
}

export interface ServedTasks {
  /** Whether the connection serves tasks. A session learns from its handshake whether its revision has them. */
  tasks(): boolean;
  /** Whether calls of tools become tasks. */
  readonly calls: boolean;
  /** `tasks/cancel` of the core dialect. */
  readonly cancel: boolean;
  /** `tasks/list` of the core dialect. It needs identified clients. */
  readonly list: boolean;
}

/** The params of `tools/call`, whose shape has been checked. */
export interface CallParams {
  readonly name: string;
  readonly arguments?: unknown;
  readonly task?: { readonly ttl?: unknown };
  readonly _meta?: JsonObject;
}

/** A `tools/call`, and who makes it. */
export interface ToolCallRequest {
  readonly tool: ServerTool;
  readonly params: CallParams;
  readonly ctx: ServerContext;
  readonly caller: Caller;
  readonly identity: CallerIdentity | undefined;
  readonly asking: Asking;
}
