import { asksClient } from '../../../runtime/rules/questions.js';
import { createdTask, keyOf } from '../exchanges.js';
import type { OpenRequest } from '../exchanges.js';
import type { Breach } from '../finding.js';
import type { Questions } from './questions.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Subject } from './subject.js';

/** Questions that the server sends as requests, in sessions. They may become tasks of the client. */
export class DirectQuestions implements Subject {
  constructor(readonly questions: Questions) {}

  request({ method, params }: Call, request: OpenRequest): readonly Breach[] {
    return asksClient(method)
      ? this.questions.ask(keyIn(request), method, params, ['params'])
      : NOTHING;
  }

  answer({ request, result }: AnsweredRequest): readonly Breach[] {
    if (!asksClient(request.method) || result === undefined) return NOTHING;
    if (request.augmented && createdTask(result) !== undefined) return NOTHING;
    return this.questions.reply(keyIn(request), result, ['result']);
  }
}

function keyIn({ sender, id }: OpenRequest): string {
  return `request ${keyOf(sender, id)}`;
}
