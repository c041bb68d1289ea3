import type { Node } from '../model.js';
import type { Matcher } from '../pattern/matcher.js';

/** Whether a value matches. It allocates nothing while a value does. */
export type Check = (value: unknown) => boolean;

/** Thrown when a check ends because it takes too long. */
export class TooManySteps extends RangeError {
  override readonly name = 'TooManySteps';

  constructor(most: number) {
    super(`it takes more than ${most.toLocaleString('en')} steps to check`);
  }
}

/**
 * What the closures of one judge share while they check a value. It counts how often a check looks at a part of the value: once
 * for each item, member and alternative. A large schema looks at each part many times, and one that refers to itself does so
 * more often than there are schemas.
 */
export class Run {
  readonly #most: number;
  #left = 0;
  /** Whether the place of the first refusal is wanted: the node that refused last, the value, and the way to it, innermost first. */
  traces = false;
  node: Node | undefined;
  value: unknown;
  readonly path: (string | number)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  begin(traces = false): void {
    this.#left = this.#most;
    this.traces = traces;
  }

  /** @throws {TooManySteps} */
  count(by = 1): void {
    this.#left -= by;
    if (this.#left < 0) throw new TooManySteps(this.#most);
  }

  /** The refusal of a value by a node for a reason of its own. */
  refuse(node: Node, value: unknown): false {
    if (this.traces) {
      this.node = node;
      this.value = value;
      if (this.path.length > 0) this.path.length = 0;
    }
    return false;
  }

  /** The refusal of a value because of a part, which was refused last. */
  within(key: string | number): false {
    if (this.traces) this.path.push(key);
    return false;
  }
}

/** Characters that are read in the time of a step. */
const CHARACTERS = 32;

/** Counts the reading of a text. Always true. */
export function countText(run: Run, { length }: string, cost = 1): true {
  const read = length * cost;
  if (read >= CHARACTERS) run.count(Math.floor(read / CHARACTERS));
  return true;
}

/** The test of a matcher, counted. */
export function countedTest({ test, cost }: Matcher, run: Run): (text: string) => boolean {
  return (text) => countText(run, text, cost) && test(text);
}
