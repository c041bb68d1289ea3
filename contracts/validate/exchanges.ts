import type { Ask } from '../../runtime/rules/questions.js';
import { BoundedMap } from './bounded.js';
import type { Bounds } from './bounded.js';
import type { Party } from './direction.js';
import { isRecord } from './access.js';

/** The sender of a request, if it is known. */
export type Sender = Party | 'unknown';

/** A request, with the fields that its answer depends on. */
export interface OpenRequest {
  readonly id: string | number;
  readonly method: string;
  /**
   * The method whose result the answer contains. For `tasks/result` it is the method of the task's
   * request.
   */
  readonly answered: string;
  readonly revision: string;
  readonly sender: Sender;
  /** The number of earlier messages. */
  readonly at: number;
  /** The task that it names. */
  readonly taskId: string | undefined;
  /** The tool that it calls. */
  readonly tool: string | undefined;
  /** Its progress token. */
  readonly token: string | number | undefined;
  /** Whether it has `params.task`. */
  readonly augmented: boolean;
  /** The task in its `_meta`. */
  readonly relatedTask: string | undefined;
  /** The page that it asks for. */
  readonly cursor: string | undefined;
  /** The level of log messages that it sets. */
  readonly logLevel: string | undefined;
  /** A hash of what its repetitions have in common, where a server may ask for input first. */
  readonly print: number | undefined;
  /** The declarations in its `_meta`. */
  readonly declares: Declared;
}

export interface Declared {
  /** Whether it declares the tasks extension. */
  readonly tasks: boolean;
  /** Whether it declares unknown extensions, which may add results. */
  readonly others: boolean;
  /** What the client can be asked. */
  readonly asks: readonly Ask[];
}

/** An answered request. */
interface Closed {
  readonly method: string;
  readonly becameTask: boolean;
}

/** More than peers have in flight, and few enough not to burden the garbage collector. */
export const BOUNDS: Bounds = { entries: 1_500, characters: 500_000 };
const SENDERS: readonly Sender[] = ['client', 'server', 'unknown'];

/**
 * Open and answered requests by sender and id. The ids 1 and "1" are different. Beyond the limits, the
 * oldest are dropped.
 */
export class Exchanges {
  #open = new BoundedMap<OpenRequest>(BOUNDS);
  #closed = new BoundedMap<Closed>(BOUNDS);

  /** Whether requests were dropped. */
  get isForgetful(): boolean {
    return this.#open.forgotten + this.#closed.forgotten > 0;
  }

  get unanswered(): number {
    return this.#open.size + this.#open.forgotten;
  }

  /** Starts a session, whose ids are independent of earlier ones. */
  begin(): void {
    this.#closed = new BoundedMap<Closed>(BOUNDS);
  }

  /** Returns whether the sender has used the id before. */
  add(request: OpenRequest): 'open' | 'closed' | undefined {
    const key = keyOf(request.sender, request.id);
    const wasOpen = this.#open.get(key) !== undefined;
    const was = wasOpen ? 'open' : this.#closed.get(key) && 'closed';
    const { method, answered, taskId, tool, token, relatedTask, cursor } = request;
    const texts = [method, answered, taskId, tool, String(token), relatedTask, cursor];
    this.#open.set(
      key,
      request,
      texts.map((text) => text ?? ''),
    );
    this.#closed.delete(key);
    return was;
  }

  /** Finds the request of an answer with this id, and closes the request. */
  answer(id: unknown, requesters: readonly Sender[], becameTask: boolean): OpenRequest | undefined {
    if (!isId(id)) return undefined;
    for (const requester of requesters) {
      const key = keyOf(requester, id);
      const request = this.#open.get(key);
      if (request === undefined) continue;
      this.#open.delete(key);
      this.#closed.set(key, { method: request.method, becameTask }, []);
      return request;
    }
    return undefined;
  }

  /** Forgets an open request that gets no answer: its sender may send it again. */
  withdraw(id: unknown, sender: Sender): void {
    if (isId(id)) this.#open.delete(keyOf(sender, id));
  }

  /** The request with this id, open or not. */
  find(id: unknown, senders: readonly Sender[]): OpenRequest | Closed | undefined {
    if (!isId(id)) return undefined;
    for (const sender of senders) {
      const key = keyOf(sender, id);
      const found = this.#open.get(key) ?? this.#closed.get(key);
      if (found) return found;
    }
    return undefined;
  }

  /** Whether another request with that print waits for its answer, or was forgotten. */
  isRepeatedIn({ id, method, print }: OpenRequest): boolean {
    const isSame = (each: OpenRequest): boolean =>
      each.print === print && each.method === method && each.id !== id;
    return this.#open.forgotten > 0 || this.#open.some(isSame);
  }

  /** Whether a request of these senders was answered before. */
  wasAnswered(id: unknown, requesters: readonly Sender[]): boolean {
    return isId(id) && requesters.some((each) => this.#closed.get(keyOf(each, id)) !== undefined);
  }

  /** The senders of open requests with this id. */
  requestersOf(id: unknown): Sender[] {
    if (!isId(id)) return [];
    return SENDERS.filter((sender) => this.#open.get(keyOf(sender, id)) !== undefined);
  }
}

export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

/** The id of the task in a `CreateTaskResult` of either dialect. */
export function createdTask(result: unknown): string | undefined {
  if (!isRecord(result)) return undefined;
  const task = result['resultType'] === 'task' ? result : result['task'];
  const id = isRecord(task) ? task['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** A key for an id or a progress token of a sender. */
export function keyOf(sender: Sender, id: string | number): string {
  return `${sender} ${typeof id === 'string' ? `"${id}` : String(id)}`;
}

/** The party that sent something, when it is known. */
export function partyOf(sender: Sender | undefined): Party | undefined {
  return sender === 'unknown' ? undefined : sender;
}
