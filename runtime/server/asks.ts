import type { ProtocolError } from '../peer/index.js';
import { EXTENSION_ID, METHODS } from '../protocol/index.js';
import type { Dialect, InputOptions, JsonObject } from '../tasks/index.js';
import { formProblem } from '../wire/forms.js';
import { at, isObject, member } from '../wire/json.js';
import { dialectRevision, withoutValues } from '../wire/revision.js';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  missingCapability,
  rpcError,
} from './errors.js';

/**
 * What a server may ask a client, by the capability that allows it. Kept with a task, because the
 * client that created it is not at hand any more when its tool asks.
 */
export type Ask =
  | 'elicitation.form'
  | 'elicitation.url'
  | 'sampling'
  | 'sampling.context'
  | 'sampling.tools'
  | 'roots';

/** Asks the client one question, and resolves with its answer. */
export type AskClient = (
  method: string,
  params: JsonObject,
  options?: InputOptions,
) => Promise<JsonObject>;

/** What a client can be asked, and whether it may be asked for input at all. */
export interface Asking {
  readonly asks: readonly Ask[];
  /** The server cannot identify the user, so any client could answer: the server does not ask. */
  readonly unidentified?: true;
  /** What the server declares that it asks for; everything, where there is no declaration. */
  readonly declared?: readonly Ask[];
}

/** What a client with these capabilities can be asked. They come from the wire: anything may be in them. */
export function asksOf(capabilities: unknown): readonly Ask[] {
  const { elicitation, sampling, roots } = isObject(capabilities) ? capabilities : {};
  const asks: Ask[] = [];
  if (isObject(elicitation)) {
    // An empty object is the older way of saying forms.
    if (isObject(elicitation['form']) || !isObject(elicitation['url'])) {
      asks.push('elicitation.form');
    }
    if (isObject(elicitation['url'])) asks.push('elicitation.url');
  }
  if (isObject(sampling)) {
    asks.push('sampling');
    for (const part of ['context', 'tools'] as const) {
      if (isObject(sampling[part])) asks.push(`sampling.${part}`);
    }
  }
  if (isObject(roots)) asks.push('roots');
  return asks;
}

/** Refuses to ask a user whom nothing identifies. */
function unidentifiedInput(): ProtocolError {
  return rpcError(
    INVALID_REQUEST,
    'Elicitation is refused: without authorization anybody could answer. Serve with `auth`, or set `allowUnidentifiedInput: true`',
  );
}

/** Refuses what the server does not declare that it asks for. */
function undeclared(ask: Ask): ProtocolError {
  return rpcError(
    INTERNAL_ERROR,
    `The server does not declare that it asks for ${ask}: add ${shapeOf(ask)} to asks in its capabilities`,
  );
}

/** How an ask is written in a declaration. */
export function shapeOf(ask: Ask): string {
  const [capability = '', part] = ask.split('.');
  return `${capability}: ${part === undefined ? '{}' : `{ ${part}: {} }`}`;
}

/**
 * Throws `-32600` where the user is not identified, `-32021` naming the capability that the client lacks
 * for this question, and `-32603` for a question that its revision forbids.
 */
export function assertAskable(
  { asks, unidentified, declared }: Asking,
  dialect: Dialect,
  method: string,
  params: JsonObject,
): void {
  if (unidentified === true && method === METHODS.elicitationCreate) throw unidentifiedInput();
  for (const ask of needed(method, params)) {
    if (declared?.includes(ask) === false) throw undeclared(ask);
    if (asks.includes(ask)) continue;
    const [capability = ask, part] = ask.split('.');
    throw missingCapability(
      { [capability]: part === undefined || part === 'form' ? {} : { [part]: {} } },
      `The client cannot be asked ${method}: it does not declare ${ask}`,
    );
  }
  const problem = dialectRevision(dialect).checkQuestion(method, params);
  const broken =
    problem?.message ??
    (method === METHODS.samplingCreateMessage ? toolUseProblem(params) : undefined);
  if (broken !== undefined) throw rpcError(INTERNAL_ERROR, `Invalid ${method}: ${broken}`);
}

