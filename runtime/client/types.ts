import type {
  CallToolResult,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  ListRootsResult,
} from '../../generated/2025-11-25/types.js';
import type { Dialect, JsonObject, Progress, TaskStatus } from '../tasks/index.js';

/** What a tool answered, the same for every way of calling it. */
export type ToolResult = Omit<CallToolResult, 'structuredContent'> & {
  /** Any JSON value; an object up to revision 2025-11-25. */
  readonly structuredContent?: unknown;
};

/** A task as its server last showed it, in the words of the core dialect. */
export interface TaskState {
  readonly dialect: Dialect;
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds from creation; null when the task does not expire. */
  readonly ttl: number | null;
  /** Milliseconds between polls that the server suggests. */
  readonly pollInterval?: number;
}

/** What a server wants to know while a call is under way. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: JsonObject;
  /** Aborted when the answer is not wanted any more. */
  readonly signal: AbortSignal;
  /** The task that asks, if it is one. */
  readonly taskId?: string;
}

/** Answers any question; what it throws ends the call. */
export type AnswerQuestion = (question: Question) => Promise<JsonObject> | JsonObject;

/** Who answers what a server asks. Each that is there declares its capability. */
export interface Answerers {
  readonly form?: (params: ElicitRequestFormParams, question: Question) => Answered<ElicitResult>;
  readonly url?: (params: ElicitRequestURLParams, question: Question) => Answered<ElicitResult>;
  readonly sampling?: (
    params: CreateMessageRequestParams,
    question: Question,
  ) => Answered<CreateMessageResult>;
  readonly roots?: (question: Question) => Answered<ListRootsResult>;
}

type Answered<T> = Promise<T> | T;

export interface FollowOptions {
  /** Aborting it cancels the task. */
  readonly signal?: AbortSignal;
  /** Milliseconds for all of it; then the task is cancelled. Default: none. */
  readonly timeout?: number;
  /** Told each state of the task, beginning with the first. */
  readonly onStatus?: (state: TaskState) => void;
  /** Answers this call's questions instead of the client's answerers. */
  readonly onInput?: AnswerQuestion;
}

export interface CallOptions extends FollowOptions {
  /** Told what the tool reports; values that do not increase are dropped. */
  readonly onProgress?: (progress: Progress) => void;
  /** Milliseconds that the task shall be kept; in the extension only the server decides. */
  readonly ttl?: number;
  /** Whether a tool that may run as a task does, in the core dialect. Default: yes. */
  readonly asTask?: boolean;
  /** For the request's `_meta`: trace context, idempotency key. */
  readonly meta?: JsonObject;
}

/** A call under way. Iterating gives the states of its task; a slow reader misses some in between. */
export interface CallHandle extends AsyncIterable<TaskState> {
  /** The last state known; undefined when the answer came at once. */
  readonly state: TaskState | undefined;
  readonly status: TaskStatus;
  /** Names the task for `resume`, here or in another process; undefined when the answer came at once. */
  readonly reference: string | undefined;
  /** What a model may be told until the result is there, if the server said so. */
  readonly immediateResponse: string | undefined;
  /** Rejects with a `CallError`. */
  result(): Promise<ToolResult>;
  /**
   * Asks the server to stop; the result tells whether it did. Rejects with a `CallError` when the
   * server does not take that; does nothing once the task has ended.
   */
  cancel(): Promise<void>;
}
