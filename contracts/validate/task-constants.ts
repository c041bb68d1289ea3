import { quote } from '../../json-schema/text.js';
import { isRecord, textAt } from './access.js';
import type { Path } from './access.js';
import { cut } from './finding.js';
import type { Breach } from './finding.js';
import { fingerprint } from './fingerprint.js';
import type { KnownTask } from './tasks.js';

/** What stays the same in all messages about a task. */

/** Compares `createdAt` with that of the messages before. */
export function checkCreation(task: KnownTask, state: unknown, key: Path): Breach[] {
  const created = textAt(state, 'createdAt');
  const time = Date.parse(created ?? '');
  if (Number.isNaN(time)) return [];
  task.createdAt ??= time;
  if (task.createdAt === time) return [];
  const message = `The task ${quote(cut(task.taskId))} was created at another time before.`;
  return [{ code: 'changed-creation', message, key: [...key, 'createdAt'] }];
}

/** Compares the result with those before. Its `_meta` may differ. */
export function checkResult(task: KnownTask, result: unknown, key: Path): Breach[] {
  if (!isRecord(result)) return [];
  const { _meta, ...rest } = result;
  void _meta;
  const print = fingerprint(rest);
  task.result ??= print;
  if (task.result === print) return [];
  const message = `The task ${quote(cut(task.taskId))} had another result before.`;
  return [{ code: 'changed-result', message, key }];
}
