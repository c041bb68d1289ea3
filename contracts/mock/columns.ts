/** Entries of one piece of a column. Columns grow by pieces, because a copy would need twice the memory for a moment. */
const PIECE = 1 << 15;

/** A list of numbers in eight bytes each. It is searched as a whole, which takes a millisecond for a million of them. */
export class Column {
  readonly #pieces: Float64Array[] = [];
  length = 0;

  /** Returns the index of the number. */
  push(value: number): number {
    if (this.length % PIECE === 0) this.#pieces.push(new Float64Array(PIECE));
    this.set(this.length, value);
    return this.length++;
  }

  at(index: number): number {
    return this.#pieces[Math.floor(index / PIECE)]?.[index % PIECE] ?? Number.NaN;
  }

  set(index: number, value: number): void {
    const piece = this.#pieces[Math.floor(index / PIECE)];
    if (piece !== undefined) piece[index % PIECE] = value;
  }

  /** The indices of a number, in order. */
  *of(value: number, from = 0): Generator<number, void> {
    for (let number = Math.floor(from / PIECE); number < this.#pieces.length; number += 1) {
      const piece = this.#pieces[number] ?? new Float64Array();
      const end = Math.min(PIECE, this.length - number * PIECE);
      let at = piece.indexOf(value, Math.max(0, from - number * PIECE));
      for (; at >= 0 && at < end; at = piece.indexOf(value, at + 1)) yield number * PIECE + at;
    }
  }
}

/** Places in a recording under 32-bit keys. Different values may have one key: read the place to find out. */
export class Places {
  readonly #keys = new Column();
  readonly #places = new Column();

  add(key: number, place: number): void {
    this.#keys.push(key);
    this.#places.push(place);
  }

  *of(key: number): Generator<number, void> {
    for (const index of this.#keys.of(key)) yield this.#places.at(index);
  }
}
