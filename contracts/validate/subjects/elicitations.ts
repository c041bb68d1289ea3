import { quote } from '../../../json-schema/text.js';
import { at, textAt } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS } from '../exchanges.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Conversation, Subject } from './subject.js';

/** The ids of elicitations by URL, which a notification names when the user is done. */
export class Elicitations implements Subject {
  #known = new BoundedMap<true>(BOUNDS);

  constructor(readonly conversation: Conversation) {}

  request({ method, params }: Call): readonly Breach[] {
    if (method === 'elicitation/create') this.#learn(params);
    return NOTHING;
  }

  /** The error -32042 lists elicitations too. */
  answer({ message, result }: AnsweredRequest): readonly Breach[] {
    if (result !== undefined) return NOTHING;
    const listed = at(message, 'error', 'data', 'elicitations');
    if (Array.isArray(listed)) listed.forEach((each) => this.#learn(each));
    return NOTHING;
  }

  notification({ method, params, from }: Call): readonly Breach[] {
    if (method !== 'notifications/elicitation/complete' || from !== 'server') return NOTHING;
    const id = textAt(params, 'elicitationId');
    if (id === undefined || this.#known.get(id) || this.#known.forgotten > 0) return NOTHING;
    if (!this.conversation.isWhole) return NOTHING;
    const message = `The server sent no elicitation with the id ${quote(cut(id))}.`;
    return [{ code: 'unknown-elicitation', message, key: ['params', 'elicitationId'] }];
  }

  #learn(elicitation: unknown): void {
    const id = textAt(elicitation, 'elicitationId');
    if (id !== undefined) this.#known.set(id, true, []);
  }
}
