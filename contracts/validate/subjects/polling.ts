import { DIALECTS } from '../../../runtime/rules/tasks.js';
import { quote } from '../../../json-schema/text.js';
import { at, textAt } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS, keyOf } from '../exchanges.js';
import type { OpenRequest, Sender } from '../exchanges.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { other } from '../direction.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Subject } from './subject.js';

/** The last answer to tasks/get of a task, in milliseconds. */
interface Polled {
  readonly time: number;
  readonly interval: number;
}

/** Timers and clocks are not exact, so a part of the interval is enough. */
const ENOUGH = 0.8;

/** Whether requestors wait for the poll interval, by the times of the recording. */
export class Polling implements Subject {
  #polled = new BoundedMap<Polled>(BOUNDS);

  request({ method, record }: Call, { taskId, sender }: OpenRequest): readonly Breach[] {
    if (taskId === undefined) return NOTHING;
    const key = keyOf(sender, taskId);
    const polled = this.#polled.get(key);
    this.#polled.delete(key);
    const time = timeOf(record?.time);
    if (method !== 'tasks/get' || polled === undefined || time === undefined) return NOTHING;
    const waited = time - polled.time;
    if (waited < 0 || waited >= ENOUGH * polled.interval) return NOTHING;
    const message = `The task ${quote(cut(taskId))} is polled again after ${String(Math.round(waited))} ms: its poll interval is ${String(polled.interval)} ms.`;
    return [{ code: 'early-poll', message, key: ['params', 'taskId'] }];
  }

  /** News of a task are a reason to ask at once. */
  notification({ params, from }: Call): readonly Breach[] {
    const taskId = textAt(params, 'taskId');
    if (taskId !== undefined && from) this.#polled.delete(keyOf(other(from), taskId));
    return NOTHING;
  }

  answer({ request, result, dialect, record }: AnsweredRequest): readonly Breach[] {
    const { method, taskId, sender } = request;
    if (method !== 'tasks/get' || taskId === undefined) return NOTHING;
    const interval = at(result, DIALECTS[dialect.tasks ?? 'core'].fields.pollInterval);
    const time = timeOf(record?.time);
    if (at(result, 'status') !== 'working' || typeof interval !== 'number') return NOTHING;
    if (time !== undefined) this.#note(sender, taskId, { time, interval });
    return NOTHING;
  }

  #note(sender: Sender, taskId: string, polled: Polled): void {
    this.#polled.set(keyOf(sender, taskId), polled, []);
  }
}

/** Only times with a date and milliseconds count, because others are too coarse. */
function timeOf(time: unknown): number | undefined {
  if (typeof time !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}/.test(time)) return undefined;
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? undefined : ms;
}
