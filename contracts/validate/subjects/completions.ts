import { at } from '../access.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Subject } from './subject.js';

const MOST_VALUES = 100;

/** Answers to completion/complete in sessions, whose schemas do not limit the values. */
export class Completions implements Subject {
  answer({ request, result, dialect }: AnsweredRequest): readonly Breach[] {
    if (request.method !== 'completion/complete' || dialect.stateless) return NOTHING;
    const values = at(result, 'completion', 'values');
    if (!Array.isArray(values) || values.length <= MOST_VALUES) return NOTHING;
    const message = `The answer has ${String(values.length)} values: send at most ${String(MOST_VALUES)}, and set hasMore.`;
    return [{ code: 'too-many-completions', message, key: ['result', 'completion', 'values'] }];
  }
}
