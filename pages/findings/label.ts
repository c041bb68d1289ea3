import { many } from '../../pages/toolkit/words.js';
import { at, entriesAt, isRecord, textAt } from '../../contracts/validate/index.js';
import type { Checked } from '../../contracts/validate/index.js';

/** Says in a few words what a message contains, beside its method. Empty where there is nothing to say. */
export function labelOf({ value, kind, method = '' }: Checked): string {
  if (!isRecord(value)) return 'no message';
  if (kind === 'error') return sayError(value['error']);
  if (kind === 'response') return sayResult(value['result'], method);
  return sayParams(value['params'], method);
}

function sayError(error: unknown): string {
  const code = at(error, 'code');
  return [typeof code === 'number' ? String(code) : '', textAt(error, 'message')].join(' ').trim();
}

type Say = (part: unknown) => string | undefined;

const PARAMS: Readonly<Record<string, Say>> = {
  initialize: (params) => join(nameIn(params, 'clientInfo'), textAt(params, 'protocolVersion')),
  'tools/call': (params) =>
    join(textAt(params, 'name'), isRecord(at(params, 'task')) && 'as a task'),
  'prompts/get': (params) => textAt(params, 'name'),
  'resources/read': (params) => textAt(params, 'uri'),
  'resources/subscribe': (params) => textAt(params, 'uri'),
  'resources/unsubscribe': (params) => textAt(params, 'uri'),
  'notifications/resources/updated': (params) => textAt(params, 'uri'),
  'completion/complete': (params) => textAt(params, 'argument', 'name'),
  'logging/setLevel': (params) => textAt(params, 'level'),
  'elicitation/create': (params) => textAt(params, 'message'),
  'sampling/createMessage': (params) => count(at(params, 'messages'), 'message'),
  'notifications/message': (params) => join(textAt(params, 'level'), sayData(at(params, 'data'))),
  'notifications/progress': sayProgress,
  'notifications/cancelled': (params) => join(idIn(params, 'requestId'), textAt(params, 'reason')),
  'notifications/tasks/status': sayTask,
  'notifications/tasks': sayTask,
  'tasks/update': (params) =>
    list(textAt(params, 'taskId'), entries(params, 'inputResponses', 'answer')),
};

const RESULTS: Readonly<Record<string, Say>> = {
  initialize: (result) => join(nameIn(result, 'serverInfo'), textAt(result, 'protocolVersion')),
  'server/discover': (result) => nameIn(result, 'serverInfo'),
  'tools/list': (result) => count(at(result, 'tools'), 'tool'),
  'prompts/list': (result) => count(at(result, 'prompts'), 'prompt'),
  'resources/list': (result) => count(at(result, 'resources'), 'resource'),
  'tasks/list': (result) => count(at(result, 'tasks'), 'task'),
  'roots/list': (result) => count(at(result, 'roots'), 'root'),
  'elicitation/create': (result) => textAt(result, 'action'),
};

function sayParams(params: unknown, method: string): string {
  const say = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  return say?.(params) ?? textAt(params, 'taskId') ?? '';
}

function sayResult(result: unknown, method: string): string {
  const asked = entries(result, 'inputRequests', 'question');
  const task = isRecord(at(result, 'task')) ? at(result, 'task') : result;
  if (textAt(task, 'taskId') !== undefined) return list(sayTask(task), asked) ?? '';
  if (asked !== undefined) return asked;
  const say = Object.hasOwn(RESULTS, method) ? RESULTS[method] : undefined;
  return join(at(result, 'isError') === true && 'isError', (say ?? sayContent)(result)) ?? '';
}

function sayTask(task: unknown): string | undefined {
  return join(textAt(task, 'taskId'), textAt(task, 'statusMessage'));
}

function sayProgress(params: unknown): string | undefined {
  const [progress, total] = [at(params, 'progress'), at(params, 'total')];
  const amount = typeof progress === 'number' && String(progress);
  const of = amount !== false && typeof total === 'number' && `of ${String(total)}`;
  return join(amount, of, textAt(params, 'message'));
}

/** The first text of a result. The content of an elicitation's answer is what the user wrote. */
function sayContent(result: unknown): string | undefined {
  if (at(result, 'action') !== undefined) return textAt(result, 'action');
  const content = at(result, 'content');
  return textAt(Array.isArray(content) ? content[0] : content, 'text');
}

function sayData(data: unknown): string | undefined {
  return typeof data === 'string' ? data : undefined;
}

function nameIn(part: unknown, key: string): string | undefined {
  return join(
    textAt(part, key, 'title') ?? textAt(part, key, 'name'),
    textAt(part, key, 'version'),
  );
}

function idIn(part: unknown, key: string): string | undefined {
  const id = at(part, key);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

function count(list: unknown, noun: string): string | undefined {
  return Array.isArray(list) ? many(list.length, noun) : undefined;
}

function entries(part: unknown, key: string, noun: string): string | undefined {
  const { length } = entriesAt(part, key);
  return length > 0 ? many(length, noun) : undefined;
}

function list(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined);
  return said.length > 0 ? said.join(', ') : undefined;
}

function join(...parts: readonly (string | false | undefined)[]): string | undefined {
  const said = parts.filter((part) => part !== undefined && part !== false && part !== '');
  return said.length > 0 ? said.join(' ') : undefined;
}
