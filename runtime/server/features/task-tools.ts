import type { CallToolResult, Tool } from '../../../generated/2025-11-25/types.js';
import { METHODS } from '../../protocol.js';
import {
  type Caller,
  type Dialect,
  isTerminal,
  type JsonObject,
  messageOf,
  outcomeOf,
  IDEMPOTENCY_META_KEY,
  outstanding,
  type Subscription,
  type TaskEngine,
  TaskError,
  type TaskRecord,
  toolErrorResult,
} from '../../tasks/index.js';
import { LazyAbort } from '../../peer/index.js';
import { later } from '../../transport/index.js';
import { isObject } from '../../peer/wire/json.js';
import type { Ask } from '../../rules/questions.js';
import type { Asking } from '../asks.js';
import { hasOwnTasks } from '../capabilities.js';
import type { StoredCall, TaskTools, TaskToolsMaker, ToolCallRequest } from '../endpoint.js';
import { replay } from '../errors.js';
import { clientCapabilitiesOf, type ServerExchange, declaresTasks } from '../session.js';
import type { Frozen } from '../../peer/wire/messages.js';
import { type ListedTool, listingIn, type ServerTool } from '../tool.js';
import { answerProblem } from '../valid-answers.js';

type ToolAnswer = Frozen<CallToolResult>;

export interface TaskToolsOptions {
  /**
   * Milliseconds for which a call waits for its result, and `task_wait` for a change. Hosts give up after 60 s or more.
   * Default 20,000.
   */
  readonly afterMs?: number;
}

const AFTER_MS = 20_000;
const QUESTIONS: readonly Ask[] = ['elicitation.form', 'elicitation.url'];
const TASK_ID = { type: 'string', description: 'The id of the task, as the call has named it.' };
const OF_TASK = { type: 'object', properties: { taskId: TASK_ID }, required: ['taskId'] };
const READS = { readOnlyHint: true, openWorldHint: false };

const TOOLS: readonly Tool[] = [
  {
    name: 'task_get',
    description:
      'Tells the state of a task that a tool has started, or its result, without waiting.',
    inputSchema: OF_TASK as Tool['inputSchema'],
    annotations: READS,
  },
  {
    name: 'task_wait',
    description:
      'Waits for the result of a task that a tool has started. It answers early when the task lasts long or asks something: then do what its answer says.',
    inputSchema: OF_TASK as Tool['inputSchema'],
    annotations: READS,
  },
  {
    name: 'task_answer',
    description:
      'Answers a question of a task. Ask the user first: the answer has to be theirs. Decline what they do not want to answer.',
    inputSchema: {
      type: 'object',
      properties: {
        taskId: TASK_ID,
        question: {
          type: 'string',
          description: 'The key of the question. Needed only where the task asks several.',
        },
        action: {
          type: 'string',
          enum: ['accept', 'decline', 'cancel'],
          description: 'Whether the user answers, does not want to, or has closed the question.',
        },
        content: {
          type: 'object',
          description: 'With accept, the answer: an object of the schema of the question.',
        },
      },
      required: ['taskId', 'action'],
    } as unknown as Tool['inputSchema'],
  },
  {
    name: 'task_cancel',
    description: 'Stops a task that a tool has started. Its result is lost.',
    inputSchema: OF_TASK as Tool['inputSchema'],
    annotations: { destructiveHint: true },
  },
];

/** @throws {TypeError} for a tool that is called as one of these. */
export function taskTools(
  tools: readonly ServerTool[],
  { afterMs = AFTER_MS }: TaskToolsOptions,
): TaskToolsMaker {
  const names = new Set(TOOLS.map(({ name }) => name));
  const taken = tools.find(({ name }) => names.has(name));
  if (taken !== undefined) {
    throw new TypeError(
      `Tool ${JSON.stringify(taken.name)}: \`tasksAsTools\` has a tool of this name: call yours otherwise`,
    );
  }
  if (!(afterMs >= 0))
    throw new RangeError(`tasksAsTools.afterMs must be 0 or more, not ${afterMs}`);
  return {
    names,
    make: (engine, dialect, servesTasks) =>
      new TasksByTools({ tools, engine, dialect, servesTasks, afterMs }),
  };
}

interface Parts {
  readonly tools: readonly ServerTool[];
  readonly engine: TaskEngine;
  readonly dialect: Dialect;
  readonly servesTasks: boolean;
  readonly afterMs: number;
}