function needed(method: string, params: JsonObject): readonly Ask[] {
  switch (method) {
    case METHODS.elicitationCreate:
      return [params['mode'] === 'url' ? 'elicitation.url' : 'elicitation.form'];
    case METHODS.samplingCreateMessage:
      return neededToSample(params);
    case METHODS.rootsList:
      return ['roots'];
    default:
      throw new TypeError(`A client cannot be asked ${method}`);
  }
}

function neededToSample({ tools, toolChoice, includeContext }: JsonObject): readonly Ask[] {
  const asks: Ask[] = ['sampling'];
  if (tools !== undefined || toolChoice !== undefined) asks.push('sampling.tools');
  if (includeContext !== undefined && includeContext !== 'none') asks.push('sampling.context');
  return asks;
}

/** How often a form is put to a client that answers it wrongly, in sessions. */
const ATTEMPTS = 3;

/** The `data` of errors that stand for an answer that is not what was asked for. */
const INVALID_ANSWER = Object.freeze({ reason: 'invalid_answer' });

export function invalidAnswer(problem: string): ProtocolError {
  return rpcError(INVALID_PARAMS, `Invalid answer: ${problem}`, INVALID_ANSWER);
}

/**
 * What is wrong with a client's answer: by the dialect's revision, and, where a form was accepted, by the
 * form's schema. The text holds no value of the answer.
 */
export function answerProblem(
  dialect: Dialect,
  method: string,
  params: JsonObject,
  answer: unknown,
): string | undefined {
  const isForm = method === METHODS.elicitationCreate && params['mode'] !== 'url';
  const content = member(answer, 'content');
  const inForm =
    isForm && member(answer, 'action') === 'accept'
      ? formProblem(params['requestedSchema'], content)
      : undefined;
  if (inForm !== undefined) return inForm;
  const problem = dialectRevision(dialect).checkResult(method, answer);
  if (problem !== undefined) return withoutValues(problem);
  if (!isObject(answer)) return 'it must be an object';
  return 'task' in answer ? 'it is a task, which was not asked for' : undefined;
}

/**
 * The answer to a question in a session, where an answer cannot be refused: a form that was answered
 * wrongly is put again, three times in all. Rejects with `-32602` when no answer was what was asked for.
 */
export async function validAnswer(
  method: string,
  params: JsonObject,
  ask: () => Promise<JsonObject>,
): Promise<JsonObject> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await ask();
      const problem = answerProblem('core', method, params, answer);
      if (problem === undefined) return answer;
      throw invalidAnswer(problem);
    } catch (error) {
      const isWrong = member(error, 'data') === INVALID_ANSWER;
      if (!isWrong || method !== METHODS.elicitationCreate || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Whether capabilities declare the tasks extension. Those of other requests of the client do not count. */
export function declaresTasks(capabilities: unknown): boolean {
  return isObject(at(capabilities, ['extensions', EXTENSION_ID]));
}

/**
 * What is wrong with how the messages of `sampling/createMessage` use tools, which the schemas do not say. A message
 * with results holds nothing else, and each use gets its result in the message that follows.
 */
export function toolUseProblem({ messages }: JsonObject): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  let open: readonly unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = [member(message, 'content')].flat();
    const used = idsIn(blocks, 'tool_use', 'id');
    const answered = idsIn(blocks, 'tool_result', 'toolUseId');
    const at = `/messages/${index}/content`;
    if (answered.length > 0 && answered.length < blocks.length) {
      return `${at}: a message with a tool_result holds no other content`;
    }
    const missing = open.find((id) => !answered.includes(id));
    if (missing !== undefined) return `${at}: has no tool_result for ${JSON.stringify(missing)}`;
    const foreign = answered.find((id) => !open.includes(id));
    if (foreign !== undefined) {
      return `${at}: ${JSON.stringify(foreign)} is no tool_use of the message before`;
    }
    open = used;
  }
  return open.length === 0
    ? undefined
    : `/messages/${messages.length}: missing, the last message has a tool_use without a result`;
}

function idsIn(blocks: readonly unknown[], type: string, id: string): readonly unknown[] {
  return blocks.filter((block) => member(block, 'type') === type).map((block) => member(block, id));
}
