import type {
  CallToolResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ListRootsResult,
  LoggingLevel,
} from '../../generated/2025-11-25/types.js';
import type { RequestMap } from '../../generated/2025-11-25/protocol.js';
import type { METHODS } from '../protocol.js';
import type { Dialect, JsonObject, Progress, TaskStatus } from '../tasks/index.js';

/** A tool's result, the same for plain calls and for tasks of both dialects. */
export type ToolResult = Omit<CallToolResult, 'structuredContent'> & {
  /** Any JSON value; an object up to revision 2025-11-25. */
  readonly structuredContent?: unknown;
};

/** One block of a tool's content. */
export type ContentBlock = ToolResult['content'][number];

/** By severity, as syslog has them. */
export type LogLevel = LoggingLevel;

/** The last task state that the server sent, with the field names of the core dialect. */
export interface TaskState {
  readonly dialect: Dialect;
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** RFC 3339; `1970-01-01T00:00:00.000Z` where the server did not send a time. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds from creation; null when the task does not expire. */
  readonly ttl: number | null;
  /** Milliseconds between polls that the server suggests. */
  readonly pollInterval?: number;
}

/** The methods with which a server asks a client. */
export type Question =
  | typeof METHODS.elicitationCreate
  | typeof METHODS.samplingCreateMessage
  | typeof METHODS.rootsList;

/** Params as in revision 2025-11-25: other revisions have a part of their members. */
export interface Asked<M extends Question> {
  readonly method: M;
  readonly params: NonNullable<RequestMap[M]['params']>;
  /** Aborted when the server withdraws the request or the call ends. */
  readonly signal: AbortSignal;
  /** The task that sent the request, if a task did. */
  readonly taskId?: string;
}

/** A request of the server for input: elicitation, sampling or roots. */
export type InputRequest = { readonly [M in Question]: Asked<M> }[Question];

/** Answers an input request. When it throws, the call fails with `input_failed`. */
export type InputHandler = (request: InputRequest) => Promise<JsonObject> | JsonObject;

/** Handlers of input requests by kind. The client declares the capability of each handler that is set. */
export interface InputHandlers {
  readonly form?: (
    params: ElicitRequestFormParams,
    request: InputRequest,
  ) => Awaitable<ElicitResult>;
  readonly url?: (params: ElicitRequestURLParams, request: InputRequest) => Awaitable<ElicitResult>;
  readonly sampling?: (
    params: CreateMessageRequestParams,
    request: InputRequest,
  ) => Awaitable<CreateMessageResult>;
  readonly roots?: (request: InputRequest) => Awaitable<ListRootsResult>;
}

type Awaitable<T> = Promise<T> | T;

export interface FollowOptions {
  /** Aborting it cancels the task. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call, after which the client cancels it. Default: the limit `silence`. */
  readonly timeout?: number;
  /** Called with each state of the task, beginning with the first. */
  readonly onStatus?: (state: TaskState) => void;
  /**
   * Called with the tool's progress, from progress notifications or from the task's status message. The
   * client drops values that do not increase.
   */
  readonly onProgress?: (progress: Progress) => void;
  /** Answers this call's input requests instead of the client's `answer`. */
  readonly onInput?: InputHandler;
}

export interface CallOptions extends FollowOptions {
  /** Milliseconds to keep the task, in the core dialect. In the extension the server decides. */
  readonly ttl?: number;
  /** Whether to run a tool with `taskSupport: optional` as a task, in the core dialect. Default: true. */
  readonly asTask?: boolean;
  /** For the request's `_meta`: trace context, idempotency key. */
  readonly meta?: JsonObject;
}

/** A call under way. Iterating gives the states of its task; a slow reader misses intermediate states. */
export interface CallHandle extends AsyncIterable<TaskState> {
  /** The last known state; undefined when the server answered at once. */
  readonly state: TaskState | undefined;
  readonly status: TaskStatus;
  /** Identifies the task for `resume`, in any process; undefined when the server answered at once. */
  readonly reference: string | undefined;
  /** The server's text for the model until the result is available, if it sent one. */
  readonly immediateResponse: string | undefined;
  /** Rejects with a `CallError`. */
  result(): Promise<ToolResult>;
  /**
   * Asks the server to cancel the task; `result` shows whether it did. Rejects with a `CallError` when
   * the server refuses. Does nothing once the task has ended.
   */
  cancel(): Promise<void>;
}
