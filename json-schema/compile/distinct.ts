import { isObject } from '../json.js';
import { countText } from './steps.js';
import type { Run } from './steps.js';

/** Finds equal items of lists. Each part of a value is read once, however many lists contain it. */
export class Distinct {
  readonly #run: Run;
  #numbers = new Map<string, bigint>();
  #known: Map<object, bigint> | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** The indexes of the first two equal items. */
  duplicates(list: readonly unknown[]): readonly [first: number, second: number] | undefined {
    const seen = new Map<unknown, number>();
    for (let at = 0; at < list.length; at += 1) {
      const key = this.#keyOf(list[at]);
      const first = seen.get(key);
      if (first !== undefined) return [first, at];
      seen.set(key, at);
    }
    return undefined;
  }

  /** Forgets the value. */
  reset(): void {
    if (this.#known === undefined) return;
    this.#numbers = new Map();
    this.#known = undefined;
  }

  /** The same for equal values: the value itself, or a number for those that have parts, which is no value of JSON. */
  #keyOf(value: unknown): unknown {
    this.#run.count();
    if (typeof value === 'string') countText(this.#run, value);
    if (typeof value !== 'object' || value === null) return value;
    this.#known ??= new Map();
    const before = this.#known.get(value);
    if (before !== undefined) return before;
    const content = Array.isArray(value)
      ? `[${value.map((each) => this.#textOf(each)).join()}]`
      : `{${this.#membersOf(value).join()}}`;
    const number = this.#numbers.get(content) ?? BigInt(this.#numbers.size);
    this.#numbers.set(content, number);
    this.#known.set(value, number);
    return number;
  }

  /** Does not grow with the depth of the value. */
  #textOf(value: unknown): string {
    const key = this.#keyOf(value);
    if (typeof key === 'bigint') return `#${String(key)}`;
    return typeof key === 'string' ? JSON.stringify(key) : String(key);
  }

  #membersOf(value: object): string[] {
    const entries = isObject(value) ? Object.entries(value) : [];
    return entries.map(([name, each]) => `${JSON.stringify(name)}:${this.#textOf(each)}`).sort();
  }
}
