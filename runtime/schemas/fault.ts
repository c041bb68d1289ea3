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
}

/** A name as a part of a JSON pointer. */
export function pointerPart(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
