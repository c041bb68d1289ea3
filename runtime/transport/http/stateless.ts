import type { Backlog } from '../queue/backlog.js';
import { OutgoingQueue } from '../queue/outgoing.js';
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

  openQueue(owner: string): OutgoingQueue {
    const { backlog, onTooSlow } = this.#terms;
    return new OutgoingQueue({ backlog, onTooSlow: () => onTooSlow(owner) });
  }

  openEvents(owner: string): Events {
    return new PlainEvents(this.openQueue(owner), this.#terms.keepAliveMs);
  }

  statusOf(code: unknown, refused: boolean): number {
    return refused ? statusOfRefusal(code) : statusOfError(code);
  }

  closed(): void {
    // Nothing is kept of them.
  }
}
