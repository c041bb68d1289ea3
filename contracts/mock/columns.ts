/** Entries of one piece of a column. Columns grow by pieces, because a copy would need twice the memory for a moment. */
const PIECE = 1 << 15;

/** A list of numbers in eight bytes each. */
export class Numbers {
  readonly #pieces: Float64Array[] = [];
  length = 0;

  /** Returns the index of the number. */
  push(value: number): number {
    const index = this.length;
    if (index % PIECE === 0) this.#pieces.push(new Float64Array(PIECE));
    this.length += 1;
    this.set(index, value);
    return index;
  }

  at(index: number): number {
    return this.#pieces[Math.floor(index / PIECE)]?.[index % PIECE] ?? Number.NaN;
  }

  set(index: number, value: number): void {
    const piece = this.#pieces[Math.floor(index / PIECE)];
    if (piece !== undefined) piece[index % PIECE] = value;
  }
}

/** A list of numbers below 255 in one byte each; those that are not set are undefined. */
export class Bytes {
  readonly #pieces: Uint8Array[] = [];

  set(index: number, value: number): void {
    const number = Math.floor(index / PIECE);
    while (this.#pieces.length <= number) this.#pieces.push(new Uint8Array(PIECE));
    const piece = this.#pieces[number];
    if (piece !== undefined) piece[index % PIECE] = value + 1;
  }

  at(index: number): number | undefined {
    const value = this.#pieces[Math.floor(index / PIECE)]?.[index % PIECE] ?? 0;
    return value === 0 ? undefined : value - 1;
  }
}

/** A list of 32-bit keys that is searched as a whole, which takes a millisecond for a million of them. */
export class Keys {
  readonly #pieces: Int32Array[] = [];
  length = 0;

  push(key: number): number {
    const index = this.length;
    if (index % PIECE === 0) this.#pieces.push(new Int32Array(PIECE));
    const piece = this.#pieces.at(-1);
    if (piece !== undefined) piece[index % PIECE] = key;
    this.length += 1;
    return index;
  }

  /** The indices of a key, in order. */
  *of(key: number, from = 0): Generator<number, void> {
    for (let number = Math.floor(from / PIECE); number < this.#pieces.length; number += 1) {
      const piece = this.#pieces[number] ?? new Int32Array();
      const end = Math.min(PIECE, this.length - number * PIECE);
      let at = piece.indexOf(key, Math.max(0, from - number * PIECE));
      for (; at >= 0 && at < end; at = piece.indexOf(key, at + 1)) yield number * PIECE + at;
    }
  }
}

/** Places in a recording under 32-bit keys. Different values may have one key: read the place to find out. */
export class Places {
  readonly #keys = new Keys();
  readonly #places = new Numbers();

  add(key: number, place: number): void {
    this.#keys.push(key);
    this.#places.push(place);
  }

  *of(key: number): Generator<number, void> {
    for (const index of this.#keys.of(key)) yield this.#places.at(index);
  }
}
