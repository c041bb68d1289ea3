import { quote } from '../../json-schema/text.js';
import { at } from './access.js';
import { BoundedMap } from './bounded.js';
import { other } from './direction.js';
import type { Party } from './direction.js';
import { BOUNDS, isId, keyOf } from './exchanges.js';
import type { OpenRequest, Sender } from './exchanges.js';
import type { Breach } from './finding.js';
import type { KnownTask } from './tasks.js';

/** The state of a progress token. */
interface Token {
  readonly sender: Sender;
  last: number | undefined;
  /** Whether its request was answered without a task. */
  isEnded: boolean;
  /** The task of its request. */
  task: KnownTask | undefined;
}

const SENDERS: readonly Sender[] = ['client', 'server', 'unknown'];

/** Follows progress tokens, by the sender of their requests. */
export class Progress {
  #tokens = new BoundedMap<Token>(BOUNDS);

  /** Notes the token of a request. */
  give({ token, sender }: OpenRequest): Breach[] {
    if (token === undefined) return [];
    const key = keyOf(sender, token);
    const known = this.#tokens.get(key);
    this.#tokens.set(key, { sender, last: undefined, isEnded: false, task: undefined }, []);
    if (!known || hasEnded(known)) return [];
    const message = `The progress token ${say(token)} belongs to an open request or a live task.`;
    return [{ code: 'reused-token', message, key: ['params', '_meta', 'progressToken'] }];
  }

  /** Notes the answer to the request. */
  end({ token, sender }: OpenRequest, task: KnownTask | undefined): void {
    const known = token === undefined ? undefined : this.#tokens.get(keyOf(sender, token));
    if (!known) return;
    known.task = task;
    known.isEnded = task === undefined;
  }

  /** The sender of the request with this token, if it is unique. */
  giverOf(token: unknown): Sender | undefined {
    if (!isId(token)) return undefined;
    const givers = SENDERS.filter((sender) => this.#tokens.get(keyOf(sender, token)));
    return givers.length === 1 ? givers[0] : undefined;
  }

  /** A progress notification. `isWhole`: the recording holds the session from its beginning. */
  check(params: unknown, from: Party, isWhole: boolean): Breach[] {
    const token = at(params, 'progressToken');
    const progress = at(params, 'progress');
    if (!isId(token)) return [];
    const known = [other(from), 'unknown' as const]
      .map((sender) => this.#tokens.get(keyOf(sender, token)))
      .find((each) => each !== undefined);
    const key = ['params', 'progressToken'];
    if (!known) {
      const isSure = isWhole && this.#tokens.forgotten === 0;
      const message = `No request of the ${other(from)} gave the progress token ${say(token)}.`;
      return [{ code: 'unknown-token', message, key, severity: isSure ? 'error' : 'warning' }];
    }
    const breaches: Breach[] = [];
    if (hasEnded(known)) {
      const end = known.isEnded ? 'was answered before' : 'became a task that ended before';
      const message = `The request with the progress token ${say(token)} ${end}.`;
      breaches.push({ code: 'late-progress', message, key });
    }
    if (typeof progress !== 'number') return breaches;
    if (known.last !== undefined && progress <= known.last) {
      const message = `Progress does not increase: it is ${String(progress)} after ${String(known.last)}.`;
      breaches.push({ code: 'stuck-progress', message, key: ['params', 'progress'] });
    }
    known.last = Math.max(progress, known.last ?? progress);
    return breaches;
  }
}

function hasEnded({ isEnded, task }: Token): boolean {
  return isEnded || task?.endedAt !== undefined;
}

function say(token: string | number): string {
  return typeof token === 'string' ? quote(token) : String(token);
}
