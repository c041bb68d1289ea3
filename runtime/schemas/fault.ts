/** A schema that clients cannot read: where in it, why, and what the author can write instead. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
  /** A JSON pointer into the JSON Schema; empty for the whole. */
  readonly place: string;
  readonly mend: string;

  constructor(place: string, why: string, mend: string, cause?: unknown) {
    super(why.replace(/\.?$/, ''), { cause });
    this.place = place;
    this.mend = mend;
  }

  /** The error for the author: what has the fault, and the place in it, why, and the mend. */
  of(subject: string): TypeError {
    const at = this.place === '' ? '' : ` at ${this.place}`;
    return new TypeError(`${subject}${at}: ${this.message}. Mend: ${this.mend}`, { cause: this });
  }
}
