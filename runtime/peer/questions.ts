import type { Party } from '../../generated/support/protocol.js';
import { ERROR_CODES, META_KEYS, METHODS } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import type { Interruption, Operations } from '../telemetry/index.js';
import {
  answerFault,
  type Fault,
  isAnswer,
  isMeantAsAnswer,
  type MessageFault,
  otherSpelling,
} from '../transport/reading/envelope.js';
import { related } from './wire/core-task.js';
import { at, isObject, member, beginningOf } from './wire/json.js';
import type { InvalidMessage, Revision } from './wire/revision.js';
import { type Channel, type AskOptions, type RequestId, encoded } from './exchange.js';
import { ConnectionClosed, type ProtocolError, rpcError } from './errors.js';

export interface QuestionsParts {
  /** Who is on the other side. */
  readonly other: Party;
  /** Records spans and durations. */
  readonly operations: Operations;
  /** Fills in what a result may leave out, before it is checked. */
  readonly completed?: (result: JsonObject, method: string, revision: Revision) => JsonObject;
  /** The params that the revision has of those of a message, before they are checked. */
  readonly degraded?:
    ((method: string, revision: Revision, params: JsonObject) => JsonObject) | undefined;
  /** The error that rejects a question whose answer is invalid. */
  readonly invalidAnswer: (problem: InvalidMessage) => Error;
  /** Gets what was ignored or replaced because it is invalid. */
  readonly onProblem: (error: Error) => void;
}

/** A request of this side that waits for its answer. */
interface Question {
  readonly id: RequestId;
  readonly method: string;
  /** Its place among the messages of this side. */
  readonly place: number;
  readonly channel: Channel;
  readonly revision: Revision;
  /** Undefined where the result depends on more than the method: the caller checks it. */
  readonly checkedAs: string | undefined;
  readonly taskId: string | undefined;
  readonly end: (answer?: object | Interruption) => void;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** What one end of a conversation sends of its own: its notifications, and its requests until their answers. */
export class Questions {
  readonly #parts: QuestionsParts;
  /** Those that wait for an answer, by their ids. Only this class changes it. */
  readonly open = new Map<RequestId, Question>();
  /** What answered no question. */
  readonly strays = new Strays();
  #nextId = 0;
  /** Counts the messages of this side. */
  #sent = 0;
  /** The places of the last notification, and of the last question that was answered. */
  #lastNotified = -1;
  #lastAnswered = -1;
  #closed = false;

  constructor(parts: QuestionsParts) {
    this.#parts = parts;
  }

