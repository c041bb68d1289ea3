import { later, type Timer } from '../timers.js';

/** What waits for readers, of all queues of a server together. In bytes, as nearly as their lengths tell. */
export interface Backlog {
  /** `owner` is told when its queue has to make room for others. */
  open(owner: AccountOwner): Account;
}

export interface AccountOwner {
  makeRoom(): void;
}

export interface BacklogOptions {
  /** Milliseconds without a read after which a reader counts as stalled. */
  readonly stalledMs?: number;
  /** Milliseconds on the monotonic clock. */
  readonly now?: () => number;
}

/** Readers that are not stalled may have this many times the bound, for instance when all get an event at once. */
const HEADROOM = 4;

/**
 * When more than `most` waits, stalled queues are ended until no more than that does: first the one whose reader has
 * taken nothing for the longest time. Beyond four times `most`, others are ended as well. The queue that was added to
 * last is not, so that an event that is larger than all that still reaches a reader.
 */
export function createBacklog(most: number, options: BacklogOptions = {}): Backlog {
  const total = new Total(most, options);
  return { open: (owner) => new Account(total, owner) };
}

class Total {
  readonly now: () => number;
  /** Accounts with something waiting, by when their readers last took some, the longest ago first. */
  readonly #waiting = new Set<Account>();
  readonly #most: number;
  readonly #stalledMs: number;
  #sum = 0;
  #again: Timer | undefined;

  constructor(most: number, { stalledMs = 1_000, now = () => performance.now() }: BacklogOptions) {
    this.#most = most;
    this.#stalledMs = stalledMs;
    this.now = now;
  }

  /** `change` is less than none where something was taken, or replaced by less. */
  changed(account: Account, change: number): void {
    this.#sum += change;
    if (account.waiting > 0) this.#waiting.add(account);
    else this.#waiting.delete(account);
    if (change > 0) this.#makeRoom(account);
  }

  moveToEnd(account: Account): void {
    if (this.#waiting.delete(account)) this.#waiting.add(account);
  }

  #makeRoom(latest?: Account): void {
    if (this.#sum <= this.#most) return;
    const stalledSince = this.now() - this.#stalledMs;
    for (const account of this.#waiting) {
      if (this.#sum <= this.#most) return;
      if (account === latest) continue;
      if (account.since > stalledSince && this.#sum <= HEADROOM * this.#most) break;
      account.end();
    }
    if (this.#sum > this.#most) this.#lookAgain();
  }

  #lookAgain(): void {
    if (this.#again !== undefined) return;
    this.#again = later(this.#stalledMs, () => {
      this.#again = undefined;
      this.#makeRoom();
    });
  }
}

/** What waits for one reader. */
export class Account {
  waiting = 0;
  /** When its reader last took some, or the first began to wait. */
  since = 0;
  readonly #total: Total;
  /** Undefined once it is closed: sets may refer to closed accounts until they are collected. */
  #owner: AccountOwner | undefined;

  constructor(total: Total, owner: AccountOwner) {
    this.#total = total;
    this.#owner = owner;
  }

  /** Less than none, where something was replaced by less. */
  added(bytes: number): void {
    if (this.#owner === undefined) return;
    if (this.waiting === 0) this.since = this.#total.now();
    this.waiting += bytes;
    this.#total.changed(this, bytes);
  }

  taken(bytes: number): void {
    if (this.#owner === undefined || this.waiting === 0) return;
    const less = Math.min(bytes, this.waiting);
    this.since = this.#total.now();
    this.waiting -= less;
    this.#total.changed(this, -less);
    this.#total.moveToEnd(this);
  }

  /** Nothing of it waits any more. */
  close(): void {
    this.#owner = undefined;
    this.#forget();
  }

  /** Makes room for others. It may be added to later. */
  end(): void {
    this.#forget();
    this.#owner?.makeRoom();
  }

  #forget(): void {
    const { waiting } = this;
    this.waiting = 0;
    this.#total.changed(this, -waiting);
  }
}
