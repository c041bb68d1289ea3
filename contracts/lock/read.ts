import { DiagnosticError, jsonProblem } from '../../generator/diagnostics/index.js';
import { isObject } from '../../json-schema/json.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import type { Diagnostic } from '../../generator/diagnostics/index.js';
import { LISTS, LOCK_VERSION } from './model.js';
import type { ListName, Lock } from './model.js';

/**
 * Reads the text of a lock file.
 *
 * @throws {DiagnosticError} `not-json`, or `bad-lock` with the pointer of each part that is wrong.
 */
export function parseLock(text: string, source: string): Lock {
  const lock = parseJson(text, source);
  const diagnostics = problemsOf(lock).map((problem): Diagnostic => ({
    code: 'bad-lock',
    severity: 'error',
    source,
    ...problem,
  }));
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  return lock as Lock;
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const { reason, help } = jsonProblem(text, error);
    const message = `The file is not JSON: ${reason}.`;
    throw new DiagnosticError([{ code: 'not-json', severity: 'error', message, source, help }]);
  }
}

type LockProblem = Pick<Diagnostic, 'message' | 'pointer' | 'help'>;

function problemsOf(lock: unknown): LockProblem[] {
  if (!isObject(lock) || typeof lock['lockVersion'] !== 'number') {
    const help = 'Write one with "mcp-codegen lock".';
    return [{ message: 'The file is not a lock: it has no "lockVersion".', help }];
  }
  const version = lock['lockVersion'];
  if (version !== LOCK_VERSION) {
    const message = `The lock has version ${String(version)}; this program reads version ${String(LOCK_VERSION)}.`;
    return [
      { message, pointer: '/lockVersion', help: 'Update mcp-codegen, or write the lock again.' },
    ];
  }
  return [
    ...wrong(typeof lock['revision'] === 'string', ['revision'], 'Must be a text.'),
    ...wrong(isObject(lock['capabilities']), ['capabilities'], 'Must be an object.'),
    ...wrong(
      isObject(lock['clientCapabilities'] ?? {}) &&
        Object.values(lock['clientCapabilities'] ?? {}).every(isObject),
      ['clientCapabilities'],
      'Must be an object of objects.',
    ),
    ...wrong(isObject(lock['server'] ?? {}), ['server'], 'Must be an object.'),
    ...wrong(typeof (lock['instructions'] ?? '') === 'string', ['instructions'], 'Must be a text.'),
    ...(Object.keys(LISTS) as ListName[]).flatMap((list) => problemsOfList(lock[list], list)),
  ];
}

function problemsOfList(value: unknown, list: ListName): LockProblem[] {
  if (!Array.isArray(value)) return wrong(false, [list], 'Must be a list.');
  const key = LISTS[list];
  const seen = new Set<unknown>();
  return value.flatMap((entry: unknown, index): LockProblem[] => {
    const name = isObject(entry) ? entry[key] : undefined;
    if (typeof name !== 'string')
      return wrong(false, [list, index], `Must be an object with "${key}".`);
    const isFirst = !seen.has(name);
    seen.add(name);
    return wrong(isFirst, [list, index, key], 'Another entry of the list has the same value.');
  });
}

function wrong(holds: boolean, path: readonly (string | number)[], message: string): LockProblem[] {
  return holds ? [] : [{ message, pointer: jsonPointer(path) }];
}
