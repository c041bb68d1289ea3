import { quote } from '../../json-schema/text.js';
import { EXTENSION_ID } from '../../runtime/protocol.js';
import { RESULT_TYPES } from '../../runtime/rules/messages.js';
import { at } from './access.js';
import type { Capabilities } from './capabilities.js';
import { partyOf } from './exchanges.js';
import type { OpenRequest } from './exchanges.js';
import { cut } from './finding.js';
import type { Breach } from './finding.js';
import { checkDefinition, requestInfo } from './protocol.js';
import type { Dialect } from './protocol.js';

/** The definition that a result has to match; `undefined` when any result is valid. */
export interface Expected {
  readonly definition: string | undefined;
  readonly breaches: readonly Breach[];
}

const { input_required: INPUT, task: CREATED } = RESULT_TYPES;

/** Finds the definition of a result by its request and its `resultType`. */
export function expectedResult(
  request: OpenRequest,
  result: unknown,
  dialect: Dialect,
  capabilities: Capabilities,
): Expected {
  const results = requestInfo(request.answered, dialect)?.results ?? [];
  const [usual] = results;
  if (usual === undefined) return { definition: undefined, breaches: [] };
  if (dialect.stateless) return byResultType(request, result, results, dialect);
  if (!results.includes(CREATED) || request.method !== request.answered) return plain(usual);
  return byTask(request, result, usual, dialect, capabilities);
}

function plain(definition: string): Expected {
  return { definition, breaches: [] };
}

/** 2026-07-28: `resultType` decides. */
function byResultType(
  request: OpenRequest,
  result: unknown,
  results: readonly string[],
  dialect: Dialect,
): Expected {
  const [usual] = results;
  const type = at(result, 'resultType');
  if (typeof type !== 'string' || type === 'complete') return { definition: usual, breaches: [] };
  if (type === 'input_required' && results.includes(INPUT)) return plain(INPUT);
  if (type === 'task' && request.method === 'tools/call') return createdTask(request, dialect);
  const isKnown = Object.hasOwn(RESULT_TYPES, type);
  if (!isKnown && request.declares.others) return { definition: undefined, breaches: [] };
  const types = ['complete', ...(results.includes(INPUT) ? ['input_required'] : [])];
  if (request.method === 'tools/call' && request.declares.tasks) types.push('task');
  return { definition: undefined, breaches: [wrongType(type, types, ['result'])] };
}

export function wrongType(type: string, types: readonly string[], key: readonly string[]): Breach {
  const use = types.map((each) => `"${each}"`).join(' or ');
  const message = `The result type is ${quote(cut(type))}: use ${use} here.`;
  return { code: 'wrong-result-type', message, key: [...key, 'resultType'] };
}

function createdTask(request: OpenRequest, dialect: Dialect): Expected {
  const definition = dialect.tasks === 'ext' ? CREATED : undefined;
  if (request.declares.tasks) return { definition, breaches: [] };
  const message = `A task answers a request that does not declare the extension ${EXTENSION_ID} in its _meta.`;
  return { definition, breaches: [{ code: 'undeclared-task', message, key: ['result'] }] };
}

/** 2025-11-25: `params.task` and the receiver's capabilities decide. */
function byTask(
  request: OpenRequest,
  result: unknown,
  usual: string,
  dialect: Dialect,
  capabilities: Capabilities,
): Expected {
  const isTask = at(result, 'task') !== undefined;
  const requester = partyOf(request.sender);
  const takes = requester && capabilities.takesTasks(request.method, requester);
  if (request.augmented && takes !== false)
    return plain(takes === true || isTask ? CREATED : usual);
  // An ordinary result may have a key of that name too.
  if (!isTask || checkDefinition(usual, result, dialect, 1).length === 0) return plain(usual);
  const message = request.augmented
    ? 'A task answers a request whose receiver did not declare that it makes tasks of such requests.'
    : 'A task answers a request without params.task.';
  const breach: Breach = { code: 'undeclared-task', message, key: ['result', 'task'] };
  return { definition: CREATED, breaches: [breach] };
}
