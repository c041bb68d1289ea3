import { isObject } from '../json.js';
import { countText } from './steps.js';
import type { Steps } from './steps.js';

/** Finds equal items of lists. Each part of a value is read once, however many lists contain it. */
export interface Distinct {
  /** The indexes of the first two equal items. */
  duplicates(list: readonly unknown[]): readonly [first: number, second: number] | undefined;
  /** Forgets the value. */
  reset(): void;
}

export function createDistinct(steps: Steps): Distinct {
  let numbers = new Map<string, number>();
  let known: Map<object, string> | undefined;

  /** The same text for equal values, which does not grow with their depth. */
  function textOf(value: unknown): string {
    steps.count();
    if (typeof value === 'string') {
      countText(steps, value);
      return JSON.stringify(value);
    }
    if (typeof value !== 'object' || value === null) return String(value);
    known ??= new Map();
    const before = known.get(value);
    if (before !== undefined) return before;
    const content = Array.isArray(value)
      ? `[${value.map(textOf).join()}]`
      : `{${membersOf(value).join()}}`;
    const number = numbers.get(content) ?? numbers.size;
    numbers.set(content, number);
    const text = `#${String(number)}`;
    known.set(value, text);
    return text;
  }

  function membersOf(value: object): string[] {
    const entries = isObject(value) ? Object.entries(value) : [];
    return entries.map(([name, each]) => `${JSON.stringify(name)}:${textOf(each)}`).sort();
  }

  return {
    duplicates(list) {
      const seen = new Map<string, number>();
      for (let at = 0; at < list.length; at += 1) {
        const text = textOf(list[at]);
        const first = seen.get(text);
        if (first !== undefined) return [first, at];
        seen.set(text, at);
      }
      return undefined;
    },
    reset() {
      if (known === undefined) return;
      numbers = new Map();
      known = undefined;
    },
  };
}
