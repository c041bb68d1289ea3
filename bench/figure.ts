/** The samples of a row, to be drawn. */
export interface Figure {
  /** As written after a number: `ms`, `requests/s`, `× JSON.parse`. */
  readonly unit: string;
  readonly better: 'less' | 'more';
  /** The value of a bar: of rounds the median, of single delays the 99th percentile. */
  readonly shown: 'median' | 'p99';
  /** Ours is the first one. */
  readonly bars: readonly Bar[];
  readonly goals: readonly Goal[];
}

export interface Bar {
  readonly name: string;
  readonly samples: readonly number[];
  /** How many were measured, when only their percentiles were kept. */
  readonly count?: number;
}

/** A value in the unit of the figure, and how it came about: `3× SDK v2`. */
export interface Goal {
  readonly at: number;
  readonly says: string;
}
