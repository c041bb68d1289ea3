/** Up to this many bytes, values are bounded by their number alone. */
const SMALL = 2 ** 14;

/** Bytes that are kept. */
export interface Hold {
  /** They are not kept any more. Does nothing the second time. */
  release(): void;
}

/** Bounds the bytes that all subjects together make this process keep. One subject gets half of them. */
export class ByteBudget {
  readonly #most: number;
  readonly #bySubject = new Map<string, number>();
  #sum = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Keeps bytes if there is room; otherwise says whose room is used up. Undefined for few bytes. */
  take(subject: string, bytes: number): Hold | 'all' | 'subject' | undefined {
    if (bytes <= SMALL) return undefined;
    const own = this.#bySubject.get(subject) ?? 0;
    // What is larger than a share has it alone.
    if (own > 0 && own + bytes > this.#most / 2) return 'subject';
    if (this.#sum > 0 && this.#sum + bytes > this.#most) return 'all';
    return this.keep(subject, bytes);
  }

  /** Keeps bytes whether there is room or not. */
  keep(subject: string, bytes: number): Hold | undefined {
    if (bytes <= SMALL) return undefined;
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
