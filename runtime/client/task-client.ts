import type { METHODS, RevisionVersion } from '../protocol.js';
import type { JsonObject, Progress } from '../tasks/index.js';
import type { DeclaredCapabilities } from './capabilities.js';
import type { Change, Wanted } from './changes.js';
import type { LeftOut } from './entries.js';
import type { AddressOptions, Host, ServerAddress } from './host.js';
import type { ClientLimits } from './limits.js';
import type { ClientInfo } from './link.js';
import type { ReceiverOptions } from './receiver.js';
import type { ClientMethod, NoticeOf, NotificationName, ParamsOf, ResultOf } from './requests.js';
import type { ServerFacts } from './server-facts.js';
import type { Session } from './session.js';
import type { TaskStatusHandlers } from './statuses.js';
import type { Tool } from './tools.js';
import type {
  CallHandle,
  CallOptions,
  FollowOptions,
  InputHandler,
  InputHandlers,
  LogLevel,
  TaskState,
  ToolResult,
} from './types.js';

export interface TaskClientOptions<V extends RevisionVersion = RevisionVersion> extends ClientInfo {
  /** The revisions to offer. Default: all. `createTaskClient<'2025-11-25'>` has the types of the named ones alone. */
  readonly revisions?: readonly NoInfer<V>[];
  /**
   * The capabilities that the client declares. Each needs a handler in `answer`; the client refuses
   * requests of other kinds. Default: what `answer` and `receiver` can serve, and the tasks extension.
   */
  readonly capabilities?: DeclaredCapabilities;
  /** The handlers of the server's input requests. */
  readonly answer?: InputHandlers;
  /**
   * Lets the server send sampling and elicitation as tasks, in the core dialect. Default: the default
   * options when `capabilities` declares `tasks`, else off.
   */
  readonly receiver?: ReceiverOptions;
  /** Handlers of task status notifications. Calls do not need them. */
  readonly statusHandlers?: TaskStatusHandlers;
  readonly limits?: Partial<ClientLimits>;
  /** Gets errors that belong to no call: invalid notifications, errors of listeners. */
  readonly onError?: (error: Error) => void;
  /** What `connect` uses for URLs and commands. Default: the web's standards, without processes. */
  readonly host?: Host;
}

export interface TaskConnectOptions extends AddressOptions {
  /** Milliseconds for opening the transport, and for each message of the handshake. Default: 60,000. */
  readonly timeout?: number;
}

export interface RequestOptions {
  /** Aborting it withdraws the request. */
  readonly signal?: AbortSignal;
  /** Milliseconds for each answer. Default: the limit `requestTimeout`. */
  readonly timeout?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Answers the input requests before the result instead of the client's `answer`. */
  readonly onInput?: InputHandler;
  /** For the request's `_meta`. */
  readonly meta?: JsonObject;
  /** Resolves with the result as it is, because the caller checks it. */
  readonly checksItself?: boolean;
}

/**
 * Calls a server of any revision: its tools, as plain calls or as tasks of either dialect, and everything else. All
 * methods reject with a `CallError`.
 */
export interface TaskClient<V extends RevisionVersion = RevisionVersion> {
  /**
   * Opens the connection and agrees on a revision. A URL is one of Streamable HTTP, or of HTTP+SSE. To reconnect, call it
   * again, with a new transport, or with the same address.
   */
  connect(to: ServerAddress, options?: TaskConnectOptions): Promise<void>;
  /** The revision of the connection. */
  readonly revision: V | undefined;
  /**
   * Set when a slow server is the only reason for an earlier `revision`: what happened. `onError` gets the same sentence.
   * Over a pipe, that may be some time after `connect`.
   */
  readonly slowness: string | undefined;
  readonly server: ServerFacts;
  /** The session of the connection, if it has one. Tasks that are bound to it need it for `resume`. */
  readonly session: Session | undefined;
  /** Ends the session at the server, where there is one, before `close`. Waits 2 s at most, and never rejects. */
  endSession(): Promise<void>;
  /**
   * Sends a request, and answers the server's input requests that precede its result. Calls of tools that may become
   * tasks are made by `call`.
   */
  request<M extends ClientMethod<V>>(
    method: M,
    params?: ParamsOf<V, M>,
    options?: RequestOptions,
  ): Promise<ResultOf<V, M>>;
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Calls a tool. Resolves with its result, for a task when the task has ended. */
  call(tool: string, args?: JsonObject, options?: CallOptions): Promise<ToolResult>;
  /** Calls a tool. Resolves with a handle as soon as the server has answered or created a task. */
  start(tool: string, args?: JsonObject, options?: CallOptions): Promise<CallHandle>;
  /** Follows a task again, by the `reference` of its handle. */
  resume(reference: string, options?: FollowOptions): Promise<CallHandle>;
  /** The server's tools; none where the server does not have any. The client keeps the list until the server announces a change. */
  tools(): Promise<readonly Tool[]>;
  /**
   * The entries that the last answers of each list contain and the client does not use, because they are invalid. `onError`
   * gets a sentence for each.
   */
  readonly leftOut: readonly LeftOut[];
  /** All prompts; none where the server does not have any. */
  prompts(): Promise<ResultOf<V, typeof METHODS.promptsList>['prompts']>;
  prompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<ResultOf<V, typeof METHODS.promptsGet>>;
  /** All resources; none where the server does not have any. */
  resources(): Promise<ResultOf<V, typeof METHODS.resourcesList>['resources']>;
  resourceTemplates(): Promise<
    ResultOf<V, typeof METHODS.resourcesTemplatesList>['resourceTemplates']
  >;
  read(uri: string, options?: RequestOptions): Promise<ResultOf<V, typeof METHODS.resourcesRead>>;
  /** Values for the argument of a prompt or of a template. */
  complete(
    ref: { readonly prompt: string } | { readonly template: string },
    argument: { readonly name: string; readonly value: string },
    context?: Readonly<Record<string, string>>,
  ): Promise<readonly string[]>;
  /** Calls the listener with each change. */
  subscribe(
    wanted: Wanted,
    listener: (change: Change) => void,
  ): Promise<{ close(): Promise<void> }>;
  /** The least severe log messages that the server sends. They are `notifications/message`. */
  setLogLevel(level: LogLevel): Promise<void>;
  /** Calls the listener with each notification of a method. Returns a function that removes the listener. */
  onNotification<M extends NotificationName<V>>(
    method: M,
    listener: (params: NoticeOf<V, M>) => void,
  ): () => void;
  /**
   * Calls the listener with each status notification, of all tasks or of one. Returns a function that
   * removes the listener. Servers need not send any; calls do not depend on them.
   */
  onTaskStatus(listener: (state: TaskState) => void, taskId?: string): () => void;
  /**
   * Closes the connection and the receiver. Calls under way reject with `lost` and the references of
   * their tasks.
   */
  close(): Promise<void>;
}