  /** Rejects for a notification that the revision forbids. */
  notify(channel: Channel, revision: Revision, method: string, params: JsonObject): Promise<void> {
    const message = { jsonrpc: '2.0', method, params: this.#degraded(method, revision, params) };
    try {
      const text = this.#checked(message, revision);
      this.#lastNotified = this.#sent++;
      const sent = channel.send(message, text);
      return sent instanceof Promise ? sent : SENT;
    } catch (error) {
      const forbidden = error as ProtocolError;
      return Promise.reject(forbidden);
    }
  }

  ask(
    channel: Channel,
    revision: Revision,
    method: string,
    params: JsonObject,
    { signal, checksItself, facts = () => ({ revision: revision.version }) }: AskOptions = {},
  ): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#closed) throw new ConnectionClosed();
      const id = this.#nextId++;
      const own = this.#degraded(method, revision, params);
      const request = { jsonrpc: '2.0', id, method, params: own };
      const { message, operation } = this.#parts.operations.sent(request, facts);
      const text = this.#checked(message, revision);
      const withdraw = (): void => this.#withdraw(id, method, signal?.reason);
      this.open.set(id, {
        id,
        method,
        place: this.#sent++,
        channel,
        revision,
        // What a task's result has to be depends on the task.
        checkedAs: checksItself === true || method === METHODS.tasksResult ? undefined : method,
        taskId: taskIdIn(params),
        end(answer) {
          signal?.removeEventListener('abort', withdraw);
          operation.end(answer);
        },
        resolve,
        reject,
      });
      signal?.addEventListener('abort', withdraw, { once: true });
      void channel.send(message, text);
    });
  }

  /** Rejects an open question, to which no answer can come any more. */
  fail(id: RequestId, reason: unknown, why: Interruption): void {
    const question = this.open.get(id);
    if (question === undefined) return;
    this.open.delete(id);
    question.end(why);
    question.reject(reason);
  }

  /** The other side ends a request of this side, which only the server may do, and to a subscription alone. */
  ended(id: RequestId): void {
    if (this.open.get(id)?.method !== METHODS.subscriptionsListen) return;
    this.fail(id, new Error('The server ended the subscription'), 'cancelled');
  }

  /**
   * Takes a message that answers an open question, whatever else is wrong with it. Returns whether there is one: it may
   * have ended, or the message is no answer.
   */
  answered(message: JsonObject): boolean {
    const question = isMeantAsAnswer(message) ? this.#meantBy(message) : undefined;
    if (question === undefined) return false;
    this.open.delete(question.id);
    this.#lastAnswered = Math.max(this.#lastAnswered, question.place);
    question.end(message);
    const answer = this.#completed(message, question);
    const problem = this.#problemOf(answer, question);
    if (problem !== undefined) question.reject(this.#parts.invalidAnswer(problem));
    else if ('error' in answer) question.reject(thrownFor(answer['error'] as JsonObject));
    else question.resolve(answer['result'] as JsonObject);
    return true;
  }

  /** Ends the question that is answered by what is no message, or keeps why it is none. */
  faulted({ message, answers, isNoise }: MessageFault): void {
    const question = this.#named(answers);
    if (question === undefined) return this.strays.add(message, isNoise);
    this.fail(
      question.id,
      this.#parts.invalidAnswer(
        wrong({ pointer: '', expected: `a message (${message})`, message }),
      ),
      'invalid_answer',
    );
  }

  /** Keeps an answer to no question, unless it only came late. */
  stray({ id, error }: JsonObject): void {
    const isLate = typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < this.#nextId;
    if (!isLate) this.strays.add(strayAnswer(id, error));
  }

  #meantBy(message: JsonObject): Question | undefined {
    const { id } = message;
    return this.#named(id) ?? (isNoId(id) && isAnswer(message) ? this.#only() : undefined);
  }

  #named(id: unknown): Question | undefined {
    const spelled = this.open.get(id as RequestId);
    return spelled ?? this.open.get(otherSpelling(id) as RequestId);
  }

  /**
   * The only open question. Undefined while an answer without an id may be about a notification, which some servers
   * answer with an error.
   */
  #only(): Question | undefined {
    const [question] = this.open.size === 1 ? this.open.values() : [];
    return this.#lastNotified > this.#lastAnswered ? undefined : question;
  }

  #problemOf(
    answer: JsonObject,
    { id, revision, checkedAs }: Question,
  ): InvalidMessage | undefined {
    const fault = answerFault(answer, id);
    if (fault === undefined) return revision.check(answer, this.#parts.other, () => checkedAs);
    if (!isNoId(answer['id'])) return wrong(fault);
    return wrong({ ...fault, message: strayAnswer(answer['id'], answer['error']) });
  }

  #completed(message: JsonObject, { method, revision }: Question): JsonObject {
    const { result } = message;
    const { completed } = this.#parts;
    if (completed === undefined || !isObject(result)) return message;
    const whole = completed(result, method, revision);
    return whole === result ? message : { ...message, result: whole };
  }

  /** Refuses later questions. */
  close(): void {
    this.#closed = true;
  }

  rejectAll(reason: ConnectionClosed): void {
    for (const id of [...this.open.keys()]) this.fail(id, reason, 'connection_closed');
  }

  #withdraw(requestId: RequestId, method: string, reason: unknown): void {
    const question = this.open.get(requestId);
    if (question === undefined) return;
    this.fail(requestId, reason, 'cancelled');
    // Clients must not cancel the handshake: they close the connection.
    if (method === METHODS.initialize) return;
    const { channel, revision, taskId } = question;
    const params = { requestId, reason: 'The question is no longer needed' };
    const own = taskId === undefined ? params : related(params, taskId);
    this.notify(channel, revision, METHODS.notificationsCancelled, own).catch(
      this.#parts.onProblem,
    );
  }

  #degraded(method: string, revision: Revision, params: JsonObject): JsonObject {
    return this.#parts.degraded?.(method, revision, params) ?? params;
  }

  /** The text of a message of this side. Throws for one that the revision forbids. */
  #checked(message: JsonObject & { readonly method: string }, revision: Revision): string {
    const { method } = message;
    const sender = this.#parts.other === 'client' ? 'server' : 'client';
    if (sender === 'server' && !revision.takes(method)) {
      throw rpcError(ERROR_CODES.InternalError, `Revision ${revision.version} has no ${method}`);
    }
    const { text, problem = revision.check(message, sender) } = encoded(message);
    if (text !== undefined && problem === undefined) return text;
    throw rpcError(ERROR_CODES.InternalError, `Invalid ${method}: ${problem?.message}`);
  }
}

const SENT = Promise.resolve();

/** Whether an id names no request. */
function isNoId(id: unknown): boolean {
  return typeof id !== 'string' && typeof id !== 'number';
}

/** An answer to no question in a sentence: an error says what the other side could not do. */
function strayAnswer(id: unknown, error: unknown): string {
  const named = isNoId(id)
    ? 'without an id'
    : `with the id ${JSON.stringify(id)}, which no request has`;
  const text = member(error, 'message');
  const said = typeof text === 'string' ? `: ${text}` : '';
  return `An ${error === undefined ? 'answer' : 'error'} came ${named}${said}`;
}

function wrong(fault: Fault): InvalidMessage {
  return { code: ERROR_CODES.InvalidRequest, message: fault.message, faults: [fault] };
}

function thrownFor({ code, message, data }: JsonObject): ProtocolError {
  return rpcError(code as number, String(message), data);
}

function taskIdIn(params: JsonObject): string | undefined {
  const taskId = at(params, ['_meta', META_KEYS.relatedTask, 'taskId']);
  return typeof taskId === 'string' ? taskId : undefined;
}

/** How many are kept. Many more say nothing else. */
const MOST = 3;

/** What came and answered no question, as sentences, until the error of a time-out names it. */
class Strays {
  #kept: string[] = [];
  #noise: string | undefined;

  /** `isNoise`: it may be a line of a log, and is kept beside what says more. */
  add(what: string, isNoise = false): void {
    if (isNoise) this.#noise = beginningOf(what);
    else this.#kept = [...this.#kept, beginningOf(what)].slice(-MOST);
  }

  /** Takes them as a text that follows a sentence without its full stop; empty if there are none. */
  take(): string {
    const kept = [...this.#kept, ...(this.#noise === undefined ? [] : [this.#noise])];
    this.#kept = [];
    this.#noise = undefined;
    return [...new Set(kept)].map((what) => `. ${what}`).join('');
  }
}
