/** The checks of one schema. `first` and `all` give the number of faults. */
export interface Checks {
  readonly accepts: (value: unknown) => boolean;
  readonly first: (value: unknown) => number;
  readonly all: (value: unknown) => number;
}

export type Make = (schema: unknown) => Checks;

/** The contenders, ours first. */
export const NAMES: readonly string[];

/** Loads one of them. */
export function opened(name: string): Promise<Make>;