class TasksByTools implements TaskTools {
  readonly #parts: Parts;
  readonly #engine: TaskEngine;
  readonly #afterMs: number;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#engine = parts.engine;
    this.#afterMs = parts.afterMs;
  }

  listings(withSupport: boolean): readonly ListedTool[] {
    const { tools, dialect } = this.#parts;
    const listed = tools.map((tool) => listedWithoutTasks(tool, dialect, withSupport));
    return [...listed, ...TOOLS];
  }

  serves(exchange: ServerExchange): boolean {
    const capabilities = clientCapabilitiesOf(exchange);
    const isDeclared =
      this.#parts.dialect === 'core'
        ? capabilities['tasks'] !== undefined
        : declaresTasks(capabilities);
    return !(isDeclared && this.#mayHaveTasks(exchange));
  }

  takes({ tool, params, exchange, asking }: ToolCallRequest): boolean {
    if (tool.taskSupport === 'forbidden' || !this.serves(exchange)) return false;
    if (params.task !== undefined && this.#mayHaveTasks(exchange)) return false;
    // What the client can be asked itself, no model should answer for its user.
    const { asks } = asking();
    const asksClient = tool.asks?.some((ask) => asks.includes(ask)) === true;
    return !(asksClient && tool.taskSupport === 'optional');
  }

  #mayHaveTasks({ revision }: ServerExchange): boolean {
    const { dialect, servesTasks } = this.#parts;
    return servesTasks && (dialect === 'ext' || hasOwnTasks(revision.version));
  }

  asking(asking: Asking): Asking {
    return { ...asking, asks: QUESTIONS };
  }

  async call(
    { tool, caller, identity, exchange }: ToolCallRequest,
    stored: StoredCall,
  ): Promise<ToolAnswer> {
    if (stored.refused !== undefined) return toolErrorResult(caller.dialect, stored.refused);
    exchange.cancelled.throwIfAborted();
    const task = await this.#engine.create(caller, {
      method: METHODS.toolsCall,
      tool: tool.name,
      args: stored,
      ...(identity && { caller: identity }),
      ...(exchange.meta && { meta: exchange.meta }),
    });
    // Without it, the client sees no progress.
    const progress = await this.#progress(caller, task.id, exchange)?.catch(() => undefined);
    try {
      return stateOf(await this.#settled(caller, task.id, exchange).catch(cannotWait(task)));
    } catch (error) {
      // The client has left before it learned of the task. One with a key may be that of an earlier call.
      const hasKey = exchange.meta?.[IDEMPOTENCY_META_KEY] !== undefined;
      if (exchange.cancelled.aborted && !hasKey) {
        await this.#engine.cancel(caller, task.id).catch(() => undefined);
      }
      throw error;
    } finally {
      progress?.end();
    }
  }

  /** Sends the task's progress to a client that wants it, while its call waits. */
  #progress(
    caller: Caller,
    id: string,
    exchange: ServerExchange,
  ): Promise<Subscription> | undefined {
    const progressToken = exchange.meta?.progressToken;
    if (progressToken === undefined) return undefined;
    return this.#engine.subscribe(caller, id, (event) => {
      if (event.type !== 'progress') return;
      const params = { progressToken, ...event.progress };
      // A client that disconnected does not receive it.
      exchange.notify(METHODS.notificationsProgress, params).catch(() => undefined);
    });
  }

  own(
    name: string,
    args: unknown,
    caller: Caller,
    exchange: ServerExchange,
  ): Promise<ToolAnswer> | undefined {
    if (!TOOLS.some((tool) => tool.name === name)) return undefined;
    return this.#own(name, isObject(args) ? args : {}, caller, exchange).catch((error: unknown) => {
      // A model reads what is wrong with its task.
      if (error instanceof TaskError) return toolErrorResult(caller.dialect, error);
      throw error;
    });
  }

  async #own(
    name: string,
    args: JsonObject,
    caller: Caller,
    exchange: ServerExchange,
  ): Promise<ToolAnswer> {
    const { taskId } = args;
    switch (name) {
      case 'task_get':
        return stateOf(await this.#engine.get(caller, taskId));
      case 'task_wait':
        return stateOf(await this.#settled(caller, taskId, exchange));
      case 'task_cancel':
        return stateOf(await this.#engine.cancel(caller, taskId));
      default:
        return this.#answer(args, caller);
    }
  }

  async #answer(args: JsonObject, caller: Caller): Promise<ToolAnswer> {
    const { taskId, question, action, content } = args;
    const { dialect } = caller;
    const task = await this.#engine.get(caller, taskId);
    const open = outstanding(task.input);
    const asked =
      question === undefined && open.length === 1
        ? open[0]
        : open.find(({ key }) => key === question);
    if (asked === undefined) {
      const keys = open.map(({ key }) => key).join(', ');
      const hint = open.length === 0 ? 'It asks nothing now.' : `It asks: ${keys}.`;
      return toolErrorResult(dialect, `The task has no such question. ${hint}`);
    }
    const result = { action, ...(content !== undefined && { content }) };
    const params = JSON.parse(asked.params) as JsonObject;
    const problem = answerProblem(dialect, asked.method, params, result);
    if (problem !== undefined) {
      this.#engine.refused({ ...caller, id: task.id, method: METHODS.toolsCall }, 'invalid_params');
      return toolErrorResult(dialect, `The answer is not what the task asks for: ${problem}`);
    }
    const answers = { [asked.key]: { result } };
    return stateOf(await this.#engine.answer(caller, task.id, answers));
  }

  /** The task when it has ended or asks something, or as it is when it has lasted too long. */
  async #settled(caller: Caller, id: unknown, { cancelled }: ServerExchange): Promise<TaskRecord> {
    const over = new LazyAbort();
    const stop = (): void => over.abort(undefined);
    const timer = later(this.#afterMs, stop);
    cancelled.addEventListener('abort', stop);
    // A listener is not called for what has happened before.
    if (cancelled.aborted) stop();
    let last: TaskRecord | undefined;
    try {
      return await this.#engine.wait(caller, id, over, (task) => {
        last = task;
        if (task.status === 'input_required' || this.#afterMs === 0) stop();
      });
    } catch (error) {
      cancelled.throwIfAborted();
      if (!over.aborted || last === undefined) throw error;
      return last;
    } finally {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', stop);
    }
  }
}

/**
 * The task as it was created, where it cannot be waited for now. A client that got an error instead would not learn of
 * the task, and would call again, so that the work is done twice.
 */
function cannotWait(task: TaskRecord): (error: unknown) => TaskRecord {
  return (error) => {
    if (error instanceof TaskError && error.data['retryAfterMs'] !== undefined) return task;
    throw error;
  };
}

/** As clients without tasks get it: they call it as any other, and its result may name a task instead. */
function listedWithoutTasks(tool: ServerTool, dialect: Dialect, withSupport: boolean): ListedTool {
  const listing = listingIn(tool, dialect);
  if (tool.taskSupport === 'forbidden') return listing;
  const { outputSchema: _, ...rest } = listing;
  // Clients that know tasks and do not say so read it. They refuse plain calls of tools that require tasks.
  return withSupport ? { ...rest, execution: { taskSupport: 'optional' } } : rest;
}

/** The result of a task that has ended. Throws its error. Before: what a model has to know, and to do. */
function stateOf(task: TaskRecord): ToolAnswer {
  const outcome = outcomeOf(task);
  // The peer checks what was stored before it sends it.
  if (outcome !== undefined)
    return 'result' in outcome ? (outcome.result as ToolAnswer) : replay(outcome.error);
  const { id, status, statusMessage } = task;
  const questions = outstanding(task.input).map(({ key, method, params }) => ({
    question: key,
    method,
    params: JSON.parse(params) as JsonObject,
  }));
  const structuredContent = {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    ...(questions.length > 0 && { questions }),
  };
  const text = textOf(task, questions);
  return { content: [{ type: 'text', text }], structuredContent };
}

interface AskedQuestion {
  readonly question: string;
  readonly params: JsonObject;
}

function textOf(
  { id, tool, status, statusMessage }: TaskRecord,
  questions: readonly AskedQuestion[],
): string {
  const named = `The task ${id}${tool === undefined ? '' : ` of the tool ${tool}`}`;
  if (isTerminal(status)) return `${named} was cancelled.`;
  const says = statusMessage === undefined ? '' : ` It says: ${statusMessage}`;
  if (questions.length === 0) {
    return `${named} is still working.${says} Call task_wait with {"taskId": ${JSON.stringify(id)}} for its result, or do something else first: it goes on by itself.`;
  }
  return [
    `${named} asks something before it goes on.${says}`,
    ...questions.map(questionText),
    `Ask the user, then call task_answer with {"taskId": ${JSON.stringify(id)}, "action": "accept", "content": …}, or with the action "decline". After that call task_wait.`,
  ].join('\n');
}

function questionText({ question, params }: AskedQuestion): string {
  const { message, url, requestedSchema } = params;
  const page = typeof url === 'string' ? ` The user has to open ${url}` : '';
  const schema =
    requestedSchema === undefined
      ? ''
      : ` The content has this schema: ${JSON.stringify(requestedSchema)}`;
  return `Question ${question}: ${messageText(message)}${page}${schema}`;
}

function messageText(message: unknown): string {
  return typeof message === 'string' ? message : messageOf(message);
}
