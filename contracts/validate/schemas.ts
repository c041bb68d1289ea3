import { mayBeMasked, mayBeMaskedForm } from './secrets/index.js';
import { BoundedMap } from './bounded.js';
import type { SchemaCheck } from './protocol.js';

/** Schemas that are kept ready for checks. */
const READY = { entries: 100, characters: 500_000 };
/** The longest schema that is read, in characters. */
const LONGEST = 100_000;

/** Compares values with JSON Schemas from the recording, which are kept as texts. */
export class ReadSchemas {
  #ready = new BoundedMap<ReturnType<SchemaCheck>>(READY);

  constructor(readonly read: SchemaCheck | undefined) {}

  /** The text of a schema; `undefined` for one that is not checked. */
  textOf(schema: unknown): string | undefined {
    if (this.read === undefined || typeof schema !== 'object' || schema === null) return undefined;
    try {
      const text = JSON.stringify(schema);
      return text.length > LONGEST ? undefined : text;
    } catch {
      // It is nested too deeply for the stack.
      return undefined;
    }
  }

  /**
   * Why the value does not match; `undefined` when it does, and when the schema is not checked. A masked part is no reason.
   * `inside`: `hidden` where all parts are masked in recordings without secrets.
   */
  faultOf(
    schema: string | undefined,
    value: unknown,
    inside: 'message' | 'hidden',
  ): string | undefined {
    if (schema === undefined || this.read === undefined) return undefined;
    let check = this.#ready.get(schema);
    if (check === undefined) {
      check = this.read(JSON.parse(schema) as Record<string, unknown>);
      this.#ready.set(schema, check, []);
    }
    const isShown = inside === 'hidden' && !mayBeMaskedForm(value);
    return check(value, (path) => !isShown && mayBeMasked(value, path, inside));
  }
}
