import { BoundedMap } from './bounded.js';
import type { Bounds } from './bounded.js';
import type { Party } from './direction.js';
import { isRecord } from './read.js';

/** Who sent a request, as far as that is known. */
export type Sender = Party | 'unknown';

/** What the answer to a request depends on. */
export interface OpenRequest {
  readonly id: string | number;
  readonly method: string;
  /** The method whose result the answer holds: another one where a task's result is asked for. */
  readonly answered: string;
  readonly revision: string;
  readonly sender: Sender;
  /** How many messages came before it. */
  readonly at: number;
  /** The task that it is about. */
  readonly taskId: string | undefined;
  /** The tool that it calls. */
  readonly tool: string | undefined;
  /** What progress notifications name it by. */
  readonly token: string | number | undefined;
  /** Whether `params.task` asks for a task. */
  readonly augmented: boolean;
  /** The task in its `_meta`. */
  readonly relatedTask: string | undefined;
  /** What its own `_meta` declares. */
  readonly declares: Declared;
}

export interface Declared {
  /** Whether the extension for tasks is among them. */
  readonly tasks: boolean;
  /** Whether extensions are among them that add results of which nothing is known here. */
  readonly others: boolean;
  /** The kinds of input that the client takes requests for. */
  readonly inputs: readonly string[];
}

/** A request that has its answer. */
interface Closed {
  readonly method: string;
  readonly becameTask: boolean;
}

/** As many as peers have in flight, and few enough to go before they burden the collector. */
export const BOUNDS: Bounds = { entries: 1_500, characters: 500_000 };
const SENDERS: readonly Sender[] = ['client', 'server', 'unknown'];

/**
 * Which requests wait for their answers, and which have them, by sender and id. Ids 1 and "1" are
 * two. Of very many the oldest are forgotten.
 */
export class Exchanges {
  #open = new BoundedMap<OpenRequest>(BOUNDS);
  #closed = new BoundedMap<Closed>(BOUNDS);

  /** Whether requests were forgotten, so that one more may have been among them. */
  get isForgetful(): boolean {
    return this.#open.forgotten + this.#closed.forgotten > 0;
  }

  get unanswered(): number {
    return this.#open.size + this.#open.forgotten;
  }

  /** To be called where a session begins: its ids have nothing to do with those before. */
  begin(): void {
    this.#closed = new BoundedMap<Closed>(BOUNDS);
  }

  /** Returns what the sender used the id for so far. */
  add(request: OpenRequest): 'open' | 'closed' | undefined {
    const key = keyOf(request.sender, request.id);
    const wasOpen = this.#open.get(key) !== undefined;
    const was = wasOpen ? 'open' : this.#closed.get(key) && 'closed';
    const { method, answered, taskId, tool, token, relatedTask } = request;
    const texts = [method, answered, taskId, tool, String(token), relatedTask];
    this.#open.set(
      key,
      request,
      texts.map((text) => text ?? ''),
    );
    this.#closed.delete(key);
    return was;
  }

  /** The request that an answer with this id belongs to; from then on it is no longer open. */
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

  /** Whether a request of these has its answer already. */
  wasAnswered(id: unknown, requesters: readonly Sender[]): boolean {
    return isId(id) && requesters.some((each) => this.#closed.get(keyOf(each, id)) !== undefined);
  }

  /** All that wait for an answer with this id. */
  requestersOf(id: unknown): Sender[] {
    if (!isId(id)) return [];
    return SENDERS.filter((sender) => this.#open.get(keyOf(sender, id)) !== undefined);
  }
}

export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}

/** The id of the task in an answer that makes a task of its request, in either dialect. */
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
