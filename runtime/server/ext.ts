import type { ServerContext } from '@modelcontextprotocol/server';

import type { Answers, InputEntry, JsonObject } from '../tasks/index.js';
import { isTerminal, outstanding } from '../tasks/index.js';
import { declaresTasks, requestCapabilities, type SubmitFor } from './call.js';
import type { DialectDependencies } from './core.js';
import { INVALID_PARAMS, rpcError, tasksNotDeclared } from './errors.js';
import { answerProblem } from './valid-answers.js';
import { toDetailedTask, toExtTask } from './ext-wire.js';
import { anyObject } from '../wire/json.js';

const DONE: JsonObject = { resultType: 'complete' };

/** Serves the `tasks/*` methods of the extension on one connection. Returns how calls become tasks on it. */
export function serveExt({
  mcp,
  engine,
  callerOf,
}: Pick<DialectDependencies, 'mcp' | 'engine' | 'callerOf'>): SubmitFor {
  const serve = (
    method: string,
    answer: (params: JsonObject, ctx: ServerContext) => Promise<JsonObject>,
  ): void =>
    mcp.server.setRequestHandler(method, { params: anyObject }, (params, ctx) => {
      if (!declaresTasks(requestCapabilities(ctx))) throw tasksNotDeclared();
      return answer(params, ctx);
    });

  serve('tasks/get', async ({ taskId }, ctx) => ({
    ...DONE,
    ...toDetailedTask(await engine.get(callerOf(ctx), taskId)),
  }));

  serve('tasks/update', async ({ taskId }, ctx) => {
    const caller = callerOf(ctx);
    // The SDK takes `inputResponses` out of the params of every request.
    const given = ctx.mcpReq.inputResponses ?? {};
    const { id, input, status } = await engine.get(caller, taskId);
    const refused = (reason: string): void =>
      engine.refused({ ...caller, id, method: 'tasks/update' }, reason);
    const questions = outstanding(input);
    const keys = new Set(questions.map(({ key }) => key));
    if (Object.keys(given).some((key) => !keys.has(key))) {
      refused(isTerminal(status) ? 'ended' : 'not_asked');
    }
    await engine.answer(caller, taskId, answersTo(questions, given, refused));
    return DONE;
  });

  serve('tasks/cancel', async ({ taskId }, ctx) => {
    await engine.cancel(callerOf(ctx), taskId);
    return DONE;
  });

  return (ctx) => async (tool, call, params) => {
    const task = await engine.create(callerOf(ctx), {
      method: 'tools/call',
      tool: tool.name,
      args: call,
      ...(params._meta && { meta: params._meta }),
    });
    return { resultType: 'task', ...toExtTask(task) };
  };
}

/**
 * The responses that are wanted. Throws `-32602` for one that is not what its question asks for: then none
 * is taken, and the questions stay open.
 */
function answersTo(
  questions: readonly InputEntry[],
  given: JsonObject,
  refused: (reason: string) => void,
): Answers {
  const answers = new Map<string, Answers[string]>();
  for (const { key, method, params } of questions) {
    if (!Object.hasOwn(given, key)) continue;
    const problem = answerProblem('ext', method, JSON.parse(params) as JsonObject, given[key]);
    if (problem !== undefined) {
      refused('invalid_params');
      throw rpcError(INVALID_PARAMS, `Invalid inputResponses/${key}: ${problem}`);
    }
    answers.set(key, { result: given[key] as JsonObject });
  }
  return Object.fromEntries(answers);
}
