import { GrowingBytes } from '../reading/growing-bytes.js';

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
