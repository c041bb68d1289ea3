/** Whether a value matches. It allocates nothing while a value does. */
export type Check = (value: unknown) => boolean;

/** Thrown when a check ends because it takes too long. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';

  constructor(most: number) {
    super(`it takes more than ${most.toLocaleString('en')} steps to check`);
  }
}

/**
 * Counts the references that a check follows. Without references, a check takes time proportional to the value. With them,
 * alternatives that contain themselves take steps that are exponential in the depth of the value, and definitions that name
 * others twice take steps that are exponential in their number.
 */
export interface Steps {
  /** @throws {TooManySteps} */
  count(): void;
  /** Begins anew. */
  reset(): void;
}

export function stepCounter(most: number): Steps {
  let steps = 0;
  return {
    count() {
      steps += 1;
      if (steps > most) throw new TooManySteps(most);
    },
    reset() {
      steps = 0;
    },
  };
}
