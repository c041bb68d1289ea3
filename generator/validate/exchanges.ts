import { BoundedMap } from './bounded.js';
import type { Bounds } from './bounded.js';
import type { Party } from './direction.js';
import { isRecord } from './read.js';

/** Who sent a request, as far as that is known. */
export type Sender = Party | 'unknown';

export interface OpenRequest {
  readonly method: string;
  /** The method whose result the answer holds: another one where a task's result is asked for. */
  readonly answered: string;
  readonly revision: string;
  readonly sender: Sender;
  /** What progress notifications name it by. */
  readonly token: string | undefined;
}

/** As many as peers have in flight, and few enough to go before they burden the collector. */
const BOUNDS: Bounds = { entries: 2_500, characters: 500_000 };
const SENDERS: readonly Sender[] = ['client', 'server', 'unknown'];

/**
 * Which requests wait for their answers, by sender and id, and what else tells messages' senders
 * and results: progress tokens and tasks. Ids 1 and "1" are two. Of very many the oldest are
 * forgotten.
 */
export class Exchanges {
  #open = new BoundedMap<OpenRequest>(BOUNDS);
  #tokens = new BoundedMap<Sender>(BOUNDS);
  #tasks = new BoundedMap<string>(BOUNDS);

  /** Whether requests were forgotten, so that one more may have been among them. */
  get isForgetful(): boolean {
    return this.#open.forgotten > 0;
  }

  get unanswered(): number {
    return this.#open.size + this.#open.forgotten;
  }

  /** Returns whether the sender already waits for an answer to that id. */
  add(request: Readonly<Record<string, unknown>>, sender: Sender, revision: string): boolean {
    const { method, id, params } = request;
    const key = keyOf(sender, id);
    if (typeof method !== 'string' || key === undefined) return false;
    const wasOpen = this.#open.get(key) !== undefined;
    const token = isRecord(params) && isRecord(params['_meta']) && params['_meta']['progressToken'];
    const tokenKey = idKey(token);
    const answered = this.#answered(method, params);
    const open = { method, answered, revision, sender, token: tokenKey };
    this.#open.set(key, open, [method, answered, tokenKey ?? '']);
    if (tokenKey !== undefined) this.#tokens.set(tokenKey, sender, []);
    return wasOpen;
  }

  /** The request that an answer with this id belongs to; from then on it is no longer open. */
  answer(id: unknown, requesters: readonly Sender[], result: unknown): OpenRequest | undefined {
    for (const requester of requesters) {
      const key = keyOf(requester, id);
      const request = key === undefined ? undefined : this.#open.get(key);
      if (key === undefined || request === undefined) continue;
      this.#open.delete(key);
      if (request.token !== undefined) this.#tokens.delete(request.token);
      const task = taskIn(result);
      if (task !== undefined) this.#tasks.set(task, request.answered, [request.answered]);
      return request;
    }
    return undefined;
  }

  /** All that wait for an answer with this id. */
  requestersOf(id: unknown): Sender[] {
    return SENDERS.filter((sender) => {
      const key = keyOf(sender, id);
      return key !== undefined && this.#open.get(key) !== undefined;
    });
  }

  /** Who sent the request with this progress token. */
  requesterByToken(token: unknown): Sender | undefined {
    const key = idKey(token);
    return key === undefined ? undefined : this.#tokens.get(key);
  }

  #answered(method: string, params: unknown): string {
    const task = isRecord(params) ? params['taskId'] : undefined;
    const asks = method === 'tasks/result' && typeof task === 'string';
    return (asks ? this.#tasks.get(task) : undefined) ?? method;
  }
}

function taskIn(result: unknown): string | undefined {
  const task = isRecord(result) ? result['task'] : undefined;
  const id = isRecord(task) ? task['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function keyOf(sender: Sender, id: unknown): string | undefined {
  const key = idKey(id);
  return key === undefined ? undefined : `${sender} ${key}`;
}

function idKey(id: unknown): string | undefined {
  if (typeof id === 'string') return `"${id}`;
  return typeof id === 'number' ? String(id) : undefined;
}
