import { GrowingBytes } from '../../peer/wire/growing-bytes.js';

/**
 * Bounds the bytes of all request bodies together that have come in part. When they are too many, the body that began
 * the longest time ago is refused: a client that holds on to memory sends slowly, and must not keep others out.
 */
export interface Receiving {
  /** Begins a body. `refuse` is called when it has to make room for others; it is closed then. */
  open(refuse: () => void): PartialBody;
}

export function createReceiving(most: number): Receiving {
  const all = new Total(most);
  return { open: (refuse) => new PartialBody(all, refuse) };
}

class Total {
  /** The one that began first is first. */
  readonly #open = new Set<PartialBody>();
  readonly #most: number;
  #sum = 0;

  constructor(most: number) {
    this.#most = most;
  }

  has(body: PartialBody): boolean {
    return this.#open.has(body);
  }

  begin(body: PartialBody): void {
    this.#open.add(body);
  }

  grew(bytes: number): void {
    this.#sum += bytes;
    for (const body of this.#open) {
      if (this.#sum <= this.#most) return;
      body.refuse();
    }
  }

  /** Returns whether it was open. */
  end(body: PartialBody, bytes: number): boolean {
    if (!this.#open.delete(body)) return false;
    this.#sum -= bytes;
    return true;
  }
}

/** One body of which a part has come. */
export class PartialBody {
  readonly #total: Total;
  readonly #bytes = new GrowingBytes();
  #refuse: (() => void) | undefined;

  constructor(total: Total, refuse: () => void) {
    this.#total = total;
    this.#refuse = refuse;
    total.begin(this);
  }

  /** Does nothing when the body is closed. */
  add(part: Uint8Array): void {
    if (!this.#total.has(this)) return;
    this.#bytes.add(part);
    this.#total.grew(part.byteLength);
  }

  /** All parts. Closes the body. */
  whole(): Uint8Array {
    const bytes = this.#bytes.whole();
    this.close();
    return bytes;
  }

  /** Drops what has come. */
  close(): void {
    this.#total.end(this, this.#bytes.length);
    this.#bytes.clear();
    this.#refuse = undefined;
  }

  /** Makes room for others. */
  refuse(): void {
    const refuse = this.#refuse;
    this.close();
    refuse?.();
  }
}

/** Bodies up to this many bytes are bounded by the number of calls alone. */
const SMALL = 2 ** 14;

/** The body of a request that is not answered yet. */
export interface Hold {
  /** The request is over. Does nothing the second time. */
  release(): void;
}

/**
 * Bounds the bytes of the bodies of all requests together that are not answered yet: a call that waits for its turn keeps
 * its arguments. A subject gets half of them.
 */
export class PendingBodies {
  readonly #most: number;
  readonly #bySubject = new Map<string, number>();
  #sum = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined for a small body, and why there is no room for one. */
  take(subject: string, bytes: number): Hold | 'all' | 'subject' | undefined {
    if (bytes <= SMALL) return undefined;
    const own = this.#bySubject.get(subject) ?? 0;
    // A body that is larger than a share has it alone.
    if (own > 0 && own + bytes > this.#most / 2) return 'subject';
    if (this.#sum > 0 && this.#sum + bytes > this.#most) return 'all';
    this.#add(subject, bytes);
    let held = bytes;
    return {
      release: () => {
        this.#add(subject, -held);
        held = 0;
      },
    };
  }

  #add(subject: string, bytes: number): void {
    this.#sum += bytes;
    const own = (this.#bySubject.get(subject) ?? 0) + bytes;
    if (own > 0) this.#bySubject.set(subject, own);
    else this.#bySubject.delete(subject);
  }
}
