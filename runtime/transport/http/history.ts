/** What is kept of the events of one session, and of all sessions together. */
const MOST_EVENTS = 256;
const MOST_OF_SESSION = 2 ** 20;
const MOST_OF_ALL = 2 ** 26;

/** Whose event it is. */
export interface EventOwner {
  /** The event, and all before it, cannot be sent again. */
  dropped(place: number): void;
}

interface KeptEvent {
  readonly history: History;
  readonly owner: EventOwner;
  readonly place: number;
  readonly frame: string;
  previous: KeptEvent | undefined;
  next: KeptEvent | undefined;
}

/** The events of all sessions, the oldest first. */
export class Histories {
  readonly #most: number;
  #total = 0;
  #oldest: KeptEvent | undefined;
  #newest: KeptEvent | undefined;

  constructor(most = MOST_OF_ALL) {
    this.#most = most;
  }

  add(event: KeptEvent): void {
    event.previous = this.#newest;
    if (this.#newest === undefined) this.#oldest = event;
    else this.#newest.next = event;
    this.#newest = event;
    this.#total += event.frame.length;
    // The oldest of all is the oldest of its session.
    while (this.#total > this.#most) this.#oldest?.history.dropOldest();
  }

  remove(event: KeptEvent): void {
    const { previous, next } = event;
    if (previous === undefined) this.#oldest = next;
    else previous.next = next;
    if (next === undefined) this.#newest = previous;
    else next.previous = previous;
    event.previous = event.next = undefined;
    this.#total -= event.frame.length;
  }
}

/** The last events of a session, which its client may ask for again. */
export class History {
  readonly #all: Histories;
  readonly #events: KeptEvent[] = [];
  #size = 0;

  constructor(all: Histories) {
    this.#all = all;
  }

  keep(owner: EventOwner, place: number, frame: string): void {
    const event = { history: this, owner, place, frame, previous: undefined, next: undefined };
    this.#events.push(event);
    this.#size += frame.length;
    this.#all.add(event);
    while (this.#size > MOST_OF_SESSION || this.#events.length > MOST_EVENTS) this.dropOldest();
  }

  /** The frames of an owner that come after a place. */
  after(owner: EventOwner, place: number): string[] {
    const later = this.#events.filter((each) => each.owner === owner && each.place > place);
    return later.map(({ frame }) => frame);
  }

  dropOldest(): void {
    const event = this.#events.shift();
    if (event === undefined) return;
    this.#size -= event.frame.length;
    this.#all.remove(event);
    event.owner.dropped(event.place);
  }

  clear(): void {
    while (this.#events.length > 0) this.dropOldest();
  }
}
