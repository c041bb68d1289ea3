import { at, entriesAt, textAt } from '../access.js';
import { keyOf } from '../exchanges.js';
import type { OpenRequest, Sender } from '../exchanges.js';
import type { Breach } from '../finding.js';
import type { Questions } from './questions.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Subject } from './subject.js';

/** Questions of tasks of the extension: the server lists them in the task, tasks/update answers them. */
export class TaskQuestions implements Subject {
  constructor(readonly questions: Questions) {}

  request({ method, params, dialect }: Call, { taskId, sender }: OpenRequest): readonly Breach[] {
    if (method !== 'tasks/update' || dialect.tasks !== 'ext' || taskId === undefined)
      return NOTHING;
    return entriesAt(params, 'inputResponses').flatMap(([name, reply]) =>
      this.questions.reply(keyIn(sender, taskId, name), reply, ['params', 'inputResponses', name]),
    );
  }

  notification({ method, params, from, dialect }: Call): readonly Breach[] {
    if (method !== 'notifications/tasks' || from !== 'server' || dialect.tasks !== 'ext')
      return NOTHING;
    return this.#ask('client', params, 'params');
  }

  answer({ request, result, dialect }: AnsweredRequest): readonly Breach[] {
    if (request.method !== 'tasks/get' || dialect.tasks !== 'ext') return NOTHING;
    return this.#ask(request.sender, result, 'result');
  }

  #ask(owner: Sender, state: unknown, part: string): readonly Breach[] {
    const taskId = textAt(state, 'taskId');
    if (taskId === undefined) return NOTHING;
    return entriesAt(state, 'inputRequests').flatMap(([name, question]) => {
      const key = [part, 'inputRequests', name, 'params'];
      const method = textAt(question, 'method') ?? '';
      return this.questions.ask(keyIn(owner, taskId, name), method, at(question, 'params'), key);
    });
  }
}

function keyIn(owner: Sender, taskId: string, name: string): string {
  return `task ${keyOf(owner, taskId)} ${name}`;
}
