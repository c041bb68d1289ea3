/**
 * A collection for things that come and go with requests and tasks. When many members of a `Set` of V8 were deleted, it
 * moves to a new table. An old collection leaves its old table in memory that only a full garbage collection frees, and
 * until then that table keeps what were its members alive, with all that they refer to. This collection keeps its
 * members in holders, which are emptied at the deletion.
 */

interface Holder<T> {
  member: T | undefined;
}

export class TransientSet<T extends object> {
  readonly #holders = new Set<Holder<T>>();

  get size(): number {
    return this.#holders.size;
  }

  /** Adds a member, also one that is there already. Returns a function that takes it out again. */
  add(member: T): () => void {
    const holder: Holder<T> = { member };
    this.#holders.add(holder);
    return () => {
      holder.member = undefined;
      this.#holders.delete(holder);
    };
  }

  /** The members at this moment. */
  values(): T[] {
    const members: T[] = [];
    for (const { member } of this.#holders) if (member !== undefined) members.push(member);
    return members;
  }
}
