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
 * Counts how often a check looks at a part of the value: once for each item, member, reference and alternative. A large schema
 * looks at each part many times, and one that refers to itself does so more often than there are schemas.
 */
export interface Steps {
  /** @throws {TooManySteps} */
  count(by?: number): void;
  /** Begins anew. */
  reset(): void;
}

export class StepCounter implements Steps {
  readonly #most: number;
  #steps = 0;

  constructor(most: number) {
    this.#most = most;
  }

  count(by = 1): void {
    this.#steps += by;
    if (this.#steps > this.#most) throw new TooManySteps(this.#most);
  }

  reset(): void {
    this.#steps = 0;
  }
}

/** Characters that are read in the time of a step. */
const CHARACTERS = 32;

/** Counts the reading of a text. */
export function countText(steps: Steps, { length }: string, cost = 1): void {
  const read = length * cost;
  if (read >= CHARACTERS) steps.count(Math.floor(read / CHARACTERS));
}

/** The test of a matcher, counted. */
export function countedTest({ test, cost }: Matcher, steps: Steps): (text: string) => boolean {
  return (text) => {
    countText(steps, text, cost);
    return test(text);
  };
}
