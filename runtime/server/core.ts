import type { McpServer, ServerContext } from '@modelcontextprotocol/server';

import type { Caller, JsonObject, TaskEngine, TaskRecord } from '../tasks/index.js';
import { outcomeOf } from '../tasks/index.js';
import { createStatusNotifier } from '../wire/status-notifier.js';
import type { Submit, SubmitFor } from './call.js';
import { CANCELLED, IMMEDIATE_RESPONSE, related, toCoreTask } from '../wire/core.js';
import type { InputDelivery } from './input-delivery.js';
import { METHOD_NOT_FOUND, replay, rpcError } from './errors.js';
import { anyObject } from '../wire/json.js';
import { askPeer } from './requestor.js';

export interface DialectDependencies {
  readonly mcp: McpServer;
  readonly engine: TaskEngine;
  readonly inputDelivery: InputDelivery;
  readonly callerOf: (ctx: ServerContext) => Caller;
  /** Whether requestors can be told apart, so that a list shows nobody another's tasks. */
  readonly lists: boolean;
  /** Whether `tasks/cancel` is declared. */
  readonly cancels: boolean;
  /** Whether calls of tools are declared to become tasks. */
  readonly callsAsTasks: boolean;
  /** Whether the session's revision has tasks: what it does not know, it is not served. */
  readonly hasTasks: () => boolean;
}

/**
 * Serves the `tasks/*` methods of the core dialect on one connection. Returns how calls become tasks on
 * it, or nothing in a session without tasks.
 */
export function serveCore(
  dependencies: DialectDependencies,
): (ctx: ServerContext) => Submit | undefined {
  const { mcp, engine, callerOf, lists, cancels, callsAsTasks, hasTasks } = dependencies;
  const notifier = createStatusNotifier(engine, (note) => mcp.server.notification(note));
  onClose(mcp, () => notifier.close());

  const serve = (
    method: string,
    answer: (params: JsonObject, ctx: ServerContext) => Promise<JsonObject>,
  ): void =>
    mcp.server.setRequestHandler(method, { params: anyObject }, (params, ctx) => {
      if (!hasTasks()) throw rpcError(METHOD_NOT_FOUND, 'Method not found');
      return answer(params, ctx);
    });

  serve('tasks/get', async ({ taskId }, ctx) => ({
    ...toCoreTask(await engine.get(callerOf(ctx), taskId)),
  }));
  if (cancels) {
    serve('tasks/cancel', async ({ taskId }, ctx) => ({
      ...toCoreTask(await engine.cancel(callerOf(ctx), taskId)),
    }));
  }
  serve('tasks/result', ({ taskId }, ctx) => result(dependencies, taskId, ctx));
  if (lists) {
    serve('tasks/list', async ({ cursor }, ctx) => {
      const { tasks, nextCursor } = await engine.list(callerOf(ctx), cursor);
      return { tasks: tasks.map(toCoreTask), ...(nextCursor !== undefined && { nextCursor }) };
    });
  }

  const submitFor: SubmitFor = (ctx) => async (tool, call, params) => {
    const caller = callerOf(ctx);
    const task = await engine.create(caller, {
      method: 'tools/call',
      tool: tool.name,
      args: call,
      ...(params.task?.ttl !== undefined && { ttl: params.task.ttl }),
      ...(params._meta && { meta: params._meta }),
    });
    await notifier.follow(caller, task);
    return {
      task: toCoreTask(task),
      ...(tool.immediateResponse !== undefined && {
        _meta: { [IMMEDIATE_RESPONSE]: tool.immediateResponse },
      }),
    };
  };
  return (ctx) => (callsAsTasks && hasTasks() ? submitFor(ctx) : undefined);
}

/** Waits for the end, and meanwhile puts the task's questions to the one who waits. */
async function result(
  { mcp, engine, inputDelivery, callerOf }: DialectDependencies,
  taskId: unknown,
  ctx: ServerContext,
): Promise<JsonObject> {
  const caller = callerOf(ctx);
  const gone = goneSignal(ctx);
  const over = new AbortController();
  let signal: AbortSignal | undefined;
  const capabilities = mcp.server.getClientCapabilities();
  const attached = inputDelivery.attach(caller, (task, entry) => {
    signal ??= AbortSignal.any([gone, over.signal]);
    return askPeer({ ctx, capabilities, signal }, task, entry);
  });
  try {
    const ended = await engine.wait(caller, taskId, gone, (task) => attached.offer(task));
    return related(answerOf(ended), ended.id);
  } finally {
    attached.detach();
    if (signal !== undefined) over.abort();
  }
}

/** Aborted when the request is cancelled, and when its stream is dropped, of which the SDK takes no notice. */
function goneSignal(ctx: ServerContext): AbortSignal {
  const stream = ctx.http?.req?.signal;
  return stream === undefined ? ctx.mcpReq.signal : AbortSignal.any([ctx.mcpReq.signal, stream]);
}

function answerOf(ended: TaskRecord): JsonObject {
  const outcome = outcomeOf(ended);
  if (outcome === undefined) throw rpcError(CANCELLED, 'The task was cancelled');
  return 'result' in outcome ? outcome.result : replay(outcome.error);
}

export function onClose({ server }: McpServer, callback: () => void): void {
  const earlier = server.onclose;
  server.onclose = () => {
    callback();
    earlier?.();
  };
}
