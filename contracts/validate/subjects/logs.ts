import { quote } from '../../../json-schema/text.js';
import { META_KEYS } from '../../../runtime/protocol.js';
import { LOG_LEVELS } from '../../../runtime/rules/messages.js';
import { at, textAt } from '../access.js';
import type { OpenRequest } from '../exchanges.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Subject } from './subject.js';

const LEVELS: readonly string[] = LOG_LEVELS;

/** The levels of log messages, against those that the client set. */
export class Logs implements Subject {
  /** The level of the session, once logging/setLevel was answered. */
  #level = 0;
  /** Without sessions: the number of open requests by their level. */
  #open = LEVELS.map(() => 0);

  request({ method, dialect }: Call, { logLevel }: OpenRequest): readonly Breach[] {
    if (method === 'initialize') this.#level = 0;
    if (dialect.stateless) this.#count(logLevel, 1);
    return NOTHING;
  }

  answer({ request, result, dialect }: AnsweredRequest): readonly Breach[] {
    const { method, logLevel } = request;
    if (dialect.stateless) this.#count(logLevel, -1);
    else if (method === 'logging/setLevel' && result !== undefined) this.#level = levelOf(logLevel);
    return NOTHING;
  }

  notification({ method, from, params, dialect }: Call): readonly Breach[] {
    if (method !== 'notifications/message' || from !== 'server') return NOTHING;
    const name = textAt(params, 'level');
    const level = LEVELS.indexOf(name ?? '');
    if (level < 0) return NOTHING;
    const key = ['params', 'level'];
    if (!dialect.stateless) {
      if (level >= this.#level) return NOTHING;
      const message = `The client set the level ${quote(LEVELS[this.#level] ?? '')}: send no message of the level ${quote(name ?? '')}.`;
      return [{ code: 'unrequested-log', message, key }];
    }
    // One on a listen stream is a finding of subscriptions.
    if (at(params, '_meta', META_KEYS.subscriptionId) !== undefined) return NOTHING;
    if (this.#open.some((count, index) => count > 0 && index <= level)) return NOTHING;
    const message = `No open request asks for log messages of the level ${quote(name ?? '')} under ${META_KEYS.logLevel} in its _meta.`;
    return [{ code: 'unrequested-log', message, key }];
  }

  #count(logLevel: string | undefined, change: number): void {
    const level = LEVELS.indexOf(logLevel ?? '');
    if (level >= 0) this.#open[level] = (this.#open[level] ?? 0) + change;
  }
}

function levelOf(name: string | undefined): number {
  return Math.max(0, LEVELS.indexOf(name ?? ''));
}
