import type { LazyAbort } from '../../peer/index.js';
import type { Backlog } from '../queue/backlog.js';
import { type Events, PlainEvents } from './events.js';
import type { PostPlace } from './post-channel.js';
import { JSON_HEADERS, type ReplyHeaders } from './reply.js';
import { statusOfError, statusOfRefusal } from './statuses.js';

export interface StatelessTerms {
  readonly backlog: Backlog;
  readonly keepAliveMs: number;
  readonly streamAfterMs: number;
  readonly onTooSlow: (owner: string) => void;
}

/** Where requests without sessions go. */
export class Stateless implements PostPlace {
  readonly jsonHeaders: ReplyHeaders = JSON_HEADERS;
  readonly streamAfterMs: number;
  readonly #terms: StatelessTerms;

  constructor(terms: StatelessTerms) {
    this.#terms = terms;
    this.streamAfterMs = terms.streamAfterMs;
  }

  openEvents(owner: string, _gone: LazyAbort): Events {
    const { backlog, keepAliveMs, onTooSlow } = this.#terms;
    return new PlainEvents({ backlog, onTooSlow: () => onTooSlow(owner) }, keepAliveMs);
  }

  statusOf(code: unknown, refused: boolean): number {
    return refused ? statusOfRefusal(code) : statusOfError(code);
  }

  closed(): void {
    // Nothing is kept of them.
  }
}
