import type { Implementation } from '../../../generated/2025-11-25/types.js';
import type { InputRequiredResult } from '../../../generated/2026-07-28/types.js';
import type {
  Caller,
  CallerIdentity,
  Dialect,
  JsonObject,
  Slot,
  TaskEngine,
} from '../../tasks/index.js';
import type { METHODS, RevisionVersion } from '../../protocol.js';
import type { ParamsIn, ResultIn } from '../../peer/wire/messages.js';
import type { PeerOptions } from '../../peer/index.js';
import type { OpenSessions } from '../../transport/index.js';
import type { AskClient, Asking } from '../asks.js';
import type { ServedTasks } from '../capabilities.js';
import type { DiscoverParts, SessionParts } from '../features/lifecycle.js';
import type { ListenParts } from '../features/listen.js';
import type { RequestContext, Round } from '../controls.js';
import type { ServerExchange, ServerRows, Session } from '../session.js';
import type { ServerTool } from '../tool.js';

/** All that belongs to one dialect. A bundle contains the dialects of the revisions that its author names. */
export interface DialectModule {
  readonly name: Dialect;
  readonly serve: (parts: DialectParts) => TaskDialect;
  /** Methods that the other dialect does not have, beside those about tasks. */
  readonly rows: (parts: DialectRowsParts) => ServerRows;
  /** Completes a result for its client. */
  readonly complete: (
    result: JsonObject,
    exchange: ServerExchange,
    serverInfo: Implementation,
  ) => JsonObject;
  /** The params of a message to a client, without what its revision does not have. */
  readonly degraded?: PeerOptions<unknown>['degraded'];
  /** In the dialect that has sessions. */
  readonly sessions?: {
    readonly make: (...parts: ConstructorParameters<typeof Session>) => Session;
    /** Serves them over HTTP. */
    readonly open: OpenSessions;
  };
}

export interface DialectRowsParts extends SessionParts, DiscoverParts, ListenParts {
  readonly logging: boolean;
}

/**
 * How a server and its clients speak about tasks: `core` in sessions of revisions with tasks of their own, `ext` in
 * requests of the tasks extension. `core.ts` and `ext.ts` implement it, function by function.
 */
export interface TaskDialect {
  readonly name: Dialect;
  /** The `tasks/*` methods. */
  readonly rows: ServerRows;
  /** Whether a call becomes a task. Throws for a call that has to be a task, or must not be one. */
  becomesTask(call: ToolCallRequest): boolean;
  /**
   * Runs `work` with a function that asks the client. Resolves with the answer to the request: the result of
   * `work`, or questions that come first. With a `slot`, others get the slot while the client answers.
   */
  withQuestions<R extends object>(
    asked: Questioned,
    slot: Slot | undefined,
    work: (ask: AskClient) => Promise<R>,
  ): Promise<R | InputRequiredResult>;
  /**
   * What the tool's `run` may ask in a plain call; `prepare` may ask with `ask`. Throws when the tool says
   * that it asks and this call cannot carry questions.
   */
  questionsOfRun(call: ToolCallRequest, ask: AskClient): AskClient;
  /** Makes a task of the call, and resolves with the answer to the call. */
  createTask(call: ToolCallRequest, stored: StoredCall): Promise<CallAnswer>;
}

/** What a dialect needs of the server. */
export interface DialectParts {
  readonly engine: TaskEngine;
  /** The store's, which all processes of a server share. */
  readonly secret: Uint8Array;
  /** What is declared about tasks, and so served. */
  readonly serves: ServedTasks;
  readonly callerOf: (exchange: ServerExchange) => Caller;
  readonly onError: (error: unknown) => void;
}

export type CallParams = ParamsIn<RevisionVersion, typeof METHODS.toolsCall>;
export type CallAnswer = ResultIn<RevisionVersion, typeof METHODS.toolsCall>;

/** A request whose handler may ask its client. */
export interface Questioned {
  readonly exchange: ServerExchange;
  readonly params: Round;
  readonly caller: Caller;
  /** Read when something is asked, which most requests never do. */
  readonly asking: () => Asking;
  /** What tells the request from others, however often the client sends it again with answers. */
  readonly request: unknown;
}

/** A `tools/call`, and who makes it. */
export interface ToolCallRequest extends Questioned {
  readonly tool: ServerTool;
  readonly params: CallParams;
  readonly identity: CallerIdentity | undefined;
  readonly context: RequestContext;
}

/** What a task keeps for its handler; whom it may ask is the client that created it. */
export interface StoredCall extends Asking {
  readonly arguments: unknown;
  /** Why the arguments cannot be used: the task ends with it, and the tool does not run. */
  readonly refused?: string;
}
